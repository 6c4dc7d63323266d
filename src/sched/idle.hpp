// What a worker does when there is nothing to do, and how long it did that.
#pragma once

#include <chrono>
#include <cstdint>

#include <anachron/base/platform.hpp>

#include "topo/clocks/clocks.hpp"

namespace anachron::sched {

/// Time is booked when the worker turns to something else, so that a busy worker never looks at the clock. A
/// turn in which it found work is no rest, although that shows at its end only.
class Idle {
 public:
  /// Why the worker did nothing for a turn of all its PEs, or that it had work.
  enum class Cause : std::uint8_t { had_work, no_events, gvt };

  /// `patience`: how long to spin for work before the core is given away, see Backoff.
  Idle(topo::WorkerClock& clock, unsigned patience) : clock_(clock), backoff_(patience) {}

  /// Before each turn.
  void begin_turn() {
    if (cause_ != Cause::had_work) turn_began_ = Clock::now();
  }
  /// After each turn of a PE. `cause` says why the PE did nothing; `had_work`: it did something. The worker
  /// waits when none of the `pes` that it may run had any.
  void after_turn(Cause cause, unsigned pes) {
    idle_turns_ = cause == Cause::had_work ? 0 : idle_turns_ + 1;
    const bool rests = idle_turns_ >= pes;
    if (const Cause now = rests ? cause : Cause::had_work; now != cause_) {
      book();
      if (cause_ == Cause::had_work) since_ = Clock::now();
      cause_ = now;
    }
    if (rests)
      backoff_.wait();
    else
      backoff_.reset();
  }

  /// Books what there is and begins anew: what follows is no rest.
  void end() {
    book();
    cause_ = Cause::had_work;
    idle_turns_ = 0;
  }

  /// How many turns in a row there was nothing to do.
  unsigned idle_turns() const { return idle_turns_; }

  /// Books how long the worker has rested since the last call, up to the present turn.
  void book() {
    const double seconds = std::chrono::duration<double>(turn_began_ - since_).count();
    if (cause_ == Cause::no_events) clock_.add_waiting(seconds);
    if (cause_ == Cause::gvt) clock_.add_gvt(seconds);
    clock_.add_away(std::chrono::duration<double>(backoff_.take_away()).count());
    since_ = turn_began_;
  }

 private:
  using Clock = std::chrono::steady_clock;

  topo::WorkerClock& clock_;
  Backoff backoff_;
  unsigned idle_turns_ = 0;
  Cause cause_ = Cause::had_work;
  Clock::time_point since_, turn_began_;  // while it rests
};

}  // namespace anachron::sched
