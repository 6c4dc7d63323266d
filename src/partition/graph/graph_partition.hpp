// Deals the LPs of a graph to PEs, so that few events go from PE to PE, and fewest from rank to rank.
#pragma once

#include <cstdint>
#include <vector>

#include <anachron/base/config.hpp>
#include <anachron/base/ids.hpp>

#include "partition/clusters.hpp"
#include "partition/graph/graph.hpp"
#include "partition/layout.hpp"

namespace anachron::partition {

/// Two levels: first cut for the ranks, between which messages take long, then each rank's part for its PEs
/// (Wang et al. 2013, section 3.3: latency-sensitive). One: for all PEs at once, whatever rank they are on.
/// Automatic: two where there are several ranks. Throws as `cut_by_metis`.
std::vector<PeId> partition_graph(const Graph& graph, const Layout& layout, Levels levels,
                                  std::uint64_t seed);
/// The same of the LPs of a profile, clusters in one piece.
std::vector<PeId> partition_profile(Profile profile, const Clusters& clusters, const Layout& layout,
                                    Levels levels, std::uint64_t seed);

}  // namespace anachron::partition
