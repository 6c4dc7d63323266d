// What a worker does when there is nothing to do, and how long it did that.
#pragma once

#include <chrono>
#include <cstdint>

#include <anachron/base/platform.hpp>

namespace anachron::exec {

/// Time is booked when the worker turns to something else, so that a busy worker never looks at the clock.
class Rest {
 public:
  /// Why the worker did nothing for a turn of all its PEs.
  enum class Cause : std::uint8_t { none, no_events, gvt };

  /// `turns`: PEs that the worker runs in turn. `patience`: see Backoff.
  Rest(unsigned turns, unsigned patience) : turns_(turns), backoff_(patience) {}

  /// After each turn of a PE: none, it had work. Waits when no PE of the worker had any.
  template <class Pe>
  void after_turn(Cause cause, Pe& pe) {
    idle_turns_ = cause == Cause::none ? 0 : idle_turns_ + 1;
    const bool rests = idle_turns_ >= turns_;
    if (const Cause now = rests ? cause : Cause::none; now != cause_) {
      book(pe);
      cause_ = now;
    }
    if (rests)
      backoff_.wait();
    else
      backoff_.reset();
  }

  /// How often in a row all PEs of the worker had nothing to do.
  unsigned rounds() const { return idle_turns_ / turns_; }

  /// Tells the PE how long the worker has rested since the last call.
  template <class Pe>
  void book(Pe& pe) {
    const auto now = Clock::now();
    const double seconds = std::chrono::duration<double>(now - since_).count();
    if (cause_ == Cause::no_events) pe.add_waiting(seconds);
    if (cause_ == Cause::gvt) pe.add_gvt(seconds);
    since_ = now;
  }

 private:
  using Clock = std::chrono::steady_clock;

  unsigned turns_;
  Backoff backoff_;
  unsigned idle_turns_ = 0;
  Cause cause_ = Cause::none;
  Clock::time_point since_ = Clock::now();
};

}  // namespace anachron::exec
