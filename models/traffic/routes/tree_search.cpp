#include "traffic/routes/tree_search.hpp"

#include <algorithm>

namespace anachron::models::traffic {

void TreeSearch::Heap::push(const Entry& entry) {
  entries_.push_back(entry);
  rise(entries_.size() - 1, entry);
}

/// The hole that the first entry leaves goes down to a leaf, and there the last one rises from it (Floyd).
TreeSearch::Entry TreeSearch::Heap::pop() {
  const Entry first = entries_.front(), last = entries_.back();
  entries_.pop_back();
  const std::size_t size = entries_.size();
  if (size == 0) return first;
  std::size_t hole = 0, child = 1;
  for (; child + 1 < size; child = 2 * hole + 1) {
    child += entries_[child + 1].length < entries_[child].length;
    entries_[hole] = entries_[child];
    hole = child;
  }
  if (child < size) {
    entries_[hole] = entries_[child];
    hole = child;
  }
  rise(hole, last);
  return first;
}

void TreeSearch::Heap::rise(std::size_t hole, const Entry& entry) {
  for (; hole > 0 && entries_[(hole - 1) / 2].length > entry.length; hole = (hole - 1) / 2)
    entries_[hole] = entries_[(hole - 1) / 2];
  entries_[hole] = entry;
}

TreeSearch::TreeSearch(const Network& network, Direction direction)
    : network_(network), labels_(network.nodes()), heap_(network.links().size() + 1) {
  first_.reserve(network.nodes() + 1);
  arcs_.reserve(network.links().size());
  for (NodeIndex node = 0; node < network.nodes(); ++node) {
    first_.push_back(static_cast<std::uint32_t>(arcs_.size()));
    if (direction == Direction::to_zones)
      for (const LinkIndex k : network.entering(node)) arcs_.push_back({network.link(k).from, k});
    else
      for (LinkIndex k = network.first_out(node); k < network.first_out(node + 1); ++k)
        arcs_.push_back({network.link(k).to, k});
  }
  first_.push_back(static_cast<std::uint32_t>(arcs_.size()));
}

void TreeSearch::grow(std::span<const ZoneIndex> zones, const Lengths& lengths) {
  const NodeIndex root = zones.front();
  lengths_ = &lengths.links;
  std::fill(labels_.begin(), labels_.end(), Label{});
  labels_[root].length = 0;
  heap_.push({0, root});
  while (!heap_.empty()) {
    const Entry settled = heap_.pop();
    if (settled.length != labels_[settled.node].length) continue;  // superseded
    if (settled.node != root && !network_.passable(settled.node)) continue;
    for (std::uint32_t arc = first_[settled.node]; arc < first_[settled.node + 1]; ++arc) {
      const auto [node, k] = arcs_[arc];
      const Length length = settled.length + lengths.links[k];
      Label& label = labels_[node];
      if (length < label.length) {
        label = {length, k};
        heap_.push({length, node});
      } else if (length == label.length && k < label.link) {
        label.link = k;
      }
    }
  }
}

void TreeSearch::write_choices(std::uint16_t* rows, std::size_t stride) const {
  for (NodeIndex node = 0; node < labels_.size(); ++node) {
    const LinkIndex link = labels_[node].link;
    rows[node * stride] =
        link == kNoLink ? kNone : static_cast<std::uint16_t>(link - network_.first_out(node));
  }
}

std::vector<LinkIndex> TreeSearch::route_to(std::size_t, NodeIndex node) const {
  std::vector<LinkIndex> links(lengths_->count(labels_[node].length));
  for (auto link = links.rbegin(); link != links.rend(); ++link) {
    *link = labels_[node].link;
    node = network_.link(*link).from;
  }
  return links;
}

}  // namespace anachron::models::traffic
