#include "traffic/quickest_search.hpp"

#include <algorithm>

namespace anachron::models::traffic {

void QuickestSearch::Heap::push(const Entry& entry) {
  entries_.push_back(entry);
  rise(entries_.size() - 1, entry);
}

/// The hole that the first entry leaves goes down to a leaf, and there the last one rises from it (Floyd).
QuickestSearch::Entry QuickestSearch::Heap::pop() {
  const Entry first = entries_.front(), last = entries_.back();
  entries_.pop_back();
  const std::size_t size = entries_.size();
  if (size == 0) return first;
  std::size_t hole = 0, child = 1;
  for (; child + 1 < size; child = 2 * hole + 1) {
    child += entries_[child + 1].time < entries_[child].time;
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

void QuickestSearch::Heap::rise(std::size_t hole, const Entry& entry) {
  for (; hole > 0 && entries_[(hole - 1) / 2].time > entry.time; hole = (hole - 1) / 2)
    entries_[hole] = entries_[(hole - 1) / 2];
  entries_[hole] = entry;
}

QuickestSearch::QuickestSearch(const Network& network)
    : network_(network), labels_(network.nodes()), heap_(network.links().size() + 1) {
  first_in_.reserve(network.nodes() + 1);
  arcs_.reserve(network.links().size());
  for (NodeIndex node = 0; node < network.nodes(); ++node) {
    first_in_.push_back(static_cast<LinkIndex>(arcs_.size()));
    for (const LinkIndex link : network.entering(node)) arcs_.push_back({network.link(link).from, link});
  }
  first_in_.push_back(static_cast<LinkIndex>(arcs_.size()));
}

void QuickestSearch::run(ZoneIndex to, std::span<const double> times) {
  std::fill(labels_.begin(), labels_.end(), Label{});
  labels_[to] = {0, 0, std::nullopt};
  heap_.push({0, 0, to});
  // A node may be settled again, at the same time with fewer links. So the order of equal times does not
  // matter.
  while (!heap_.empty()) {
    const Entry nearest = heap_.pop();
    const Label& label = labels_[nearest.node];
    if (nearest.time != label.time || nearest.links != label.links) continue;  // superseded
    if (nearest.node == to || network_.passable(nearest.node)) reach_back_from(nearest, times);
  }
}

/// Offers the route through a settled node to the nodes before it.
void QuickestSearch::reach_back_from(const Entry& settled, std::span<const double> times) {
  for (LinkIndex arc = first_in_[settled.node]; arc < first_in_[settled.node + 1]; ++arc) {
    const auto [before, k] = arcs_[arc];
    const double time = times[k] + settled.time;
    const std::uint32_t links = settled.links + 1;
    Label& label = labels_[before];
    const bool nearer = time < label.time || (time == label.time && links < label.links);
    if (nearer) {
      label = {time, links, k};
      heap_.push({time, links, before});
    } else if (time == label.time && links == label.links && label.next && k < *label.next) {
      label.next = k;
    }
  }
}

}  // namespace anachron::models::traffic
