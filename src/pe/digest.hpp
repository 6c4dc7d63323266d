// The digest: a hash of all committed events, of each the key, the receiver and the type. Of an LP it is the
// sum of H(event before, event) over the events that follow each other there. So it tells their order, and a
// part of an LP's history can be taken out or replaced by subtraction and addition. What a rollback restores
// includes it, so it is right only if rollback is.
#pragma once

#include <cstdint>

#include <anachron/base/hash.hpp>
#include <anachron/base/platform.hpp>
#include <anachron/event/frame.hpp>
#include <anachron/event/header.hpp>
#include <anachron/event/ops.hpp>

#include "queue/pending_set.hpp"

namespace anachron::pe {

/// Of key and type. The key's sender is not in it: the place tells it, and no number of an LP that depends on
/// how many others there are may be.
ANACHRON_INLINE std::uint64_t hash_of(const event::EventHeader& e) {
  const std::uint64_t when =
      fold_multiply(queue::to_bits(e.time) ^ 0x9e3779b97f4a7c15ull, e.order ^ 0xc2b2ae3d27d4eb4full);
  return fold_multiply(when ^ 0x165667b19e3779f9ull, e.place() ^ e.ops->type_hash);
}

constexpr std::uint64_t hash_of_pair(std::uint64_t before, std::uint64_t after) {
  return fold_multiply(before ^ 0x27d4eb2f165667c5ull, after ^ 0x85ebca77c2b2ae63ull);
}

/// The LP has executed the event. Returns false if the event before had the same key: none of the two may be
/// said to come first.
[[nodiscard]] ANACHRON_INLINE bool add_to_digest(event::LpCounters& counters, const event::EventHeader& e) {
  const std::uint64_t before = counters.last, hash = hash_of(e);
  counters.digest += hash_of_pair(before, hash);
  counters.last = hash;
  return hash != before;
}

/// An LP's part of the run's digest; parts are added up, which is independent of order. `lp` is its
/// LpTypeEntry::identity.
constexpr std::uint64_t part_of_run(std::uint64_t lp, std::uint64_t digest) {
  return mix64(digest + mix64(lp));
}

}  // namespace anachron::pe
