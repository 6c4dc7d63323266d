#include "traffic/routes/hierarchy.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace anachron::models::traffic {
namespace {

constexpr std::uint32_t kNobody = std::numeric_limits<std::uint32_t>::max();

/// The number of each passable node among them; kNobody for others.
std::vector<std::uint32_t> numbers_in_core(const Network& network) {
  std::vector<std::uint32_t> numbers(network.nodes(), kNobody);
  std::uint32_t next = 0;
  for (NodeIndex node = 0; node < network.nodes(); ++node)
    if (network.passable(node)) numbers[node] = next++;
  return numbers;
}

}  // namespace

NodeGraph Hierarchy::core_of(const Network& network) {
  const auto numbers = numbers_in_core(network);
  NodeGraph core;
  for (NodeIndex node = 0; node < network.nodes(); ++node) {
    if (numbers[node] == kNobody) continue;
    const auto begin = static_cast<std::ptrdiff_t>(core.to.size());
    const auto add = [&](NodeIndex other) {
      if (numbers[other] != kNobody) core.to.push_back(numbers[other]);
    };
    for (LinkIndex k = network.first_out(node); k < network.first_out(node + 1); ++k) add(network.link(k).to);
    for (const LinkIndex k : network.entering(node)) add(network.link(k).from);
    std::sort(core.to.begin() + begin, core.to.end());
    core.to.erase(std::unique(core.to.begin() + begin, core.to.end()), core.to.end());
    core.first.push_back(static_cast<std::uint32_t>(core.to.size()));
  }
  return core;
}

/// What contracting a node adds to its neighbours is added to the first of them alone, which hands it on.
std::optional<Hierarchy::Rows> Hierarchy::contract(const NodeGraph& core,
                                                   std::span<const std::uint32_t> order,
                                                   std::size_t most_arcs) {
  std::vector<std::uint32_t> rank(order.size());
  for (std::uint32_t r = 0; r < order.size(); ++r) rank[order[r]] = r;
  Rows rows(order.size());
  std::size_t arcs = 0;
  for (std::uint32_t r = 0; r < order.size(); ++r) {
    auto& row = rows[r];  // what those before have handed on
    for (std::uint32_t k = core.first[order[r]]; k < core.first[order[r] + 1]; ++k)
      if (rank[core.to[k]] > r) row.push_back(rank[core.to[k]]);
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
    arcs += row.size();
    if (arcs > most_arcs) return std::nullopt;
    if (row.size() > 1) rows[row[0]].insert(rows[row[0]].end(), row.begin() + 1, row.end());
  }
  return rows;
}

/// Places are in the reverse of a post-order of the tree of parents: that keeps arcs as they are, and nodes
/// near each other near in memory.
std::vector<std::uint32_t> Hierarchy::take_rows(Rows rows) {
  const auto nodes = static_cast<std::uint32_t>(rows.size());
  std::vector<std::uint32_t> size(nodes, 1), place(nodes);
  for (std::uint32_t r = 0; r < nodes; ++r)
    if (!rows[r].empty()) size[rows[r][0]] += size[r];
  // Parents have a higher rank than their children; each hands out the places behind its own.
  std::vector<std::uint32_t> unused(nodes);
  std::uint32_t unused_by_roots = 0;
  for (std::uint32_t r = nodes; r-- > 0;) {
    auto& from = rows[r].empty() ? unused_by_roots : unused[rows[r][0]];
    place[r] = std::exchange(from, from + size[r]);
    unused[r] = place[r] + 1;
  }

  std::vector<std::uint32_t> rank(nodes);
  for (std::uint32_t r = 0; r < nodes; ++r) rank[place[r]] = r;
  first_.reserve(nodes + 1);
  for (std::uint32_t p = 0; p < nodes; ++p) {
    auto& row = rows[rank[p]];
    for (const std::uint32_t head : row) heads_.push_back(place[head]);
    first_.push_back(static_cast<std::uint32_t>(heads_.size()));
    end_of_subtree_.push_back(p + size[rank[p]]);
    if (!row.empty()) triangles_ += std::uint64_t{row.size()} * (row.size() - 1) / 2;
    row = {};
  }
  return place;
}

void Hierarchy::look_from_above() {
  first_below_.assign(places() + 1, 0);
  for (const std::uint32_t head : heads_) ++first_below_[head + 1];
  std::partial_sum(first_below_.begin(), first_below_.end(), first_below_.begin());
  below_.resize(arcs());
  auto at = first_below_;
  for (std::uint32_t p = 0; p < places(); ++p)
    for (std::uint32_t arc = first_[p]; arc < first_[p + 1]; ++arc)
      below_[at[heads_[arc]]++] = {arc, first_[p + 1]};
}

void Hierarchy::add_links(const Network& network) {
  for (LinkIndex k = 0; k < network.links().size(); ++k) {
    const RoadLink& link = network.link(k);
    if (!network.passable(link.from) || !network.passable(link.to)) continue;
    const std::uint32_t from = far_slot_[link.from], to = far_slot_[link.to];
    const auto [head, tail] = std::minmax(from, to);
    const auto begin = heads_.begin() + first_[tail], end = heads_.begin() + first_[tail + 1];
    const auto arc = std::lower_bound(begin, end, head, std::greater<>());
    (to < from ? links_up_ : links_down_).push_back({k, static_cast<std::uint32_t>(arc - heads_.begin())});
  }
}

void Hierarchy::add_turns(const Network& network) {
  for (const NodeIndex node : node_at_) {
    for (LinkIndex k = network.first_out(node); k < network.first_out(node + 1); ++k)
      leaving_.all.push_back({root_slot(network.link(k).to), k});
    for (const LinkIndex k : network.entering(node))
      entering_.all.push_back({root_slot(network.link(k).from), k});
    leaving_.first.push_back(static_cast<std::uint32_t>(leaving_.all.size()));
    entering_.first.push_back(static_cast<std::uint32_t>(entering_.all.size()));
  }
}

void Hierarchy::place_nodes(const Network& network, std::span<const std::uint32_t> place_in_core) {
  far_slot_.resize(network.nodes());
  node_at_.resize(network.nodes());
  std::uint32_t in_core = 0, closed = places();
  for (NodeIndex node = 0; node < network.nodes(); ++node) {
    far_slot_[node] = network.passable(node) ? place_in_core[in_core++] : closed++;
    node_at_[far_slot_[node]] = node;
  }
}

std::optional<Hierarchy> Hierarchy::make(const Network& network, const NodeGraph& core,
                                         std::span<const std::uint32_t> order, std::size_t most_arcs) {
  auto rows = contract(core, order, std::min<std::size_t>(most_arcs, kNobody - 1));
  if (!rows) return std::nullopt;
  Hierarchy made;
  const auto place = made.take_rows(std::move(*rows));
  std::vector<std::uint32_t> place_in_core(order.size());
  for (std::uint32_t r = 0; r < order.size(); ++r) place_in_core[order[r]] = place[r];
  made.place_nodes(network, place_in_core);
  made.look_from_above();
  made.add_links(network);
  made.add_turns(network);
  return made;
}

}  // namespace anachron::models::traffic
