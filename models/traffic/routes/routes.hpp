// The quickest routes between all nodes and zones, as a table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <anachron/base/platform.hpp>

#include "traffic/network.hpp"
#include "traffic/routes/routing.hpp"

namespace anachron::models::traffic {

/// The quickest route from every node to every zone at given link times, as a table of next links.
///
/// Ties are broken as by ZoneTrees. A node's row is contiguous, so a link reads one row of 2 bytes per
/// zone whatever the destination.
class Routes {
 public:
  /// `times`: of each link, >= 0, in minutes. Trees to all zones, spread over the machine's cores; 2 * nodes
  /// * zones bytes. Throws InputError when they cannot be had.
  Routes(const Routing& routing, std::span<const double> times);

  /// A route leads from `from` to `to`, or they are the same node.
  bool reachable(NodeIndex from, ZoneIndex to) const { return from == to || choice(from, to) != kNone; }
  /// The link to take at `from` on the way to `to`; empty when there is none or one is there.
  std::optional<LinkIndex> next(NodeIndex from, ZoneIndex to) const {
    if (choice(from, to) == kNone) return std::nullopt;
    return first_out_[from] + choice(from, to);
  }
  /// The same without the check. Precondition: reachable(from, to) and from != to. `first_out`:
  /// network.first_out(from).
  LinkIndex next_from(NodeIndex from, LinkIndex first_out, ZoneIndex to) const {
    return first_out + choice(from, to);
  }
  /// Fetches what that reads.
  void foresee_next_from(NodeIndex from, ZoneIndex to) const {
    prefetch_to_read(&choice_[std::size_t{from} * zones_ + to]);
  }
  /// Time of the route between two zones, in minutes, each link's rounded as by LinkLengths; 0 from a zone to
  /// itself, infinite when there is none.
  double time(ZoneIndex from, ZoneIndex to) const { return time_[std::size_t{from} * zones_ + to]; }

 private:
  static constexpr std::uint16_t kNone = ZoneTrees::kNone;

  static std::vector<std::uint16_t> empty_table(const Network& network);
  std::uint16_t choice(NodeIndex from, ZoneIndex to) const {
    return choice_[std::size_t{from} * zones_ + to];
  }

  std::uint32_t zones_;
  std::vector<LinkIndex> first_out_;
  std::vector<std::uint16_t> choice_;  // which of the links that leave a node; row: node, column: zone
  std::vector<double> time_;           // row: origin, column: destination
};

}  // namespace anachron::models::traffic
