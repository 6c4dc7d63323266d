#include "traffic/traffic.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <anachron/run/cli.hpp>

#include "traffic/model.hpp"
#include "traffic/results.hpp"
#include "traffic/what_if.hpp"

namespace anachron::models {
namespace traffic {

namespace {

/// Vehicles that wait for a place, found from how near the link's flow is to its capacity. As many again wait
/// on the links before it.
double waits_for(const Params& params, const World& world, LinkIndex link) {
  constexpr double kFree = 0.8, kFull = 1.2, kWithLinksBefore = 2;
  const double vehicles = world.vehicles_on(link);
  const double utilisation = vehicles * world.storage(link).headway / params.period;
  return kWithLinksBefore * vehicles * std::clamp((utilisation - kFree) / (kFull - kFree), 0.0, 1.0);
}

/// What a link measures for drivers who re-decide, and what it tells the board.
void name_measurements(const Params& params, const World& world, std::uint32_t link, Neighbours& to) {
  constexpr double kTold = 0.01;  // as in on(Measure)
  const World::Road& road = world.road(link);
  const double in_window = world.vehicles_on(link) * params.flow_window / params.period;
  const double measured = world.publications() * (1 - std::exp(-in_window));
  to.add(Id<Link>(link), measured);
  const double delay = travel_time(road, in_window * road.ratio_per_vehicle) - road.free_time;
  if (delay > kTold * road.free_time) to.add(Id<Zone>(world.board()), measured);
}

}  // namespace

void Link::neighbours(const Params& params, const World& world, std::uint32_t link, Neighbours& to) {
  const World::Road& road = world.road(link);
  for (LinkIndex next = road.first_out; next < world.network().first_out(road.to + 1); ++next)
    to.add(Id<Link>(next), world.vehicles_between(link, next));
  if (const std::uint32_t arrive = world.vehicles_ending_on(link)) to.add(Id<Zone>(road.to), arrive);
  if (world.has_rerouting()) {
    name_measurements(params, world, link, to);
    // What is broadcast travels once for each PE, and becomes an event for each link there.
    to.add(Id<Link>(link), world.publications());
  }
  if (!world.has_storage()) return;
  to.add(Id<Link>(link), world.vehicles_ending_on(link) + waits_for(params, world, link));  // Left, Wake
  // Back goes the news that a vehicle was let in.
  for (const LinkIndex before : world.network().entering(road.from))
    to.add(Id<Link>(before), world.vehicles_between(before, link));
}

void Zone::neighbours(const Params&, const World& world, std::uint32_t zone, Neighbours& to) {
  if (world.is_board(zone)) {
    to.add(Id<Zone>(zone), world.publications());
    return;
  }
  to.add(Id<Zone>(zone), world.demand().trips_from(zone));
  for (LinkIndex first = world.network().first_out(zone); first < world.network().first_out(zone + 1);
       ++first)
    to.add(Id<Link>(first), world.vehicles_beginning_on(first));
}

void Link::finish(Results& results, const Finish<Link>& cx) const {
  const World& world = cx.shared();
  report_link(results, world, cx.self().index(), *this);
  if (queue) report_queue(results, world, cx.self().index(), *this);
  if (!world.has_rerouting()) return;
  results.count("rerouted", rerouted);
  results.mean("share_rerouted", rerouted, 0);
}

void Link::plots(const Params& params, const World& world, Plots& to) { plot_links(params, world, to); }

void Zone::plots(const Params&, Plots& to) {
  to.add(LinePlot{.name = "congestion",
                  .title = "Congestion: travel time as a multiple of that on empty roads",
                  .table = "congestion",
                  .x = {.column = "from", .label = "time of arrival", .unit = "min"},
                  .y = {.column = "mean", .label = "travel time / free-flow time"},
                  .until = "to"});
}

void Zone::finish(Results& results, const Finish<Zone>& cx) const {
  const World& world = cx.shared();
  const ZoneIndex index = cx.self().index();
  if (world.is_board(index)) return results.count("publications", board.publications);
  const std::uint32_t trips = world.demand().trips_from(index);
  results.count("trips", trips);
  results.count("departed", intrazonal);
  results.count("arrived", std::int64_t{arrived} + intrazonal);
  results.count("driving", -std::int64_t{arrived});
  results.count("intrazonal", intrazonal);
  results.add("total_travel_time", travel_time.sum());
  results.mean("mean_travel_time", travel_time.sum(), travel_time.count());
  results.mean("mean_free_flow_time", free_minutes, travel_time.count());
  results.add("travel_time", travel_time);
  results.add("congestion", congestion);
  if (world.has_rerouting()) {
    results.count("rerouting_drivers", rerouting);
    results.mean("share_rerouted", 0, rerouting);
    results.mean("mean_travel_time_rerouting", informed_minutes, informed);
    results.mean("mean_travel_time_others", travel_time.sum() - informed_minutes,
                 travel_time.count() - informed);
  }

  static const std::vector<std::string> kColumns{
      "zone", "trips", "departed", "arrived", "intrazonal", "mean_travel_time_to", "mean_free_flow_time_to"};
  results.row(
      "zones", kColumns,
      {std::int64_t{world.network().id(index)}, std::int64_t{trips}, std::int64_t{departed},
       std::int64_t{arrived} + intrazonal, std::int64_t{intrazonal},
       mean_cell(travel_time.sum(), travel_time.count()), mean_cell(free_minutes, travel_time.count())});
}

}  // namespace traffic

std::unique_ptr<AnyModel> make_traffic() {
  return make_model<traffic::Link, traffic::Zone>(
      "traffic", "vehicles on a road network, slowed down by the flow on each link (BPR) or in queues",
      traffic::changes());
}

}  // namespace anachron::models
