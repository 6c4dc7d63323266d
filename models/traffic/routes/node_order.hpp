// In which order nodes are contracted, so that few arcs come about.
#pragma once

#include <cstdint>
#include <vector>

namespace anachron::models::traffic {

/// Undirected, without loops, no pair twice; each edge is in the rows of both its ends.
struct NodeGraph {
  std::vector<std::uint32_t> first{0};  ///< neighbours of node v: to[first[v]] up to to[first[v + 1]]
  std::vector<std::uint32_t> to;

  std::uint32_t size() const { return static_cast<std::uint32_t>(first.size() - 1); }
};

/// The first one first. By least degree; large graphs, which have fewer arcs so, by nested dissection where
/// METIS is there.
std::vector<std::uint32_t> contraction_order(const NodeGraph& graph);

/// A node of least degree is next. Degrees are upper bounds, as in P. Amestoy, T. Davis, I. Duff, "An
/// approximate minimum degree ordering algorithm", SIAM J. Matrix Anal. Appl. 17(4), 1996, without its
/// supervariables: the nodes that a contracted one makes neighbours of each other are kept as one list.
std::vector<std::uint32_t> order_by_least_degree(const NodeGraph& graph);

}  // namespace anachron::models::traffic
