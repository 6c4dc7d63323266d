#include <anachron/run/machine.hpp>

#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <string_view>
#include <thread>

#include <fmt/format.h>
#include <anachron/base/version.hpp>
#include <anachron/run/config.hpp>

#include "comm/transport/world.hpp"
#include "mem/allocator.hpp"
#include "partition/metis/metis.hpp"
#include "topo/memory.hpp"
#include "topo/processors.hpp"
#include "topo/topology.hpp"

namespace anachron {

namespace {

// The rest of the first line that starts with `key`, after `separator`.
std::optional<std::string> lookup(const char* path, std::string_view key, char separator) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(key)) continue;
    const auto at = line.find(separator);
    if (at == std::string::npos) continue;
    const auto first = line.find_first_not_of(" \t\"", at + 1);
    if (first == std::string::npos) return std::nullopt;
    return line.substr(first, line.find_last_not_of(" \t\"") - first + 1);
  }
  return std::nullopt;
}

std::string operating_system() {
  const auto distribution = lookup("/etc/os-release", "PRETTY_NAME=", '=');
  utsname kernel{};
  if (uname(&kernel) != 0) return distribution.value_or("unknown");
  const auto name = fmt::format("{} {} {}", kernel.sysname, kernel.release, kernel.machine);
  return distribution ? fmt::format("{} ({})", *distribution, name) : name;
}

std::string compiler() {
#if defined(__clang__)
  return fmt::format("Clang {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#elif defined(__GNUC__)
  return fmt::format("GCC {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#else
  return "unknown";
#endif
}

constexpr bool kOptimized =
#ifdef __OPTIMIZE__
    true;
#else
    false;
#endif

}  // namespace

unsigned usable_cores() { return topo::usable_processors(); }

std::uint64_t usable_memory() { return topo::available_memory(); }

Machine this_machine() {
  Machine machine;
  machine.usable_cores = usable_cores();
  machine.cores = std::max(1u, std::thread::hardware_concurrency());
  if (const long online = sysconf(_SC_NPROCESSORS_ONLN); online > 0)
    machine.cores = static_cast<unsigned>(online);
  machine.cpu = lookup("/proc/cpuinfo", "model name", ':').value_or("unknown");
  const long pages = sysconf(_SC_PHYS_PAGES), page_size = sysconf(_SC_PAGE_SIZE);
  if (pages > 0 && page_size > 0)
    machine.memory = static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page_size);
  machine.os = operating_system();
  machine.compiler = compiler();
  machine.optimized = kOptimized;
  machine.version = kVersion;
  if (topo::kHasHwloc) machine.built_with.emplace_back("hwloc");
  if (transport::has_mpi()) machine.built_with.emplace_back("MPI");
  if (partition::kHasMetis) machine.built_with.emplace_back("METIS");
  for (const Pool pool : {Pool::jemalloc, Pool::mimalloc})
    if (mem::has_allocator(pool)) machine.built_with.emplace_back(to_string(pool));
  return machine;
}

}  // namespace anachron
