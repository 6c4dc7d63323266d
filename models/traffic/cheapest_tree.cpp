#include "traffic/cheapest_tree.hpp"

#include <algorithm>

namespace anachron::models::traffic {

CheapestTree::CheapestTree(const Network& network) : network_(network), labels_(network.nodes()) {
  heap_.reserve(network.links().size() + 1);  // each link makes one entry at most
}

void CheapestTree::grow(ZoneIndex origin, std::span<const double> costs) {
  std::fill(labels_.begin(), labels_.end(), Label{});
  labels_[origin].cost = 0;
  heap_.assign(1, {0, origin});
  while (!heap_.empty()) {
    std::pop_heap(heap_.begin(), heap_.end(), Dearer{});
    const Entry settled = heap_.back();
    heap_.pop_back();
    if (settled.cost != labels_[settled.node].cost) continue;  // superseded
    if (settled.node != origin && !network_.passable(settled.node)) continue;
    for (LinkIndex k = network_.first_out(settled.node); k < network_.first_out(settled.node + 1); ++k) {
      const NodeIndex node = network_.link(k).to;
      const double cost = settled.cost + costs[k];
      if (!(cost < labels_[node].cost)) continue;
      labels_[node] = {cost, k, labels_[settled.node].links + 1};
      heap_.push_back({cost, node});
      std::push_heap(heap_.begin(), heap_.end(), Dearer{});
    }
  }
}

std::vector<LinkIndex> CheapestTree::route(NodeIndex node) const {
  std::vector<LinkIndex> links(labels_[node].links);
  for (auto link = links.rbegin(); link != links.rend(); ++link) {
    *link = labels_[node].by;
    node = network_.link(*link).from;
  }
  return links;
}

}  // namespace anachron::models::traffic
