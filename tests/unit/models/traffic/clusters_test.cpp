// How far ahead traffic looks, and what stays together for that.
#include "traffic/clusters.hpp"

#include <cmath>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

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

TEST(TrafficClusters, KeepWhatTakesNoTimeTogether) {
  const WrittenFiles files(kRow, trips_between(60, 0, 0));
  const World world(files.params());
  EXPECT_EQ(world.lookahead(), 1);  // the others would make a cluster of more than there may be in one
  const auto of = [&](traffic::LinkIndex link) { return world.cluster_of_link(link); };
  EXPECT_EQ(of(0), world.cluster_of_zone(0));  // its zone
  EXPECT_EQ(of(0), of(1));                     // behind a link of no time
  EXPECT_EQ(of(2), of(3));
  EXPECT_EQ(of(2), of(4));
  EXPECT_EQ(of(5), world.cluster_of_zone(1));
  EXPECT_NE(of(1), of(2));
  EXPECT_NE(of(4), of(5));
}

TEST(TrafficClusters, EachIsAloneWithStorageAndRerouting) {
  const WrittenFiles files(kRow, trips_between(60, 0, 0));
  for (const auto set : {+[](traffic::Params& params) { params.storage = 1; },
                         +[](traffic::Params& params) { params.rerouting = 0.5; }}) {
    traffic::Params params = files.params();
    set(params);
    const World world(params);
    EXPECT_EQ(world.lookahead(), 0);
    for (traffic::LinkIndex link = 0; link < 6; ++link) EXPECT_EQ(world.cluster_of_link(link), link);
    EXPECT_EQ(world.cluster_of_zone(1), 7u);
  }
}

TEST(TrafficClusters, AreNotHalfOfAll) {
  std::string instant = kRow;
  for (const char* slow : {"100 1 2 0 0", "100 1 1 0 0"})
    instant.replace(instant.find(slow), 11, "100 1 0 0 0");
  const WrittenFiles files(instant, trips_between(60, 0, 0));
  const World world(files.params());
  EXPECT_EQ(world.lookahead(), 0);
  EXPECT_NE(world.cluster_of_link(0), world.cluster_of_link(1));
}

TEST(TrafficClusters, VehiclesAreCountedOnLinksThatTakeNoTime) {
  const WrittenFiles files(kRow, trips_between(60, 0, 0));
  anachron::Simulation<traffic::Link, traffic::Zone> simulation;
  simulation.params<traffic::Params>() = files.params();
  simulation.config.sync = anachron::Sync::sequential;
  const anachron::Report report = simulation.run();
  EXPECT_EQ(report.results.value("arrived"), 60);
  EXPECT_EQ(report.results.value("link_entries"), 6 * 60);
  EXPECT_NEAR(report.results.value("mean_travel_time"), 3, 1e-9);
  for (const auto& row : report.results.tables().at("links").rows) {
    EXPECT_EQ(std::get<std::int64_t>(row[6]), 60);
    EXPECT_NEAR(std::get<double>(row[8]), 60, 8);  // in the fullest window of 15 minutes
  }
}

/// In a city no vehicle gets from one cluster to another one sooner, and none has more than a fiftieth to do.
TEST(TrafficClusters, AreFarFromEachOtherAndSmall) {
  traffic::Params params;
  params.city = "40x40";
  const World world(params);
  const auto& network = world.network();
  double shortest = INFINITY;
  std::vector<double> load(network.links().size() + network.zones());
  double all = 0;
  for (traffic::LinkIndex link = 0; link < network.links().size(); ++link) {
    shortest = std::min(shortest, world.road(link).free_time);
    load[world.cluster_of_link(link)] += world.vehicles_on(link);
    all += world.vehicles_on(link);
    const auto& road = world.road(link);
    bool leads_out =
        road.to < network.zones() && world.cluster_of_zone(road.to) != world.cluster_of_link(link);
    for (auto next = road.first_out; next < network.first_out(road.to + 1); ++next)
      leads_out |= world.cluster_of_link(next) != world.cluster_of_link(link);
    EXPECT_GE(road.free_time, leads_out ? world.lookahead() : 0);
  }
  for (traffic::ZoneIndex zone = 0; zone < network.zones(); ++zone) {
    load[world.cluster_of_zone(zone)] += world.vehicles_of(zone);
    all += world.vehicles_of(zone);
    for (auto link = network.first_out(zone); link < network.first_out(zone + 1); ++link)
      EXPECT_EQ(world.cluster_of_link(link), world.cluster_of_zone(zone));
  }
  EXPECT_GT(world.lookahead(), shortest);
  EXPECT_LE(*std::max_element(load.begin(), load.end()), 0.02 * all);
}

TEST(TrafficClusters, ThatCannotReachEachOtherLookAheadForEver) {
  const World world([] {
    traffic::Params params;
    params.city = "2x2";
    return params;
  }());
  const traffic::Clusters idle =
      traffic::find_clusters(world.network(), std::vector<std::uint32_t>(world.network().links().size()),
                             std::vector<std::uint32_t>(world.network().zones()));
  EXPECT_EQ(idle.lookahead, INFINITY);  // nothing to do fits into one
  for (const std::uint32_t cluster : idle.of_link) EXPECT_EQ(cluster, idle.of_link.front());
}

}  // namespace
