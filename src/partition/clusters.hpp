// LPs that are dealt together: what their types declare as `cluster`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <anachron/base/ids.hpp>
#include <anachron/event/frame.hpp>

#include "partition/profile/profile.hpp"

namespace anachron::partition {

/// Numbered from 0, in the order of their first LPs. Where no type declares any, each LP is one.
class Clusters {
 public:
  /// Complexity: O(LPs) on average, and nothing where no type declares any.
  explicit Clusters(std::span<const event::LpTypeEntry> types);

  /// There may be clusters of several LPs.
  bool exist() const { return !of_.empty(); }
  std::uint32_t of(LpId lp) const { return exist() ? of_[lp] : lp; }
  std::size_t count() const { return count_; }

  /// What clusters do and send, all of whose LPs count as one. Precondition: nothing is `spread`.
  Profile together(Profile of_lps) const;
  /// By LP, from the same by cluster.
  std::vector<PeId> spread(std::vector<PeId> of_clusters) const;

 private:
  std::vector<std::uint32_t> of_;  // by LP
  std::size_t count_ = 0;
};

}  // namespace anachron::partition
