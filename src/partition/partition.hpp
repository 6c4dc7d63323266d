// The door of the room `partition`: which PE owns which LP.
//
// Invariant: every rank has the same owners, and no partition changes what is committed.
// Read on in partition/graph/graph.hpp (who sends to whom, as METIS sees it) and partition/clusters.hpp (LPs
// that stay together).
#pragma once

#include <vector>

#include <anachron/base/config.hpp>
#include <anachron/base/ids.hpp>
#include <anachron/event/frame.hpp>

#include "base/owners.hpp"
#include "partition/layout.hpp"

namespace anachron::partition {

struct Dealt {
  Owners owners;
  Partition by;  ///< of a file: what config says
};

/// The owner of each LP, as config.partition or config.partition_file says. Blocks: with about the same load
/// on each PE, of all types together; LPs that are near each other in the row of their positions stay
/// together. Round robin: LPs take turns, of all types. METIS: few events from PE to PE, see
/// graph_partition.hpp. Automatic: blocks, or METIS where that
/// promises far fewer, see better_by_graph.hpp. The same wherever it is called with the same arguments.
/// Throws InputError for impossible loads, positions and neighbours, for a file that cannot be used, and
/// without METIS where it is asked for.
Dealt deal(const Config& config, const std::vector<event::LpTypeEntry>& types, const Layout& layout);

}  // namespace anachron::partition
