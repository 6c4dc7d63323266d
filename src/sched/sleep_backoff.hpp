// How long a worker sleeps whose core another program wants: longer each time that it came back too early.
#pragma once

#include <algorithm>
#include <chrono>
#include <optional>

namespace anachron::sched {

class SleepBackoff {
 public:
  using Clock = std::chrono::steady_clock;

  /// The worker is to sleep, or to go on sleeping: seconds, `usual_s` unless it was active for a short time
  /// only since it last slept.
  double begin(double usual_s, Clock::time_point now) {
    if (ended_) {
      const double active_s = std::chrono::duration<double>(now - *ended_).count();
      last_s_ = active_s < kSoon * last_s_ ? std::min(2 * last_s_, kMost) : 0;
      ended_.reset();
    }
    return last_s_ = std::max(usual_s, last_s_);
  }
  /// It is active again.
  void end(Clock::time_point now) { ended_ = now; }

 private:
  static constexpr double kSoon = 4;  // times as long as it had slept
  static constexpr double kMost = 0.5;

  std::optional<Clock::time_point> ended_;  // while it has not slept since
  double last_s_ = 0;
};

}  // namespace anachron::sched
