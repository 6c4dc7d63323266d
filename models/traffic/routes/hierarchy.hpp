// The road network as a contraction hierarchy: what of it does not depend on travel times.
//
// Source: J. Dibbelt, B. Strasser, D. Wagner, "Customizable contraction hierarchies", ACM Journal of
// Experimental Algorithmics 21, 2016. Nodes are contracted one after the other: the neighbours that are left
// become neighbours of each other. So a shortest route becomes one that first climbs along arcs to nodes
// contracted later, and then descends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "traffic/network.hpp"
#include "traffic/routes/node_order.hpp"
#include "traffic/routes/zone_trees.hpp"

namespace anachron::models::traffic {

/// Made once for a network and read by any number of threads.
///
/// Nodes that may be passed through have *places*. Place 0 is the node contracted last. Those whose arcs
/// lead, by whatever way, to a place c are right behind it. Nodes that are not passed through are not
/// contracted. They have two slots behind all places. One is for the ends of routes that are not at their
/// zone, the *far* slot; one behind all of these is for when it is their zone, the *root*.
class Hierarchy {
 public:
  /// Empty: there would be more than `most_arcs`. `order`: of the nodes of core_of(network), the one that is
  /// contracted first in front. O(arcs * log(arcs of a place)).
  static std::optional<Hierarchy> make(const Network& network, const NodeGraph& core,
                                       std::span<const std::uint32_t> order, std::size_t most_arcs);

  /// The nodes that may be passed through, ascending, and which of them have a link between them.
  static NodeGraph core_of(const Network& network);

  std::uint32_t places() const { return static_cast<std::uint32_t>(first_.size() - 1); }
  std::size_t arcs() const { return heads_.size(); }
  /// Pairs of arcs at a place, which is what customising looks at.
  std::uint64_t triangles() const { return triangles_; }

  /// The arcs of a place lead to places of lower number, in descending order; the first one is the place's
  /// parent.
  std::uint32_t first_arc(std::uint32_t place) const { return first_[place]; }
  std::uint32_t head(std::uint32_t arc) const { return heads_[arc]; }
  const std::uint32_t* heads() const { return heads_.data(); }
  /// The place behind all those from which arcs lead to `place`, by whatever way.
  std::uint32_t end_of_subtree(std::uint32_t place) const { return end_of_subtree_[place]; }

  /// An arc as seen from its head: itself, and the arc behind the last one of its place.
  struct Below {
    std::uint32_t arc, end;
  };
  std::span<const Below> below(std::uint32_t place) const {
    return std::span(below_).subspan(first_below_[place], first_below_[place + 1] - first_below_[place]);
  }

  /// A link between two places, as an arc that is travelled in one direction.
  struct LinkArc {
    LinkIndex link;
    std::uint32_t arc;
  };
  std::span<const LinkArc> links_up() const { return links_up_; }      ///< to places of lower number
  std::span<const LinkArc> links_down() const { return links_down_; }  ///< to places of higher number

  // Slots. For nodes with places both are the place. Far slots are below nodes(), one for each node.

  std::uint32_t nodes() const { return static_cast<std::uint32_t>(node_at_.size()); }
  std::size_t slots() const { return std::size_t{2} * nodes() - places(); }
  std::uint32_t far_slot(NodeIndex node) const { return far_slot_[node]; }
  std::uint32_t root_slot(NodeIndex node) const {
    const std::uint32_t slot = far_slot_[node];
    return slot < places() ? slot : slot + (nodes() - places());
  }
  NodeIndex node_at(std::uint32_t far_slot) const { return node_at_[far_slot]; }

  /// The first or last link of a route from or to a node, and the root slot at its other end.
  struct Turn {
    std::uint32_t slot;
    LinkIndex link;
  };
  /// Those that a route may take at a node that is not its zone, by ascending link.
  std::span<const Turn> turns(Direction direction, std::uint32_t far_slot) const {
    const Turns& turns = direction == Direction::to_zones ? leaving_ : entering_;
    return std::span(turns.all).subspan(turns.first[far_slot],
                                        turns.first[far_slot + 1] - turns.first[far_slot]);
  }

 private:
  struct Turns {
    std::vector<std::uint32_t> first{0};  // of `all`, by far slot
    std::vector<Turn> all;
  };
  using Rows = std::vector<std::vector<std::uint32_t>>;

  Hierarchy() = default;
  /// The neighbours of each node when it is contracted, by rank; nothing if they are too many.
  static std::optional<Rows> contract(const NodeGraph& core, std::span<const std::uint32_t> order,
                                      std::size_t most_arcs);
  /// Takes over the rows, renumbered as places. The place of each rank.
  std::vector<std::uint32_t> take_rows(Rows rows);
  void look_from_above();
  void place_nodes(const Network& network, std::span<const std::uint32_t> place_in_core);
  void add_links(const Network& network);
  void add_turns(const Network& network);

  std::vector<std::uint32_t> first_{0}, heads_, end_of_subtree_;
  std::vector<std::uint32_t> first_below_;
  std::vector<Below> below_;
  std::vector<LinkArc> links_up_, links_down_;
  std::vector<std::uint32_t> far_slot_;  // by node
  std::vector<NodeIndex> node_at_;       // by far slot
  Turns leaving_, entering_;
  std::uint64_t triangles_ = 0;
};

}  // namespace anachron::models::traffic
