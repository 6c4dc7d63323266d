#include <anachron/run/machine.hpp>

#include <sched.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <optional>
#include <string_view>
#include <thread>

#include <fmt/format.h>
#include <anachron/base/version.hpp>
#include <anachron/run/config.hpp>

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

// The affinity mask may be wider than cpu_set_t, so ask with growing masks.
unsigned affinity_cores() {
  for (int bits = 1024; bits <= 1 << 20; bits *= 4) {
    cpu_set_t* const mask = CPU_ALLOC(static_cast<std::size_t>(bits));
    if (!mask) break;
    const std::size_t size = CPU_ALLOC_SIZE(static_cast<std::size_t>(bits));
    const bool known = sched_getaffinity(0, size, mask) == 0;
    const int count = known ? CPU_COUNT_S(size, mask) : 0;
    CPU_FREE(mask);
    if (known) return static_cast<unsigned>(std::max(count, 1));
  }
  return std::max(1u, std::thread::hardware_concurrency());
}

// A container's CPU quota in cores, rounded up: cgroup v2 ("QUOTA PERIOD" or "max PERIOD"), then v1.
std::optional<unsigned> quota_cores() {
  double quota = -1, period = 0;
  if (std::ifstream v2("/sys/fs/cgroup/cpu.max"); v2) {
    if (!(v2 >> quota >> period)) return std::nullopt;
  } else {
    std::ifstream("/sys/fs/cgroup/cpu/cpu.cfs_quota_us") >> quota;
    std::ifstream("/sys/fs/cgroup/cpu/cpu.cfs_period_us") >> period;
  }
  if (!(quota > 0) || !(period > 0)) return std::nullopt;
  return static_cast<unsigned>(std::clamp(std::ceil(quota / period), 1.0, 65535.0));
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

unsigned usable_cores() {
  const unsigned cores = affinity_cores();
  return std::min(cores, quota_cores().value_or(cores));
}

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
  return machine;
}

}  // namespace anachron
