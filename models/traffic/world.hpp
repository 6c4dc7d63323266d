// What all LPs of a traffic simulation read and none changes: roads, routes and demand.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "traffic/clusters.hpp"
#include "traffic/equilibrium/bpr.hpp"
#include "traffic/equilibrium/equilibrium.hpp"
#include "traffic/equilibrium/itineraries.hpp"
#include "traffic/input/demand.hpp"
#include "traffic/input/departures.hpp"
#include "traffic/input/places.hpp"
#include "traffic/links/storage.hpp"
#include "traffic/network.hpp"
#include "traffic/params.hpp"
#include "traffic/publication.hpp"
#include "traffic/restrictions.hpp"
#include "traffic/routes/routes.hpp"

namespace anachron::models::traffic {

class World {
 public:
  /// Reads or generates network and demand, finds routes or equilibrium. Throws InputError for files that
  /// cannot be read, options that contradict each other, and demand between zones without a route.
  explicit World(const Params& params);

  const Network& network() const { return network_; }
  const Demand& demand() const { return demand_; }
  /// Of the assignment, if it was asked for; its routes are in the vehicles' ways.
  const std::optional<Equilibrium>& equilibrium() const { return equilibrium_; }

  /// Where the nodes are; empty: nobody knows.
  const std::vector<NodePlace>& places() const { return places_; }

  /// What an event on a link reads: a cache line.
  struct alignas(64) Road {
    NodeIndex from = 0, to = 0;
    LinkIndex first_out = 0;  ///< of the node `to`
    double free_time = 0;     ///< minutes
    double b = 0, power = 0;
    double ratio_per_vehicle = 0;  ///< volume/capacity that one vehicle in the flow window makes; 0: no delay
  };
  const Road& road(LinkIndex link) const { return roads_[link]; }
  /// Of LPs that stay together: see clusters.hpp. With storage and with rerouting each is alone.
  std::uint32_t cluster_of_link(LinkIndex link) const {
    return clusters_.of_link.empty() ? link : clusters_.of_link[link];
  }
  std::uint32_t cluster_of_zone(ZoneIndex zone) const {
    return clusters_.of_zone.empty() || is_board(zone)
               ? static_cast<std::uint32_t>(network_.links().size()) + zone
               : clusters_.of_zone[zone];
  }
  /// From one cluster to another one, in minutes; 0 with storage and with rerouting.
  double lookahead() const { return clusters_.lookahead; }

  /// How a vehicle goes, in the 4 bytes that it carries along. In free flow these are its zones, and a table
  /// has the next link; in an equilibrium they are its place in the itineraries.
  class Way {
   public:
    Way() = default;
    Way(ZoneIndex origin, ZoneIndex destination) : bits_(origin | destination << 16) {}
    explicit Way(Itineraries::Place place) : bits_(place) {}

    ZoneIndex origin() const { return bits_ & 0xffff; }
    ZoneIndex destination() const { return bits_ >> 16; }
    Itineraries::Place place() const { return bits_; }

    template <class Archive>
    void serialize(Archive& ar) {
      ar(bits_);
    }
    friend bool operator==(const Way&, const Way&) = default;

   private:
    std::uint32_t bits_ = 0;
  };

  /// Whether a vehicle's way is told by its zones.
  bool has_ways_between_zones() const { return !itineraries_; }
  /// Of the vehicle that departs as the k-th from `origin`. Precondition: k < demand().trips_from(origin).
  Way way(ZoneIndex origin, std::uint32_t k) const {
    if (!itineraries_) return {origin, demand_.destination(origin, k)};
    return Way(itineraries_->share(origin, demand_.place(origin, k)).begin);
  }
  /// It ends in the zone in which it begins.
  bool stays(Way way) const {
    return itineraries_ ? way.place() == Itineraries::kNowhere : way.origin() == way.destination();
  }
  /// The link to take first. Precondition: !stays(way).
  LinkIndex first_link(Way way) const {
    if (itineraries_) return itineraries_->link(way.place());
    return routes_.next_from(way.origin(), network_.first_out(way.origin()), way.destination());
  }
  /// `road` is the first one of the way.
  bool begins_on(const Road& road, Way way) const {
    return itineraries_ ? itineraries_->is_end(way.place() - 1) : road.from == way.origin();
  }
  /// Moves the way on to the end of `road`. The link to take next; empty: it ends there.
  std::optional<LinkIndex> next(const Road& road, Way& way) const {
    if (itineraries_) {
      way = Way(way.place() + 1);
      if (itineraries_->is_end(way.place())) return std::nullopt;
      return itineraries_->link(way.place());
    }
    if (road.to == way.destination()) return std::nullopt;
    return routes_.next_from(road.to, road.first_out, way.destination());
  }
  /// Fetches what an event on the link will read.
  void foresee(LinkIndex link, Way way) const {
    prefetch_to_read(&roads_[link]);
    if (!itineraries_) routes_.foresee_next_from(ends_[link], way.destination());
  }
  /// Minutes of the quickest route on an empty network. Precondition: the way has ended in `destination`.
  double free_time(Way way, ZoneIndex destination) const {
    return routes_.time(itineraries_ ? itineraries_->origin_of(way.place()) : way.origin(), destination);
  }

  /// Whether links have queues and limited room, instead of the BPR function.
  bool has_storage() const { return !storage_.empty(); }
  /// Precondition: has_storage().
  const LinkStorage& storage(LinkIndex link) const { return storage_[link]; }
  /// Minutes after which a vehicle is let in though there is no room.
  double patience() const { return patience_; }

  /// Of capacities, by time.
  const Restrictions& restrictions() const { return restrictions_; }

  /// Whether some drivers re-decide on their way, so that travel times are published for them.
  bool has_rerouting() const { return rerouting_.share > 0; }
  /// The number behind the last zone, at which travel times are published then.
  ZoneIndex board() const { return network_.zones(); }
  bool is_board(ZoneIndex zone) const { return zone == board(); }
  /// Whether the vehicle that departs as the k-th from `origin` has such a driver. They are evenly spread
  /// over the trips of each pair of zones, and nothing is drawn. Precondition: k <
  /// demand().trips_from(origin).
  bool is_rerouting(ZoneIndex origin, std::uint32_t k) const;
  /// The minute after `now` at which links measure next; empty: so late that a double cannot tell.
  std::optional<double> next_measurement(double now) const;
  /// Minutes from measuring to publishing.
  double publish_delay() const { return rerouting_.delay; }
  /// Publications while vehicles depart: what to expect.
  double publications() const { return rerouting_.publications; }
  /// The zones of a vehicle that is about to take the next link of its way. Precondition: !stays(way), and
  /// the way has not ended.
  Way between_zones(Way way) const;
  /// The link to take at the end of `road` on the way to a zone, which begins elsewhere: by published times.
  /// Where there are none yet, by those of an empty network.
  LinkIndex next_by(const Publication* published, const Road& road, ZoneIndex to) const {
    return published ? published->next_from(road.to, road.first_out, to, trees_)
                     : routes_.next_from(road.to, road.first_out, to);
  }
  /// Some route leads from one zone to another.
  bool has_route(ZoneIndex origin, ZoneIndex destination) const {
    return routes_.reachable(origin, destination);
  }
  /// Minutes of the quickest route on an empty network between two zones.
  double free_time_between(ZoneIndex origin, ZoneIndex destination) const {
    return routes_.time(origin, destination);
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

  /// The tick at which a share of a zone's trips has departed; 2^32 shares are all.
  std::uint32_t departure(std::uint32_t share) const { return departures_.moment(share); }
  /// Departures are at whole ticks, 2^32 in the departure period, so that an event holds one in 4 bytes.
  double minutes(std::uint32_t tick) const { return tick * minutes_per_tick_; }
  /// The last tick at or before `minutes`. Nothing: it is not in the departure period.
  std::optional<std::uint32_t> tick_of(double minutes) const {
    const double tick = std::floor(minutes / minutes_per_tick_);
    if (!(tick >= 0 && tick < 0x1p32)) return std::nullopt;
    return static_cast<std::uint32_t>(tick);
  }

 private:
  struct Source;
  World(Source source, const Params& params);
  static Source make_source(const Params& params);
  void assign(const TripTable& trips, const Params& params);
  void make_roads();
  void make_storage(const StorageSettings& settings);
  void count_vehicles();
  void follow(ZoneIndex origin, Way way, std::uint32_t vehicles);

  /// Of drivers who re-decide on their way.
  struct Rerouting {
    double share;            ///< of all drivers
    double interval, delay;  ///< minutes between publications, and to them
    double publications;     ///< while vehicles depart
  };

  Network network_;
  mutable TreePool trees_;  // for publications, by any thread
  Routes routes_;
  Demand demand_;
  DepartureProfile departures_;
  std::optional<Itineraries> itineraries_;
  std::optional<Equilibrium> equilibrium_;
  std::vector<Road> roads_;
  std::vector<NodeIndex> ends_;  // of links: in few cache lines
  std::vector<LinkStorage> storage_;
  Restrictions restrictions_;
  std::vector<std::uint32_t> on_link_, of_zone_, beginning_, ending_;
  std::vector<std::uint32_t> turns_;     // from each link into each of those behind it
  std::vector<std::size_t> first_turn_;  // by link
  std::vector<double> position_;
  std::vector<NodePlace> places_;
  double intervals_per_minute_, flow_per_vehicle_, minutes_per_tick_;
  Clusters clusters_;
  double patience_;
  Rerouting rerouting_;
};

/// The travel time in minutes at a volume/capacity ratio.
inline double travel_time(const World::Road& road, double ratio) {
  return bpr_time(road.free_time, road.b, road.power, ratio);
}

}  // namespace anachron::models::traffic
