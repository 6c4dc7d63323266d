#include "traffic/traffic.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <anachron/run/cli.hpp>

#include "traffic/model.hpp"
#include "traffic/results.hpp"

namespace anachron::models {
namespace traffic {

void Link::neighbours(const Params&, const World& world, std::uint32_t link, Neighbours& to) {
  const World::Road& road = world.road(link);
  for (LinkIndex next = road.first_out; next < world.network().first_out(road.to + 1); ++next)
    to.add(Id<Link>(next), world.vehicles_between(link, next));
  if (const std::uint32_t arrive = world.vehicles_ending_on(link)) to.add(Id<Zone>(road.to), arrive);
  if (world.has_rerouting()) to.add(Id<Zone>(world.board()), world.publications());
  if (!world.has_storage()) return;
  // Back goes the news that a vehicle was let in.
  for (const LinkIndex before : world.network().entering(road.from))
    to.add(Id<Link>(before), world.vehicles_between(before, link));
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
      "traffic", "vehicles on a road network, slowed down by the flow on each link (BPR) or in queues");
}

}  // namespace anachron::models
