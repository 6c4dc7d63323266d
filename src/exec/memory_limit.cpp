#include "exec/memory_limit.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include <fmt/format.h>
#include <anachron/base/parse.hpp>

namespace anachron::exec {
namespace {

/// In a unit that --memory accepts, rounded up.
std::string at_least(std::uint64_t bytes) {
  constexpr std::uint64_t kKiB = 1024, kMiB = kKiB * 1024;
  if (bytes > 64 * kMiB) return fmt::format("{}MiB", (bytes + kMiB - 1) / kMiB);
  return fmt::format("{}KiB", (bytes + kKiB - 1) / kKiB);
}

}  // namespace

void throw_too_little_memory(const mem::Budget& budget, Time at) {
  const std::uint64_t needed = std::max(budget.in_use(), budget.limit() + 1);
  throw bad_value("memory", format_size(budget.limit()),
                  fmt::format("at least {}: so much was needed at simulated time {}, and more may be later",
                              at_least(needed), format_real(at)));
}

void throw_out_of_memory() {
  throw std::runtime_error(
      "out of memory: the system gives less than --memory allows, or states and events own much themselves; "
      "with a smaller --memory the run takes less");
}

}  // namespace anachron::exec
