#include "traffic/results.hpp"

#include <array>
#include <string>
#include <utility>

namespace anachron::models::traffic {
namespace {

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

void name_storage_figures(Results& results) {
  results.add("queue_time", 0);
  results.count("storage_waits", 0);
  results.add("storage_wait_time", 0);
  results.mean("mean_storage_wait", 0, 0);
  results.count("departure_waits", 0);
  results.add("departure_wait_time", 0);
  results.max("longest_wait", 0);
  for (const char* name : {"squeezed_in", "waiting_to_depart", "waiting_on_links"}) results.count(name, 0);
}

/// The columns of the table of links: more with an assignment, where places are known, and with storage.
const std::vector<std::string>& link_columns(bool is_assigned, bool has_places, bool has_storage) {
  static const auto kAll = [] {
    std::array<std::vector<std::string>, 8> all;
    for (std::size_t k = 0; k < all.size(); ++k) {
      auto& columns = all[k];
      const auto add = [&columns](std::initializer_list<const char*> names) {
        columns.insert(columns.end(), names.begin(), names.end());
      };
      add({"link", "from", "to", "length", "capacity", "free_flow_time", "entered", "mean_travel_time",
           "highest_flow", "highest_volume_capacity_ratio"});
      if (k & 1) add({"volume", "time"});
      if (k & 2) add({"from_x", "from_y", "to_x", "to_y"});
      if (k & 4) add({"storage", "most_vehicles", "waits", "mean_wait", "squeezed_in"});
    }
    return all;
  }();
  return kAll[std::size_t{is_assigned} + 2 * std::size_t{has_places} + 4 * std::size_t{has_storage}];
}

/// Behind those of links of all kinds.
void name_all_figures(Results& results, const World& world) {
  name_figures(results, world);
  if (world.has_rerouting()) name_rerouting_figures(results);
  if (world.has_storage()) name_storage_figures(results);
  if (world.equilibrium()) report_assignment(results, *world.equilibrium());
}

}  // namespace

Results::Cell mean_cell(double sum, std::uint64_t count) {
  if (count == 0) return std::string();
  return sum / static_cast<double>(count);
}

void report_link(Results& results, const World& world, LinkIndex index, const Link& link) {
  if (index == 0) name_all_figures(results, world);
  const RoadLink& road = world.network().link(index);

  // What links take over from one another cancels out; the zones subtract what they take over.
  results.count("departed", link.began);
  results.count("driving", link.began);
  results.count("link_entries", link.entered);
  results.add("distance", link.entered * road.length);
  const double flow = double{link.peak} * world.flow_per_vehicle();
  results.max("highest_flow", flow);
  if (road.b > 0) results.max("highest_volume_capacity_ratio", flow / road.capacity);

  std::vector<Results::Cell> cells{
      std::int64_t{index} + 1,
      std::int64_t{world.network().id(road.from)},
      std::int64_t{world.network().id(road.to)},
      road.length,
      road.capacity,
      road.free_time,
      std::int64_t{link.entered},
      mean_cell(link.minutes.value(), link.queue ? link.queue->figures.left : link.entered),
      flow,
      road.capacity > 0 ? Results::Cell(flow / road.capacity) : Results::Cell(std::string())};
  const auto& equilibrium = world.equilibrium();
  if (equilibrium) cells.insert(cells.end(), {equilibrium->volumes[index], equilibrium->times[index]});
  const auto& places = world.places();
  if (!places.empty())
    for (const NodePlace& place : {places[road.from], places[road.to]})
      cells.insert(cells.end(), {place.x, place.y});
  if (link.queue) {
    const LinkQueue::Figures& f = link.queue->figures;
    const std::uint32_t waits = f.waits + f.waits_to_depart;
    cells.insert(cells.end(),
                 {std::int64_t{world.storage(index).places}, std::int64_t{f.most}, std::int64_t{waits},
                  mean_cell(f.wait + f.wait_to_depart, waits), std::int64_t{f.squeezed}});
  }
  results.row("links", link_columns(equilibrium.has_value(), !places.empty(), world.has_storage()),
              std::move(cells));
}

void report_queue(Results& results, const World& world, LinkIndex index, const Link& link) {
  const LinkQueue::Figures& f = link.queue->figures;
  results.add("queue_time", link.minutes.value() - f.left * world.road(index).free_time);
  results.count("storage_waits", f.waits);
  results.add("storage_wait_time", f.wait);
  results.mean("mean_storage_wait", f.wait, f.waits);
  results.count("departure_waits", f.waits_to_depart);
  results.add("departure_wait_time", f.wait_to_depart);
  results.max("longest_wait", f.longest_wait);
  results.count("squeezed_in", f.squeezed);
  const std::size_t of_zone = f.has_zone_in_line;
  results.count("waiting_to_depart", static_cast<std::int64_t>(link.queue->outside.size() + of_zone));
  results.count("waiting_on_links", static_cast<std::int64_t>(link.queue->line.size() - of_zone));
}

void plot_links(const Params& params, const World& world, Plots& to) {
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

}  // namespace anachron::models::traffic
