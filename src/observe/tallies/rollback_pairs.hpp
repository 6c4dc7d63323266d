// Which LPs make which others roll back most.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <anachron/base/ids.hpp>

namespace anachron::observe {

/// An LP sent, or took back, what another LP had gone beyond.
struct LpPair {
  LpId sender = 0, receiver = 0;
  std::uint64_t rollbacks = 0;
};

/// Puts equal pairs together, and keeps the first `n`: most rollbacks first, then in the order of the LPs.
void keep_most(std::vector<LpPair>& pairs, std::size_t n);

/// Of one PE. Pairs that share one of its slots count against each other, so the count of a pair is too low
/// by at most the rollbacks of those (as in J. Misra and D. Gries, "Finding repeated elements", 1982). It is
/// exact while pairs are few. Nothing is allocated.
class RollbackPairs {
 public:
  /// O(1).
  void add(LpId sender, LpId receiver);
  std::vector<LpPair> all() const;

 private:
  static constexpr std::size_t kSlots = 256;
  std::array<LpPair, kSlots> slots_{};
};

}  // namespace anachron::observe
