// The options of the traffic model.
#pragma once

#include <cstdint>
#include <string>

#include <anachron/model/params.hpp>

#include "traffic/routes/routing_method.hpp"

namespace anachron::models::traffic {

/// How vehicles choose their routes.
enum class Assignment {
  free_flow,    ///< all vehicles of a pair of zones take the route that is quickest on an empty network
  equilibrium,  ///< routes that nobody would change, with static congestion: see equilibrium.hpp
};

/// How departures are spread over the period: see departures.hpp.
enum class Departures { uniform, peak, two_peaks, shares };

struct Params {
  std::string network, trips, nodes;
  std::string city;
  std::uint64_t city_seed = 1;
  std::uint64_t vehicles = 0;
  Assignment assignment = Assignment::free_flow;
  double gap = 1e-4;
  std::uint32_t iterations = 1000;
  bool leave_out_closed = false;
  double toll_weight = 0;
  double distance_weight = 0;
  double demand_factor = 1;
  double period = 60;
  Departures departures = Departures::uniform;
  double peak = 2;
  std::string shares;
  double flow_window = 15;
  double storage = 0;
  double lane_capacity = 1800;
  double patience = 5;
  std::string restrictions;
  double rerouting = 0;
  double publish = 5;
  double publish_delay = 1;
  double time_unit = 1;
  Method routing = Method::automatic;

  static void describe(Describe<Params>& d) {
    d(&Params::network, "Road network in the TNTP format; with --trips").hint("X_net.tntp");
    d(&Params::trips, "Trip table in the TNTP format; with --network").hint("X_trips.tntp");
    d(&Params::nodes, "Where the nodes are, in the TNTP format: for --plot; with --network")
        .hint("X_node.tntp");
    d(&Params::city, "Without files: intersections of the generated city (empty: 128x128)").hint("COLSxROWS");
    d(&Params::city_seed, "Another seed, another generated city");
    d(&Params::vehicles, "Trips in the generated city (0: 60 for each intersection)");
    d(&Params::assignment, "How vehicles choose routes")
        .choices({{"free-flow", Assignment::free_flow}, {"equilibrium", Assignment::equilibrium}});
    d(&Params::gap, "Relative gap at which the equilibrium is good enough").at_least(0).below(1);
    d(&Params::iterations, "Iterations after which the equilibrium is given out as it is").at_least(1);
    d(&Params::leave_out_closed, "Leave out the links of the network that have no capacity");
    d(&Params::toll_weight, "What a unit of toll is worth in the equilibrium, in the network's unit of time")
        .at_least(0);
    d(&Params::distance_weight,
      "What a unit of length is worth in the equilibrium, in the network's unit of time")
        .at_least(0);
    d(&Params::demand_factor, "Multiplies the demand of each pair of zones").at_least(0);
    d(&Params::period, "Minutes during which vehicles depart").above(0);
    d(&Params::departures, "How departures are spread over the period")
        .choices({{"uniform", Departures::uniform},
                  {"peak", Departures::peak},
                  {"two-peaks", Departures::two_peaks},
                  {"shares", Departures::shares}});
    d(&Params::peak, "Departures at the top of a peak, as a multiple of the average")
        .at_least(1)
        .at_most(1e6);
    d(&Params::shares, "Rows 'minute share': from then on that share of the trips departs").hint("FILE");
    d(&Params::flow_window, "Minutes over which a link's inflow rate is measured").at_least(0.001);
    d(&Params::storage,
      "Vehicles that stand in a lane per unit of length: queues instead of the BPR function (0: none)")
        .at_least(0);
    d(&Params::lane_capacity, "With --storage: vehicles per hour that make a lane of a link's capacity")
        .above(0);
    d(&Params::patience, "With --storage: minutes after which who waits for a full link is squeezed in")
        .above(0);
    d(&Params::restrictions, "Rows 'from to begin end factor': roads that lose capacity, with 0 all of it")
        .hint("FILE");
    d(&Params::rerouting, "Share of the drivers that take the quickest route by published times on their way")
        .at_least(0)
        .at_most(1);
    d(&Params::publish, "Minutes from one publication of travel times to the next").at_least(0.001);
    d(&Params::publish_delay, "Minutes from the measuring of travel times to their publication").at_least(0);
    d(&Params::routing, "How routes are found, which are the same: what takes less time, or as told")
        .choices({{"auto", Method::automatic}, {"search", Method::search}, {"hierarchy", Method::hierarchy}});
    d(&Params::time_unit, "Minutes in a unit of time of the network file").above(0);
  }
};

}  // namespace anachron::models::traffic
