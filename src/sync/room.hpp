// Whether somebody else who used the cores has left them: then more workers may pay again.
#pragma once

#include <functional>
#include <optional>
#include <utility>

namespace anachron::sync {

class Room {
 public:
  /// Seconds that all cores together have been idle, since some time in the past; none: not known.
  using IdleSeconds = std::function<std::optional<double>()>;
  explicit Room(IdleSeconds idle_s) : idle_s_(std::move(idle_s)) {}

  /// Forgets what it has seen: more workers are tried.
  void forget() { *this = Room(std::move(idle_s_)); }
  /// Others were seen to want all cores: they may have left them before the first look.
  void assume_taken() { was_taken_ = true; }
  /// The time since the last look says nothing: workers have changed.
  void pause() { last_.reset(); }

  /// From time to time, at `wall_s` seconds, while fewer workers are active than there are.
  void look(double wall_s) {
    if (!idle_s_ || (last_ && wall_s - last_->wall_s < kPeriod)) return;
    const std::optional<double> idle_s = idle_s_();
    if (!idle_s) return;
    if (last_) note((*idle_s - last_->idle_s) / (wall_s - last_->wall_s));
    last_ = Look{wall_s, *idle_s};
  }

  /// There was no core left, and still is none.
  bool is_taken() const { return was_taken_ && free_ == 0; }
  /// There was no core left, and for a while there has been one.
  bool has_come() const { return was_taken_ && free_ >= kFree; }

 private:
  static constexpr double kPeriod = 50e-3;             // seconds: some ticks of the system's clock
  static constexpr double kTaken = 0.5, kRoom = 0.75;  // idle cores
  static constexpr int kFree = 2;                      // periods in a row: a moment says nothing

  struct Look {
    double wall_s, idle_s;
  };

  void note(double idle_cores) {
    if (idle_cores < kTaken) was_taken_ = true;
    free_ = idle_cores > kRoom ? free_ + 1 : 0;
  }

  IdleSeconds idle_s_;
  std::optional<Look> last_{};
  bool was_taken_ = false;
  int free_ = 0;
};

}  // namespace anachron::sync
