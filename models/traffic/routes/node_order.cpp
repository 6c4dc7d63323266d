#include "traffic/routes/node_order.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include <anachron/model/dissection.hpp>

namespace anachron::models::traffic {
namespace {

constexpr std::uint32_t kNobody = ~std::uint32_t{0};

/// The nodes of each degree, as doubly linked lists.
class ByDegree {
 public:
  explicit ByDegree(std::uint32_t nodes)
      : first_(nodes, kNobody), next_(nodes, kNobody), before_(nodes, kNobody), degree_(nodes) {}

  void add(std::uint32_t node, std::uint32_t degree) {
    degree_[node] = degree;
    least_ = std::min(least_, degree);
    before_[node] = kNobody;
    next_[node] = std::exchange(first_[degree], node);
    if (next_[node] != kNobody) before_[next_[node]] = node;
  }
  void remove(std::uint32_t node) {
    (before_[node] == kNobody ? first_[degree_[node]] : next_[before_[node]]) = next_[node];
    if (next_[node] != kNobody) before_[next_[node]] = before_[node];
  }
  /// Precondition: there is a node.
  std::uint32_t take_least() {
    while (first_[least_] == kNobody) ++least_;
    const std::uint32_t node = first_[least_];
    remove(node);
    return node;
  }
  std::uint32_t degree(std::uint32_t node) const { return degree_[node]; }

 private:
  std::vector<std::uint32_t> first_, next_, before_, degree_;
  std::uint32_t least_ = 0;
};

/// The graph that is left, with a clique for each node that was contracted and not merged into another one.
class QuotientGraph {
 public:
  explicit QuotientGraph(const NodeGraph& graph)
      : nodes_(graph.size()),
        cliques_(graph.size()),
        members_(graph.size()),
        outside_(graph.size()),
        mark_(graph.size(), kNobody),
        by_degree_(graph.size()),
        left_(graph.size()) {
    for (std::uint32_t v = 0; v < graph.size(); ++v) {
      nodes_[v].assign(graph.to.begin() + graph.first[v], graph.to.begin() + graph.first[v + 1]);
      by_degree_.add(v, static_cast<std::uint32_t>(nodes_[v].size()));
    }
  }

  std::uint32_t contract_next() {
    const std::uint32_t node = by_degree_.take_least();
    --left_;
    gather_neighbours(node);
    const auto& clique = members_[node];
    count_outside(clique);
    for (const std::uint32_t member : clique) {
      by_degree_.remove(member);
      by_degree_.add(member, update(member, node, static_cast<std::uint32_t>(clique.size() - 1)));
    }
    return node;
  }

 private:
  bool is_alive(std::uint32_t clique) const { return !members_[clique].empty(); }

  /// Makes the node a clique of all its neighbours, which takes in those in which it was.
  void gather_neighbours(std::uint32_t node) {
    std::vector<std::uint32_t> all;
    mark_[node] = node;
    const auto add = [&](std::uint32_t other) {
      if (std::exchange(mark_[other], node) != node) all.push_back(other);
    };
    for (const std::uint32_t other : nodes_[node]) add(other);
    for (const std::uint32_t clique : cliques_[node]) {
      for (const std::uint32_t other : members_[clique]) add(other);
      members_[clique] = {};
    }
    nodes_[node] = {};
    cliques_[node] = {};
    members_[node] = std::move(all);
  }

  /// How many members of each clique that has some in common with the new one are not in it.
  void count_outside(const std::vector<std::uint32_t>& clique) {
    for (const std::uint32_t member : clique)
      for (const std::uint32_t other : cliques_[member])
        outside_[other] = static_cast<std::uint32_t>(members_[other].size());
    for (const std::uint32_t member : clique)
      for (const std::uint32_t other : cliques_[member])
        if (is_alive(other)) --outside_[other];
  }

  /// Puts a member into its new clique, `node`. Its new degree, or more.
  std::uint32_t update(std::uint32_t member, std::uint32_t node, std::uint32_t others_in_clique) {
    auto& near = nodes_[member];
    std::erase_if(near, [&](std::uint32_t other) { return mark_[other] == node; });  // in the clique, too
    auto& cliques = cliques_[member];
    std::erase_if(cliques, [&](std::uint32_t clique) { return !is_alive(clique) || outside_[clique] == 0; });
    std::size_t degree = near.size() + others_in_clique;
    for (const std::uint32_t clique : cliques) degree += outside_[clique];
    cliques.push_back(node);
    const std::size_t grown = std::size_t{by_degree_.degree(member)} + others_in_clique;
    return static_cast<std::uint32_t>(std::min({degree, grown, std::size_t{left_ - 1}}));
  }

  std::vector<std::vector<std::uint32_t>> nodes_, cliques_;  // around each node
  std::vector<std::vector<std::uint32_t>> members_;          // of each clique
  std::vector<std::uint32_t> outside_;                       // by clique
  std::vector<std::uint32_t> mark_;                          // by node: the last clique it came into
  ByDegree by_degree_;
  std::uint32_t left_;
};

}  // namespace

std::vector<std::uint32_t> order_by_least_degree(const NodeGraph& graph) {
  QuotientGraph left(graph);
  std::vector<std::uint32_t> order;
  order.reserve(graph.size());
  while (order.size() < graph.size()) order.push_back(left.contract_next());
  return order;
}

std::vector<std::uint32_t> contraction_order(const NodeGraph& graph) {
  constexpr std::uint32_t kMany = 1u << 15;  // with fewer the order costs more than it saves
  auto order = graph.size() >= kMany ? nested_dissection(graph.first, graph.to) : std::nullopt;
  return order ? std::move(*order) : order_by_least_degree(graph);
}

}  // namespace anachron::models::traffic
