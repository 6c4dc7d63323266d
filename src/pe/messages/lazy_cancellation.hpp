// Lazy cancellation: undoing an event does not cancel what it sent. Only when the event is executed again
// and does not send the same, or when it is cancelled itself, that is cancelled (A. Gafni, "Rollback
// mechanisms for optimistic distributed simulation systems", SCS Multiconference on Distributed Simulation,
// 1988).
//
// GVT need not know of it. An undone event is pending, so no bound passes it, and all that it sent sorts
// after it: none of that commits, and its memory stays. A cancellation leaves the PE like other messages:
// after the event was executed again, as a send, or when the event itself is cancelled. So it is counted.
//
// An event whose sender may do something else is executed meanwhile, beside one that replaces it. So for a
// while two events, even of one LP, may have the same key. They are undone together, since a rollback goes
// back to a key.
#pragma once

#include <cstddef>
#include <unordered_map>
#include <utility>
#include <vector>

#include <anachron/event/header.hpp>

#include "lp/record.hpp"

namespace anachron::pe {

/// What undone events of a PE had sent, until they are executed again or cancelled themselves. Invariant: the
/// sender of all that is here waits, in the pending set or set aside.
class LazyCancellation {
 public:
  /// How what an event sends differs from what it sent before it was undone.
  struct Difference {
    std::vector<event::EventHeader*> wrong;      ///< sent before, and not again
    std::vector<event::EventHeader*> fresh;      ///< sent now for the first time, newest first
    std::vector<event::EventHeader*> redundant;  ///< made now, and sent before
  };

  bool empty() const { return sent_.empty(); }
  std::size_t bytes() const;

  /// Takes over what an event that is undone has sent.
  void keep(lp::Record& record);
  /// What the event had sent, newest first, linked by `next`; null when nothing is kept of it. It is
  /// forgotten.
  event::EventHeader* take(const event::EventHeader& e);
  /// The same of any event; null when there is none.
  event::EventHeader* take_any();

  /// Whether something is kept of the event of the record, which was executed again. If so, compares it with
  /// what the event has sent now: the record then has what was sent before and again, and what is fresh.
  /// Valid until the next call.
  const Difference* compare(lp::Record& record);

 private:
  void note_before(event::EventHeader* newest);
  event::EventHeader* take_same(const event::EventHeader& now);

  std::unordered_map<const event::EventHeader*, event::EventHeader*>
      sent_;  // by the undone event: the newest
  Difference difference_;
  std::vector<std::pair<std::uint64_t, std::size_t>> by_place_;  // what was sent before: its index in `wrong`
};

}  // namespace anachron::pe
