// What it costs to drive along a link, as a function of its volume.
#pragma once

#include "traffic/equilibrium/bpr.hpp"
#include "traffic/network.hpp"

namespace anachron::models::traffic {

/// What a unit of a link's toll and length is worth, in the network file's units of time.
struct CostWeights {
  double toll = 0, distance = 0;
};

/// The generalised cost of a link: its BPR time plus what does not depend on traffic. Times are in the
/// network file's unit, volumes in that of its capacities.
class LinkCost {
 public:
  LinkCost(const RoadLink& link, const CostWeights& weights, double minutes_per_unit)
      : free_time_(link.free_time / minutes_per_unit),
        b_(link.b),
        power_(link.power),
        capacity_(link.b > 0 ? link.capacity : 1),
        fixed_(weights.toll * link.toll + weights.distance * link.length) {}

  double time(double volume) const { return bpr_time(free_time_, b_, power_, volume / capacity_); }
  double cost(double volume) const { return time(volume) + fixed_; }
  /// The derivative of the cost; infinite in 0 where the power is below 1.
  double slope(double volume) const {
    if (b_ == 0 || power_ == 0 || free_time_ == 0) return 0;
    const double ratio = volume / capacity_;
    const double rise = power_ == 4 ? ratio * ratio * ratio : power(ratio, power_ - 1);
    return free_time_ * b_ * power_ / capacity_ * rise;
  }
  /// The integral of the cost from 0 to `volume`: the link's part of Beckmann's objective.
  double integral(double volume) const {
    const double rise = bpr_power(volume / capacity_, power_) / (power_ + 1);
    return volume * (free_time_ * (1 + b_ * rise) + fixed_);
  }

 private:
  double free_time_, b_, power_, capacity_, fixed_;
};

}  // namespace anachron::models::traffic
