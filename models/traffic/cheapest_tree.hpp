// The cheapest routes from one zone to all nodes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "traffic/network.hpp"

namespace anachron::models::traffic {

/// Dijkstra's algorithm in the direction of travel; keeps its memory from one zone to the next.
///
/// Zones that are not passed through are left only where a route begins and entered only where it ends. The
/// tree depends on network, costs and zone only, and a route never runs in a circle, not even over links that
/// cost nothing.
class CheapestTree {
 public:
  static constexpr double kNoRoute = std::numeric_limits<double>::infinity();

  explicit CheapestTree(const Network& network);

  /// `costs`: of each link, >= 0. O(links * log(links)).
  void grow(ZoneIndex origin, std::span<const double> costs);

  /// Of the route to `node`, summed up from its beginning; kNoRoute when there is none.
  double cost(NodeIndex node) const { return labels_[node].cost; }
  /// The links of the route to `node`, the first one first. Precondition: there is one.
  std::vector<LinkIndex> route(NodeIndex node) const;

 private:
  struct Label {
    double cost = kNoRoute;
    LinkIndex by = 0;  ///< the last link of the route
    std::uint32_t links = 0;
  };
  struct Entry {
    double cost;
    NodeIndex node;
  };
  struct Dearer {
    bool operator()(const Entry& a, const Entry& b) const {
      return a.cost != b.cost ? a.cost > b.cost : a.node > b.node;
    }
  };

  const Network& network_;
  std::vector<Label> labels_;
  std::vector<Entry> heap_;
};

}  // namespace anachron::models::traffic
