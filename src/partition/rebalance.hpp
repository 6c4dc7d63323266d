// Moves LPs from PEs that have more to do than others: what a partition is changed into when the load has
// moved.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <anachron/base/ids.hpp>

#include "base/owners.hpp"
#include "lp/lp_store.hpp"
#include "partition/clusters.hpp"

namespace anachron::partition {

/// What each PE has to do, if LPs have these loads.
std::vector<std::uint64_t> loads_of_pes(const Owners& owners, std::span<const std::uint32_t> loads,
                                        std::size_t pes);

/// The fewest moves, about, after which all PEs have nearly the same to do. LPs that move together follow
/// each other among those of their PE, since models number neighbours in a row. Clusters stay together.
/// `owners` and `loads`: by LP. Empty: no move makes the PE that has most better off. Complexity: O(LPs), and
/// for each PE that gives some, each time, O(its LPs).
std::vector<lp::Move> rebalance(const Owners& owners, std::span<const std::uint32_t> loads,
                                const Clusters& clusters, std::size_t pes);

}  // namespace anachron::partition
