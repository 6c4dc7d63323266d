// Irrevocable events wait until nothing that can still happen sorts before them, and are then executed once.
//
// When is that? The bound of a GVT round is the smallest key of all that is pending or under way. So nothing
// that sorts before the event with that very key can happen any more. Nothing can undo or cancel that event,
// either, but for what was under way when the round was concluded. That is in one of these places:
//   - in the inbox, as it was made visible before the round was concluded; the PE empties it first;
//   - with a sender whose fabric has refused it, or on its way to another rank: if it has that very key, the
//     round says that nothing is certain.
// An event that failed or stopped the run with a smaller key would have ended it.
#pragma once

#include <optional>

#include <anachron/event/key.hpp>

#include "lp/events_aside.hpp"

namespace anachron::pe {

/// Of a PE. Invariant: what is aside keeps later events of its group waiting, too.
class IrrevocableGate {
 public:
  /// Of a round.
  void adopt(const std::optional<event::EventKey>& certain) { certain_ = certain; }

  /// The event at the bound of the last round, which is certain.
  const std::optional<event::EventKey>& certain() const { return certain_; }
  bool is_certain(const event::EventHeader* e) const { return e && certain_ && e->key() == *certain_; }

  /// No event is aside.
  bool empty() const { return aside_.empty(); }
  std::size_t size() const { return aside_.size(); }
  /// The first that is.
  event::EventHeader* first() const { return aside_.first(); }

  /// The first event of the group that sorts after `e` and is aside; null: none.
  event::EventHeader* after(const lp::LpCell* group, event::EventHeader& e) const {
    return aside_.after(group, e);
  }

  /// Puts the event aside if it has to wait for itself or for an earlier one of its group. Returns whether it
  /// has.
  bool put_aside(const lp::LpCell* group, event::EventHeader& e) {
    if (!e.ops->irrevocable && !aside_.block(group, e)) return false;
    aside_.put(group, e);
    return true;
  }
  /// Lets go of an event that is aside; calls `then(event)` for what had to wait for it only.
  template <class Then>
  void release_aside(const lp::LpCell* group, event::EventHeader& e, Then&& then) {
    aside_.remove(group, e, then);
  }
  /// Lets go of all. Calls `then(event)` for each.
  template <class Then>
  void clear(Then&& then) {
    aside_.clear(then);
  }

  void executed(const event::EventHeader& e) { behind_last_ = e.key().successor(); }
  /// What sorts before it is not undone any more.
  const std::optional<event::EventKey>& behind_last() const { return behind_last_; }

  /// The last round may have been concluded before the last irrevocable event was executed, which its bound
  /// then does not include. It is committed all the same, with what the PE executed before it: with several
  /// PEs it was at the bound, and a single one executes in order. Unless it failed: then it ended the run.
  std::optional<event::EventKey> final_bound(const std::optional<event::EventKey>& bound,
                                             const std::optional<event::EventKey>& failure) const {
    if (!bound || !behind_last_ || !(*bound < *behind_last_)) return bound;
    if (failure && failure->successor() == *behind_last_) return bound;
    return behind_last_;
  }

 private:
  lp::EventsAside aside_;
  std::optional<event::EventKey> certain_;
  std::optional<event::EventKey> behind_last_;
};

}  // namespace anachron::pe
