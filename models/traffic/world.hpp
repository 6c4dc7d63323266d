// What all LPs of a traffic simulation read and none changes: roads, routes and demand.
#pragma once

#include <cstdint>
#include <vector>

#include "traffic/demand.hpp"
#include "traffic/network.hpp"
#include "traffic/params.hpp"

namespace anachron::models::traffic {

class World {
 public:
  /// Reads or generates network and demand, finds the routes. Throws InputError for files that cannot be
  /// read, options that contradict each other, and demand between zones without a route.
  explicit World(const Params& params);

  const Network& network() const { return network_; }
  const Routes& routes() const { return routes_; }
  const Demand& demand() const { return demand_; }

  /// The link to take first from one zone to another. Precondition: there is demand between them.
  LinkIndex first_link(ZoneIndex origin, ZoneIndex destination) const {
    return routes_.next_from(origin, network_.first_out(origin), destination);
  }

  /// What an event on a link reads: a cache line.
  struct alignas(64) Road {
    NodeIndex from = 0, to = 0;
    LinkIndex first_out = 0;  ///< of the node `to`
    double free_time = 0;     ///< minutes
    double b = 0, power = 0;
    double ratio_per_vehicle = 0;  ///< volume/capacity that one vehicle in the flow window makes; 0: no delay
  };
  const Road& road(LinkIndex link) const { return roads_[link]; }
  /// The link to take after `road`. Precondition: the vehicle is on its way to `destination`, and that is not
  /// road.to.
  LinkIndex after(const Road& road, ZoneIndex destination) const {
    return routes_.next_from(road.to, road.first_out, destination);
  }

  /// Vehicles that will enter a link in the end; that will depart from a zone or arrive in it.
  std::uint32_t vehicles_on(LinkIndex link) const { return on_link_[link]; }
  std::uint32_t vehicles_of(ZoneIndex zone) const { return of_zone_[zone]; }

  /// Of the vehicles on a link: those that come from its zone of origin, those that arrive at its end, and
  /// those that enter the next link, which begins there.
  std::uint32_t vehicles_beginning_on(LinkIndex link) const { return beginning_[link]; }
  std::uint32_t vehicles_ending_on(LinkIndex link) const { return ending_[link]; }
  std::uint32_t vehicles_between(LinkIndex link, LinkIndex next) const {
    return turns_[first_turn_[link] + (next - road(link).first_out)];
  }

  /// Where a node stands when the city is swept from one end to the other: nodes with links between them are
  /// near each other.
  double position(NodeIndex node) const { return position_[node]; }

  /// Intervals of the flow window per minute.
  double intervals_per_minute() const { return intervals_per_minute_; }
  /// Vehicles per hour that one vehicle in the flow window makes.
  double flow_per_vehicle() const { return flow_per_vehicle_; }

  /// Departures are at whole ticks, 2^32 in the departure period, so that an event holds one in 4 bytes.
  double minutes(std::uint32_t tick) const { return tick * minutes_per_tick_; }

 private:
  struct Source;
  World(Source source, const Params& params);
  static Source make_source(const Params& params);
  void count_vehicles();

  Network network_;
  Routes routes_;
  Demand demand_;
  std::vector<Road> roads_;
  std::vector<std::uint32_t> on_link_, of_zone_, beginning_, ending_;
  std::vector<std::uint32_t> turns_;     // from each link into each of those behind it
  std::vector<std::size_t> first_turn_;  // by link
  std::vector<double> position_;
  double intervals_per_minute_, flow_per_vehicle_, minutes_per_tick_;
};

/// base^exponent for base >= 0: by multiplication for small whole exponents, which is quick and the same on
/// every machine; by std::pow for others.
double power(double base, double exponent);

/// The BPR function: travel time in minutes at a volume/capacity ratio.
inline double travel_time(const World::Road& road, double ratio) {
  const double square = ratio * ratio;
  return road.free_time * (1 + road.b * (road.power == 4 ? square * square : power(ratio, road.power)));
}

}  // namespace anachron::models::traffic
