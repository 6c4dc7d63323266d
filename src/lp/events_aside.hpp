// Events that were reached but must wait. Irrevocable events wait until they are certain to commit. Behind
// each wait those of its group of LPs, which would only have to be undone when it is executed.
#pragma once

#include <cstddef>
#include <functional>
#include <set>
#include <unordered_map>
#include <utility>

#include <anachron/event/header.hpp>
#include <anachron/event/ops.hpp>

#include "lp/lp_store.hpp"

namespace anachron::lp {

/// The first of each group that is aside is irrevocable. O(log n) each, n being the events of a group or the
/// groups.
class EventsAside {
 public:
  bool empty() const { return firsts_.empty(); }
  std::size_t size() const { return size_; }
  /// The one with the smallest key; null: none.
  event::EventHeader* first() const { return firsts_.empty() ? nullptr : *firsts_.begin(); }

  /// An irrevocable event of the group (named by its leader) that sorts before `e` is aside.
  bool block(const LpCell* group, const event::EventHeader& e) const {
    const auto at = groups_.find(group);
    return at != groups_.end() && event::before(**at->second.begin(), e);
  }

  /// The first of the group that sorts after `e` and is aside; null: none.
  event::EventHeader* after(const LpCell* group, event::EventHeader& e) const {
    const auto at = groups_.find(group);
    if (at == groups_.end()) return nullptr;
    const auto next = at->second.upper_bound(&e);
    return next == at->second.end() ? nullptr : *next;
  }

  /// Precondition: `e` is irrevocable, or the group blocks it.
  void put(const LpCell* group, event::EventHeader& e) {
    Events& events = groups_[group];
    const bool is_first = events.empty() || Before{}(&e, *events.begin());
    if (is_first && !events.empty()) firsts_.erase(*events.begin());
    if (is_first) firsts_.insert(&e);
    events.insert(&e);
    e.status = event::Status::aside;
    ++size_;
  }

  /// Lets go of `e`, which is aside. Calls `then(event)` for each that had to wait for it only; those are no
  /// longer aside.
  template <class Then>
  void remove(const LpCell* group, event::EventHeader& e, Then&& then) {
    const auto at = groups_.find(group);
    Events& events = at->second;
    const bool was_first = *events.begin() == &e;
    if (was_first) firsts_.erase(&e);
    release(events, events.find(&e));
    if (!was_first) return;
    while (!events.empty() && !(*events.begin())->ops->irrevocable) {
      event::EventHeader* const waiting = *events.begin();
      release(events, events.begin());
      then(*waiting);
    }
    if (events.empty())
      groups_.erase(at);
    else
      firsts_.insert(*events.begin());
  }

  /// Lets go of all. Calls `then(event)` for each, in any order.
  template <class Then>
  void clear(Then&& then) {
    for (auto& [group, events] : groups_)
      for (event::EventHeader* e : events) {
        e->status = e->waiting_status();
        then(*e);
      }
    groups_.clear();
    firsts_.clear();
    size_ = 0;
  }

 private:
  struct Before {  // an event that was taken back and its successor may have the same key
    bool operator()(const event::EventHeader* a, const event::EventHeader* b) const {
      if (event::before(*a, *b)) return true;
      return !event::before(*b, *a) && std::less<>()(a, b);
    }
  };
  using Events = std::set<event::EventHeader*, Before>;

  void release(Events& events, Events::iterator at) {
    (*at)->status = (*at)->waiting_status();
    events.erase(at);
    --size_;
  }

  std::unordered_map<const LpCell*, Events> groups_;
  Events firsts_;
  std::size_t size_ = 0;
};

}  // namespace anachron::lp
