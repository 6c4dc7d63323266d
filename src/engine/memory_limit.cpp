#include "engine/memory_limit.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <anachron/base/error.hpp>

#include "lp/lp_store.hpp"
#include "mem/too_little_memory.hpp"
#include "topo/memory.hpp"

namespace anachron::engine {
namespace {

/// What a thread takes of the address space: its stack, and what malloc sets aside for it, in MiB.
constexpr unsigned kPerThread = 72;

}  // namespace

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
                  mem::at_least(needed), type, most / count_of_most);
  if (needed < available)
    throw mem::TooLittleMemory(limit, fmt::format("at least {}: {}", mem::at_least(needed), what));
  const auto process = topo::process_limit();
  const bool is_process = process && process->left <= available;
  throw InputError(
      fmt::format("{}, and the process may take {}{}: take fewer LPs{}", what, mem::at_most(available),
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
      limit->name, limit->command, mem::at_most(limit->most), limit->what, kPerThread);
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

}  // namespace anachron::engine
