// Which workers run PEs now, and the sleep of the others (Wang et al. 2015, sections 6.2 and 6.3). Where
// another program wants a worker's core, the worker gives it up. Otherwise it would be stopped at any moment
// with a PE in its hands.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <vector>

#include <anachron/base/config.hpp>
#include <anachron/base/platform.hpp>

namespace anachron::sched {

/// How long a call of sched_yield may take when nobody else wants the core, in seconds: some microseconds,
/// and with another thread there its time slice, some milliseconds.
inline constexpr double kLongestYield = 200e-6;
/// Gives the core to a thread that wants it. Returns the seconds until it was back.
double timed_yield();

class Activity {
 public:
  Activity(unsigned workers, Reactivation reactivation);

  /// The first so many workers are active, the others stay out of it. When no worker uses this.
  void begin_term(unsigned workers);

  bool is_active(unsigned worker) const {
    // Relaxed: what a worker does with its PEs is ordered by acquiring and releasing them.
    return states_[worker].value.load(std::memory_order_relaxed) == State::active;
  }
  unsigned count() const { return count_.load(std::memory_order_relaxed); }
  /// How many sleep.
  unsigned asleep() const { return workers_ - std::min(count(), workers_); }

  /// Puts a worker to sleep, from the next time on that it looks; but never the last.
  void deactivate(unsigned worker);

  Reactivation reactivation() const { return reactivation_; }

  /// Called by a worker that was put to sleep: sleeps about so long, unless the term ends, and is active
  /// again if it may be. With Reactivation::signal it sleeps until a signal instead.
  void sleep(unsigned worker, double period_s);
  /// Called by active workers from time to time, with Reactivation::signal: signals one of those that sleep,
  /// each in its turn, but no two within a period. Never waits.
  void signal_one(std::chrono::steady_clock::time_point now, double period_s);
  /// The term is over: sleeping workers are to see that.
  void wake_all();

 private:
  enum class State : unsigned char { active, asleep, out };
  enum class Bell : int { quiet, rung, over };  // an int: the system waits for it without a lock
  struct alignas(kNoSharing) PerWorker {  // written by the worker that changes it, read by its own each turn
    std::atomic<State> value{State::active};
    // The worker waits while it is quiet. Rung by active workers; over from the end of the term on. Release
    // and acquire: a worker that wakes sees what ended the term.
    std::atomic<Bell> bell{Bell::quiet};
  };

  void reactivate(unsigned worker);
  /// Returns whether it was signalled, or else the term is over.
  bool await_signal(unsigned worker);
  void ring(unsigned worker);

  const Reactivation reactivation_;
  std::vector<PerWorker> states_;
  unsigned workers_ = 0;  // of the term
  std::atomic<unsigned> count_{0};
  // When the next signal is due, in nanoseconds of the clock, and which worker had the last one. Written by
  // the active worker that gives it. Relaxed: they carry no other data.
  std::atomic<std::int64_t> signal_due_{0};
  std::atomic<unsigned> signalled_{0};
  std::mutex mutex_;
  std::condition_variable over_;
  bool is_over_ = false;  // guarded by the mutex
};

}  // namespace anachron::sched
