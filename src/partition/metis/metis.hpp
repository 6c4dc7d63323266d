// METIS, the graph partitioner of the field (G. Karypis, V. Kumar, "A fast and high quality multilevel scheme
// for partitioning irregular graphs", SIAM J. Sci. Comput. 20(1), 1998). There is a second implementation for
// builds without it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "partition/graph/graph.hpp"

namespace anachron::partition {

/// The library was built with METIS.
extern const bool kHasMetis;

/// Throws InputError that says what to install unless the library was built with METIS.
void require_metis();

/// The part of each vertex, so that edges of little weight run between different parts. Part k has shares[k]
/// of the work, and up to that times `tolerance` more if the vertices allow it. The same for the same
/// arguments.
///
/// Preconditions: at least two parts, fewer than vertices. The shares are above 0 and add up to 1. With more
/// than two parts each has many vertices and none of these is heavy, or METIS gives up and prints that.
/// Throws InputError when the graph is too large for METIS as it is installed, or without METIS;
/// std::bad_alloc; std::runtime_error when METIS fails.
std::vector<std::uint32_t> cut_by_metis(const Graph& graph, std::span<const double> shares, double tolerance,
                                        std::uint64_t seed);

}  // namespace anachron::partition
