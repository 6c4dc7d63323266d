// The digest: a hash of all committed (key, receiver, event type), chained per LP in order of execution. The
// chain is part of what a rollback restores, so it is right only if rollback is.
#pragma once

#include <cstdint>

#include <anachron/base/hash.hpp>
#include <anachron/base/platform.hpp>
#include <anachron/event/header.hpp>
#include <anachron/event/ops.hpp>

#include "queue/pending_set.hpp"

namespace anachron::pe {

ANACHRON_INLINE std::uint64_t chain(std::uint64_t digest, const event::EventHeader& e) {
  const std::uint64_t when = fold_multiply(queue::to_bits(e.time) ^ 0x9e3779b97f4a7c15ull,
                                           event::order_for_digest(e.order) ^ 0xc2b2ae3d27d4eb4full);
  const std::uint64_t what =
      fold_multiply((static_cast<std::uint64_t>(e.sender) << 32 | e.receiver) ^ 0x165667b19e3779f9ull,
                    e.seq() ^ e.ops->type_hash);
  return fold_multiply(digest ^ when ^ 0x27d4eb2f165667c5ull, what ^ 0x85ebca77c2b2ae63ull);
}

/// An LP's part of the run's digest; parts are added up, which is independent of order.
inline std::uint64_t part_of_run(LpId id, std::uint64_t digest) {
  return mix64(digest + mix64(0x9e3779b97f4a7c15ull * (static_cast<std::uint64_t>(id) + 1)));
}

}  // namespace anachron::pe
