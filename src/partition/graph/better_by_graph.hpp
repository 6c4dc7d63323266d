// Whether a model's graph is worth cutting, when nobody has said how LPs are to be dealt.
#pragma once

#include <optional>
#include <vector>

#include <anachron/base/config.hpp>
#include <anachron/base/ids.hpp>
#include <anachron/event/frame.hpp>

#include "base/owners.hpp"
#include "partition/clusters.hpp"
#include "partition/layout.hpp"

namespace anachron::partition {

/// Owners as METIS finds them, where by what the LP types declare far fewer events go from PE to PE with them
/// than with `blocks`. None where they do not, or where to find that out might take longer than it saves: in
/// large models, and in those that declare no neighbours. Throws as `declared_profile`.
std::optional<std::vector<PeId>> better_by_graph(const Config& config,
                                                 const std::vector<event::LpTypeEntry>& types,
                                                 const Owners& blocks, const Clusters& clusters,
                                                 const Layout& layout);

}  // namespace anachron::partition
