// The error of a run that needs more memory than --memory allows.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <anachron/base/error.hpp>
#include <anachron/base/time.hpp>

#include "mem/budget.hpp"

namespace anachron::mem {

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

/// What a rank has in use, and what it may.
struct MemoryNeed {
  std::uint64_t in_use = 0, limit = 0;  ///< bytes
  std::optional<unsigned> rank{};       ///< none: there is one only

  double left() const { return static_cast<double>(limit) - static_cast<double>(in_use); }
};

/// Throws TooLittleMemory: the run has reached simulated time `at` and needs more than its limit.
[[noreturn]] void throw_too_little_memory(const MemoryNeed& need, Time at);
[[noreturn]] void throw_too_little_memory(const Budget& budget, Time at);

/// In a unit that --memory accepts: rounded up, rounded down.
std::string at_least(std::uint64_t bytes);
std::string at_most(std::uint64_t bytes);

}  // namespace anachron::mem
