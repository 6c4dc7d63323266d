// User equilibrium (models/traffic/equilibrium/equilibrium.hpp) on networks whose equilibrium is known.

#include <cmath>
#include <cstdint>
#include <fstream>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <anachron/base/error.hpp>

#include "support/error_of.hpp"
#include "support/road_networks.hpp"
#include "traffic/equilibrium/equilibrium.hpp"
#include "traffic/input/city.hpp"
#include "traffic/input/tntp.hpp"
#include "traffic/network.hpp"

namespace {

using anachron::InputError;
using anachron::models::traffic::City;
using anachron::models::traffic::CityPlan;
using anachron::models::traffic::CostWeights;
using anachron::models::traffic::Equilibrium;
using anachron::models::traffic::EquilibriumSettings;
using anachron::models::traffic::LinkCost;
using anachron::models::traffic::LinkIndex;
using anachron::models::traffic::make_city;
using anachron::models::traffic::Method;
using anachron::models::traffic::Network;
using anachron::models::traffic::NodeIndex;
using anachron::models::traffic::RoadLink;
using anachron::models::traffic::RoadPlan;
using anachron::models::traffic::Routing;
using anachron::models::traffic::Tolls;
using anachron::models::traffic::TripTable;

/// By a hierarchy, after a comparison with what searches find.
Equilibrium find_equilibrium(const Network& network, const TripTable& trips,
                             const EquilibriumSettings& settings) {
  using anachron::models::traffic::find_equilibrium;
  Equilibrium found = find_equilibrium(Routing(network, Method::hierarchy), trips, settings);
  const Equilibrium searched = find_equilibrium(Routing(network, Method::search), trips, settings);
  EXPECT_EQ(found.volumes, searched.volumes);
  EXPECT_EQ(found.iterations.size(), searched.iterations.size());
  EXPECT_EQ(found.last().gap, searched.last().gap);
  EXPECT_EQ(found.last().routes, searched.last().routes);
  return found;
}

/// Its time is base + growth * volume. `base` is above 0.
RoadLink linear(NodeIndex from, NodeIndex to, double base, double growth) {
  return {from, to, 1, 1, base, growth / base, 1};
}

/// Zones 0 and 1, trips from 0 to 1.
Equilibrium solve(std::uint32_t nodes, std::vector<RoadLink> links, double trips,
                  EquilibriumSettings settings = {.gap = 1e-9}) {
  const Network network(RoadPlan{2, nodes, 0, std::move(links)});
  return find_equilibrium(network, {2, {{0, 1, trips}}}, settings);
}

/// By way of node 2 or of node 3; links 0 and 1 are the first ones of the two routes.
std::vector<RoadLink> two_routes(RoadLink first, RoadLink second) {
  return {first, second, {2, 1, 1, 1, 0, 0, 0}, {3, 1, 1, 1, 0, 0, 0}};
}

void expect_volumes(const Equilibrium& found, const std::vector<double>& expected, double tolerance = 1e-5) {
  ASSERT_EQ(found.volumes.size(), expected.size());
  for (std::size_t k = 0; k < expected.size(); ++k)
    EXPECT_NEAR(found.volumes[k], expected[k], tolerance) << "link " << k;
}

TEST(Equilibrium, OfTwoRoutesTakesTheSameTimeOnBoth) {
  const Equilibrium found = solve(4, two_routes(linear(0, 2, 10, 1), linear(0, 3, 15, 0.5)), 20);
  expect_volumes(found, {10, 10, 10, 10});
  EXPECT_NEAR(found.times[0], 20, 1e-5);
  EXPECT_NEAR(found.times[1], 20, 1e-5);
  EXPECT_LE(found.last().gap, 1e-9);
  EXPECT_NEAR(found.last().total_cost, 20 * 20, 1e-3);
  EXPECT_NEAR(found.last().objective, (10 * 10 + 50) + (15 * 10 + 25), 1e-3);
  ASSERT_EQ(found.pairs.size(), 1u);
  EXPECT_EQ(found.pairs[0].routes.size(), 2u);
}

TEST(Equilibrium, LeavesADearRouteAlone) {
  expect_volumes(solve(4, two_routes(linear(0, 2, 10, 1), linear(0, 3, 40, 0.5)), 20), {20, 0, 20, 0});
}

// Braess, Über ein Paradoxon aus der Verkehrsplanung, Unternehmensforschung 12, 1968.
TEST(Equilibrium, OfBraessGetsWorseByARoad) {
  constexpr double kNothing = 1e-7;
  std::vector<RoadLink> links{linear(0, 2, kNothing, 10), linear(0, 3, 50, 1), linear(2, 1, 50, 1),
                              linear(3, 1, kNothing, 10)};
  const Equilibrium without = solve(4, links, 6);
  expect_volumes(without, {3, 3, 3, 3});
  EXPECT_NEAR(without.last().total_time, 6 * 83, 1e-3);

  links.push_back(linear(2, 3, 10, 1));
  const Equilibrium with = solve(4, links, 6);
  expect_volumes(with, {4, 2, 2, 2, 4});  // links that leave node 2 go together: 2 to 1, 2 to 3
  EXPECT_NEAR(with.last().total_time, 6 * 92, 1e-3);
  EXPECT_EQ(with.pairs[0].routes.size(), 3u);
}

TEST(Equilibrium, BearsAnyPower) {
  const RoadLink constant{0, 3, 1, 1, 3, 0, 4};
  // 1 + sqrt(v) = 3: its slope is infinite on an empty road.
  expect_volumes(solve(4, two_routes({0, 2, 1, 1, 1, 1, 0.5}, constant), 9), {4, 5, 4, 5});
  // 1 + v^20 = 3: on an empty road it is flat.
  const double volume = std::pow(2, 0.05);
  expect_volumes(solve(4, two_routes({0, 2, 1, 1, 1, 1, 20}, constant), 9),
                 {volume, 9 - volume, volume, 9 - volume});
  // 1 + v^0 = 2, whatever the volume, and a road of no time and no capacity.
  expect_volumes(solve(4, two_routes({0, 2, 1, 1, 1, 1, 0}, constant), 9), {9, 0, 9, 0});
  expect_volumes(solve(4, two_routes({0, 2, 0, 1, 0, 0, 0}, constant), 9), {9, 0, 9, 0});
}

TEST(Equilibrium, WeighsTollsAndLengths) {
  auto links = two_routes(linear(0, 2, 10, 1), linear(0, 3, 10, 1));
  links[0].toll = 2;
  links[0].length = 5;
  expect_volumes(solve(4, links, 20), {10, 10, 10, 10});
  const Equilibrium tolled = solve(4, links, 20, {.gap = 1e-9, .weights = {.toll = 3}});
  expect_volumes(tolled, {7, 13, 7, 13});  // 6 more on the first one
  EXPECT_NEAR(tolled.times[0], 17, 1e-5) << "a time has no toll in it";
  EXPECT_NEAR(tolled.last().total_cost, 20 * 23, 1e-3);
  EXPECT_NEAR(tolled.last().total_time, 7 * 17 + 13 * 23, 1e-3);
  expect_volumes(solve(4, links, 20, {.gap = 1e-9, .weights = {.distance = 2}}),  // 8 more: 5 against 1
                 {6, 14, 6, 14});
}

TEST(Equilibrium, IsInTheUnitsOfTheFile) {
  auto links = two_routes(linear(0, 2, 10, 1), linear(0, 3, 15, 0.5));
  for (RoadLink& link : links) link.free_time *= 0.6;  // as a reader gives it: in minutes
  const Equilibrium found = solve(4, links, 5, {.gap = 1e-9, .demand_factor = 4, .minutes_per_unit = 0.6});
  expect_volumes(found, {10, 10, 10, 10});
  EXPECT_NEAR(found.times[0], 20, 1e-5);
  EXPECT_NEAR(found.last().objective, 325, 1e-3);
}

TEST(Equilibrium, HasNoTripsWithinAZone) {
  const Network network(RoadPlan{2, 2, 0, {linear(0, 1, 10, 1), linear(1, 0, 10, 1)}});
  const Equilibrium found = find_equilibrium(network, {2, {{0, 0, 50}, {0, 1, 7}, {1, 1, 50}}}, {});
  expect_volumes(found, {7, 0});
  EXPECT_EQ(found.pairs.size(), 1u);
  const Equilibrium idle = find_equilibrium(network, {2, {{0, 0, 50}}}, {});
  expect_volumes(idle, {0, 0});
  EXPECT_EQ(idle.last().gap, 0);
  EXPECT_EQ(idle.times[0], 10);
}

TEST(Equilibrium, DoesNotPassThroughClosedZones) {
  const std::vector<RoadLink> links{linear(0, 2, 1, 1), linear(2, 1, 1, 1), linear(0, 3, 50, 1),
                                    linear(3, 1, 50, 1)};
  const TripTable trips{3, {{0, 1, 5}, {0, 2, 2}, {2, 1, 3}}};
  expect_volumes(find_equilibrium(Network({3, 4, 0, links}), trips, {.gap = 1e-9}), {7, 0, 8, 0});
  expect_volumes(find_equilibrium(Network({3, 4, 3, links}), trips, {.gap = 1e-9}), {2, 5, 3, 5});
}

TEST(Equilibrium, TakesTheFirstOfParallelLinks) {
  auto links = two_routes(linear(0, 2, 10, 1), linear(0, 3, 15, 0.5));
  links.push_back(linear(0, 2, 1, 0.01));  // again from 0 to 2
  expect_volumes(solve(4, links, 20), {10, 10, 10, 10});
}

TEST(Equilibrium, StopsAtItsGapOrItsLastIteration) {
  const City city = make_city({.columns = 12, .rows = 12, .vehicles = 40000});
  const Network network(city.roads);
  const Equilibrium rough = find_equilibrium(network, city.trips, {.gap = 1e-2});
  const Equilibrium fine = find_equilibrium(network, city.trips, {.gap = 1e-6});
  EXPECT_LE(rough.last().gap, 1e-2);
  EXPECT_LE(fine.last().gap, 1e-6);
  EXPECT_GT(fine.iterations.size(), rough.iterations.size());
  EXPECT_LT(fine.last().objective, rough.last().objective);
  for (std::size_t k = 1; k < fine.iterations.size(); ++k)
    EXPECT_LT(fine.iterations[k].objective, fine.iterations[k - 1].objective) << k;
  EXPECT_EQ(find_equilibrium(network, city.trips, {.gap = 0, .iterations = 3}).iterations.size(), 3u);
}

TEST(Equilibrium, HasVolumesThatAreThoseOfItsRoutes) {
  const City city = make_city({.columns = 12, .rows = 12, .vehicles = 40000});
  const Network network(city.roads);
  const Equilibrium found = find_equilibrium(network, city.trips, {.demand_factor = 0.9});
  std::vector<double> volumes(network.links().size());
  std::size_t several = 0;
  for (const auto& pair : found.pairs) {
    double trips = 0;
    for (const auto& route : pair.routes) {
      EXPECT_GT(route.volume, 0);
      trips += route.volume;
      NodeIndex node = pair.origin;
      for (const LinkIndex link : route.links) {
        ASSERT_EQ(network.link(link).from, node);
        EXPECT_TRUE(node == pair.origin || network.passable(node));
        node = network.link(link).to;
        volumes[link] += route.volume;
      }
      EXPECT_EQ(node, pair.destination);
    }
    EXPECT_NEAR(trips, pair.trips, 1e-9 * pair.trips);
    several += pair.routes.size() > 1;
  }
  EXPECT_GT(several, found.pairs.size() / 20) << "the city is congested";
  EXPECT_EQ(found.volumes, volumes);
}

TEST(Equilibrium, IsTheSameWithAnyNumberOfThreads) {
  const City city = make_city({.columns = 16, .rows = 16, .vehicles = 60000});
  const Network network(city.roads);
  const Equilibrium alone = find_equilibrium(network, city.trips, {.gap = 1e-5, .threads = 1});
  for (const std::size_t threads : {2u, 3u, 8u}) {
    const Equilibrium together = find_equilibrium(network, city.trips, {.gap = 1e-5, .threads = threads});
    EXPECT_EQ(together.volumes, alone.volumes) << threads;
    EXPECT_EQ(together.last().gap, alone.last().gap) << threads;
    EXPECT_EQ(together.last().routes, alone.last().routes) << threads;
  }
}

TEST(Equilibrium, SaysWhatIsImpossible) {
  const auto complaint = [](const Network& network, const TripTable& trips) -> std::string {
    return anachron::test::error_of([&] { find_equilibrium(network, trips, {}); });
  };
  EXPECT_EQ(complaint(Network({2, 2, 0, {linear(0, 1, 1, 1)}}), {2, {{1, 0, 0.25}}}),
            "no route from zone 2 to zone 1, but there is demand between them");
  EXPECT_EQ(complaint(Network({2, 2, 0, {{0, 1, 1e-9, 1, 1, 1, 90}}}), {2, {{0, 1, 1e9}}}),
            "--assignment equilibrium: with so much demand for such capacities travel times are too large to "
            "compute with");
}

struct Published {
  const char *folder, *stem;
  CostWeights weights;
  double objective;  ///< of the published flows, in the unit of the network
};
void PrintTo(const Published& network, std::ostream* out) { *out << network.folder; }

using Ends = std::pair<std::uint32_t, std::uint32_t>;

std::map<Ends, double> read_flows(const std::string& path) {
  std::map<Ends, double> flows;
  std::ifstream in(path);
  std::string title;
  std::getline(in, title);
  Ends ends;
  for (double volume = 0, cost = 0; in >> ends.first >> ends.second >> volume >> cost;) flows[ends] = volume;
  return flows;
}

class RealEquilibrium : public testing::TestWithParam<Published> {};

TEST_P(RealEquilibrium, IsThePublishedOne) {
  const Published& expected = GetParam();
  const auto [stem, missing] = anachron::test::real_network(expected.folder, expected.stem, "_flow.tntp");
  if (!missing.empty()) GTEST_SKIP() << missing;

  const Network network(read_tntp_network(stem + "_net.tntp", 1, Tolls::read));
  const TripTable trips = anachron::models::traffic::read_tntp_trips(stem + "_trips.tntp");
  const Equilibrium found = find_equilibrium(network, trips, {.gap = 1e-4, .weights = expected.weights});
  EXPECT_LT(found.last().gap, 1e-4);
  EXPECT_NEAR(found.last().objective, expected.objective, 1e-3 * expected.objective);

  const auto flows = read_flows(stem + "_flow.tntp");
  ASSERT_EQ(flows.size(), network.links().size());
  double mean = 0, objective = 0;
  for (const auto& [ends, volume] : flows) mean += volume / static_cast<double>(flows.size());
  double total = 0, unexplained = 0;
  for (LinkIndex k = 0; k < network.links().size(); ++k) {
    const double volume = flows.at({network.id(network.link(k).from), network.id(network.link(k).to)});
    total += (volume - mean) * (volume - mean);
    unexplained += (volume - found.volumes[k]) * (volume - found.volumes[k]);
    objective += LinkCost(network.link(k), expected.weights, 1).integral(volume);
  }
  EXPECT_GT(1 - unexplained / total, 0.999) << "R^2 of the link volumes";
  EXPECT_NEAR(objective, expected.objective, 1e-6 * expected.objective) << "the published flows' own";
}

INSTANTIATE_TEST_SUITE_P(All, RealEquilibrium,
                         testing::Values(Published{"SiouxFalls", "SiouxFalls", {}, 4231335.28710744},
                                         Published{"Anaheim", "Anaheim", {}, 1286032.1711},
                                         Published{"Chicago-Sketch",
                                                   "ChicagoSketch",
                                                   {.toll = 0.02, .distance = 0.04},
                                                   17313018.7387477}),
                         [](const auto& test) {
                           std::string name = test.param.folder;
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace
