// What is said when LPs do not fit into the memory, or the system has none left.
#pragma once

#include <cstdint>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include <anachron/event/frame.hpp>

namespace anachron::engine {

/// Throws mem::TooLittleMemory when the LPs alone, with what the engine keeps of each, are too many for
/// `limit`
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

}  // namespace anachron::engine
