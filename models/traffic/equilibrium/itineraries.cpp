#include "traffic/equilibrium/itineraries.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include <anachron/base/error.hpp>

namespace anachron::models::traffic {
Itineraries::Itineraries(const Demand& demand, const Equilibrium& equilibrium) : stops_{kEnd} {
  auto pair = equilibrium.pairs.begin();
  for (ZoneIndex origin = 0; origin < demand.zones(); ++origin) {
    first_.push_back(shares_.size());
    std::uint32_t so_far = 0;
    for (const Demand::Flow& flow : demand.flows(origin)) {
      const std::uint32_t before = std::exchange(so_far, flow.up_to);
      if (flow.destination == origin) {
        shares_.push_back({origin, kNowhere, flow.up_to});
        continue;
      }
      while (pair->origin != origin || pair->destination != flow.destination) ++pair;
      // With one offset for all, the smaller share of a pair with a single trip would never get it.
      const double start = golden_offset(static_cast<std::size_t>(pair - equilibrium.pairs.begin()));
      std::uint32_t up_to = before;
      double volume = 0;
      for (const Equilibrium::Route& route : pair->routes) {
        volume += route.volume;
        const bool is_last = &route == &pair->routes.back();
        const double whole = std::floor((flow.up_to - before) * (volume / pair->trips) + start);
        const std::uint32_t end =
            is_last ? flow.up_to : std::min(flow.up_to, before + static_cast<std::uint32_t>(whole));
        if (end == up_to) continue;
        shares_.push_back({flow.destination, add(*pair, route), end});
        up_to = end;
      }
    }
  }
  first_.push_back(shares_.size());
}

Itineraries::Place Itineraries::add(const Equilibrium::Pair& pair, const Equilibrium::Route& route) {
  if (stops_.size() + route.links.size() >= std::numeric_limits<Place>::max())
    throw InputError("the routes of the equilibrium have " +
                     std::to_string(std::numeric_limits<Place>::max()) +
                     " links or more in all: vehicles cannot number them");
  const auto begin = static_cast<Place>(stops_.size());
  stops_.insert(stops_.end(), route.links.begin(), route.links.end());
  stops_.push_back(kEnd | pair.origin);
  return begin;
}

const Itineraries::Share& Itineraries::share(ZoneIndex origin, std::uint32_t place_of_trip) const {
  const auto all = shares(origin);
  return *std::upper_bound(all.begin(), all.end(), place_of_trip,
                           [](std::uint32_t at, const Share& share) { return at < share.up_to; });
}

}  // namespace anachron::models::traffic
