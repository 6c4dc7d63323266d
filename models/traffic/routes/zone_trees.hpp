// The shortest routes from zones to all nodes, or from all nodes to zones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "traffic/network.hpp"
#include "traffic/routes/lengths.hpp"

namespace anachron::models::traffic {

class ArcLengths;

enum class Direction : std::uint8_t { from_zones, to_zones };

/// One way of finding routes; belongs to a thread, and keeps its memory from one zone to the next.
///
/// Nodes that are not passed through are left only where a route begins and entered only where it ends. Of
/// several shortest routes the link of lowest number is taken at each node. So the outcome depends on
/// network, lengths and zone only, and a route never runs in a circle, as each link makes it longer.
class ZoneTrees {
 public:
  virtual ~ZoneTrees() = default;

  /// Zones that are looked at together, at little more cost than one.
  virtual std::size_t most_zones() const = 0;

  /// Of the links, and of a hierarchy's arcs where there is one.
  struct Lengths {
    const LinkLengths& links;
    const ArcLengths* arcs = nullptr;
  };
  /// Precondition: at least one zone, and no more than most_zones().
  virtual void grow(std::span<const ZoneIndex> zones, const Lengths& lengths) = 0;

  // Of the k-th of the zones.

  /// Of the route between it and a node; kNoRoute when there is none.
  virtual Length length(std::size_t k, NodeIndex node) const = 0;
  /// The link of this route at the node: the last one, or to zones the first one. Empty: no route, or no
  /// link.
  virtual std::optional<LinkIndex> link(std::size_t k, NodeIndex node) const = 0;
  /// All its links, the first one first. Preconditions: there is one; trees from zones.
  virtual std::vector<LinkIndex> route_to(std::size_t k, NodeIndex node) const = 0;

  /// The mark for no link in what `write_choices` writes.
  static constexpr std::uint16_t kNone = std::numeric_limits<std::uint16_t>::max();
  /// Which of the links that leave a node is the first one, for each zone, to rows[node * stride + k].
  /// Precondition: they were grown to zones.
  virtual void write_choices(std::uint16_t* rows, std::size_t stride) const = 0;
};

}  // namespace anachron::models::traffic
