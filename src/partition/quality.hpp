// What a partition is expected to bring.
#pragma once

#include <anachron/base/ids.hpp>

#include "base/owners.hpp"
#include "partition/layout.hpp"
#include "partition/profile/profile.hpp"

namespace anachron::partition {

struct Quality {
  double edge_cut = 0;       ///< weight of what is sent from PE to PE
  double balance = 1;        ///< work of the busiest PE over the average
  double remote = 0;         ///< share of all events that go to another PE
  double between_ranks = 0;  ///< share that goes to another rank
};

/// Ranges count with all their LPs: METIS sees a sample of these, and a prediction from that sample would
/// promise too much. Complexity: O(LPs + sends + ranges * log(LPs)).
Quality quality_of(const Profile& profile, const Owners& owners, const Layout& layout);

}  // namespace anachron::partition
