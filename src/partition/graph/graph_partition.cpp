#include "partition/graph/graph_partition.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <span>
#include <utility>

#include "partition/graph/sample.hpp"
#include "partition/metis/metis.hpp"

namespace anachron::partition {
namespace {

constexpr double kTolerance = 0.03;  // more work than its share that a part may get

/// LPs that have more to do than what would then be the others' share: each is alone on a PE at best. The
/// heaviest first.
std::vector<std::uint32_t> too_heavy(const std::vector<double>& work, unsigned pes) {
  std::vector<std::uint32_t> heaviest(work.size());
  std::iota(heaviest.begin(), heaviest.end(), 0u);
  const std::size_t most = std::min<std::size_t>(pes, work.size());
  std::partial_sort(
      heaviest.begin(), heaviest.begin() + static_cast<std::ptrdiff_t>(most), heaviest.end(),
      [&](std::uint32_t a, std::uint32_t b) { return work[a] != work[b] ? work[a] > work[b] : a < b; });
  double rest = std::accumulate(work.begin(), work.end(), 0.0);
  std::size_t k = 0;
  for (; k + 1 < most && work[heaviest[k]] > rest / static_cast<double>(pes - k); ++k)
    rest -= work[heaviest[k]];
  heaviest.resize(k);
  return heaviest;
}

/// Cutting for all parts at once cuts less, but METIS cannot do that with few and uneven vertices.
bool has_room(const Graph& graph, std::size_t parts) {
  constexpr std::size_t kMany = 100;    // vertices per part
  constexpr double kLight = 0.1;        // of a part's share
  constexpr std::size_t kFewParts = 8;  // then bisection is as good
  if (parts <= kFewParts || graph.size() < kMany * parts) return false;
  const double sum = std::accumulate(graph.work.begin(), graph.work.end(), 0.0);
  return *std::max_element(graph.work.begin(), graph.work.end()) <= kLight * sum / static_cast<double>(parts);
}

/// No PE is to be empty where there are LPs for it: each side gets as many vertices as it has PEs.
void fill(std::vector<std::uint32_t>& side, const std::array<double, 2>& pes) {
  std::array<double, 2> spare{-pes[0], -pes[1]};
  for (const std::uint32_t s : side) ++spare[s];
  const std::uint32_t poor = spare[0] < 0 ? 0 : 1;
  for (std::uint32_t& s : side) {
    if (spare[poor] >= 0 || spare[1 - poor] <= 0) return;
    if (s == poor) continue;
    s = poor;
    ++spare[poor];
    --spare[1 - poor];
  }
}

/// The part of each vertex. `shares`: the PEs of each part. `tolerance`: of each bisection.
std::vector<std::uint32_t> cut(const Graph& graph, std::span<const double> shares, double tolerance,
                               std::uint64_t seed) {
  std::vector<std::uint32_t> part(graph.size());
  if (shares.size() <= 1) return part;
  if (graph.size() <= shares.size()) {
    std::iota(part.begin(), part.end(), 0u);
    return part;
  }
  const auto sum = [](std::span<const double> of) { return std::accumulate(of.begin(), of.end(), 0.0); };
  const double all = sum(shares);
  if (has_room(graph, shares.size())) {
    std::vector<double> targets;
    for (const double share : shares) targets.push_back(share / all);
    return cut_by_metis(graph, targets, kTolerance, seed);
  }

  const std::array halves{shares.first(shares.size() / 2), shares.subspan(shares.size() / 2)};
  const std::array pes{sum(halves[0]), sum(halves[1])};
  auto side = cut_by_metis(graph, std::array{pes[0] / all, pes[1] / all}, tolerance, seed);
  fill(side, pes);
  const std::vector<Subgraph> sides = split(graph, side, 2);
  for (std::size_t s = 0; s < 2; ++s) {
    const auto inner = cut(sides[s].graph, halves[s], tolerance, seed);
    for (std::size_t k = 0; k < inner.size(); ++k)
      part[sides[s].vertices[k]] = inner[k] + static_cast<std::uint32_t>(s * halves[0].size());
  }
  return part;
}

std::vector<std::uint32_t> cut(const Graph& graph, std::span<const double> shares, std::uint64_t seed) {
  const auto bisections = static_cast<double>(std::bit_width(std::max<std::size_t>(shares.size(), 2) - 1));
  return cut(graph, shares, kTolerance / bisections, seed);
}

/// The PE of each vertex, all of one rank.
std::vector<std::uint32_t> deal_vertices(const Graph& graph, unsigned pes, std::uint64_t seed) {
  const auto heavy = too_heavy(graph.work, pes);
  const std::vector<double> shares(pes - heavy.size(), 1.0);
  if (heavy.empty()) return cut(graph, shares, seed);

  std::vector<std::uint32_t> pe(graph.size()), is_heavy(graph.size());
  std::uint32_t last = pes;
  for (const std::uint32_t vertex : heavy) {
    is_heavy[vertex] = 1;
    pe[vertex] = --last;
  }
  const Subgraph light = std::move(split(graph, is_heavy, 2).front());
  const auto inner = cut(light.graph, shares, seed);
  for (std::size_t k = 0; k < inner.size(); ++k) pe[light.vertices[k]] = inner[k];
  return pe;
}

/// The rank of each vertex. An LP that is too heavy for a PE counts as much as makes one full.
std::vector<std::uint32_t> ranks_of(Graph graph, const Layout& layout, std::uint64_t seed) {
  if (const auto heavy = too_heavy(graph.work, layout.pes()); !heavy.empty()) {
    double rest = std::accumulate(graph.work.begin(), graph.work.end(), 0.0);
    for (const std::uint32_t vertex : heavy) rest -= graph.work[vertex];
    const double full = std::max(rest, 0.0) / static_cast<double>(layout.pes() - heavy.size());
    if (full > 0)
      for (const std::uint32_t vertex : heavy) graph.work[vertex] = full;
  }
  const std::vector<double> shares(layout.pes_of_rank.begin(), layout.pes_of_rank.end());
  return cut(graph, shares, seed);
}

}  // namespace

std::vector<PeId> partition_graph(const Graph& graph, const Layout& layout, Levels levels,
                                  std::uint64_t seed) {
  if (levels == Levels::one || layout.ranks() == 1) {
    const auto pe = deal_vertices(graph, layout.pes(), seed);
    return {pe.begin(), pe.end()};
  }
  const auto rank = ranks_of(graph, layout, seed);
  const std::vector<Subgraph> parts = split(graph, rank, layout.ranks());
  std::vector<PeId> owners(graph.size());
  unsigned first_pe = 0;
  for (std::size_t r = 0; r < layout.ranks(); first_pe += layout.pes_of_rank[r++]) {
    const auto pe = deal_vertices(parts[r].graph, layout.pes_of_rank[r], seed);
    for (std::size_t k = 0; k < pe.size(); ++k)
      owners[parts[r].vertices[k]] = static_cast<PeId>(first_pe + pe[k]);
  }
  return owners;
}

std::vector<PeId> partition_profile(Profile profile, const Clusters& clusters, const Layout& layout,
                                    Levels levels, std::uint64_t seed) {
  const Graph graph = graph_of(clusters.together(sampled(std::move(profile))));
  return clusters.spread(partition_graph(graph, layout, levels, seed));
}

}  // namespace anachron::partition
