// A made-up city: a network and a demand for it, for runs that need no files.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "traffic/input/places.hpp"
#include "traffic/input/tntp.hpp"
#include "traffic/network.hpp"

namespace anachron::models::traffic {

struct CityPlan {
  static constexpr std::uint32_t kSmallest = 2, kLargest = 1024;

  std::uint32_t columns = 128, rows = 128;  ///< intersections, each from kSmallest to kLargest
  std::uint64_t seed = 1;
  double vehicles = 0;  ///< trips in all
};

/// Reads "COLSxROWS". Throws InputError that says what is valid.
CityPlan parse_city(std::string_view text);

struct City {
  RoadPlan roads;  ///< lengths in km
  TripTable trips;
  std::vector<NodePlace> places;  ///< of the nodes, in km; a zone is in the middle of its square
};

/// Builds the city; the same plan gives the same city on every machine.
///
/// Streets run along a grid of uneven spacing. Around it goes a ring road, every eighth street is an avenue
/// (wider and faster); of the others some are one-way and some lack a block. Zones are squares of 4 x 4
/// intersections (larger ones where there would be more than 512), tied to the grid by connectors, which
/// carry no through traffic. From any zone one can drive to any other. Trips follow a gravity model: people
/// live everywhere and work mostly in the middle, and the attraction falls with the square of the distance.
City make_city(const CityPlan& plan);

}  // namespace anachron::models::traffic
