// Random networks. All in the order of one random stream, so that a network depends on its parameters only.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include <anachron/base/error.hpp>
#include <anachron/base/parse.hpp>
#include <anachron/model/rng.hpp>

#include "epidemic/graph.hpp"

namespace anachron::models::epidemic {

namespace {

[[noreturn]] void refuse(const char* option, const std::string& value, const std::string& expected) {
  throw bad_value(option, value, expected);
}

std::uint32_t whole_degree(const Params& params, std::uint32_t step, const char* what) {
  const double degree = params.degree;
  if (degree < step || degree != std::floor(degree / step) * step || degree >= params.nodes)
    refuse("degree", format_real(degree), std::string(what) + " below --nodes");
  return static_cast<std::uint32_t>(degree);
}

// Each pair is joined with the same probability. V. Batagelj, U. Brandes, "Efficient generation of large
// random networks", Physical Review E 71, 2005, algorithm 1: from each edge the next one is a geometric
// number of pairs away.
std::vector<Edge> erdos_renyi(const Params& params, Rng& rng) {
  const std::uint64_t n = params.nodes;
  const double p = params.degree / static_cast<double>(n - 1);
  if (p > 1) refuse("degree", format_real(params.degree), "less than --nodes");
  std::vector<Edge> edges;
  edges.reserve(static_cast<std::size_t>(1.02 * params.degree * static_cast<double>(n) / 2) + 100);
  std::uint64_t v = 1, w = rng.geometric(p);
  while (v < n) {
    while (v < n && w >= v) w -= v++;  // pairs (v, w) with w < v
    if (v == n) break;
    edges.emplace_back(static_cast<Node>(v), static_cast<Node>(w));
    const std::uint64_t skip = rng.geometric(p);
    w = skip < ~std::uint64_t{0} - w - 1 ? w + 1 + skip : ~std::uint64_t{0};
  }
  return edges;
}

// A.-L. Barabási, R. Albert, Science 286, 1999: a new node is joined to `m` others, in proportion to their
// degrees: to an end of an edge that is there, chosen at random. Begins with m + 1 nodes that are all joined.
std::vector<Edge> barabasi_albert(const Params& params, Rng& rng) {
  const std::uint32_t m = whole_degree(params, 2, "an even number from 2 on,") / 2;
  std::vector<Edge> edges;
  edges.reserve(std::size_t{params.nodes} * m);
  const auto end = [&edges](std::size_t k) { return k % 2 ? edges[k / 2].second : edges[k / 2].first; };
  for (Node v = 1; v <= m; ++v)
    for (Node w = 0; w < v; ++w) edges.emplace_back(v, w);
  std::vector<Node> chosen;
  for (Node v = m + 1; v < params.nodes; ++v) {
    chosen.clear();
    while (chosen.size() < m) {
      const Node w = end(rng.below(2 * edges.size()));
      if (std::find(chosen.begin(), chosen.end(), w) == chosen.end()) chosen.push_back(w);
    }
    for (const Node w : chosen) edges.emplace_back(v, w);
  }
  return edges;
}

// D. J. Watts, S. H. Strogatz, Nature 393, 1998: a ring, of which some edges are led elsewhere. One that is
// led to where another one is gets lost.
std::vector<Edge> watts_strogatz(const Params& params, Rng& rng) {
  const std::uint32_t each_side = whole_degree(params, 2, "an even number from 2 on,") / 2;
  std::vector<Edge> edges;
  edges.reserve(std::size_t{params.nodes} * each_side);
  for (Node v = 0; v < params.nodes; ++v)
    for (std::uint32_t k = 1; k <= each_side; ++k) {
      Node w = static_cast<Node>((std::uint64_t{v} + k) % params.nodes);
      if (params.rewire > 0 && rng.bernoulli(params.rewire)) {
        w = rng.below(params.nodes - 1);
        if (w >= v) ++w;
      }
      edges.emplace_back(v, w);
    }
  return edges;
}

std::uint64_t key_of(const Edge& edge) {
  const auto [low, high] = std::minmax(edge.first, edge.second);
  return std::uint64_t{low} << 32 | high;
}

/// The places of loops and of edges that repeat another.
std::vector<std::size_t> bad_edges(const std::vector<Edge>& edges) {
  std::vector<std::pair<std::uint64_t, std::size_t>> keys;
  keys.reserve(edges.size());
  for (std::size_t k = 0; k < edges.size(); ++k) keys.emplace_back(key_of(edges[k]), k);
  std::sort(keys.begin(), keys.end());
  std::vector<std::size_t> bad;
  for (std::size_t k = 0; k < keys.size(); ++k) {
    const Edge& edge = edges[keys[k].second];
    if (edge.first == edge.second || (k > 0 && keys[k].first == keys[k - 1].first))
      bad.push_back(keys[k].second);
  }
  return bad;
}

// The configuration model: the ends of edges are joined at random (M. E. J. Newman, S. H. Strogatz, D. J.
// Watts, Physical Review E 64, 2001). Loops and repeated edges swap an end with an edge chosen at random,
// until there are none: degrees stay. Returns whether none are left.
bool configure(std::vector<Node> ends, Rng& rng, std::vector<Edge>& edges) {
  constexpr int kMostPasses = 200;
  rng.shuffle(ends);
  edges.clear();
  edges.reserve(ends.size() / 2);
  for (std::size_t k = 0; k + 1 < ends.size(); k += 2) edges.emplace_back(ends[k], ends[k + 1]);
  for (int pass = 0; pass < kMostPasses; ++pass) {
    const auto bad = bad_edges(edges);
    if (bad.empty()) return true;
    for (const std::size_t k : bad) std::swap(edges[k].second, edges[rng.below(edges.size())].second);
  }
  return bad_edges(edges).empty();
}

std::vector<Edge> regular(const Params& params, Rng& rng) {
  const std::uint32_t degree = whole_degree(params, 1, "a whole number");
  if (std::uint64_t{degree} * params.nodes % 2)
    refuse("degree", std::to_string(degree), "an even number, as --nodes is odd");
  std::vector<Node> ends;
  ends.reserve(std::size_t{degree} * params.nodes);
  for (Node v = 0; v < params.nodes; ++v) ends.insert(ends.end(), degree, v);
  std::vector<Edge> edges;
  if (!configure(std::move(ends), rng, edges))
    refuse("degree", std::to_string(degree), "a number that is small compared with --nodes");
  return edges;
}

std::vector<Edge> power_law(const Params& params, Rng& rng) {
  const std::uint32_t least = params.least_degree;
  const std::uint32_t most =
      params.most_degree
          ? params.most_degree
          : std::max(least, static_cast<std::uint32_t>(std::sqrt(static_cast<double>(params.nodes))));
  if (least >= params.nodes) refuse("least-degree", std::to_string(least), "less than --nodes");
  if (most < least || most >= params.nodes)
    refuse("most-degree", std::to_string(most), "at least --least-degree and less than --nodes");
  std::vector<double> cumulated;
  double sum = 0;
  for (std::uint32_t k = least; k <= most; ++k)
    cumulated.push_back(sum += std::pow(static_cast<double>(k), -params.exponent));
  const auto draw = [&] {
    const auto found = std::upper_bound(cumulated.begin(), cumulated.end() - 1, rng.uniform() * sum);
    return least + static_cast<std::uint32_t>(found - cumulated.begin());
  };
  std::vector<Node> ends;
  for (Node v = 0; v + 1 < params.nodes; ++v) ends.insert(ends.end(), draw(), v);
  // The last one so that the sum is even.
  constexpr int kMostDraws = 10'000;
  std::uint32_t last = draw();
  for (int k = 0; k < kMostDraws && (ends.size() + last) % 2; ++k) last = draw();
  if ((ends.size() + last) % 2)
    refuse("most-degree", std::to_string(most), "one that allows for an even sum of degrees");
  ends.insert(ends.end(), last, params.nodes - 1);
  std::vector<Edge> edges;
  configure(std::move(ends), rng, edges);  // what is left of loops and repetitions gets lost
  return edges;
}

std::vector<Edge> complete(const Params& params) {
  constexpr std::uint32_t kMost = 10'000;
  if (params.nodes > kMost)
    refuse("nodes", std::to_string(params.nodes),
           "at most " + std::to_string(kMost) + " with --graph complete");
  std::vector<Edge> edges;
  for (Node v = 1; v < params.nodes; ++v)
    for (Node w = 0; w < v; ++w) edges.emplace_back(v, w);
  return edges;
}

}  // namespace

Graph generate(const Params& params) {
  std::uint64_t draws = 0;
  Rng rng(params.graph_seed, 0, draws, RngStream::shared);
  const auto edges = [&] {
    switch (params.graph) {
      case Kind::erdos_renyi:
        return erdos_renyi(params, rng);
      case Kind::barabasi_albert:
        return barabasi_albert(params, rng);
      case Kind::watts_strogatz:
        return watts_strogatz(params, rng);
      case Kind::regular:
        return regular(params, rng);
      case Kind::power_law:
        return power_law(params, rng);
      case Kind::complete:
        return complete(params);
    }
    return std::vector<Edge>();
  };
  return Graph(params.nodes, edges());
}

}  // namespace anachron::models::epidemic
