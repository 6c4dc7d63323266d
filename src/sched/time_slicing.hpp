// Two workers that share the time of what one executes in order. Beside as many foreign threads as there are
// cores, a single thread has less than a core. On two cores it has two thirds of one, as the system moves all
// three about so that each has as much. Two workers would have half of the two cores, but each half of the
// time and not at the same time.
//
// So the second worker, which would sleep, alternates with the first on the same core, a slice of time each.
// Only one of them runs. But the system counts two threads there, so it moves the others to the other cores
// and leaves them there. The events stay in one cache.
#pragma once

#include <array>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>

namespace anachron::sched {

class TimeSlicing {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr unsigned kWorkers = 2;  // that alternate: the first two
  // Less than a time slice of the system and less than between two ticks of its clock (Linux: 3 and 4 ms), or
  // the two look like one thread. Much shorter ones cost more.
  static constexpr std::chrono::milliseconds kSlice{2};

  /// What it asks of the system, for the worker whose slice it is.
  struct System {
    std::function<Clock::time_point()> now;
    std::function<void()> gather;  ///< both workers are to stay on the core of the one that calls
    std::function<void()> roam;    ///< both may go where there is room
  };
  explicit TimeSlicing(System system) : system_(std::move(system)) {}

  /// A piece of work, with which the first worker begins. When no worker runs.
  void begin();
  /// The other one, before all else: sleeps until its first slice. Returns false when the work was over
  /// before.
  bool wait_for_first(unsigned worker);
  /// From time to time by the worker whose slice it is; `are_wanted`: the two are to alternate. May give the
  /// core away and return when it is back. Returns false when the work was over meanwhile.
  bool go_on(unsigned worker, bool are_wanted) {
    if (are_wanted) return look(worker);
    if (are_gathered_) part();
    return true;
  }
  /// By the worker whose slice it is, once the work is over or has failed.
  void end();

  /// How often the worker has given the core away. When no worker runs.
  std::uint64_t given_by(unsigned worker) const { return seats_[worker].given; }

 private:
  // Now and then the next slice begins where the system finds best: others may stay on this core as well.
  static constexpr unsigned kSlicesPerPlace = 16;

  struct Seat {
    std::condition_variable is_next;
    std::uint64_t given = 0;
  };

  bool look(unsigned worker);
  void part();
  bool wait(std::unique_lock<std::mutex>& lock, unsigned worker);

  const System system_;
  std::mutex mutex_;
  std::array<Seat, kWorkers> seats_;  // guarded by the mutex, as is the rest
  unsigned next_ = 0;                 // whose slice it is
  bool is_over_ = false;
  Clock::time_point began_{};  // the present slice
  bool are_gathered_ = false;
  unsigned slices_here_ = 0;  // since it was last asked where is best; 0: now
};

}  // namespace anachron::sched
