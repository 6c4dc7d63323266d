// The least of the bounds that PEs and ranks hand over, while each raises its own at every GVT round.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <optional>
#include <vector>

#include <anachron/event/key.hpp>

namespace anachron::observe {

/// A tournament: each node has the lesser of the two below it, the root the least of all.
class LeastBound {
 public:
  using Bound = std::optional<event::EventKey>;  ///< none: none was handed over yet

  explicit LeastBound(std::size_t tellers) : leaves_(std::bit_ceil(tellers)), nodes_(2 * leaves_, kNoTeller) {
    for (std::size_t i = 0; i < tellers; ++i) set(i, std::nullopt);
  }

  /// None: one of the tellers has handed over no bound.
  const Bound& least() const { return nodes_[1]; }
  /// O(log tellers).
  void set(std::size_t teller, const Bound& bound) {
    std::size_t at = leaves_ + teller;
    nodes_[at] = bound;
    for (at /= 2; at > 0; at /= 2) nodes_[at] = std::min(nodes_[2 * at], nodes_[2 * at + 1]);
  }

 private:
  static constexpr Bound kNoTeller = event::EventKey{.time = kForever};

  std::size_t leaves_;
  std::vector<Bound> nodes_;  // the root is 1; node n has 2n and 2n + 1 below it
};

}  // namespace anachron::observe
