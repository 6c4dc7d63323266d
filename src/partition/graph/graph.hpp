// LPs as vertices, weighted by what they have to do, with an edge between two that send to each other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "partition/profile/profile.hpp"

namespace anachron::partition {

/// Undirected: each edge is in the rows of both its ends, with the same weight. No loops, no pair twice.
struct Graph {
  std::vector<double> work;             ///< by vertex
  std::vector<std::uint64_t> first{0};  ///< edges of vertex v: first[v] up to first[v + 1]
  std::vector<std::uint32_t> to;
  std::vector<double> weight;

  std::size_t size() const { return work.size(); }
};

/// What either sends to the other adds up. Complexity: O(sends * log(neighbours of an LP)).
Graph graph_of(const Profile& profile);

/// Some vertices of a graph, ascending, and the edges between them.
struct Subgraph {
  std::vector<std::uint32_t> vertices;  ///< what they are in the whole graph
  Graph graph;
};

/// The vertices of each group: group[v] < groups is that of vertex v. Complexity: O(vertices + edges).
std::vector<Subgraph> split(const Graph& graph, std::span<const std::uint32_t> group, std::size_t groups);

}  // namespace anachron::partition
