// How long events take, and the longest chain of causes in time (--time-events). It stands where the depth of
// events stands otherwise: 32 bits of each event and each LP.
#pragma once

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <thread>

#include "topo/clocks/clocks.hpp"

namespace anachron::pe {

/// Nanoseconds as a float: its bits sort as numbers do, and any length fits.
struct PathLength {
  std::uint32_t bits = 0;

  double seconds() const { return double{std::bit_cast<float>(bits)} * 1e-9; }

  /// Longer by that. The sum is rounded up or down by chance, right on average: a chain of any length is off
  /// by about 0.03%. `random`: 32 bits.
  PathLength plus(double nanoseconds, std::uint32_t random) const {
    const double sum = double{std::bit_cast<float>(bits)} + nanoseconds;
    auto below = static_cast<float>(sum);
    if (double{below} > sum) below = std::nextafter(below, 0.0F);
    const float above = std::nextafter(below, std::numeric_limits<float>::infinity());
    const double share = (sum - double{below}) / (double{above} - double{below});
    return {std::bit_cast<std::uint32_t>(share > random * 0x1p-32 ? above : below)};
  }
};

/// By the clock on the wall, which is quick to read. Where an event seems long, it asks for the processor
/// time of the thread, too: while others had the core, the event did not take longer. Invariant: no event
/// takes less than no time, so a chain is never shorter than the one before it.
class EventTimer {
 public:
  /// Calls `handler`. Returns the length of the chain that ends with it, when the one before it has `before`.
  template <class Handler>
  PathLength time(PathLength before, const Handler& handler) {
    Clock::time_point began = Clock::now();
    if (const auto self = std::this_thread::get_id(); self != thread_ || began - ended_ > kLong) {
      if (cost_ns_ < 0) measure_cost();
      thread_ = self;
      time_away(began);
      began = Clock::now();
    }
    handler();
    ended_ = Clock::now();
    double passed = nanoseconds(ended_ - began) - cost_ns_;
    if (ended_ - began > kLong) passed -= time_away(ended_);
    passed = std::max(0.0, passed);
    all_ns_ += passed;
    random_ = random_ * 6364136223846793005U + 1442695040888963407U;  // Knuth's; results do not depend on it
    return before.plus(passed, static_cast<std::uint32_t>(random_ >> 32));
  }

  /// Of all handlers that it has called.
  double seconds() const { return all_ns_ * 1e-9; }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::microseconds kLong{5};
  static double nanoseconds(Clock::duration passed) {
    return std::chrono::duration<double, std::nano>(passed).count();
  }

  /// Reading the clock takes time itself, which counts for no event: the least of many looks.
  void measure_cost() {
    cost_ns_ = 1000;
    for (int i = 0; i < 1000; ++i) {
      const Clock::time_point before = Clock::now();
      cost_ns_ = std::min(cost_ns_, nanoseconds(Clock::now() - before));
    }
  }

  /// In ns, for how long the thread has had no core since this was asked before.
  double time_away(Clock::time_point now) {
    const double cpu_ns = topo::thread_cpu_seconds() * 1e9;
    const double away = nanoseconds(now - asked_) - (cpu_ns - cpu_ns_);
    asked_ = now;
    cpu_ns_ = cpu_ns;
    return std::max(0.0, away);
  }

  double cost_ns_ = -1, all_ns_ = 0;  // the first is measured before the first event
  std::uint64_t random_ = 1;
  std::thread::id thread_;  // that called the handler before
  Clock::time_point ended_{}, asked_{};
  double cpu_ns_ = 0;
};

}  // namespace anachron::pe
