// What workers get of the cores beside others, where all threads get as much.
#pragma once

#include <algorithm>
#include <cmath>

namespace anachron::sched {

/// How many threads of others want the cores, when each of so many workers, who never sleep, gets this share
/// of one. Precondition: share > 0.
constexpr double foreign_threads(double share, unsigned workers, unsigned cores) {
  return std::max(0.0, cores / share - workers);
}

/// The share of a core that each of so many workers gets beside them.
constexpr double fair_share(double foreign_threads, unsigned workers, unsigned cores) {
  return std::min(1.0, cores / (foreign_threads + workers));
}

/// The share that a worker gets in the long run: at first what is expected, then more and more what it was.
/// For some hundredths of a second it may be anything, as the system takes a while to move others to where
/// workers have left.
class LongShare {
 public:
  explicit LongShare(double expected) : used_s_(expected * kWeight) {}

  /// Seconds of a core that it has had, of so many.
  void add(double used_s, double wall_s) {
    const double kept = std::exp(-wall_s / kMemory);
    used_s_ = used_s_ * kept + used_s;
    wall_s_ = wall_s_ * kept + wall_s;
  }
  double value() const { return used_s_ / wall_s_; }

 private:
  static constexpr double kWeight = 0.2,
                          kMemory = 1;  // seconds: of what is expected; how long all of it counts

  double used_s_, wall_s_ = kWeight;
};

}  // namespace anachron::sched
