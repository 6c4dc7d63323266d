// Workers that hand their cores to each other. Beside foreign threads a worker is stopped for some
// milliseconds again and again, at any moment and with a PE in its hands. All advance with the slowest. So
// the others run ahead meanwhile and then wait, or have done it in vain.
//
// Wang et al. 2015 wish for a system that tells a thread to release its PE before it is stopped (future work,
// section 10). There is none, but a worker that runs can see that another one does not, and is behind. Then
// the two exchange their cores. The one that was stopped goes on where the other one ran. The one that is
// ahead waits until the others have had the contested core for as long as the workers had it before. The two
// take turns meanwhile, so that they stay together. So each worker loses as much as foreign threads take, and
// not what the slowest loses.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include <anachron/base/platform.hpp>
#include <anachron/base/time.hpp>

namespace anachron::sched {

class CoreSwap {
 public:
  using Nanoseconds = std::int64_t;
  using Lock = std::unique_lock<std::mutex>;

  /// What it asks of the system. The first three are called by any worker at any time, the others by one
  /// thread at a time.
  struct System {
    std::function<Nanoseconds()> now;
    /// Processor time that a worker has had.
    std::function<Nanoseconds(unsigned worker)> used;
    /// The calling worker moves to its core, and may have to wait for that.
    std::function<void(unsigned worker)> move;
    /// The two have each other's cores from now on, and `other` is moved to its own.
    std::function<void(unsigned worker, unsigned other)> exchange;
    /// A worker that sleeps is to wake on its core.
    std::function<void(unsigned worker)> settle;
    /// Sleeps until `is_over`, which `over` tells, or until that time.
    std::function<void(std::condition_variable& over, Lock& lock, Nanoseconds until,
                       const std::function<bool()>& is_over)>
        sleep;
    /// By worker: cores are exchanged within a group only.
    std::vector<unsigned> groups;
  };
  explicit CoreSwap(System system);

  class Runner;

  /// A worker that is given a core can have it: as far as is known, no other program wants that core. Any
  /// thread.
  bool pays() const { return pays_.load(std::memory_order_relaxed); }
  /// How often a worker has given its core away. When no worker runs.
  std::uint64_t given_by(unsigned worker) const { return seats_[worker].given; }

 private:
  static constexpr Nanoseconds kMicrosecond = 1000, kMillisecond = 1000 * kMicrosecond;
  // A worker that has not been heard of for so long was stopped, if it has not had a core either.
  static constexpr Nanoseconds kSilence = 300 * kMicrosecond;
  // What others get of a core at a time: a time slice at most.
  static constexpr Nanoseconds kLeastForOthers = kMillisecond, kMostForOthers = 4 * kMillisecond;
  // Who comes to a core that nobody else has wanted for so long is likely to be gone at once.
  static constexpr Nanoseconds kUndisturbed = 20 * kMillisecond;

  struct alignas(kNoSharing) Seat {
    // Written by its worker at each look, read by the others in theirs. Relaxed: each value on its own may be
    // a little old.
    std::atomic<bool> takes_part{false};
    std::atomic<Nanoseconds> seen{0};
    std::atomic<Time> reached{0};
    std::atomic<bool> is_moved{false};  // it was given a core, and is not yet there
    std::atomic<bool> waits{false};     // it has given its core away, and sleeps; changed under the mutex

    // Guarded by the mutex.
    unsigned core = 0;
    Nanoseconds moved = 0, used = 0;  // when, and the processor time that it had had then
    bool was_stopped = false;         // then; otherwise it waited, and wanted no core
    unsigned giver = 0;
    std::condition_variable is_given;
    std::uint64_t given = 0;
  };

  struct Core {
    Nanoseconds ours_since = 0;    // when workers had it back from others, as far as is known
    Nanoseconds others_until = 0;  // may have it
  };

  /// Whether it pays. A core that others use as well brings the worker that gets it nothing: these may have
  /// it first. As long as it does not pay, one failure is enough to wait longer: it costs a time slice.
  class Success {
   public:
    bool may_try(Nanoseconds now) const { return now >= not_before_; }
    void arrived(Nanoseconds now, bool was_soon);
    /// The last bout was a success, or there was none.
    bool pays() const { return pays_; }

   private:
    static constexpr unsigned kBout = 8, kFailures = 3;
    static constexpr Nanoseconds kPause = 20 * kMillisecond, kLongPause = 40 * kMillisecond;

    unsigned tries_ = 0, failed_ = 0;
    bool pays_ = true;
    Nanoseconds not_before_ = 0;
  };

  bool hand_over(unsigned worker, unsigned other, Nanoseconds seen, Nanoseconds used);
  void wait(Lock& lock, Seat& seat);
  static bool waits(const Seat& seat) { return seat.waits.load(std::memory_order_relaxed); }

  const System system_;
  std::vector<Seat> seats_;  // by worker
  std::vector<Core> cores_;  // by the worker that had it at first; guarded by the mutex
  std::mutex mutex_;
  Success success_;  // guarded by the mutex
  // Written under the mutex, read by all when they look for interference. Relaxed: it orders nothing.
  std::atomic<bool> pays_{true};
};

/// A worker's part in it, while this lives. Used by the worker.
class CoreSwap::Runner {
 public:
  Runner(CoreSwap& core_swap, unsigned worker);
  ~Runner() { pause(); }
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  /// After each turn of a PE, with none acquired but those that the worker keeps: the time that this has come
  /// to, and whether there was anything to do. May give the core away, and return on another one, later:
  /// then it returns true.
  bool after_turn(Time reached, bool had_work) {
    if (++turns_ < turns_per_look_) [[likely]]
      return false;
    return look(reached, had_work);
  }
  /// The worker is about to sleep: it wants no core until its next turn.
  void pause();

 private:
  // Seldom enough to cost next to nothing, often enough to see what is worth seeing.
  static constexpr Nanoseconds kOften = 40 * kMicrosecond, kSeldom = 100 * kMicrosecond;
  static constexpr unsigned kMostTurns = 64;
  // A gap between two looks that is not a batch, if the worker had no core in it; who is moved to a free core
  // is there sooner.
  static constexpr Nanoseconds kGap = 500 * kMicrosecond;

  bool look(Time reached, bool had_work);
  void adapt(Nanoseconds since_last);
  void arrive(Nanoseconds now);
  bool is_stopped(Nanoseconds now, Time reached, bool had_work);
  void turn_to_next();

  CoreSwap& core_swap_;
  const unsigned worker_;
  Seat& seat_;
  unsigned turns_ = 0, turns_per_look_ = 1;
  std::optional<Nanoseconds> last_look_;

  // At whom it looks, and what it knows of it.
  unsigned other_;
  Nanoseconds suspect_after_ = kSilence;  // longer where a suspicion was false: it executes a long event
  std::optional<Nanoseconds> used_;       // processor time when it was suspected; none: it is not
};

}  // namespace anachron::sched
