// How far apart the cores of two workers are: the round trip of a cache line between them. On virtual
// machines it changes by the minute, and with it what two workers bring.
#pragma once

#include <atomic>
#include <chrono>
#include <optional>

#include <anachron/base/platform.hpp>

namespace anachron::sched {

/// Two threads call `take_part`, one as number 0 and one as number 1. Gives up when it takes long: then
/// another program uses a core.
class CoreDistance {
 public:
  void take_part(unsigned number) {
    const auto began = Clock::now();
    for (int round = 1; round <= kRounds; ++round) {
      if (number == 0) sides_[0].store(round, std::memory_order_release);
      std::atomic<int>& other = sides_[number == 0 ? 1 : 0];
      for (unsigned spins = 0; other.load(std::memory_order_acquire) < round; ++spins) {
        pause();
        if (spins % 256 == 255 && Clock::now() - began > kPatience) return;
      }
      if (number == 1) sides_[1].store(round, std::memory_order_release);
      if (number == 0 && round == kFirstRounds) first_ = Clock::now();
    }
    if (number == 0)
      seconds_ = std::chrono::duration<double>(Clock::now() - first_).count() / (kRounds - kFirstRounds);
  }

  /// After both have returned: the mean of many.
  std::optional<double> seconds() const { return seconds_; }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr int kFirstRounds = 100, kRounds = 1100;
  static constexpr std::chrono::milliseconds kPatience{10};

  struct alignas(kNoSharing) Side : std::atomic<int> {  // written by one thread, read by the other
    using std::atomic<int>::atomic;
  };
  Side sides_[2] = {0, 0};
  Clock::time_point first_;  // of the first thread only
  std::optional<double> seconds_;
};

}  // namespace anachron::sched
