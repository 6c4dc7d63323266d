// The quickest routes from all nodes to one zone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "traffic/network.hpp"

namespace anachron::models::traffic {

/// Dijkstra's algorithm against the direction of travel; keeps its memory from one zone to the next.
///
/// Of several routes the one of fewest links is taken, and among those the link of lowest number is next: the
/// outcome depends on network, times and zone only, and a route never runs in a circle, not even over links
/// of zero time.
class QuickestSearch {
 public:
  explicit QuickestSearch(const Network& network);

  /// `times`: of each link, >= 0. O(links * log(links)).
  void run(ZoneIndex to, std::span<const double> times);

  /// The link to take at a node; empty when no route begins there, or it ends there.
  std::optional<LinkIndex> next(NodeIndex node) const { return labels_[node].next; }
  /// Of the route from a node; infinite when there is none.
  double time(NodeIndex node) const { return labels_[node].time; }

 private:
  struct Label {
    double time = std::numeric_limits<double>::infinity();
    std::uint32_t links = 0;  // on the rest of the route
    std::optional<LinkIndex> next;
  };
  struct Entry {
    double time;
    std::uint32_t links;
    NodeIndex node;
  };
  /// A binary heap by time. std::pop_heap branches on each comparison, which no processor can foresee here.
  class Heap {
   public:
    explicit Heap(std::size_t usual) { entries_.reserve(usual); }
    bool empty() const { return entries_.empty(); }
    void push(const Entry& entry);
    Entry pop();

   private:
    void rise(std::size_t hole, const Entry& entry);

    std::vector<Entry> entries_;
  };

  void reach_back_from(const Entry& settled, std::span<const double> times);

  /// A link as it is met backwards; those that enter a node are next to each other.
  struct Arc {
    NodeIndex from;
    LinkIndex link;
  };

  const Network& network_;
  std::vector<LinkIndex> first_in_;  // of arcs_, by node
  std::vector<Arc> arcs_;
  std::vector<Label> labels_;
  Heap heap_;
};

}  // namespace anachron::models::traffic
