#include "place/graph_partition.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <span>

#include "place/metis.hpp"

namespace anachron::place {
namespace {

/// An LP that has more to do than its PE's share is alone there at best. With all its work METIS would look
/// in vain for other parts as heavy, so it counts as much as makes its PE full.
void level(std::vector<double>& work, unsigned pes) {
  std::vector<double> heaviest = work;
  const std::size_t most = std::min<std::size_t>(pes, heaviest.size());
  std::partial_sort(heaviest.begin(), heaviest.begin() + static_cast<std::ptrdiff_t>(most), heaviest.end(),
                    std::greater<>());
  double rest = std::accumulate(work.begin(), work.end(), 0.0);
  unsigned left = pes;
  for (std::size_t k = 0; k < most && left > 1 && heaviest[k] > rest / left; ++k, --left) rest -= heaviest[k];
  const double full = std::max(rest, 0.0) / left;
  if (left == pes || full <= 0) return;
  for (double& one : work) one = std::min(one, full);
}

/// The part of each vertex.
std::vector<std::uint32_t> cut(const Graph& graph, std::span<const double> shares, std::uint64_t seed) {
  std::vector<std::uint32_t> part(graph.size());
  if (shares.size() <= 1) return part;
  if (graph.size() > shares.size()) return cut_by_metis(graph, shares, seed);
  std::iota(part.begin(), part.end(), 0u);
  return part;
}

std::vector<double> shares_of(std::span<const unsigned> counts) {
  const double sum = std::accumulate(counts.begin(), counts.end(), 0.0);
  std::vector<double> shares;
  for (const unsigned count : counts) shares.push_back(count / sum);
  return shares;
}

std::vector<double> equal_shares(unsigned parts) { return std::vector<double>(parts, 1.0 / parts); }

}  // namespace

std::vector<PeId> partition_graph(const Graph& graph, const Layout& layout, Levels levels,
                                  std::uint64_t seed) {
  Graph leveled = graph;
  level(leveled.work, layout.pes());
  const bool is_flat = levels == Levels::one || layout.ranks() == 1;
  if (is_flat) {
    const auto part = cut(leveled, equal_shares(layout.pes()), seed);
    return {part.begin(), part.end()};
  }

  const auto rank = cut(leveled, shares_of(layout.pes_of_rank), seed);
  const std::vector<Subgraph> parts = split(leveled, rank, layout.ranks());
  std::vector<PeId> owners(graph.size());
  unsigned first_pe = 0;
  for (std::size_t r = 0; r < layout.ranks(); first_pe += layout.pes_of_rank[r++]) {
    const auto pe = cut(parts[r].graph, equal_shares(layout.pes_of_rank[r]), seed);
    for (std::size_t k = 0; k < pe.size(); ++k)
      owners[parts[r].vertices[k]] = static_cast<PeId>(first_pe + pe[k]);
  }
  return owners;
}

}  // namespace anachron::place
