// How many vehicles a link has room for, and how its queue moves.
//
// Source: Newell, A simplified theory of kinematic waves in highway traffic, Transportation Research B 27(4),
// 1993, with whole vehicles: a triangular fundamental diagram of free speed, capacity and jam density.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "traffic/network.hpp"

namespace anachron::models::traffic {

struct StorageSettings {
  double jam_density = 0;    ///< vehicles that stand in a lane per unit of length
  double lane_capacity = 0;  ///< vehicles per hour that make a lane of a link's capacity
};

/// A link's queue. Vehicles leave it one `headway` after another, and the room that one leaves at the end of
/// the link travels against them: it is at the beginning a `gap_time` later. So a link that is full all the
/// time passes on its capacity, at the speed without traffic.
struct LinkStorage {
  std::uint32_t places = 0;  ///< vehicles and gaps; 0: no bound
  double headway = 0;        ///< minutes
  double gap_time = 0;       ///< minutes

  /// At least as many places as the vehicles that drive there at capacity, so that it can be reached, and
  /// one. A link whose capacity is 0 has none to be reached: no bounds.
  static LinkStorage of(const RoadLink& link, const StorageSettings& settings) {
    if (!(link.capacity > 0)) return {};
    constexpr double kMinutes = 60, kMost = 1u << 30;
    const double per_minute = link.capacity / kMinutes;
    const double lanes = link.capacity / settings.lane_capacity;
    const double standing = std::round(settings.jam_density * link.length * lanes);
    const double driving = std::ceil(per_minute * link.free_time);
    const double places = std::max({1.0, standing, driving});
    if (!(places < kMost)) return {0, 1 / per_minute, 0};
    return {static_cast<std::uint32_t>(places), 1 / per_minute,
            std::max(0.0, places / per_minute - link.free_time)};
  }
};

}  // namespace anachron::models::traffic
