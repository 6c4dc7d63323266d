// What is said when a run does not fit into its memory, or into the machine's.
#pragma once

#include <cstdint>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include <anachron/base/error.hpp>
#include <anachron/base/time.hpp>
#include <anachron/event/frame.hpp>

#include "mem/budget.hpp"
#include "sync/rank_report.hpp"

namespace anachron::exec {

/// What --memory allows is not enough.
class TooLittleMemory : public InputError {
 public:
  /// `expected`: "at least 6MiB: so much was needed ..".
  TooLittleMemory(std::uint64_t limit, const std::string& expected);
  /// The message for a run without --memory, whose limit is the default.
  const std::string& of_default() const { return of_default_; }

 private:
  std::string of_default_;
};

/// Throws TooLittleMemory: the run has reached simulated time `at` and needs more than its limit.
[[noreturn]] void throw_too_little_memory(const sync::MemoryNeed& need, Time at);
[[noreturn]] void throw_too_little_memory(const mem::Budget& budget, Time at);

/// Throws TooLittleMemory when the LPs alone, with what the engine keeps of each, are too many for `limit`
/// (--memory), InputError when they are for `available`, what the process may take. Before anything of their
/// size is made.
void check_lps_fit(std::span<const event::LpTypeEntry> types, std::uint64_t limit, std::uint64_t available);

/// Names the limit of the process that has refused memory, and its value; none when it is another one's
/// fault. Throws std::bad_alloc.
std::optional<std::string> process_limit_text();
/// Throws std::runtime_error: the system has no memory left, whatever the budget. It names the limit of the
/// process that is to blame, if there is one.
[[noreturn]] void throw_out_of_memory();

/// Calls `action` and says what to do when the system gives it no memory.
template <class Action>
auto within_system_memory(Action&& action) {
  try {
    return std::forward<Action>(action)();
  } catch (const std::bad_alloc&) {
    throw_out_of_memory();
  }
}

}  // namespace anachron::exec
