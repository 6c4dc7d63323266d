// The total order of events, the root of determinism: EventKey{time, step, priority, tie, sender, place}.
#pragma once

#include <cstdint>

#include <anachron/base/ids.hpp>
#include <anachron/base/time.hpp>
#include <anachron/event/identity.hpp>
#include <anachron/event/order.hpp>

namespace anachron::event {

inline constexpr std::uint32_t kStepEnd = std::uint32_t{1} << 24;  ///< superdense microsteps are below it

/// Microstep and priority in one word, ordered step first, then the lower priority. Both must be valid
/// for that.
constexpr std::uint32_t make_rank(std::uint32_t step, int priority) {
  return step << 8 | (static_cast<std::uint32_t>(priority) - static_cast<std::uint32_t>(Order::kLeast));
}
/// Rank and tie in one word, ordered rank first.
constexpr std::uint64_t make_order_of(std::uint32_t rank, std::uint32_t tie) {
  return (static_cast<std::uint64_t>(rank) << 32) | tie;
}
constexpr std::uint64_t make_order(std::uint32_t step, std::uint32_t tie, int priority = 0) {
  return make_order_of(make_rank(step, priority), tie);
}
constexpr std::uint32_t rank_of(std::uint64_t order) { return static_cast<std::uint32_t>(order >> 32); }
constexpr std::uint32_t step_of(std::uint64_t order) { return static_cast<std::uint32_t>(order >> 40); }
constexpr int priority_of(std::uint64_t order) {
  return static_cast<int>(rank_of(order) & 0xff) + Order::kLeast;
}
constexpr std::uint32_t tie_of(std::uint64_t order) { return static_cast<std::uint32_t>(order); }

/// Where an event stands in the order of execution. Keys of different events of a run differ.
struct EventKey {
  Time time = 0;
  std::uint64_t order = 0;  ///< step (0 unless sent with zero delay: then the parent's + 1), priority, tie
  LpId sender = 0;
  std::uint64_t place = 0;  ///< made of its identity: event/identity.hpp

  friend constexpr bool operator==(const EventKey&, const EventKey&) = default;
  friend constexpr bool operator<(const EventKey& a, const EventKey& b) {
    if (a.time != b.time) return a.time < b.time;
    if (a.order != b.order) return a.order < b.order;
    if (a.sender != b.sender) return a.sender < b.sender;
    return a.place < b.place;
  }

  /// The smallest key that is greater.
  constexpr EventKey successor() const { return {time, order, sender, place + 1}; }
};

}  // namespace anachron::event
