// The door of the room `queue`: pending sets, the events that were received and not yet executed.
//
// Invariant: a set gives the event with the smallest key first, whatever the order of insertion.
// A set never drops an event, not even a cancelled one: the PE that pops it does.
// Read on in queue/radix_ladder.hpp (the default); baselines/ has the others, to compare with.
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>

#include <anachron/event/header.hpp>

namespace anachron::queue {

/// What a PE asks of a pending set, which can also be made from nothing and assigned to. Cancelled events
/// stay in it: the PE that pops one drops it.
template <class Q>
concept PendingSet =
    std::default_initializable<Q> && std::movable<Q> &&
    requires(Q q, const Q cq, event::EventHeader* e, Time t, std::size_t ahead) {
      q.insert(e);
      { q.top() } -> std::same_as<event::EventHeader*>;         // null when empty
      q.pop();                                                  // removes the top; not empty
      { q.pop_below(t) } -> std::same_as<event::EventHeader*>;  // null when no event is before time t
      {
        cq.soon(ahead)
      } -> std::same_as<event::EventHeader*>;  // probably the ahead-th next, or null: to prefetch
      { cq.size() } -> std::same_as<std::size_t>;
      { cq.bytes() } -> std::same_as<std::size_t>;            // memory held by the set itself
      q.remove_if([](event::EventHeader*) { return true; });  // in any order
      q.remove_if([](event::EventHeader*) { return true; },
                  [](Time) { return true; });  // looks at events of some times only
    };

/// For `remove_if`: no time is left out.
inline constexpr auto at_any_time = [](Time) { return true; };

/// A queue's entry: the time as an integer of the same order, and the event. Queues are templates of it, so
/// that a test can count how often entries are compared and copied.
struct Entry {
  std::uint64_t bits;
  event::EventHeader* event;
};

/// Non-negative doubles and their bit patterns are in the same order.
inline std::uint64_t to_bits(Time time) { return std::bit_cast<std::uint64_t>(time); }
inline Time to_time(std::uint64_t bits) { return std::bit_cast<Time>(bits); }

inline bool before(const Entry& a, const Entry& b) {
  return a.bits != b.bits ? a.bits < b.bits : event::before_at_same_time(*a.event, *b.event);
}
inline constexpr auto after = [](const auto& a, const auto& b) { return before(b, a); };

}  // namespace anachron::queue
