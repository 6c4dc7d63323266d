// Clocks of a run: how long threads have had a core, what a worker does without events, what cores have
// counted.
#pragma once

#include <atomic>
#include <ctime>
#include <optional>

#include <anachron/base/figures.hpp>
#include <anachron/base/platform.hpp>

#include "topo/clocks/phase_clock.hpp"

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

/// What a worker does with its time when it does not execute events. Its worker writes it, the GVT manager
/// reads it: relaxed, because each value on its own may be a little old.
class alignas(kNoSharing) WorkerClock {
 public:
  /// All of its time, by what it was spent on. Only its worker uses it, and the engine when no worker runs.
  PhaseClock phases;

  void add_waiting(double seconds) { add(waiting_s_, seconds); }
  void add_gvt(double seconds) { add(gvt_s_, seconds); }
  void add_away(double seconds) { add(away_s_, seconds); }

  /// Without an event to execute.
  double waiting_s() const { return waiting_s_.load(std::memory_order_relaxed); }
  /// In GVT rounds.
  double gvt_s() const { return gvt_s_.load(std::memory_order_relaxed); }
  /// In which it had given its core to others, because there was nothing to do.
  double away_s() const { return away_s_.load(std::memory_order_relaxed); }

 private:
  static void add(std::atomic<double>& sum, double seconds) {
    sum.store(sum.load(std::memory_order_relaxed) + seconds, std::memory_order_relaxed);
  }
  alignas(kNoSharing) std::atomic<double> waiting_s_{0}, gvt_s_{0}, away_s_{0};
};

/// What the cores have counted for all workers of a run, in all its terms.
class CoreTally {
 public:
  /// What one thread has counted in one term; none: it could not.
  void add(const std::optional<CoreCounts>& counted) {
    if (!counted)
      is_complete_ = false;
    else if (sum_)
      *sum_ += *counted;
    else
      sum_ = counted;
  }
  /// None: nothing was counted, or not all.
  std::optional<CoreCounts> total() const { return is_complete_ ? sum_ : std::nullopt; }

 private:
  std::optional<CoreCounts> sum_;
  bool is_complete_ = true;
};

}  // namespace anachron::topo
