// How long threads have had a core.
#pragma once

#include <ctime>

namespace anachron::topo {
namespace detail {

inline double seconds_of(clockid_t clock) {
  timespec t{};
  ::clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

}  // namespace detail

inline double thread_cpu_seconds() { return detail::seconds_of(CLOCK_THREAD_CPUTIME_ID); }
inline double process_cpu_seconds() { return detail::seconds_of(CLOCK_PROCESS_CPUTIME_ID); }

}  // namespace anachron::topo
