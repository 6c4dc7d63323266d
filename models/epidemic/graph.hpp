// A network of contacts: who meets whom. Undirected, without loops and parallel edges.
#pragma once

#include <cstddef>
#include <cstdint>
#include <istream>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "epidemic/params.hpp"

namespace anachron::models::epidemic {

using Node = std::uint32_t;
using Edge = std::pair<Node, Node>;

/// Neighbours of all nodes in one array (compressed sparse rows): 8 bytes for each edge and for each node.
class Graph {
 public:
  Graph() = default;
  /// Of edges between nodes below `nodes`; loops and repeated edges are left out. Memory: 16 bytes for each
  /// edge while it is made.
  Graph(std::uint32_t nodes, const std::vector<Edge>& edges);

  std::uint32_t nodes() const { return static_cast<std::uint32_t>(first_.size() - 1); }
  std::size_t edges() const { return to_.size() / 2; }
  /// Edges that were left out.
  std::size_t dropped() const { return dropped_; }
  /// In ascending order.
  std::span<const Node> neighbours(Node node) const {
    return {to_.data() + first_[node], static_cast<std::size_t>(first_[node + 1] - first_[node])};
  }
  std::size_t degree(Node node) const { return static_cast<std::size_t>(first_[node + 1] - first_[node]); }

 private:
  std::vector<std::uint64_t> first_{0};  // by node: its first neighbour in to_; one more at the end
  std::vector<Node> to_;
  std::size_t dropped_ = 0;
};

/// One that is generated, the same for the same parameters. Throws InputError that names the option.
Graph generate(const Params& params);

/// One that is read from a list of edges, and what its nodes are called there.
struct EdgeList {
  Graph graph;
  std::vector<std::uint64_t> ids;   ///< by node, ascending
  std::size_t lines_with_more = 0;  ///< lines on which what follows the two nodes is ignored
};
/// Reads the format of README.md; `name` is for messages. Throws InputError that names file and line.
EdgeList read_edges(std::istream& in, const std::string& name);

}  // namespace anachron::models::epidemic
