// The event types of one LP type, collected before `main`. C++ cannot enumerate overloads. So each table that
// the model's code makes links itself into the list of its LP type when the program, or a library that it
// loads, is initialised. This is the only thing in the library that is both global and written to: see
// docs/decisions/0011-event-types-list-themselves.md.
#pragma once

#include <atomic>

namespace anachron::event {

struct EventOps;

struct EventListNode {
  const EventOps* ops;
  const EventListNode* next;
};

/// In no particular order, which differs between programs.
class EventList {
 public:
  void add(EventListNode& node) noexcept {
    node.next = newest_.load(std::memory_order_relaxed);
    // Release: pairs with the acquire in `newest`, as a thread may make a simulation while a library is
    // loaded.
    while (!newest_.compare_exchange_weak(node.next, &node, std::memory_order_release,
                                          std::memory_order_relaxed)) {
    }
  }
  const EventListNode* newest() const noexcept { return newest_.load(std::memory_order_acquire); }

 private:
  std::atomic<const EventListNode*> newest_{nullptr};
};

/// Links a table into a list when it is constructed, and never leaves it.
class ListedEvent {
 public:
  ListedEvent(EventList& list, const EventOps& ops) noexcept : node_{&ops, nullptr} { list.add(node_); }
  ListedEvent(const ListedEvent&) = delete;
  ListedEvent& operator=(const ListedEvent&) = delete;

 private:
  EventListNode node_;
};

}  // namespace anachron::event
