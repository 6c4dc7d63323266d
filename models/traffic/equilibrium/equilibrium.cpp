#include "traffic/equilibrium/equilibrium.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include <anachron/base/error.hpp>

#include "traffic/equilibrium/route_balance.hpp"
#include "traffic/routes/helpers.hpp"

namespace anachron::models::traffic {
namespace {

using Pair = Equilibrium::Pair;
using Route = Equilibrium::Route;

class Solver {
 public:
  Solver(const Routing& routing, const TripTable& trips, const EquilibriumSettings& settings)
      : network_(routing.network()),
        routing_(routing),
        settings_(settings),
        balance_(routing.network(), settings) {
    take_pairs(trips);
    const std::size_t threads =
        settings.threads.value_or(threads_for(origins_.size(), routing.work_for_zone()));
    for (std::size_t k = 0; k < threads; ++k) desks_.push_back(routing.trees(Direction::from_zones));
  }

  Equilibrium run() {
    add_cheapest_routes();
    for (Pair& pair : pairs_) pair.routes.front().volume = pair.trips;  // all or nothing
    for (;;) {
      balance_.load(pairs_);
      Equilibrium::Iteration now = measure();
      const double least_cost = add_cheapest_routes();
      // Rounding errors may let the cheapest routes look dearer than the ones in use.
      now.gap = now.total_cost > least_cost ? (now.total_cost - least_cost) / now.total_cost : 0;
      log_.push_back(now);
      if (log_.back().gap <= settings_.gap || log_.size() >= settings_.iterations) return result();
      balance_routes();
    }
  }

 private:
  /// The pairs of one origin, as a range of pairs_.
  struct Origin {
    std::size_t first = 0, end = 0;
    double least_cost = 0;  ///< of its trips, if all took their cheapest routes
  };

  void take_pairs(const TripTable& trips) {
    for (const TripTable::Pair& pair : trips.pairs) {
      const double demand = pair.trips * settings_.demand_factor;
      if (pair.origin == pair.destination || !(demand > 0)) continue;
      if (pairs_.empty() || pairs_.back().origin != pair.origin)
        origins_.push_back({pairs_.size(), pairs_.size()});
      pairs_.push_back({pair.origin, pair.destination, demand, {}});
      origins_.back().end = pairs_.size();
    }
  }

  /// Gives each pair its cheapest route at the current costs, if it is cheaper than those it has. What all
  /// trips would cost on these routes, added up in a fixed order.
  double add_cheapest_routes() {
    const RouteLengths lengths =
        routing_.lengths(balance_.costs(), settings_.threads.value_or(routing_.threads_for_lengths()));
    const std::size_t at_a_time = routing_.zones_at_a_time();
    const auto add = [&](std::unique_ptr<ZoneTrees>& trees, std::size_t piece) {
      const std::size_t first = piece * at_a_time;
      const auto origins = std::span(origins_).subspan(first, std::min(at_a_time, origins_.size() - first));
      std::vector<ZoneIndex> zones;
      for (const Origin& origin : origins) zones.push_back(pairs_[origin.first].origin);
      trees->grow(zones, lengths.all());
      for (std::size_t k = 0; k < origins.size(); ++k)
        add_cheapest_routes(*trees, k, lengths.links(), origins[k]);
    };
    share_out((origins_.size() + at_a_time - 1) / at_a_time, 1, desks_, add);
    double least_cost = 0;
    for (const Origin& origin : origins_) least_cost += origin.least_cost;
    return least_cost;
  }

  /// `trees`, `k`: those from its zone.
  void add_cheapest_routes(const ZoneTrees& trees, std::size_t k, const LinkLengths& lengths,
                           Origin& origin) {
    origin.least_cost = 0;
    for (std::size_t place = origin.first; place < origin.end; ++place) {
      Pair& pair = pairs_[place];
      const Length least = trees.length(k, pair.destination);
      if (least == kNoRoute)
        throw InputError("no route from zone " + std::to_string(network_.id(pair.origin)) + " to zone " +
                         std::to_string(network_.id(pair.destination)) +
                         ", but there is demand between them");
      bool is_new = true;
      for (const Route& route : pair.routes) {
        Length length = 0;
        for (const LinkIndex link : route.links) length += lengths[link];
        is_new &= lengths.is_cheaper(least, length);
      }
      if (is_new) pair.routes.push_back({trees.route_to(k, pair.destination), 0});
      origin.least_cost += pair.trips * lengths.cost(least);
    }
  }

  /// Sweeps over all pairs until little is left to gain from the routes that are known.
  void balance_routes() {
    constexpr int kMostSweeps = 10;
    constexpr double kLeft = 0.05;  // of the gap that they began with
    const double total_cost = log_.back().total_cost;
    for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
      double excess = 0;
      for (Pair& pair : pairs_) excess += balance_.balance(pair);
      if (excess <= kLeft * log_.back().gap * total_cost) return;
    }
  }

  /// Figures of the volumes as they are, but for the gap.
  Equilibrium::Iteration measure() const {
    Equilibrium::Iteration now;
    for (LinkIndex link = 0; link < network_.links().size(); ++link) {
      const double volume = balance_.volumes()[link];
      now.total_cost += volume * balance_.costs()[link];
      now.total_time += volume * balance_.function(link).time(volume);
      now.objective += balance_.function(link).integral(volume);
    }
    if (!std::isfinite(now.total_cost))
      throw InputError(
          "--assignment equilibrium: with so much demand for such capacities travel times are too large to "
          "compute with");
    for (const Pair& pair : pairs_)
      for (const Route& route : pair.routes) now.routes += route.volume > 0;
    return now;
  }

  Equilibrium result() {
    Equilibrium result;
    result.volumes.assign(balance_.volumes().begin(), balance_.volumes().end());
    for (LinkIndex link = 0; link < result.volumes.size(); ++link)
      result.times.push_back(balance_.function(link).time(result.volumes[link]));
    for (Pair& pair : pairs_)
      std::erase_if(pair.routes, [](const Route& route) { return !(route.volume > 0); });
    result.pairs = std::move(pairs_);
    result.iterations = std::move(log_);
    return result;
  }

  const Network& network_;
  const Routing& routing_;
  const EquilibriumSettings& settings_;
  RouteBalance balance_;
  std::vector<Pair> pairs_;
  std::vector<Origin> origins_;
  std::vector<std::unique_ptr<ZoneTrees>> desks_;
  std::vector<Equilibrium::Iteration> log_;
};

}  // namespace

Equilibrium find_equilibrium(const Routing& routing, const TripTable& trips,
                             const EquilibriumSettings& settings) {
  return Solver(routing, trips, settings).run();
}

}  // namespace anachron::models::traffic
