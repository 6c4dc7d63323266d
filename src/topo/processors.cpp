#include "topo/processors.hpp"

#include <sched.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <thread>

namespace anachron::topo {

// The affinity mask may be wider than cpu_set_t, so ask with growing masks.
unsigned allowed_processors() {
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

}  // namespace anachron::topo
