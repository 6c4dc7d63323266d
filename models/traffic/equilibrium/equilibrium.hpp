// User equilibrium: volumes of the links at which no driver gets there cheaper by another route, with static
// congestion (Wardrop, Some theoretical aspects of road traffic research, 1952, first principle).
//
// Method: gradient projection on the volumes of routes. In turns the cheapest routes at the current volumes
// join those in use. Then each pair of zones moves volume from its dearer routes to its cheapest one, pair
// after pair, each at the costs that the ones before it left. (Jayakrishnan, Tsai, Prashker, Rajadhyaksha, A
// faster path-based algorithm for traffic assignment, Transportation Research Record 1443, 1994.)
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "traffic/equilibrium/link_cost.hpp"
#include "traffic/input/tntp.hpp"
#include "traffic/network.hpp"
#include "traffic/routes/routing.hpp"

namespace anachron::models::traffic {

struct EquilibriumSettings {
  double gap = 1e-4;                ///< stop at this relative gap
  std::uint32_t iterations = 1000;  ///< or after so many
  CostWeights weights{};
  double demand_factor = 1;
  double minutes_per_unit = 1;              ///< of the network file's times
  std::optional<std::size_t> threads = {};  ///< empty: as many as pay
};

struct Equilibrium {
  struct Route {
    std::vector<LinkIndex> links;
    double volume = 0;
  };
  /// Two different zones with demand between them.
  struct Pair {
    ZoneIndex origin = 0, destination = 0;
    double trips = 0;
    std::vector<Route> routes;  ///< at least one; their volumes add up to `trips`
  };
  struct Iteration {
    double gap = 0;  ///< share of the total cost that would be saved if all routes were the cheapest ones
    double objective = 0;  ///< Beckmann's: the sum of the links' integrals of cost over volume
    double total_cost = 0, total_time = 0;  ///< of all trips, in the network file's unit of time
    std::size_t routes = 0;                 ///< in use
  };

  std::vector<Pair> pairs;             ///< by origin, then by destination
  std::vector<double> volumes, times;  ///< by link; the trip table's unit, the network file's unit of time
  std::vector<Iteration> iterations;   ///< the first one is all-or-nothing; the last one is of `volumes`

  const Iteration& last() const { return iterations.back(); }
};

/// Trips from a zone to itself do not use the network and are left out. The result is the same to the last
/// bit whatever the number of threads, which share the search for cheapest routes. Memory: the routes in use.
/// Throws InputError for demand between zones without a route, and for costs too large to compute with.
Equilibrium find_equilibrium(const Routing& routing, const TripTable& trips,
                             const EquilibriumSettings& settings);

/// Iterations that it takes, about, to choose a routing by.
inline constexpr double kUsualIterations = 8;

}  // namespace anachron::models::traffic
