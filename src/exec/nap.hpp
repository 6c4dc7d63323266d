// How long a worker sleeps whose core somebody else wants: longer each time that it came back too early.
#pragma once

#include <algorithm>
#include <chrono>
#include <optional>

namespace anachron::exec {

class Nap {
 public:
  using Clock = std::chrono::steady_clock;

  /// The worker is to sleep, or to go on sleeping: seconds, `usual_s` unless it was active for a short time
  /// only since it last slept.
  double begin(double usual_s, Clock::time_point now) {
    if (ended_) {
      const double active_s = std::chrono::duration<double>(now - *ended_).count();
      factor_ = active_s < kSoon * last_s_ ? std::min(2 * factor_, kMostFactor) : 1;
      ended_.reset();
    }
    last_s_ = std::max(usual_s, std::min(factor_ * usual_s, kMost));
    return last_s_;
  }
  /// It is active again.
  void end(Clock::time_point now) { ended_ = now; }

 private:
  static constexpr double kSoon = 4;  // times as long as it had slept
  static constexpr double kMost = 0.5, kMostFactor = 256;

  std::optional<Clock::time_point> ended_;  // while it has not slept since
  double last_s_ = 0, factor_ = 1;
};

}  // namespace anachron::exec
