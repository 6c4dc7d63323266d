#include "traffic/traffic.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <anachron/run/cli.hpp>

#include "traffic/model.hpp"

namespace anachron::models {
namespace traffic {
namespace {

/// An average, or an empty cell where there is nothing to average.
Results::Cell mean_cell(double sum, std::uint64_t count) {
  if (count == 0) return std::string();
  return sum / static_cast<double>(count);
}

/// The figures in the order in which a reader wants them, whichever LP adds to them first.
void name_figures(Results& results, const World& world) {
  for (const char* name : {"trips", "departed", "arrived", "driving", "intrazonal"}) results.count(name, 0);
  results.add("total_travel_time", 0);
  for (const char* name : {"mean_travel_time", "mean_free_flow_time"}) results.mean(name, 0, 0);
  results.count("link_entries", 0);
  results.add("distance", 0);
  for (const char* name : {"highest_flow", "highest_volume_capacity_ratio"}) results.max(name, 0);
  results.count("ignored_links", world.network().ignored_links());
}

void name_rerouting_figures(Results& results) {
  for (const char* name : {"rerouting_drivers", "rerouted"}) results.count(name, 0);
  for (const char* name : {"share_rerouted", "mean_travel_time_rerouting", "mean_travel_time_others"})
    results.mean(name, 0, 0);
  results.count("publications", 0);
}

/// How the assignment went: its last iteration as figures, all as a table.
void report_assignment(Results& results, const Equilibrium& equilibrium) {
  const auto& last = equilibrium.last();
  results.count("assignment_iterations", static_cast<std::int64_t>(equilibrium.iterations.size()));
  results.add("assignment_relative_gap", last.gap);
  results.add("assignment_objective", last.objective);
  results.add("assignment_total_cost", last.total_cost);
  results.add("assignment_total_time", last.total_time);
  results.count("assignment_routes", static_cast<std::int64_t>(last.routes));

  static const std::vector<std::string> kColumns{"iteration",  "relative_gap", "objective",
                                                 "total_cost", "total_time",   "routes"};
  std::int64_t number = 0;
  for (const auto& iteration : equilibrium.iterations)
    results.row("assignment", kColumns,
                {++number, iteration.gap, iteration.objective, iteration.total_cost, iteration.total_time,
                 static_cast<std::int64_t>(iteration.routes)});
}

/// The columns of the table of links: more with an assignment, and where places are known.
const std::vector<std::string>& link_columns(bool is_assigned, bool has_places) {
  static const std::vector<std::string> kColumns{"link",         "from",
                                                 "to",           "length",
                                                 "capacity",     "free_flow_time",
                                                 "entered",      "mean_travel_time",
                                                 "highest_flow", "highest_volume_capacity_ratio"};
  static const std::vector<std::string> kAssigned = [] {
    auto columns = kColumns;
    columns.insert(columns.end(), {"volume", "time"});
    return columns;
  }();
  const auto with_places = [](auto columns) {
    columns.insert(columns.end(), {"from_x", "from_y", "to_x", "to_y"});
    return columns;
  };
  static const std::vector<std::string> kPlaced = with_places(kColumns),
                                        kAssignedPlaced = with_places(kAssigned);
  if (has_places) return is_assigned ? kAssignedPlaced : kPlaced;
  return is_assigned ? kAssigned : kColumns;
}

}  // namespace

void Link::neighbours(const Params&, const World& world, std::uint32_t link, Neighbours& to) {
  const World::Road& road = world.road(link);
  for (LinkIndex next = road.first_out; next < world.network().first_out(road.to + 1); ++next)
    to.add(Id<Link>(next), world.vehicles_between(link, next));
  if (const std::uint32_t arrive = world.vehicles_ending_on(link)) to.add(Id<Zone>(road.to), arrive);
  if (world.has_rerouting()) to.add(Id<Zone>(world.board()), world.publications());
}

void Zone::neighbours(const Params&, const World& world, std::uint32_t zone, Neighbours& to) {
  if (world.is_board(zone)) {
    for (LinkIndex link = 0; link < world.network().links().size(); ++link)
      to.add(Id<Link>(link), world.publications());
    return;
  }
  to.add(Id<Zone>(zone), world.demand().trips_from(zone));
  for (LinkIndex first = world.network().first_out(zone); first < world.network().first_out(zone + 1);
       ++first)
    to.add(Id<Link>(first), world.vehicles_beginning_on(first));
}

void Link::finish(Results& results, const Finish<Link>& cx) const {
  const World& world = cx.shared();
  const LinkIndex index = cx.self().index();
  const RoadLink& link = world.network().link(index);
  const auto& equilibrium = world.equilibrium();
  if (index == 0) {
    name_figures(results, world);
    if (world.has_rerouting()) name_rerouting_figures(results);
    if (equilibrium) report_assignment(results, *equilibrium);
  }

  // What links take over from one another cancels out; the zones subtract what they take over.
  results.count("departed", began);
  results.count("driving", began);
  results.count("link_entries", entered);
  results.add("distance", entered * link.length);
  const double flow = double{peak} * world.flow_per_vehicle();
  results.max("highest_flow", flow);
  if (link.b > 0) results.max("highest_volume_capacity_ratio", flow / link.capacity);

  if (world.has_rerouting()) {
    results.count("rerouted", rerouted);
    results.mean("share_rerouted", rerouted, 0);
  }

  std::vector<Results::Cell> cells{
      std::int64_t{index} + 1,
      std::int64_t{world.network().id(link.from)},
      std::int64_t{world.network().id(link.to)},
      link.length,
      link.capacity,
      link.free_time,
      std::int64_t{entered},
      mean_cell(minutes, entered),
      flow,
      link.capacity > 0 ? Results::Cell(flow / link.capacity) : Results::Cell(std::string())};
  if (equilibrium) cells.insert(cells.end(), {equilibrium->volumes[index], equilibrium->times[index]});
  const auto& places = world.places();
  if (!places.empty())
    for (const NodePlace& place : {places[link.from], places[link.to]})
      cells.insert(cells.end(), {place.x, place.y});
  results.row("links", link_columns(equilibrium.has_value(), !places.empty()), std::move(cells));
}

void Link::plots(const Params& params, const World& world, Plots& to) {
  if (world.places().empty()) return;
  const std::string unit = params.network.empty() ? "km" : "";
  to.add(NetworkPlot{.name = "links",
                     .title = "Highest flow of each link as a multiple of its capacity",
                     .table = "links",
                     .x = {.column = "from_x", .label = "x", .unit = unit},
                     .y = {.column = "from_y", .label = "y", .unit = unit},
                     .to_x = "to_x",
                     .to_y = "to_y",
                     .value = {.column = "highest_volume_capacity_ratio", .label = "flow / capacity"},
                     .covered = 0.99});
}

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
      "traffic", "vehicles on a road network, slowed down by the flow on each link (BPR)");
}

}  // namespace anachron::models
