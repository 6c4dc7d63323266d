// How far ahead a PE may execute: up to the horizon of the last round. A window of the PE's own narrows it
// where the throttle has one. At the time of the round's bound superdense steps are limited, too.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>

#include <anachron/base/config.hpp>
#include <anachron/event/header.hpp>
#include <anachron/event/key.hpp>

#include "gvt/rounds/round.hpp"
#include "throttle/baselines/adaptive_time_window.hpp"

namespace anachron::pe {

/// Up to which time a PE executes. Invariant: `time()` is never negative. The bits of a negative time sort
/// after those of all others, so it would be no horizon.
class Horizon {
 public:
  explicit Horizon(const Config& config) : window_(throttle::make_adaptive_time_window(config)) {}

  /// Events before it may be executed.
  Time time() const { return time_; }
  /// The event is at the time of GVT, which does not advance, and has to wait for earlier steps.
  bool defers(const event::EventHeader& e) const {
    return e.time <= limited_time_ && event::step_of(e.order) >= step_end_;
  }
  bool has_own_window() const { return window_ != nullptr; }

  void adopt(const gvt::Round& round) {
    of_round_ = round.horizon;
    least_ = 0;
    step_end_ = round.step_end;
    limited_time_ = round.bound && step_end_ < event::kStepEnd ? round.bound->time : kNoTime;
    if (window_) window_->adopt(round.bound ? round.bound->time : round.horizon);
    narrow();
  }
  /// The event at GVT may be executed whatever the horizon: everything waits for it.
  void pass(const event::EventKey& bound) {
    least_ = std::nextafter(bound.time, kForever);
    narrow();
  }
  /// Nothing may be executed before the next round.
  void close() {
    of_round_ = least_ = time_ = 0;
    limited_time_ = kNoTime;
  }
  /// The PE goes back in time: what its window has learnt may not be what is to come.
  void rewind() {
    if (window_) window_->restart();
    close();
  }

  void rolled_back(Time to) {
    if (window_) window_->rolled_back(to);
  }
  /// The next event has to wait, which the own window takes notice of.
  void waits(Time next) {
    window_->waits(next);
    narrow();
  }

 private:
  static constexpr Time kNoTime = -1;

  void narrow() { time_ = std::max(window_ ? std::min(of_round_, window_->horizon()) : of_round_, least_); }

  std::unique_ptr<throttle::AdaptiveTimeWindow> window_;  // null: the round's horizon is the only bound
  Time of_round_ = 0;
  Time least_ = 0;
  Time time_ = 0;
  Time limited_time_ = kNoTime;  // of whose events some have to wait; kNoTime: none has to
  std::uint32_t step_end_ = event::kStepEnd;
};

}  // namespace anachron::pe
