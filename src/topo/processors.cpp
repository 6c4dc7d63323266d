#include "topo/processors.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <thread>

namespace anachron::topo {

// The affinity mask may be wider than cpu_set_t, so ask with growing masks.
std::vector<unsigned> processors_of_this_thread() {
  std::vector<unsigned> out;
  for (int bits = 1024; bits <= 1 << 20; bits *= 4) {
    cpu_set_t* const mask = CPU_ALLOC(static_cast<std::size_t>(bits));
    if (!mask) break;
    const std::size_t size = CPU_ALLOC_SIZE(static_cast<std::size_t>(bits));
    const bool known = sched_getaffinity(0, size, mask) == 0;
    for (unsigned processor = 0; known && processor < static_cast<unsigned>(bits); ++processor)
      if (CPU_ISSET_S(processor, size, mask)) out.push_back(processor);
    CPU_FREE(mask);
    if (known) break;
  }
  return out;
}

std::optional<unsigned> processor_of_this_thread() {
  const int processor = sched_getcpu();
  return processor < 0 ? std::nullopt : std::optional(static_cast<unsigned>(processor));
}

unsigned allowed_processors() {
  const auto count = static_cast<unsigned>(processors_of_this_thread().size());
  return count > 0 ? count : std::max(1u, std::thread::hardware_concurrency());
}

// "QUOTA PERIOD" or "max PERIOD" in version 2.
std::optional<unsigned> quota() {
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

unsigned usable_processors() {
  const unsigned allowed = allowed_processors();
  return std::min(allowed, quota().value_or(allowed));
}

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

}  // namespace anachron::topo
