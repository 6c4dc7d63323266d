#include "traffic/equilibrium/route_balance.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace anachron::models::traffic {

RouteBalance::RouteBalance(const Network& network, const EquilibriumSettings& settings)
    : volumes_(network.links().size()),
      costs_(network.links().size()),
      slopes_(network.links().size()),
      marks_(network.links().size()) {
  functions_.reserve(network.links().size());
  for (const RoadLink& link : network.links())
    functions_.emplace_back(link, settings.weights, settings.minutes_per_unit);
  load({});
}

void RouteBalance::load(std::span<const Equilibrium::Pair> pairs) {
  std::fill(volumes_.begin(), volumes_.end(), 0);
  for (const auto& pair : pairs)
    for (const auto& route : pair.routes)
      for (const LinkIndex link : route.links) volumes_[link] += route.volume;
  for (LinkIndex link = 0; link < volumes_.size(); ++link) set_volume(link, volumes_[link]);
}

void RouteBalance::set_volume(LinkIndex link, double volume) {
  volumes_[link] = std::max(volume, 0.0);  // what is left of an empty link may be a rounding error below 0
  costs_[link] = functions_[link].cost(volumes_[link]);
  slopes_[link] = functions_[link].slope(volumes_[link]);
}

double RouteBalance::cost(const Equilibrium::Route& route) const {
  double sum = 0;
  for (const LinkIndex link : route.links) sum += costs_[link];
  return sum;
}

double RouteBalance::balance(Equilibrium::Pair& pair) {
  auto& routes = pair.routes;
  if (routes.size() == 1) return 0;
  std::size_t cheapest = 0;
  double lowest = cost(routes[0]), paid = routes[0].volume * lowest;
  for (std::size_t k = 1; k < routes.size(); ++k) {
    const double cost_k = cost(routes[k]);
    paid += routes[k].volume * cost_k;
    if (cost_k < lowest) {
      lowest = cost_k;
      cheapest = k;
    }
  }
  for (std::size_t k = 0; k < routes.size(); ++k)
    if (k != cheapest && routes[k].volume > 0) shift(routes[k], routes[cheapest]);

  std::swap(routes[0], routes[cheapest]);
  const auto is_empty = [](const Equilibrium::Route& route) { return route.volume == 0; };
  routes.erase(std::remove_if(routes.begin() + 1, routes.end(), is_empty), routes.end());
  return std::max(paid - pair.trips * lowest, 0.0);
}

void RouteBalance::shift(Equilibrium::Route& from, Equilibrium::Route& to) {
  tell_apart(from, to);
  double excess = 0;
  for (const LinkIndex link : leaving_) excess += costs_[link];
  for (const LinkIndex link : joining_) excess -= costs_[link];
  if (!(excess > 0)) return;
  const double moved = step(excess, from.volume);
  from.volume -= moved;
  to.volume += moved;
  for (const LinkIndex link : leaving_) set_volume(link, volumes_[link] - moved);
  for (const LinkIndex link : joining_) set_volume(link, volumes_[link] + moved);
}

void RouteBalance::tell_apart(const Equilibrium::Route& from, const Equilibrium::Route& to) {
  leaving_.clear();
  joining_.clear();
  marking_ += 2;
  const std::uint64_t of_to = marking_, of_both = marking_ + 1;
  for (const LinkIndex link : to.links) marks_[link] = of_to;
  for (const LinkIndex link : from.links) {
    if (marks_[link] == of_to)
      marks_[link] = of_both;
    else
      leaving_.push_back(link);
  }
  for (const LinkIndex link : to.links)
    if (marks_[link] == of_to) joining_.push_back(link);
}

double RouteBalance::step(double excess, double most) const {
  constexpr double kBalanced = 0.1;  // of the excess: the next sweep does the rest
  constexpr int kMostTries = 20;
  double slope = 0;
  for (const LinkIndex link : leaving_) slope += slopes_[link];
  for (const LinkIndex link : joining_) slope += slopes_[link];

  // Newton's step. It can be too long, such as from the flat part of the BPR function. Then the excess has
  // changed its sign, and the balance is between the two (regula falsi, kept off the ends).
  double tried = std::isfinite(slope) && excess < slope * most ? excess / slope : most;
  double low = 0, low_excess = excess, high = tried, high_excess = excess_after(tried);
  if (high_excess >= -kBalanced * excess) return tried;
  for (int k = 0; k < kMostTries; ++k) {
    constexpr double kOff = 0.1;
    const double share = low_excess / (low_excess - high_excess);
    tried = low + (high - low) * std::clamp(share, kOff, 1 - kOff);
    const double left = excess_after(tried);
    if (std::abs(left) <= kBalanced * excess) break;
    (left > 0 ? low : high) = tried;
    (left > 0 ? low_excess : high_excess) = left;
  }
  return tried;
}

double RouteBalance::excess_after(double moved) const {
  double excess = 0;
  for (const LinkIndex link : leaving_)
    excess += functions_[link].cost(std::max(volumes_[link] - moved, 0.0));
  for (const LinkIndex link : joining_) excess -= functions_[link].cost(volumes_[link] + moved);
  return excess;
}

}  // namespace anachron::models::traffic
