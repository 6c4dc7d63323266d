// Whether somebody else who used the cores has left them: then more workers may pay again.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

#include "sched/trials/idle_cores.hpp"
#include "sched/trials/recent.hpp"

namespace anachron::sched {

class Room {
 public:
  /// `cores`: null: not known.
  explicit Room(std::unique_ptr<IdleCores> cores) : cores_(std::move(cores)) {}

  /// Forgets what it has seen: more workers are tried.
  void forget() {
    was_taken_ = false;
    is_too_little_.reset();
    free_ = 0;
    unused_.forget();
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
    if (const auto cores = cores_->mean(wall_s)) note(*cores);
  }

  /// There was no core left, and still is none.
  bool is_taken() const { return was_taken_ && free_ == 0 && !is_at_times(); }
  /// Not even for all who want one.
  bool is_too_little() const { return is_too_little_.value_or(false); }
  /// As far as is known: where idle time is counted, nobody is seen to wait.
  bool is_enough() const { return !is_too_little_.value_or(true); }
  /// There was no core left, and for a while there has been one, or now and again.
  bool has_come() const { return was_taken_ && (free_ >= kFree || is_at_times()); }

 private:
  static constexpr double kTaken = 0.5, kRoom = 0.75, kTooLittle = -0.5;  // idle cores
  static constexpr int kFree = 2;  // answers in a row: a moment says nothing
  static constexpr std::size_t kAnswers = 8;
  static constexpr double kUnused = 0.2;  // of a core

  void note(IdleCores::Answer cores) {
    if (cores.idle < kTaken) was_taken_ = true;
    is_too_little_ = cores.idle < kTooLittle;
    free_ = cores.idle > kRoom ? free_ + 1 : 0;
    unused_.add(cores.unused);
  }

  /// Others who come and go leave so much of a core that more workers may pay, however many they are while
  /// they are there.
  bool is_at_times() const { return unused_.count() == kAnswers && unused_.mean_or(0) > kUnused; }

  std::unique_ptr<IdleCores> cores_;
  bool was_taken_ = false;
  std::optional<bool> is_too_little_;
  int free_ = 0;
  Recent<kAnswers> unused_;
};

}  // namespace anachron::sched
