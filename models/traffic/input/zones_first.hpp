// Networks whose nodes have ids that are names: which of them are zones, only the trips tell.
#pragma once

#include "traffic/input/tntp.hpp"

namespace anachron::models::traffic {

/// Puts the nodes of a network in the order that the model needs: zones before others, each by ascending id.
/// Zones that no link names become nodes without links. Precondition: roads.node_ids is not empty.
void put_zones_first(RoadPlan& roads, TripTable& trips);

}  // namespace anachron::models::traffic
