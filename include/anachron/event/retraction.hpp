// Taking an event back that another handler call has sent, as Context::cancel does.
//
// A retraction is an event of its own, sent to the LP that the other one is for. Its key lies right before
// that event's, and no other key is between. So when it has been executed, in whatever mode, its event is the
// next in order, and the PE takes it out instead of executing it. Being an event it is rolled back,
// cancelled, counted by GVT and carried by fabrics like any other. It is no event of the model's: it is
// neither counted as executed nor part of the digest. So a PE may drop it early, together with its event. The
// handler call that has sent it must be certain, and no cancellation of it can be under way
// (pe/phases/retract.cpp, gvt/decisions/settled.hpp).
//
// It arrives after its event, because both come from the same PE and are for the same LP. If it comes after
// that event was executed, it is a straggler like others.
#pragma once

#include <cstdint>

#include <anachron/event/header.hpp>
#include <anachron/event/key.hpp>

namespace anachron {

/// Names an event that was sent, for Context::cancel. The LP that has sent it keeps it in its state.
/// Default-constructed it names none; converted to `bool` it says whether it names one.
///
///     timer = cx.send(cx.self(), 30, Timeout{});  // an an::EventHandle of the state
///     // in another event:
///     if (cx.cancel(timer)) ++in_time;
struct EventHandle {
  Time time = 0;            ///< of the event, in the model's unit
  std::uint64_t order = 0;  ///< of the engine: step, priority and tie
  std::uint64_t place = 0;  ///< 0: none
  LpId sender = 0;          ///< number of the LP among those of all types
  LpId receiver = 0;        ///< likewise

  explicit operator bool() const { return place != 0; }
  /// What the engine sorts the event by.
  event::EventKey key() const { return {time, order, sender, place}; }
  friend bool operator==(const EventHandle&, const EventHandle&) = default;
};

namespace event {

/// Behind the header of a retraction. Its status tells which member counts: `target` while it is executed,
/// `sent_at` before.
union Retraction {
  Time sent_at;         ///< of the handler call that has sent it; kForever: not known any more
  EventHeader* target;  ///< the event that it has taken back; null: it has found none
};

}  // namespace event
}  // namespace anachron
