#include "partition/graph/graph.hpp"

#include <algorithm>

namespace anachron::partition {
namespace {

struct Edge {
  std::uint32_t to;
  double weight;
};

/// Appends a row; edges to the same vertex become one.
void append_row(Graph& graph, std::span<Edge> row) {
  std::sort(row.begin(), row.end(), [](const Edge& a, const Edge& b) { return a.to < b.to; });
  for (const Edge& edge : row) {
    if (graph.to.size() > graph.first.back() && graph.to.back() == edge.to) {
      graph.weight.back() += edge.weight;
    } else {
      graph.to.push_back(edge.to);
      graph.weight.push_back(edge.weight);
    }
  }
  graph.first.push_back(graph.to.size());
}

}  // namespace

Graph graph_of(const Profile& profile) {
  const std::size_t lps = profile.work.size();
  std::vector<std::uint64_t> next(lps +
                                  1);  // behind the edges of each LP that are there; at first, of the next
  const auto each_end = [&profile](const auto& action) {
    for (const Sent& sent : profile.sent) {
      if (sent.from == sent.to) continue;
      action(sent.from, sent.to, sent.weight);
      action(sent.to, sent.from, sent.weight);
    }
  };
  each_end([&next](LpId at, LpId, double) { ++next[at + std::size_t{1}]; });
  for (std::size_t lp = 0; lp < lps; ++lp) next[lp + 1] += next[lp];
  std::vector<Edge> edges(next[lps]);
  each_end([&](LpId at, LpId to, double weight) { edges[next[at]++] = {to, weight}; });

  Graph graph;
  graph.work = profile.work;
  graph.first.reserve(lps + 1);
  for (std::size_t lp = 0, begin = 0; lp < lps; begin = next[lp++])
    append_row(graph, std::span(edges).subspan(begin, next[lp] - begin));
  return graph;
}

std::vector<Subgraph> split(const Graph& graph, std::span<const std::uint32_t> group, std::size_t groups) {
  std::vector<Subgraph> parts(groups);
  std::vector<std::uint32_t> number(graph.size());  // in its part
  for (std::uint32_t v = 0; v < graph.size(); ++v) {
    Subgraph& part = parts[group[v]];
    number[v] = static_cast<std::uint32_t>(part.vertices.size());
    part.vertices.push_back(v);
  }
  for (std::uint32_t v = 0; v < graph.size(); ++v) {
    Graph& part = parts[group[v]].graph;
    part.work.push_back(graph.work[v]);
    for (std::uint64_t i = graph.first[v]; i < graph.first[v + std::size_t{1}]; ++i) {
      if (group[graph.to[i]] != group[v]) continue;
      part.to.push_back(number[graph.to[i]]);
      part.weight.push_back(graph.weight[i]);
    }
    part.first.push_back(part.to.size());
  }
  return parts;
}

}  // namespace anachron::partition
