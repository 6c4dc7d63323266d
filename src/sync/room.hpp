// Whether somebody else who used the cores has left them: then more workers may pay again.
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "sync/idle_cores.hpp"

namespace anachron::sync {

class Room {
 public:
  /// `cores`: null: not known.
  explicit Room(std::unique_ptr<IdleCores> cores) : cores_(std::move(cores)) {}

  /// Forgets what it has seen: more workers are tried.
  void forget() {
    was_taken_ = false;
    is_too_little_.reset();
    free_ = 0;
    pause();
  }
  /// Others were seen to want all cores: they may have left them before the first look.
  void assume_taken() { was_taken_ = true; }
  /// The time since the last look says nothing: workers have changed.
  void pause() {
    if (cores_) cores_->forget();
  }

  /// From time to time, at `wall_s` seconds, while fewer workers are active than there are.
  void look(double wall_s) {
    if (!cores_) return;
    if (const std::optional<double> idle = cores_->mean(wall_s)) note(*idle);
  }

  /// There was no core left, and still is none.
  bool is_taken() const { return was_taken_ && free_ == 0; }
  /// Not even for all who want one.
  bool is_too_little() const { return is_too_little_.value_or(false); }
  /// As far as is known: where idle time is counted, nobody is seen to wait.
  bool is_enough() const { return !is_too_little_.value_or(true); }
  /// There was no core left, and for a while there has been one.
  bool has_come() const { return was_taken_ && free_ >= kFree; }

 private:
  static constexpr double kTaken = 0.5, kRoom = 0.75, kTooLittle = -0.5;  // idle cores
  static constexpr int kFree = 2;  // answers in a row: a moment says nothing

  void note(double idle_cores) {
    if (idle_cores < kTaken) was_taken_ = true;
    is_too_little_ = idle_cores < kTooLittle;
    free_ = idle_cores > kRoom ? free_ + 1 : 0;
  }

  std::unique_ptr<IdleCores> cores_;
  bool was_taken_ = false;
  std::optional<bool> is_too_little_;
  int free_ = 0;
};

}  // namespace anachron::sync
