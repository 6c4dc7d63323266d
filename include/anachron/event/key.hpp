// The total order of events, the root of determinism: EventKey{time, step, priority, tie, sender, place}.
#pragma once

#include <bit>
#include <cstdint>

#include <anachron/base/hash.hpp>
#include <anachron/base/ids.hpp>
#include <anachron/base/time.hpp>
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

/// The order as digests have it: with priority 0 it is step and tie, each in its half of the word.
constexpr std::uint64_t order_for_digest(std::uint64_t order) {
  constexpr std::uint32_t kUsual = make_rank(0, 0);
  if (rank_of(order) == kUsual) [[likely]]  // two instructions instead of six
    return order ^ make_order_of(kUsual, 0);
  return make_order_of(std::rotr(rank_of(order) ^ kUsual, 8), tie_of(order));
}

/// The tie of an LP's seq-th send: fair among simultaneous events, and another seed gives another order.
constexpr std::uint32_t make_tie(std::uint64_t tie_seed, LpId sender, std::uint64_t seq) {
  const std::uint64_t who = fold_multiply(tie_seed ^ 0x9e3779b97f4a7c15ull, sender ^ 0xd6e8feb86659fd93ull);
  const std::uint64_t what = fold_multiply(who + seq, 0xbf58476d1ce4e5b9ull);
  return static_cast<std::uint32_t>(fold_multiply(what, 0x94d049bb133111ebull) >> 16);
}

/// The tie of what an LP sends in order for that time and rank. It is the same for all of it, so that the
/// sends follow each other, and fair among senders, each time anew. Never kNoTie.
constexpr std::uint32_t kNoTie = 0;
constexpr std::uint32_t make_tie_in_order(std::uint64_t tie_seed, LpId sender, Time time,
                                          std::uint32_t rank) {
  const std::uint64_t when =
      fold_multiply(std::bit_cast<std::uint64_t>(time) ^ 0x9e3779b97f4a7c15ull, rank ^ 0xc2b2ae3d27d4eb4full);
  const std::uint32_t tie = make_tie(tie_seed, sender, when);
  return tie != kNoTie ? tie : 1;
}

/// The place of an LP's seq-th send among its sends. Between the places of two there is one for the
/// retraction of the second, which thus sorts right before what it takes back.
constexpr std::uint64_t place_of(std::uint64_t seq) { return 2 * seq + 1; }
constexpr std::uint64_t place_of_retraction(std::uint64_t place) { return place - 1; }

/// Where an event stands in the order of execution. Keys of different events of a run differ.
struct EventKey {
  Time time = 0;
  std::uint64_t order = 0;  ///< step (0 unless sent with zero delay: then the parent's + 1), priority, tie
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
