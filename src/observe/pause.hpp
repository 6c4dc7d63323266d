// Pauses of a run: workers stand still between two batches, and so does the clock of the run.
//
// Whatever is measured per second reads that clock, so the time of a pause counts nowhere: not in `wall_s`
// and rates, not in what is learnt from them.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>

namespace anachron::observe {

class Pause {
 public:
  using Nanoseconds = std::chrono::nanoseconds;

  /// Workers wait before their next batch. Does nothing while pauses are forbidden.
  void begin();
  void end();
  bool is_on() const { return clock_.load(std::memory_order_relaxed) < 0; }

  /// The run is to end: ends a pause, and there is none from now on.
  void forbid();
  void allow();

  /// Time that does not pass in a pause, since some point in the past.
  Nanoseconds now() const {
    const std::int64_t clock = clock_.load(std::memory_order_relaxed);
    return clock < 0 ? Nanoseconds(-clock) : steady() - Nanoseconds(clock);
  }

  /// By a worker: returns when there is no pause. Calls `serve(true)` about every millisecond, if there is
  /// one: other ranks go on and send.
  void wait(const std::function<void(bool waits)>& serve = {});

 private:
  static constexpr std::chrono::milliseconds kService{1};

  static Nanoseconds steady() { return std::chrono::steady_clock::now().time_since_epoch(); }
  void end_locked();

  // Read by all workers in each turn. At least 0: how long all pauses together took, in nanoseconds. Below 0:
  // there is a pause, and the clock of the run stands at minus this. Written with the mutex locked; relaxed,
  // as workers read nothing else on the strength of it.
  std::atomic<std::int64_t> clock_{0};
  std::mutex mutex_;
  std::condition_variable is_over_;
  bool is_forbidden_ = false;  // guarded by the mutex
};

}  // namespace anachron::observe
