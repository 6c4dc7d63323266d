// How far ahead traffic looks, and links that take no time (World::lookahead, World::is_instant).

#include <cstdint>
#include <string>
#include <variant>

#include <gtest/gtest.h>

#include <anachron/run/simulation.hpp>

#include "support/traffic_files.hpp"
#include "traffic/model.hpp"

namespace {

namespace traffic = anachron::models::traffic;
using anachron::models::traffic::World;
using anachron::test::trips_between;
using anachron::test::WrittenFiles;

/// From zone 1 to zone 2 over links of 0, 2, 0, 0, 1 and 0 minutes.
const std::string kRow =
    "<NUMBER OF ZONES> 2\n<NUMBER OF NODES> 7\n<FIRST THRU NODE> 3\n<NUMBER OF LINKS> 6\n<END OF METADATA>\n"
    "1 3 100 1 0 1 1 ;\n"
    "3 4 100 1 2 0 0 ;\n"
    "4 5 100 1 0 1 1 ;\n"
    "5 6 100 1 0 0 0 ;\n"
    "6 7 100 1 1 0 0 ;\n"
    "7 2 100 1 0 1 1 ;\n";

TEST(TrafficLookahead, IsTheLeastTimeOfALinkThatTakesAny) {
  const WrittenFiles files(kRow, trips_between(60, 0, 0));
  traffic::Params params = files.params();
  EXPECT_EQ(World(params).lookahead(), 0);
  params.instant_links = traffic::InstantLinks::pass;
  EXPECT_EQ(World(params).lookahead(), 1);
  params.instant_links = traffic::InstantLinks::enter;
  params.storage = 1;
  EXPECT_EQ(World(params).lookahead(), 0);
  params.storage = 0;
  params.rerouting = 0.5;
  EXPECT_EQ(World(params).lookahead(), 0);
}

TEST(TrafficLookahead, WhoeverPassesInstantLinksIsCountedThere) {
  const WrittenFiles files(kRow, trips_between(60, 0, 0));
  for (const auto instant : {traffic::InstantLinks::enter, traffic::InstantLinks::pass}) {
    traffic::Params params = files.params();
    params.instant_links = instant;
    anachron::Simulation<traffic::Link, traffic::Zone> simulation;
    simulation.params<traffic::Params>() = params;
    simulation.config.sync = anachron::Sync::sequential;
    const anachron::Report report = simulation.run();
    EXPECT_EQ(report.results.value("departed"), 60);
    EXPECT_EQ(report.results.value("arrived"), 60);
    EXPECT_EQ(report.results.value("driving"), 0);
    EXPECT_EQ(report.results.value("link_entries"), 6 * 60);
    EXPECT_NEAR(report.results.value("mean_travel_time"), 3, 1e-9);
    for (const auto& row : report.results.tables().at("links").rows) {
      EXPECT_EQ(std::get<std::int64_t>(row[6]), 60);
      EXPECT_NEAR(std::get<double>(row[8]), 60, 8);  // in the fullest window of 15 minutes
    }
  }
}

TEST(TrafficLookahead, AZoneAnnouncesThoseWhoDepartWithin) {
  traffic::Params params;
  params.city = "8x8";
  params.vehicles = 40000;
  const World world(params);
  const double trips = world.demand().trips_from(0);
  EXPECT_GT(world.lookahead(), 0.1);
  EXPECT_NEAR(world.announced_ahead(0), world.lookahead() / 60 * trips + 2, 1);
  params.departures = traffic::Departures::peak;
  params.peak = 10;
  EXPECT_NEAR(World(params).announced_ahead(0), 10 * world.lookahead() / 60 * trips + 2, 1);
}

}  // namespace
