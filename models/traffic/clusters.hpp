// Links and zones that one processing element is to have, so that what goes from one PE to another takes
// long. That is how far a conservative run can look ahead.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "traffic/network.hpp"

namespace anachron::models::traffic {

struct Clusters {
  std::vector<std::uint32_t> of_link, of_zone;  ///< numbers, with gaps; empty: each is alone
  /// Minutes: no vehicle is faster from one cluster to another one. Infinite where there is no way.
  double lookahead = 0;
};

/// In one cluster are a zone and the links that begin there, and a link that takes no time and what is behind
/// it. Then clusters also take in quick links and what is behind them, the quickest first, as long as none
/// has more than a fiftieth of all work. So many processing elements can still have equal shares. Where links
/// that take no time would make one cluster of half of all there are none, and no lookahead. `on_link`,
/// `of_zone`: what links and zones have to do. Complexity: O(turns + links * log(links)).
Clusters find_clusters(const Network& network, std::span<const std::uint32_t> on_link,
                       std::span<const std::uint32_t> of_zone);

}  // namespace anachron::models::traffic
