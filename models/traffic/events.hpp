// What travels between the LPs of the traffic model.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include <anachron/model/order.hpp>

#include "traffic/publication.hpp"
#include "traffic/world.hpp"

namespace anachron::models::traffic {

/// A vehicle under way. 8 bytes, so that with the kernel's header its event fills one cache line.
struct Vehicle {
  std::uint32_t departed = 0;  ///< tick, see World::minutes
  World::Way way;

  template <class Archive>
  void serialize(Archive& ar) {
    ar(departed, way);
  }
  friend bool operator==(const Vehicle&, const Vehicle&) = default;
};

/// To a link: a vehicle enters it, from its zone of origin or from another link.
struct Enter : Vehicle {};
/// To a link: one that re-decides enters it, while it has kept to its route.
struct EnterInformed : Vehicle {};
/// The same of one that has left its route; its way is between zones.
struct EnterDetour : Vehicle {};
/// To a zone, from the last link: a vehicle arrives.
struct Arrive : Vehicle {};
struct ArriveInformed : Vehicle {};
struct ArriveDetour : Vehicle {};
/// To a zone, from itself: a vehicle departs.
struct Depart : Vehicle {};

/// How a driver finds the way.
enum class Guidance : std::uint8_t {
  route,     ///< as planned before
  informed,  ///< as planned, while that is the quickest by published times
  detour     ///< anew at each link, as the driver has left the route; then the way is between zones
};

/// To a link with a queue: a vehicle is at its beginning and asks to be let in.
struct Offer : Vehicle {
  static constexpr LinkIndex kOutside = ~LinkIndex{0};
  LinkIndex from = kOutside;  ///< the link on which it is; kOutside: it departs here
  Guidance guidance = Guidance::route;

  template <class Archive>
  void serialize(Archive& ar) {
    ar(departed, way, from, guidance);
  }
  friend bool operator==(const Offer&, const Offer&) = default;
};
/// To a link with a queue, from the next one or itself: its first vehicle has left it.
struct Left {};
/// To a link with a queue, from itself: time to look at its line.
struct Wake {};

/// To a link, from itself or from outside: from now on less, or more, of its capacity is left.
struct Restrict {
  static constexpr Order order{.priority = -1};  // vehicles that come at that moment wait
  double weight = 1;        ///< what a vehicle weighs: one over the share of the capacity that is left
  double closed_until = 0;  ///< nobody enters before, in minutes
  friend bool operator==(const Restrict&, const Restrict&) = default;
};

/// To a link, from outside: what it costs from now on, in minutes of those who re-decide.
struct Toll {
  static constexpr Order order{.priority = -1};
  float minutes = 0;
  friend bool operator==(const Toll&, const Toll&) = default;
};

/// To a link, from itself: time to measure its travel time.
struct Measure {};
/// To the board: the travel time of a link, with its toll, is another now.
struct Measured {
  LinkIndex link = 0;
  float minutes = 0;
  friend bool operator==(const Measured&, const Measured&) = default;
};
/// To the board, from itself: publish.
struct Publish {};
/// To all links: new travel times. Between processes the times travel, and each finds routes for itself.
struct Published {
  SharedPublication publication;

  friend bool operator==(const Published&, const Published&) = default;
};

}  // namespace anachron::models::traffic
