// An order of the vertices of a graph for elimination, for models that find shortest routes or solve linear
// systems: by nested dissection, small separators last.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace anachron {

/// The vertices in the order in which to eliminate them, found by METIS_NodeND (G. Karypis, V. Kumar, "A fast
/// and high quality multilevel scheme for partitioning irregular graphs", SIAM J. Sci. Comput. 20(1), 1998).
/// Empty without METIS in the library, and when the graph is too large for it or it fails. The same for the
/// same graph. Any thread may call it; one at a time is served.
///
/// The graph is undirected: the neighbours of vertex v are to[first[v]] up to to[first[v + 1]], each edge is
/// in the rows of both its ends, no loops, no pair twice. Throws std::bad_alloc.
std::optional<std::vector<std::uint32_t>> nested_dissection(std::span<const std::uint32_t> first,
                                                            std::span<const std::uint32_t> to);

}  // namespace anachron
