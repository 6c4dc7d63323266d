// The generated city (models/traffic/input/city.hpp), the world made of it or of files (world.hpp), and what
// vehicles do in it.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include <anachron/base/error.hpp>
#include <anachron/run/simulation.hpp>

#include "scale.hpp"
#include "support/error_of.hpp"
#include "support/road_networks.hpp"
#include "support/traffic_files.hpp"
#include "traffic/input/city.hpp"
#include "traffic/model.hpp"
#include "traffic/network.hpp"
#include "traffic/routes/routes.hpp"
#include "traffic/world.hpp"

namespace {

namespace traffic = anachron::models::traffic;
using anachron::InputError;
using anachron::models::traffic::City;
using anachron::models::traffic::CityPlan;
using anachron::models::traffic::make_city;
using anachron::models::traffic::Method;
using anachron::models::traffic::Network;
using anachron::models::traffic::parse_city;
using anachron::models::traffic::RoadLink;
using anachron::models::traffic::Routes;
using anachron::models::traffic::Routing;
using anachron::models::traffic::ZoneIndex;
using anachron::test::error_of;
using anachron::test::free_times;
using anachron::test::kTwoZones;
using anachron::test::trips_between;
using anachron::test::WrittenFiles;

City city_of(std::uint32_t columns, std::uint32_t rows, std::uint64_t seed = 1, double vehicles = 1000) {
  return make_city({.columns = columns, .rows = rows, .seed = seed, .vehicles = vehicles});
}

auto essence(const RoadLink& l) {
  return std::tuple(l.from, l.to, l.capacity, l.length, l.free_time, l.b, l.power);
}

bool same_links(const City& a, const City& b) {
  return std::equal(a.roads.links.begin(), a.roads.links.end(), b.roads.links.begin(), b.roads.links.end(),
                    [](const RoadLink& x, const RoadLink& y) { return essence(x) == essence(y); });
}

TEST(City, SizeIsReadFromText) {
  const CityPlan plan = parse_city("64x48");
  EXPECT_EQ(plan.columns, 64u);
  EXPECT_EQ(plan.rows, 48u);
  for (const char* text :
       {"", "64", "64x", "x64", "64X64", "64x64x64", "64x64 ", "1x64", "64x1025", "-4x4", "4.5x4"})
    EXPECT_THROW(parse_city(text), InputError) << text;
  try {
    parse_city("64by64");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "--city: '64by64' is not valid: expected COLSxROWS, e.g. 64x64, each from 2 to 1024");
  }
}

TEST(City, IsTheSameForTheSameSeedOnly) {
  const City a = city_of(24, 16), b = city_of(24, 16), c = city_of(24, 16, 2);
  EXPECT_TRUE(same_links(a, b));
  EXPECT_EQ(a.trips.pairs, b.trips.pairs);
  EXPECT_FALSE(same_links(a, c));
  EXPECT_NE(a.trips.pairs, c.trips.pairs);
}

TEST(City, HasAWayFromEachZoneToEachOther) {
  for (const auto& [columns, rows] :
       {std::pair{2u, 2u}, {2u, 9u}, {3u, 2u}, {5u, 5u}, {17u, 4u}, {33u, 25u}, {64u, 64u}})
    for (std::uint64_t seed = 1; seed <= (columns < 30 ? 20u : 2u); ++seed) {
      const Network network(city_of(columns, rows, seed).roads);
      const Routes routes(Routing(network, Method::automatic), free_times(network));
      EXPECT_GE(network.zones(), 4u);
      EXPECT_EQ(network.ignored_links(), 0u);
      for (ZoneIndex from = 0; from < network.zones(); ++from)
        for (ZoneIndex to = 0; to < network.zones(); ++to)
          ASSERT_TRUE(routes.reachable(from, to)) << columns << "x" << rows << " seed " << seed;
    }
}

TEST(City, HasLinksThatMakeSense) {
  const City city = city_of(40, 40);
  for (const RoadLink& link : city.roads.links) {
    ASSERT_LT(link.from, city.roads.nodes);
    ASSERT_LT(link.to, city.roads.nodes);
    ASSERT_GT(link.capacity, 0);
    ASSERT_GT(link.free_time, 0);
    ASSERT_GT(link.length, 0);
    const double kmh = link.length / link.free_time * 60;
    ASSERT_GT(kmh, 10);
    ASSERT_LT(kmh, 80);
  }
}

TEST(City, HasOneWayStreetsAndGaps) {
  const City city = city_of(40, 40);
  const std::uint32_t zones = city.roads.zones;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ends;
  for (const RoadLink& link : city.roads.links)
    if (link.from >= zones && link.to >= zones) ends.emplace_back(link.from, link.to);
  std::sort(ends.begin(), ends.end());
  const auto one_way = std::count_if(ends.begin(), ends.end(), [&](const auto& e) {
    return !std::binary_search(ends.begin(), ends.end(), std::pair(e.second, e.first));
  });
  EXPECT_GT(one_way, 200);
  EXPECT_LT(ends.size(), 4u * 40 * 39 - static_cast<std::size_t>(one_way));
}

TEST(City, HasZonesOfSixteenIntersectionsUnlessItIsLarge) {
  EXPECT_EQ(city_of(64, 64).roads.zones, 256u);
  EXPECT_EQ(city_of(128, 128).roads.zones, 484u);
  EXPECT_LE(city_of(200, 150).roads.zones, 512u);
}

TEST(City, DemandAddsUpToTheVehicles) {
  const City city = city_of(40, 32, 3, 123456);
  double total = 0;
  for (const auto& pair : city.trips.pairs) {
    ASSERT_NE(pair.origin, pair.destination);
    ASSERT_GT(pair.trips, 0);
    total += pair.trips;
  }
  EXPECT_NEAR(total, 123456, 1e-6);
  EXPECT_EQ(city.trips.zones, city.roads.zones);
}

std::string world_error(const traffic::Params& params) {
  return error_of([&] { const traffic::World world(params); });
}

TEST(TrafficWorld, RefusesOptionsThatDoNotGoTogether) {
  const WrittenFiles files(kTwoZones, trips_between(1, 0, 0));
  const auto error_with = [&](auto change) {
    traffic::Params params = files.params();
    change(params);
    return world_error(params);
  };
  using P = traffic::Params;
  EXPECT_EQ(error_with([](P&) {}), "no error");
  EXPECT_EQ(error_with([](P& p) { p.trips.clear(); }).substr(0, 23), "--network needs --trips");
  EXPECT_EQ(error_with([](P& p) { p.network.clear(); }).substr(0, 23), "--trips needs --network");
  EXPECT_EQ(error_with([](P& p) { p.city = "4x4"; }).substr(0, 6), "--city");
  EXPECT_EQ(error_with([](P& p) { p.city_seed = 2; }).substr(0, 11), "--city-seed");
  EXPECT_EQ(error_with([](P& p) { p.vehicles = 2; }).substr(0, 10), "--vehicles");
  P city;
  city.city = "4x4";
  city.vehicles = 2;
  EXPECT_EQ(world_error(city), "no error");
  city.time_unit = 2;
  EXPECT_EQ(world_error(city).substr(0, 11), "--time-unit");
}

TEST(TrafficWorld, RefusesOptionsOfAnAssignmentThatDoesNotHappen) {
  const WrittenFiles files(kTwoZones, trips_between(1, 0, 0));
  const auto error_with = [](traffic::Params params, auto change) {
    change(params);
    return world_error(params);
  };
  using P = traffic::Params;
  EXPECT_EQ(error_with(files.params(), [](P& p) { p.gap = 1e-3; }),
            "--gap is for --assignment equilibrium, not for free-flow");
  EXPECT_EQ(error_with(files.params(), [](P& p) { p.iterations = 5; }).substr(0, 12), "--iterations");
  EXPECT_EQ(error_with(files.params(), [](P& p) { p.toll_weight = 1; }).substr(0, 13), "--toll-weight");
  EXPECT_EQ(error_with(files.params(), [](P& p) { p.distance_weight = 1; }).substr(0, 17),
            "--distance-weight");

  P balanced = files.params();
  balanced.assignment = traffic::Assignment::equilibrium;
  EXPECT_EQ(error_with(balanced, [](P& p) { p.gap = 1e-3, p.distance_weight = 1; }), "no error");
  EXPECT_EQ(error_with(balanced, [](P& p) { p.toll_weight = 1; }),
            balanced.network + ":6: expected a toll, the column 9, found 7 columns");
  P city;
  city.city = "4x4";
  city.assignment = traffic::Assignment::equilibrium;
  EXPECT_EQ(error_with(city, [](P& p) { p.distance_weight = 1; }), "no error");
  EXPECT_EQ(error_with(city, [](P& p) { p.toll_weight = 1; }),
            "--toll-weight is for --network: a generated city has no tolls");
}

TEST(TrafficWorld, RefusesTripsForAnotherNetworkAndTripsWithoutARoute) {
  const WrittenFiles other(kTwoZones, "<NUMBER OF ZONES> 3\n<END OF METADATA>\n");
  const auto params = other.params();
  EXPECT_EQ(world_error(params),
            params.trips + " is for 3 zones, " + params.network + " has 2: they do not belong together");
  const WrittenFiles one_way(
      "<NUMBER OF ZONES> 2\n<NUMBER OF NODES> 2\n<NUMBER OF LINKS> 1\n<END OF METADATA>\n1 2 8 3 10 0 0 ;\n",
      trips_between(1, 1, 1));
  EXPECT_EQ(world_error(one_way.params()),
            "no route from zone 2 to zone 1, but there is demand between them");
}

TEST(TrafficWorld, LeavesOutClosedLinksWhenAsked) {
  // Two zones with a road each way, and both ways by a third node, of which the first links are closed.
  const WrittenFiles files(
      "<NUMBER OF ZONES> 2\n<NUMBER OF NODES> 3\n<NUMBER OF LINKS> 6\n<END OF METADATA>\n"
      "1 2 8 3 10 0.15 4 ;\n1 3 0 3 1 0.15 4 ;\n3 2 8 3 1 0.15 4 ;\n"
      "2 1 8 3 10 0.15 4 ;\n2 3 0 3 1 0.15 4 ;\n3 1 8 3 1 0.15 4 ;\n",
      trips_between(1, 0, 1));
  traffic::Params params = files.params();
  EXPECT_EQ(world_error(params),
            params.network +
                ":6: expected a capacity above 0, as b is, found 0 (2 links in this file; "
                "--leave-out-closed leaves such links out)");
  params.leave_out_closed = true;
  const traffic::World world(params);
  EXPECT_EQ(world.network().links().size(), 4u);
  for (const RoadLink& link : world.network().links()) EXPECT_GT(link.capacity, 0);
}

TEST(TrafficWorld, TakesIdsThatAreNames) {
  const auto net = [](const std::string& a, const std::string& b, const std::string& c) {
    return "<NUMBER OF ZONES> 2\n<NUMBER OF NODES> 3\n<FIRST THRU NODE> " + c +
           "\n<NUMBER OF LINKS> 4\n<END OF METADATA>\n" + a + " " + b + " 8 3 10 0 0 ;\n" + b + " " + a +
           " 8 3 10 0 0 ;\n" + a + " " + c + " 8 3 1 0 0 ;\n" + c + " " + b + " 8 3 1 0 0 ;\n";
  };
  const auto trips = [](const std::string& a, const std::string& b) {
    return "<NUMBER OF ZONES> 2\n<END OF METADATA>\nOrigin " + a + "\n" + b + " : 5;\nOrigin " + b + "\n" +
           a + " : 3;\n";
  };
  const auto run = [](const traffic::Params& params) {
    anachron::Simulation<traffic::Link, traffic::Zone> simulation;
    simulation.params<traffic::Params>() = params;
    simulation.config.sync = anachron::Sync::sequential;
    return simulation.run();
  };
  const WrittenFiles numbered(net("1", "2", "3"), trips("1", "2"));
  const anachron::Report expected = run(numbered.params());
  const WrittenFiles named(net("40", "75674", "80000"), trips("40", "75674"));
  const anachron::Report report = run(named.params());
  EXPECT_EQ(report.digest, expected.digest);
  EXPECT_EQ(report.results.value("total_travel_time"), 5 * 2 + 3 * 10);
  const auto column = [&](const char* table, std::size_t k) {
    std::vector<std::int64_t> ids;
    for (const auto& row : report.results.tables().at(table).rows)
      ids.push_back(std::get<std::int64_t>(row[k]));
    return ids;
  };
  EXPECT_EQ(column("zones", 0), (std::vector<std::int64_t>{40, 75674}));
  EXPECT_EQ(column("links", 1), (std::vector<std::int64_t>{40, 40, 75674, 80000}));
  EXPECT_EQ(column("links", 2), (std::vector<std::int64_t>{75674, 80000, 40, 75674}));

  const WrittenFiles lost(net("40", "75674", "80000"), trips("40", "50000"));
  EXPECT_EQ(world_error(lost.params()),
            "no route from zone 40 to zone 50000, but there is demand between them");
}

TEST(TrafficWorld, FollowsTheBprFunction) {
  const auto time = [](double b, double power, double ratio) {
    return traffic::travel_time({.free_time = 10, .b = b, .power = power}, ratio);
  };
  EXPECT_DOUBLE_EQ(time(0.15, 4, 1), 11.5);
  EXPECT_DOUBLE_EQ(time(0.15, 4, 2), 34);
  EXPECT_DOUBLE_EQ(time(0.5, 1, 3), 25);
  EXPECT_DOUBLE_EQ(time(0.5, 0, 3), 15);
  EXPECT_DOUBLE_EQ(time(0.5, 2.5, 4), 170);
  EXPECT_DOUBLE_EQ(time(2, 20, 1), 30);
  EXPECT_DOUBLE_EQ(time(0, 4, 100), 10);
}

using TrafficSimulation = anachron::Simulation<traffic::Link, traffic::Zone>;

TEST(TrafficModel, DelaysVehiclesByTheInflowOfTheLink) {
  const WrittenFiles files(kTwoZones, trips_between(5, 2, 3));
  TrafficSimulation simulation;
  simulation.params<traffic::Params>() = files.params();
  simulation.params<traffic::Params>().period = 7;  // all within the flow window
  const auto results = simulation.run().results;
  double expected = 3 * 10;
  for (int k = 1; k <= 5; ++k) expected += 10 * (1 + 0.15 * std::pow(k * 4 / 8.0, 4));
  EXPECT_NEAR(results.value("total_travel_time"), expected, 1e-9);
  EXPECT_NEAR(results.value("mean_travel_time"), expected / 8, 1e-9);
  EXPECT_NEAR(results.value("mean_free_flow_time"), 10, 1e-9);
  EXPECT_EQ(results.value("trips"), 10);
  EXPECT_EQ(results.value("departed"), 10);
  EXPECT_EQ(results.value("arrived"), 10);
  EXPECT_EQ(results.value("driving"), 0);
  EXPECT_EQ(results.value("intrazonal"), 2);
  EXPECT_EQ(results.value("link_entries"), 8);
  EXPECT_EQ(results.value("distance"), 24);
  EXPECT_NEAR(results.value("highest_flow"), 20, 1e-5);
  EXPECT_NEAR(results.value("highest_volume_capacity_ratio"), 2.5, 1e-6);
}

TEST(TrafficModel, ScalesTimesAndDemand) {
  const WrittenFiles files(kTwoZones, trips_between(0, 0, 10));
  TrafficSimulation simulation;
  simulation.params<traffic::Params>() = files.params();
  simulation.params<traffic::Params>().time_unit = 0.6;
  simulation.params<traffic::Params>().demand_factor = 2.5;
  const auto results = simulation.run().results;
  EXPECT_EQ(results.value("arrived"), 25);
  EXPECT_NEAR(results.value("total_travel_time"), 25 * 6, 1e-9);
}

TEST(TrafficModel, DepartsThroughoutThePeriod) {
  const WrittenFiles files(kTwoZones, trips_between(0, 0, 100));
  TrafficSimulation simulation;
  simulation.params<traffic::Params>() = files.params();
  simulation.params<traffic::Params>().period = 200;
  for (const double until : {0.0, 1.0, 50.0, 99.0, 100.0, 199.9, 300.0}) {
    simulation.config.until = until;
    const auto results = simulation.run().results;
    EXPECT_NEAR(results.value("departed"), std::min(100.0, until / 2), 1) << until;
    EXPECT_EQ(results.value("departed"), results.value("arrived") + results.value("driving")) << until;
  }
}

TEST(TrafficModel, IsTheSameInEveryMode) {
  TrafficSimulation simulation;
  simulation.params<traffic::Params>().city = "12x9";
  simulation.params<traffic::Params>().vehicles = anachron::test::scaled(3000);
  for (const double until : {20.0, std::numeric_limits<double>::infinity()}) {
    simulation.config = {};
    simulation.config.until = until;
    simulation.config.sync = anachron::Sync::sequential;
    simulation.config.check_rollback = true;
    const anachron::Report expected = simulation.run();
    EXPECT_EQ(expected.results.value("departed"),
              expected.results.value("arrived") + expected.results.value("driving"));
    simulation.config.check_rollback = false;
    simulation.config.sync = anachron::Sync::optimistic;
    for (const unsigned workers : {1u, 2u, 3u})
      for (const auto rollback : {anachron::Rollback::automatic, anachron::Rollback::copy}) {
        simulation.config.workers = workers;
        simulation.config.rollback = rollback;
        simulation.config.test_chaos = workers;
        const anachron::Report report = simulation.run();
        EXPECT_EQ(report.digest, expected.digest);
        for (const char* figure : {"departed", "arrived", "driving", "total_travel_time", "highest_flow"})
          EXPECT_EQ(report.results.value(figure), expected.results.value(figure)) << figure;
      }
  }
}

/// From zone 1 to zone 2 by way of node 3 or of node 4; 10 + v and 15 + v / 2 units of time, behind it
/// nothing.
const std::string kTwoRoutes =
    "<NUMBER OF ZONES> 2\n<NUMBER OF NODES> 4\n<FIRST THRU NODE> 3\n<NUMBER OF LINKS> 5\n<END OF METADATA>\n"
    "1 3 10 2 10 1 1 0 0 ;\n"
    "1 4 30 3 15 1 1 0 4 ;\n"
    "3 2 1 1 0 0 0 0 0 ;\n"
    "4 2 1 1 0 0 0 0 0 ;\n"
    "2 1 1 1 7 0 0 0 0 ;\n";

TEST(TrafficModel, TakesTheRoutesOfTheEquilibrium) {
  const WrittenFiles files(kTwoRoutes, trips_between(20, 3, 4));
  TrafficSimulation simulation;
  auto& params = simulation.params<traffic::Params>();
  params = files.params();
  params.assignment = traffic::Assignment::equilibrium;
  params.time_unit = 0.5;
  params.gap = 1e-9;
  const auto results = simulation.run().results;
  EXPECT_EQ(results.value("arrived"), 27);
  EXPECT_EQ(results.value("driving"), 0);
  EXPECT_EQ(results.value("intrazonal"), 3);
  EXPECT_EQ(results.value("mean_free_flow_time"), (20 * 10 + 4 * 7) * 0.5 / 24);
  EXPECT_NEAR(results.value("assignment_total_time"), 20 * 20 + 4 * 7, 1e-4);
  EXPECT_LE(results.value("assignment_relative_gap"), 1e-9);
  EXPECT_EQ(results.value("assignment_routes"), 3);

  const auto& links = results.tables().at("links");
  ASSERT_EQ(links.columns.size(), 12u);
  EXPECT_EQ(links.columns[10], "volume");
  EXPECT_EQ(links.columns[11], "time");
  for (const auto row : {0, 1}) {
    EXPECT_EQ(std::get<std::int64_t>(links.rows[row][6]), 10) << "vehicles that entered";
    EXPECT_NEAR(std::get<double>(links.rows[row][10]), 10, 1e-5);
    EXPECT_NEAR(std::get<double>(links.rows[row][11]), 20, 1e-5);
  }
  EXPECT_EQ(results.tables().at("assignment").rows.size(),
            static_cast<std::size_t>(results.value("assignment_iterations")));
}

TEST(TrafficModel, PaysTollsInTheEquilibrium) {
  const WrittenFiles files(kTwoRoutes, trips_between(20, 0, 0));
  TrafficSimulation simulation;
  auto& params = simulation.params<traffic::Params>();
  params = files.params();
  params.assignment = traffic::Assignment::equilibrium;
  params.toll_weight = 0.75;  // 3 more on the second route, which moves 2 vehicles
  const auto results = simulation.run().results;
  EXPECT_EQ(std::get<std::int64_t>(results.tables().at("links").rows[0][6]), 12);
  EXPECT_EQ(std::get<std::int64_t>(results.tables().at("links").rows[1][6]), 8);
}

TEST(TrafficModel, HasNoVolumesWithoutAnAssignment) {
  const WrittenFiles files(kTwoRoutes, trips_between(20, 0, 0));
  TrafficSimulation simulation;
  simulation.params<traffic::Params>() = files.params();
  const auto results = simulation.run().results;
  EXPECT_EQ(results.tables().at("links").columns.size(), 10u);
  EXPECT_FALSE(results.tables().contains("assignment"));
}

}  // namespace
