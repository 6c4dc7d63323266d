// The state digest: a hash of the LPs' final states, as they are encoded, and of the results. It tells what
// the digest of the events does not: whether a rollback has restored also what decides no event.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <anachron/base/ids.hpp>
#include <anachron/model/results.hpp>

#include "lp/lp_store.hpp"

namespace anachron::engine {

/// Hashes states, one after another.
class StateHash {
 public:
  /// `lps` must outlive it.
  explicit StateHash(const lp::LpStore& lps) : lps_(lps) {}

  /// An LP's part of the sum over all LPs. None: the state cannot be encoded.
  std::optional<std::uint64_t> part(LpId lp, const void* state);

 private:
  const lp::LpStore& lps_;
  std::vector<std::byte> bytes_;
};

/// Of the LPs that these PEs own, the sum of their parts, which is independent of order. None: some LP type
/// cannot be encoded. O(bytes of the states).
std::optional<std::uint64_t> sum_of_states(const lp::LpStore& lps, const PeRange& own);

/// The first LP type that cannot be encoded, and what of it; empty: all can.
std::string why_not_encoded(std::span<const event::LpTypeEntry> types);

std::uint64_t hash_of(const Results& results);
std::uint64_t state_digest(std::uint64_t sum_of_states, std::uint64_t hash_of_results);

}  // namespace anachron::engine
