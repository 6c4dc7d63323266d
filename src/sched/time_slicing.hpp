// Two workers that take turns with what one executes in order. Beside as many foreign threads as there are
// cores, a single thread has less than a core. On two cores it has two thirds of one, as the system moves all
// three about so that each has as much. Two workers would have half of the two cores, but each half of the
// time and not at the same time.
//
// So the second worker, which would sleep, takes turns with the first on the same core. Only one of them
// runs. But the system counts two threads there, so it moves the others to the other cores and leaves them
// there. The events stay in one cache.
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
  static constexpr unsigned kWorkers = 2;  // that take turns: the first two
  // Less than a time slice of the system and less than between two ticks of its clock (Linux: 3 and 4 ms), or
  // the two look like one thread. Much shorter ones cost more.
  static constexpr std::chrono::milliseconds kTurn{2};

  /// What it asks of the system, for the worker whose turn it is.
  struct System {
    std::function<Clock::time_point()> now;
    std::function<void()> gather;  ///< both workers are to stay on the core of the one that calls
    std::function<void()> roam;    ///< both may go where there is room
  };
  explicit TimeSlicing(System system) : system_(std::move(system)) {}

  /// A piece of work, with which the first worker begins. When no worker runs.
  void begin();
  /// The other one, before all else: sleeps until its first turn. Returns false when the work was over
  /// before.
  bool wait_for_first(unsigned worker);
  /// From time to time by the worker whose turn it is; `are_wanted`: the two are to take turns. May give the
  /// turn away and return when it is back. Returns false when the work was over meanwhile.
  bool go_on(unsigned worker, bool are_wanted) {
    if (are_wanted) return look(worker);
    if (are_gathered_) part();
    return true;
  }
  /// By the worker whose turn it is, once the work is over or has failed.
  void end();

  /// How often the worker has given its turn away. When no worker runs.
  std::uint64_t given_by(unsigned worker) const { return seats_[worker].given; }

 private:
  // Now and then the next turn begins where the system finds best: others may stay on this core as well.
  static constexpr unsigned kTurnsPerPlace = 16;

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
  unsigned next_ = 0;                 // whose turn it is
  bool is_over_ = false;
  Clock::time_point began_{};  // the present turn
  bool are_gathered_ = false;
  unsigned turns_here_ = 0;  // since it was last asked where is best; 0: now
};

}  // namespace anachron::sched
