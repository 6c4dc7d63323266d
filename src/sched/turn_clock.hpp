// Tells the phase clock of a worker what the worker does, so that its loop need not. What is routed at the
// end of a turn and at the beginning of the next one is one interval, if both turns are of one PE.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "sched/idle.hpp"
#include "sched/mapping/mapping.hpp"
#include "topo/clocks/phase_clock.hpp"

namespace anachron::sched {

/// Used by its worker. Invariant: from `start` to `stop` each moment belongs to one phase.
class TurnClock {
 public:
  using Phase = topo::Phase;
  using Within = topo::PhaseClock::Within;

  explicit TurnClock(topo::PhaseClock& phases) : phases_(phases) {}

  void start(Phase phase, std::optional<std::size_t> pe = std::nullopt) { phases_.start(phase, pe); }
  void stop() {
    phases_.stop();
    has_routed_ = false;
  }
  /// What the worker does while the result lives.
  Within within(Phase phase) { return Within(&phases_, phase); }
  topo::PhaseClock& phases() { return phases_; }

  /// A turn of this PE begins; kNoPe: the worker has none.
  void begin_turn(PeId id) {
    if (phases_.phase() != Phase::routing) phases_.cut();
    if (phases_.charge_to(id == kNoPe ? std::nullopt : std::optional<std::size_t>(id))) has_routed_ = false;
  }
  void receives() { phases_.enter(Phase::routing); }
  void executes(std::uint64_t received) {
    if (received > 0 || has_routed_) phases_.cut();
    phases_.enter(Phase::execution);
  }
  /// `pe`: has executed so many events, and publishes now what it has reached.
  template <class Pe>
  void publishes(unsigned executed, const Pe& pe) {
    has_routed_ = executed > 0;
    if (has_routed_) has_executed(executed, pe);
    phases_.enter(has_routed_ ? Phase::routing : Phase::idle);
  }
  void end_turn(Idle::Cause cause) {
    if (cause == Idle::Cause::had_work) return;
    phases_.enter(cause == Idle::Cause::gvt ? Phase::rounds : Phase::idle);
  }

  template <class Pe>
  void has_executed(unsigned events, const Pe& pe) {
    phases_.cut(events);
    phases_.record_of_pe(
        {.kind = topo::FlightRecord::Kind::reached, .value = std::bit_cast<std::uint64_t>(pe.reached())});
  }
  /// Another worker had its core.
  void had_no_core() {
    phases_.enter(Phase::asleep);
    phases_.cut();
    phases_.record({.kind = topo::FlightRecord::Kind::swap});
  }
  /// The time of no PE from now on.
  void leave_pe() { phases_.charge_to(std::nullopt); }

 private:
  topo::PhaseClock& phases_;
  bool has_routed_ = false;  // since the last cut
};

}  // namespace anachron::sched
