#include "mem/too_little_memory.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <anachron/base/parse.hpp>

namespace anachron::mem {

std::string at_least(std::uint64_t bytes) {
  constexpr std::uint64_t kKiB = 1024, kMiB = kKiB * 1024;
  if (bytes > 64 * kMiB) return fmt::format("{}MiB", (bytes + kMiB - 1) / kMiB);
  return fmt::format("{}KiB", (bytes + kKiB - 1) / kKiB);
}

std::string at_most(std::uint64_t bytes) { return fmt::format("{}MiB", bytes >> 20); }

TooLittleMemory::TooLittleMemory(std::uint64_t limit, const std::string& expected)
    : InputError(bad_value("memory", format_size(limit), expected)),
      of_default_(
          fmt::format("too little memory: the run may take {}, 80% of what is available, and needs {}; "
                      "--memory sets another limit",
                      at_most(limit), expected)) {}

void throw_too_little_memory(const MemoryNeed& need, Time at) {
  const std::string where = need.rank ? fmt::format(" on rank {}", *need.rank) : "";
  throw TooLittleMemory(
      need.limit, fmt::format("at least {}: so much was needed{} at simulated time {}, and more may be later",
                              at_least(std::max(need.in_use, need.limit + 1)), where, format_real(at)));
}

void throw_too_little_memory(const Budget& budget, Time at) {
  throw_too_little_memory({.in_use = budget.in_use(), .limit = budget.limit()}, at);
}

}  // namespace anachron::mem
