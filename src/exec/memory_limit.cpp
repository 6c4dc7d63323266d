#include "exec/memory_limit.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <anachron/base/parse.hpp>

#include "lp/lp_store.hpp"
#include "topo/memory.hpp"

namespace anachron::exec {
namespace {

/// In a unit that --memory accepts, rounded up.
std::string at_least(std::uint64_t bytes) {
  constexpr std::uint64_t kKiB = 1024, kMiB = kKiB * 1024;
  if (bytes > 64 * kMiB) return fmt::format("{}MiB", (bytes + kMiB - 1) / kMiB);
  return fmt::format("{}KiB", (bytes + kKiB - 1) / kKiB);
}

/// The same, rounded down.
std::string at_most(std::uint64_t bytes) { return fmt::format("{}MiB", bytes >> 20); }

/// What a thread takes of the address space: its stack, and what malloc sets aside for it, in MiB.
constexpr unsigned kPerThread = 72;

}  // namespace

TooLittleMemory::TooLittleMemory(std::uint64_t limit, const std::string& expected)
    : InputError(bad_value("memory", format_size(limit), expected)),
      of_default_(
          fmt::format("too little memory: the run may take {}, 80% of what is available, and needs {}; "
                      "--memory sets another limit",
                      at_most(limit), expected)) {}

void throw_too_little_memory(const sync::MemoryNeed& need, Time at) {
  const std::string where = need.rank ? fmt::format(" on rank {}", *need.rank) : "";
  throw TooLittleMemory(
      need.limit, fmt::format("at least {}: so much was needed{} at simulated time {}, and more may be later",
                              at_least(std::max(need.in_use, need.limit + 1)), where, format_real(at)));
}

void throw_too_little_memory(const mem::Budget& budget, Time at) {
  throw_too_little_memory({.in_use = budget.in_use(), .limit = budget.limit()}, at);
}

void check_lps_fit(std::span<const event::LpTypeEntry> types, std::uint64_t limit, std::uint64_t available) {
  std::uint64_t needed = 0, count = 0, most = 0, count_of_most = 1;
  std::string_view type;
  for (const event::LpTypeEntry& entry : types) {
    const std::uint64_t bytes = lp::LpStore::bytes_of(entry);
    needed += bytes;
    count += entry.count;
    if (bytes >= most) {
      most = bytes;
      count_of_most = entry.count;
      type = entry.name();
    }
  }
  if (needed < std::min(limit, available)) return;
  const std::string what =
      fmt::format("{} LPs take {} before there is any event, those of type {} {} bytes each", count,
                  at_least(needed), type, most / count_of_most);
  if (needed < available)
    throw TooLittleMemory(limit, fmt::format("at least {}: {}", at_least(needed), what));
  const auto process = topo::process_limit();
  const bool is_process = process && process->left <= available;
  throw InputError(
      fmt::format("{}, and the process may take {}{}: take fewer LPs{}", what, at_most(available),
                  is_process ? fmt::format(", because of {} ({})", process->name, process->command) : "",
                  is_process ? ", or raise that limit" : ", or a machine with more memory"));
}

std::optional<std::string> process_limit_text() {
  const auto limit = topo::process_limit();
  if (!limit || limit->left > topo::available_memory()) return std::nullopt;
  return fmt::format(
      "out of memory: {} ({}) lets the process have {} of {}, which is less than the run needs: raise that "
      "limit, or unset it; beside what --memory bounds, threads count in it, {} MiB or more each, and what "
      "states and events own",
      limit->name, limit->command, at_most(limit->most), limit->what, kPerThread);
}

void throw_out_of_memory() {
  std::optional<std::string> text;
  try {
    text = process_limit_text();
  } catch (const std::bad_alloc&) {  // nor is there memory to look into it
  }
  if (text) throw std::runtime_error(*text);
  throw std::runtime_error(
      "out of memory: the system gives less than --memory allows, or states and events own much themselves; "
      "with a smaller --memory an optimistic run takes less");
}

}  // namespace anachron::exec
