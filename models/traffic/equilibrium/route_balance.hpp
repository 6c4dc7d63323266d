// Volumes, costs and slopes of all links, and how volume moves from one route to another.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "traffic/equilibrium/equilibrium.hpp"
#include "traffic/equilibrium/link_cost.hpp"
#include "traffic/network.hpp"

namespace anachron::models::traffic {

class RouteBalance {
 public:
  RouteBalance(const Network& network, const EquilibriumSettings& settings);

  /// Adds up the volumes of all routes, in the order of the pairs.
  void load(std::span<const Equilibrium::Pair> pairs);

  /// Moves volume from the pair's dearer routes to its cheapest one, and forgets those that are left empty.
  /// What the pair paid too much before: the sum over its routes of volume times excess cost.
  double balance(Equilibrium::Pair& pair);

  std::span<const double> volumes() const { return volumes_; }
  std::span<const double> costs() const { return costs_; }
  const LinkCost& function(LinkIndex link) const { return functions_[link]; }
  double cost(const Equilibrium::Route& route) const;

 private:
  /// Moves volume until both cost about the same, or `from` is empty.
  void shift(Equilibrium::Route& from, Equilibrium::Route& to);
  /// Fills leaving_ and joining_: the links that only one of the routes has.
  void tell_apart(const Equilibrium::Route& from, const Equilibrium::Route& to);
  /// How much volume to move. `excess`: what `from` costs more, above 0; `most`: its volume.
  double step(double excess, double most) const;
  /// What leaving_ costs more than joining_ when so much has moved.
  double excess_after(double moved) const;
  void set_volume(LinkIndex link, double volume);

  std::vector<LinkCost> functions_;
  std::vector<double> volumes_, costs_, slopes_;
  std::vector<LinkIndex> leaving_, joining_;
  std::vector<std::uint64_t> marks_;  // by link: marked if it is marking_
  std::uint64_t marking_ = 0;
};

}  // namespace anachron::models::traffic
