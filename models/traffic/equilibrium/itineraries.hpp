// The routes of an equilibrium as vehicles drive them: whole vehicles, and each route as a list of links.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "traffic/equilibrium/equilibrium.hpp"
#include "traffic/input/demand.hpp"

namespace anachron::models::traffic {

/// All routes that have vehicles, one behind the other, each ended by a mark. A vehicle knows its place in
/// this list, and so the links before and behind.
class Itineraries {
 public:
  /// Parts the whole trips of each pair of zones among its routes, by their volumes. Each route is less than
  /// one trip off; over many pairs the shares add up, since what is rounded up for one pair is rounded down
  /// for another. Throws InputError when they are too long to number. Precondition: `equilibrium` is of this
  /// demand.
  Itineraries(const Demand& demand, const Equilibrium& equilibrium);

  /// A place in the list.
  using Place = std::uint32_t;

  struct Share {
    ZoneIndex destination = 0;
    Place begin = 0;          ///< the first link of the route; kNowhere for trips within the zone
    std::uint32_t up_to = 0;  ///< trips of the origin with this and all former shares
  };
  static constexpr Place kNowhere = 0;

  /// How the trips of an origin go, in the order of Demand::place.
  std::span<const Share> shares(ZoneIndex origin) const {
    return std::span(shares_).subspan(first_[origin], first_[origin + 1] - first_[origin]);
  }
  /// The share of the trip at a place in the origin's order. O(log shares).
  const Share& share(ZoneIndex origin, std::uint32_t place_of_trip) const;

  /// The end of the route to which a place belongs. O(links left).
  Place end_of(Place place) const {
    while (!is_end(place)) ++place;
    return place;
  }
  bool is_end(Place place) const { return stops_[place] & kEnd; }
  /// Precondition: it is not an end.
  LinkIndex link(Place place) const { return stops_[place]; }
  /// The zone in which the route to this end began. Precondition: it is an end, and not kNowhere.
  ZoneIndex origin_of(Place end) const { return stops_[end] & ~kEnd; }

 private:
  static constexpr std::uint32_t kEnd = 1u << 31;
  static_assert(Network::kMostLinks < kEnd);

  Place add(const Equilibrium::Pair& pair, const Equilibrium::Route& route);

  std::vector<std::uint32_t> stops_;  // links; ends are kEnd and the zone of origin
  std::vector<Share> shares_;
  std::vector<std::size_t> first_;  // of shares_, by origin
};

}  // namespace anachron::models::traffic
