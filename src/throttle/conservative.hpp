// Conservative synchronisation: lookahead, and the window that follows from it. Every event that an LP sends
// out of its cluster, which is on one PE, is at least the lookahead of its type in the future. Nothing before
// GVT can happen any more. So no other PE can still influence what is before GVT + lookahead, and each may
// execute it for good (bounded lag: B. D. Lubachevsky, "Efficient distributed event-driven simulations of
// multiple- loop networks", CACM 32(1), 1989; YAWNS: D. M. Nicol, "The cost of conservative synchronization
// in parallel discrete event simulations", JACM 40(2), 1993). The windows slide: GVT advances while PEs
// execute.
//
// Why no straggler can come. Let H = fl(G + L) be the horizon of a round with GVT G and smallest lookahead L;
// fl rounds.
//   - Sent by an event that is executed after its PE's report: that event is not before G, at now >= G. Its
//     sends out of its cluster are at or after fl(now + lookahead), which is checked. Rounding is monotone,
//     so that is at or after fl(G + L) = H.
//   - Sent before its PE's report: it was made visible before the report, so it is in the channel when the
//     round is concluded. Each PE empties its inbox between taking a horizon and executing. Where the fabric
//     has refused it, it is still with the sender. Where it goes to another rank, it may be on its way. In
//     both cases the horizon does not go beyond it (Summary::refused).
// Events at H itself wait, whatever their step and tie, so one that arrives at exactly H is not late either.
// What an LP sends within its cluster, at any delay, does not leave its PE, which executes in the order of
// keys.
// If L is so small that H = G, nothing is before H. Then the event at the bound alone is executed: there is
// no smaller key anywhere.
#pragma once

#include <span>
#include <vector>

#include <anachron/event/frame.hpp>

#include "throttle/throttle.hpp"

namespace anachron::throttle {

/// The lookahead of each LP type in a conservative run: that of the run, or else what the type declares.
/// Throws InputError when a type has none above 0.
std::vector<Time> lookaheads(std::span<const event::LpTypeEntry> types, const Config& config);

/// The same of types that all declare a lookahead above 0, and that they do not stop the run. Otherwise none:
/// then windows may not be an alternative to Time Warp.
std::vector<Time> lookaheads_for_windows(std::span<const event::LpTypeEntry> types);

/// The type declares that its events may stop the run. Then a conservative run keeps history too: what comes
/// after the stop may have been executed by others.
inline bool may_stop(const event::LpTypeEntry& type) {
  return type.ops->may_stop && type.ops->may_stop(type.params);
}

/// The window that the smallest lookahead allows. Its horizon is at GVT itself where the lookahead is lost in
/// rounding.
class LookaheadWindow : public Throttle {
 public:
  explicit LookaheadWindow(Time lookahead) : lookahead_(lookahead) {}
  Time horizon(const RoundFacts& facts) override { return facts.gvt + lookahead_; }

 private:
  Time lookahead_;
};

}  // namespace anachron::throttle
