#include "traffic/world.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include <anachron/base/error.hpp>
#include <anachron/base/parse.hpp>

#include "traffic/input/city.hpp"
#include "traffic/input/tntp.hpp"
#include "traffic/input/zones_first.hpp"
#include "traffic/links/inflow_window.hpp"

namespace anachron::models::traffic {
namespace {

std::vector<double> free_times(const Network& network) {
  std::vector<double> times;
  for (const RoadLink& link : network.links()) times.push_back(link.free_time);
  return times;
}

/// How far each node is from `start`, in links, whatever their direction. Each part of the network that
/// cannot be reached follows behind the ones before.
std::vector<double> distances_from(const Network& network, NodeIndex start) {
  std::vector<double> distances(network.nodes(), -1);
  std::vector<NodeIndex> found;
  const auto find = [&](NodeIndex node, double distance) {
    if (distances[node] >= 0) return;
    distances[node] = distance;
    found.push_back(node);
  };
  find(start, 0);
  for (NodeIndex unreached = 0, i = 0; i < network.nodes(); ++i) {
    if (i == found.size()) {
      while (distances[unreached] >= 0) ++unreached;
      find(unreached, distances[found.back()] + 1);
    }
    const NodeIndex node = found[i];
    for (LinkIndex k = network.first_out(node); k < network.first_out(node + 1); ++k)
      find(network.link(k).to, distances[node] + 1);
    for (const LinkIndex k : network.entering(node)) find(network.link(k).from, distances[node] + 1);
  }
  return distances;
}

/// Sweeps the network from one of its ends: the few nodes at a distance separate those before from those
/// behind (the level structures of Gibbs, Poole and Stockmeyer, SIAM J. Numer. Anal. 13(2), 1976).
std::vector<double> sweep(const Network& network) {
  NodeIndex end = 0;
  std::vector<double> distances = distances_from(network, end);
  for (int times = 0; times < 2; ++times) {  // the farthest node from anywhere, and from there
    end = static_cast<NodeIndex>(std::max_element(distances.begin(), distances.end()) - distances.begin());
    distances = distances_from(network, end);
  }
  return distances;
}

void refuse(bool refused, const std::string& what) {
  if (refused) throw InputError(what);
}

/// What is said about an assignment or departures that do not happen, or about tolls that do not exist, is a
/// mistake.
void refuse_contradictions(const Params& params) {
  const Params defaults;
  if (params.assignment != Assignment::equilibrium)
    for (const auto& [name, is_given] : {std::pair("--gap", params.gap != defaults.gap),
                                         std::pair("--iterations", params.iterations != defaults.iterations),
                                         std::pair("--toll-weight", params.toll_weight != 0),
                                         std::pair("--distance-weight", params.distance_weight != 0)})
      refuse(is_given, name + std::string(" is for --assignment equilibrium, not for free-flow"));
  const bool has_peaks = params.departures == Departures::peak || params.departures == Departures::two_peaks;
  refuse(!has_peaks && params.peak != defaults.peak, "--peak is for --departures peak or two-peaks");
  const bool has_shares = params.departures == Departures::shares;
  refuse(!has_shares && !params.shares.empty(), "--shares is for --departures shares");
  refuse(has_shares && params.shares.empty(), "--departures shares needs --shares: the file with the shares");
  if (params.storage == 0)
    for (const auto& [name, is_given] :
         {std::pair("--lane-capacity", params.lane_capacity != defaults.lane_capacity),
          std::pair("--patience", params.patience != defaults.patience)})
      refuse(is_given, name + std::string(" is for --storage: without it links are never full"));
  if (params.rerouting == 0)
    for (const auto& [name, is_given] :
         {std::pair("--publish", params.publish != defaults.publish),
          std::pair("--publish-delay", params.publish_delay != defaults.publish_delay)})
      refuse(is_given, name + std::string(" is for --rerouting: without it nobody listens"));
  else
    refuse(params.publish_delay > params.publish,
           "--publish-delay: " + format_real(params.publish_delay) +
               " minutes are more than those from one publication to the next, " +
               format_real(params.publish) + " (--publish)");
  refuse(params.network.empty() && params.toll_weight != 0,
         "--toll-weight is for --network: a generated city has no tolls");
}

DepartureProfile departures_of(const Params& params) {
  switch (params.departures) {
    case Departures::uniform:
      return {};
    case Departures::peak:
      return DepartureProfile::peaks(params.peak, 1);
    case Departures::two_peaks:
      return DepartureProfile::peaks(params.peak, 2);
    case Departures::shares:
      return DepartureProfile::read(params.shares, params.period);
  }
  return {};
}

double publications_of(const Params& params) {
  return params.rerouting > 0 ? params.period / params.publish : 0;
}

/// How often routes between all zones are found, about.
double rounds_of_routes(const Params& params) {
  const double of_equilibrium = params.assignment == Assignment::equilibrium ? kUsualIterations : 0;
  return 1 + of_equilibrium + publications_of(params);
}

}  // namespace

struct World::Source {
  RoadPlan roads;
  TripTable trips;
  std::vector<NodePlace> places{};  // of a generated city
};

World::Source World::make_source(const Params& params) {
  refuse_contradictions(params);
  if (!params.network.empty() || !params.trips.empty()) {
    const Params defaults;
    refuse(params.trips.empty(), "--network needs --trips: the demand on the network (X_trips.tntp)");
    refuse(params.network.empty(), "--trips needs --network: the roads that the trips use (X_net.tntp)");
    refuse(!params.city.empty(), "--city generates a network: it cannot be given together with --network");
    refuse(params.city_seed != defaults.city_seed, "--city-seed is for a generated city, not for --network");
    refuse(params.vehicles != defaults.vehicles,
           "--vehicles is for a generated city: with --network use --demand-factor");
    const Tolls tolls = params.toll_weight > 0 ? Tolls::read : Tolls::ignored;
    const Closed closed = params.leave_out_closed ? Closed::left_out : Closed::refused;
    Source source{read_tntp_network(params.network, params.time_unit, tolls, closed), {}};
    const bool is_numbered = source.roads.node_ids.empty();
    source.trips = read_tntp_trips(params.trips, is_numbered ? ZoneIds::numbers : ZoneIds::names);
    refuse(source.trips.zones != source.roads.zones,
           params.trips + " is for " + std::to_string(source.trips.zones) + " zones, " + params.network +
               " has " + std::to_string(source.roads.zones) + ": they do not belong together");
    if (!is_numbered) put_zones_first(source.roads, source.trips);
    return source;
  }
  refuse(!params.nodes.empty(), "--nodes is for --network: a generated city knows where its nodes are");
  refuse(params.time_unit != 1, "--time-unit is for --network: a generated city is in minutes");
  constexpr double kVehiclesPerIntersection = 60;
  CityPlan plan = params.city.empty() ? CityPlan{} : parse_city(params.city);
  plan.seed = params.city_seed;
  plan.vehicles = params.vehicles > 0 ? static_cast<double>(params.vehicles)
                                      : kVehiclesPerIntersection * plan.columns * plan.rows;
  auto city = make_city(plan);
  return {std::move(city.roads), std::move(city.trips), std::move(city.places)};
}

World::World(const Params& params) : World(make_source(params), params) {}

World::World(Source source, const Params& params)
    : network_(std::move(source.roads)),
      trees_(network_, params.routing, rounds_of_routes(params)),
      routes_(trees_.routing(), free_times(network_)),
      demand_(source.trips, params.demand_factor),
      departures_(departures_of(params)),
      places_(std::move(source.places)),
      intervals_per_minute_(InflowWindow::kIntervals / params.flow_window),
      flow_per_vehicle_(60 / params.flow_window),
      minutes_per_tick_(params.period * 0x1p-32),
      patience_(params.patience),
      rerouting_{params.rerouting, params.publish, params.publish_delay, publications_of(params)} {
  if (!params.restrictions.empty()) restrictions_ = Restrictions::read(params.restrictions, network_);
  if (!params.nodes.empty()) places_ = read_tntp_nodes(params.nodes, network_);
  make_roads();
  if (params.storage > 0) make_storage({params.storage, params.lane_capacity});
  if (params.assignment == Assignment::equilibrium) assign(source.trips, params);
  count_vehicles();
  // Queues answer at once, and the board is told at once.
  if (!has_storage() && !has_rerouting()) clusters_ = find_clusters(network_, on_link_, of_zone_);
  position_ = sweep(network_);
}

void World::make_roads() {
  roads_.reserve(network_.links().size());
  for (const RoadLink& link : network_.links()) {
    const bool is_delaying = link.free_time > 0 && link.b > 0 && link.capacity > 0;
    roads_.push_back({link.from, link.to, network_.first_out(link.to), link.free_time, link.b, link.power,
                      is_delaying ? flow_per_vehicle_ / link.capacity : 0});
    ends_.push_back(link.to);
  }
}

void World::make_storage(const StorageSettings& settings) {
  storage_.reserve(network_.links().size());
  for (const RoadLink& link : network_.links()) storage_.push_back(LinkStorage::of(link, settings));
}

void World::assign(const TripTable& trips, const Params& params) {
  equilibrium_ = find_equilibrium(trees_.routing(), trips,
                                  {.gap = params.gap,
                                   .iterations = params.iterations,
                                   .weights = {params.toll_weight, params.distance_weight},
                                   .demand_factor = params.demand_factor,
                                   .minutes_per_unit = params.time_unit});
  itineraries_.emplace(demand_, *equilibrium_);
  equilibrium_->pairs = {};  // the itineraries are what is needed of it
}

bool World::is_rerouting(ZoneIndex origin, std::uint32_t k) const {
  if (!has_rerouting()) return false;
  const double place = demand_.place(origin, k), start = golden_offset(origin);
  return std::floor((place + 1) * rerouting_.share + start) > std::floor(place * rerouting_.share + start);
}

std::optional<double> World::next_measurement(double now) const {
  double next = (std::floor(now / rerouting_.interval) + 1) * rerouting_.interval;
  if (!(next > now)) next += rerouting_.interval;  // rounded down to now
  return next > now && std::isfinite(next) ? std::optional(next) : std::nullopt;
}

World::Way World::between_zones(Way way) const {
  if (!itineraries_) return way;
  const Itineraries::Place end = itineraries_->end_of(way.place());
  return {itineraries_->origin_of(end), network_.link(itineraries_->link(end - 1)).to};
}

void World::count_vehicles() {
  on_link_.resize(network_.links().size());
  beginning_.resize(network_.links().size());
  ending_.resize(network_.links().size());
  std::size_t turns = 0;
  for (const RoadLink& link : network_.links()) {
    first_turn_.push_back(turns);
    turns += network_.first_out(link.to + 1) - network_.first_out(link.to);
  }
  turns_.resize(turns);
  of_zone_.resize(network_.zones());
  for (ZoneIndex origin = 0; origin < network_.zones(); ++origin) {
    std::uint32_t so_far = 0;
    const auto vehicles_up_to = [&so_far](std::uint32_t up_to) {
      return up_to - std::exchange(so_far, up_to);
    };
    if (itineraries_) {
      for (const auto& share : itineraries_->shares(origin))
        follow(origin, Way(share.begin), vehicles_up_to(share.up_to));
      continue;
    }
    for (const auto& flow : demand_.flows(origin)) {
      if (!routes_.reachable(origin, flow.destination))
        throw InputError("no route from zone " + std::to_string(network_.id(origin)) + " to zone " +
                         std::to_string(network_.id(flow.destination)) +
                         ", but there is demand between them");
      follow(origin, Way(origin, flow.destination), vehicles_up_to(flow.up_to));
    }
  }
}

/// Counts vehicles wherever their way leads them.
void World::follow(ZoneIndex origin, Way way, std::uint32_t vehicles) {
  of_zone_[origin] += vehicles;
  if (stays(way)) {
    of_zone_[origin] += vehicles;
    return;
  }
  LinkIndex link = first_link(way);
  beginning_[link] += vehicles;
  for (;;) {
    on_link_[link] += vehicles;
    const auto next_link = next(road(link), way);
    if (!next_link) break;
    turns_[first_turn_[link] + (*next_link - road(link).first_out)] += vehicles;
    link = *next_link;
  }
  ending_[link] += vehicles;
  of_zone_[road(link).to] += vehicles;
}

}  // namespace anachron::models::traffic
