// The total order of events, the root of determinism: EventKey{time, step, tie, sender, place}.
#pragma once

#include <cstdint>

#include <anachron/base/hash.hpp>
#include <anachron/base/ids.hpp>
#include <anachron/base/time.hpp>

namespace anachron::event {

/// Superdense microstep and tie in one word, ordered step first.
constexpr std::uint64_t make_order(std::uint32_t step, std::uint32_t tie) {
  return (static_cast<std::uint64_t>(step) << 32) | tie;
}
constexpr std::uint32_t step_of(std::uint64_t order) { return static_cast<std::uint32_t>(order >> 32); }

/// The tie of an LP's seq-th send: fair among simultaneous events, and another seed gives another order.
constexpr std::uint32_t make_tie(std::uint64_t tie_seed, LpId sender, std::uint64_t seq) {
  const std::uint64_t who = fold_multiply(tie_seed ^ 0x9e3779b97f4a7c15ull, sender ^ 0xd6e8feb86659fd93ull);
  const std::uint64_t what = fold_multiply(who + seq, 0xbf58476d1ce4e5b9ull);
  return static_cast<std::uint32_t>(fold_multiply(what, 0x94d049bb133111ebull) >> 16);
}

/// The place of an LP's seq-th send among its sends. Between the places of two there is one for the
/// retraction of the second, which thus sorts right before what it takes back.
constexpr std::uint64_t place_of(std::uint64_t seq) { return 2 * seq + 1; }
constexpr std::uint64_t place_of_retraction(std::uint64_t place) { return place - 1; }

/// Where an event stands in the order of execution. Keys of different events of a run differ.
struct EventKey {
  Time time = 0;
  std::uint64_t order = 0;  ///< step (0 unless sent with zero delay: then the parent's + 1) and tie
  LpId sender = 0;
  std::uint64_t place = 0;  ///< among its sender's sends, see place_of; rolls back with the sender

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
