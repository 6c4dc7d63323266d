// Shortest routes by sweeps over a hierarchy, several zones at a time.
//
// Source: D. Delling, A. Goldberg, A. Nowatzyk, R. Werneck, "PHAST: hardware-accelerated shortest path
// trees", Journal of Parallel and Distributed Computing 73(7), 2013. From a zone the few nodes above it are
// climbed. Then all nodes are visited from the top down, in the order in which they lie in memory, and each
// looks at its own arcs up. The labels of the zones that are looked at together are next to each other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "traffic/routes/arc_lengths.hpp"
#include "traffic/routes/hierarchy.hpp"
#include "traffic/routes/length_lanes.hpp"
#include "traffic/routes/zone_trees.hpp"

namespace anachron::models::traffic {

class ZoneSweep final : public ZoneTrees {
 public:
  static constexpr std::size_t kZones = LengthLanes::kCount;

  ZoneSweep(const Network& network, const Hierarchy& hierarchy, Direction direction);

  std::size_t most_zones() const override { return kZones; }
  /// Precondition: lengths.arcs is not null. O(arcs + links).
  void grow(std::span<const ZoneIndex> zones, const Lengths& lengths) override;
  Length length(std::size_t k, NodeIndex node) const override {
    return labels_[hierarchy_.far_slot(node)].get(k);
  }
  /// O(links of the node).
  std::optional<LinkIndex> link(std::size_t k, NodeIndex node) const override;
  std::vector<LinkIndex> route_to(std::size_t k, NodeIndex node) const override;
  void write_choices(std::uint16_t* rows, std::size_t stride) const override;

 private:
  void set_out();
  void mark_above(std::uint32_t place);
  void climb(const Length* lengths);
  void descend(const Length* lengths);
  void reach_closed();
  /// The link of lowest number by which the route at a slot has its length. Precondition: there is one.
  const Hierarchy::Turn& turn(std::size_t k, std::uint32_t slot, Length length) const;
  bool is_marked(std::uint32_t place) const { return marks_[place / 64] >> place % 64 & 1; }

  const Network& network_;
  const Hierarchy& hierarchy_;
  Direction direction_;
  std::vector<ZoneIndex> zones_;
  const LinkLengths* links_ = nullptr;
  std::vector<LengthLanes> labels_;   // by slot
  std::vector<std::uint64_t> marks_;  // a bit for each place: it is above a zone
};

}  // namespace anachron::models::traffic
