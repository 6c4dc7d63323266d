#include "traffic/input/zones_first.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace anachron::models::traffic {

void put_zones_first(RoadPlan& roads, TripTable& trips) {
  std::vector<std::uint32_t> ids = trips.zone_ids;
  if (ids.empty()) {
    ids.resize(trips.zones);
    std::iota(ids.begin(), ids.end(), 1u);
  }
  roads.zones = trips.zones = static_cast<std::uint32_t>(ids.size());

  std::vector<NodeIndex> places;
  for (const std::uint32_t id : roads.node_ids) {
    const auto zones_end = ids.begin() + roads.zones;
    const auto zone = std::lower_bound(ids.begin(), zones_end, id);
    if (zone != zones_end && *zone == id) {
      places.push_back(static_cast<NodeIndex>(zone - ids.begin()));
    } else {
      places.push_back(static_cast<NodeIndex>(ids.size()));
      ids.push_back(id);
    }
  }
  for (RoadLink& link : roads.links) {
    link.from = places[link.from];
    link.to = places[link.to];
  }
  roads.nodes = static_cast<std::uint32_t>(ids.size());
  roads.node_ids = std::move(ids);
}

}  // namespace anachron::models::traffic
