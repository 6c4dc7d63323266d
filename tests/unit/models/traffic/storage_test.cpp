// Links with queues and limited room (models/traffic/links/storage.hpp, link_queue.hpp): against corridors
// that can be computed by hand, and gridlock.

#include <cstdint>
#include <string>
#include <variant>

#include <gtest/gtest.h>

#include <anachron/base/error.hpp>
#include <anachron/run/simulation.hpp>

#include "support/error_of.hpp"
#include "support/traffic_files.hpp"
#include "traffic/links/storage.hpp"
#include "traffic/model.hpp"

namespace {

namespace traffic = anachron::models::traffic;
using anachron::InputError;
using anachron::kForever;
using anachron::models::traffic::LinkStorage;
using anachron::models::traffic::RoadLink;
using anachron::models::traffic::World;
using anachron::test::error_of;
using anachron::test::kRing;
using anachron::test::kTwoZones;
using anachron::test::trips_around;
using anachron::test::trips_between;
using anachron::test::WrittenFiles;

RoadLink road(double capacity, double length, double free_time) {
  RoadLink link;
  link.capacity = capacity;
  link.length = length;
  link.free_time = free_time;
  return link;
}

TEST(LinkStorage, IsThatOfATriangularFundamentalDiagram) {
  // A lane of 2880 vehicles/h at 72 km/h with 200 vehicles/km in a jam: gaps travel at 18 km/h.
  const auto lane = LinkStorage::of(road(2880, 3, 2.5), {200, 2880});
  EXPECT_EQ(lane.places, 600u);
  EXPECT_DOUBLE_EQ(lane.headway, 60.0 / 2880);
  EXPECT_DOUBLE_EQ(lane.gap_time, 3 / 18.0 * 60);
  EXPECT_EQ(LinkStorage::of(road(5760, 3, 2.5), {200, 2880}).places, 1200u);  // two lanes
}

TEST(LinkStorage, LetsALinkReachItsCapacity) {
  const auto steep = LinkStorage::of(road(600, 0.01, 1), {100, 1800});  // a third of a vehicle would fit
  EXPECT_EQ(steep.places, 10u);
  EXPECT_EQ(steep.gap_time, 0);
  const auto shortest = LinkStorage::of(road(600, 0, 0), {100, 1800});
  EXPECT_EQ(shortest.places, 1u);
  EXPECT_DOUBLE_EQ(shortest.gap_time, 0.1);
  EXPECT_EQ(LinkStorage::of(road(0, 1, 1), {100, 1800}).places, 0u);  // no bound
  EXPECT_EQ(LinkStorage::of(road(1800, 1e12, 1), {100, 1800}).places, 0u);
}

using TrafficSimulation = anachron::Simulation<traffic::Link, traffic::Zone>;

struct Outcome {
  anachron::Report report;

  double value(const char* figure) const { return report.results.value(figure); }
  /// In the row of the link, numbered as in the file.
  double cell(std::size_t link, const std::string& column) const {
    const auto& table = report.results.tables().at("links");
    const auto at = std::find(table.columns.begin(), table.columns.end(), column);
    const auto& cell = table.rows[link].at(static_cast<std::size_t>(at - table.columns.begin()));
    const auto* count = std::get_if<std::int64_t>(&cell);
    return count ? static_cast<double>(*count) : std::get<double>(cell);
  }
};

Outcome run(const traffic::Params& params, double until, std::uint64_t seed = 1) {
  TrafficSimulation simulation;
  simulation.params<traffic::Params>() = params;
  simulation.config.sync = anachron::Sync::sequential;
  simulation.config.until = until;
  simulation.config.seed = seed;
  return {simulation.run()};
}

/// An approach, a road, and a bottleneck behind it, of 20, 4 and 1 vehicles a minute. With 100 vehicles/km in
/// a lane of 600/h they have 200, 40 and 5 places, and their gaps take 9, 8 and 4 minutes.
const std::string kCorridor =
    "<NUMBER OF ZONES> 2\n<NUMBER OF NODES> 4\n<FIRST THRU NODE> 3\n<NUMBER OF LINKS> 3\n<END OF METADATA>\n"
    "1 3 1200 1 1 0.15 4 ;\n"
    "3 4 240 1 2 0.15 4 ;\n"
    "4 2 60 0.5 1 0.15 4 ;\n";
constexpr std::size_t kApproach = 0, kRoad = 1, kBottleneck = 2;

traffic::Params corridor(const WrittenFiles& files) {
  traffic::Params params = files.params();
  params.storage = 100;
  params.lane_capacity = 600;
  params.patience = 1000;
  return params;
}

// Two vehicles depart per minute, the m-th one in the m-th half minute. Say the first one departs at d: it is
// in the bottleneck at 3 + d. Five fit into that. The k-th leaves it at 3 + k + d, and so from the sixth on
// the k-th enters it at 2 + k + d. Its place in the road is at the beginning 8 minutes later, at 10 + k + d,
// for vehicle m = k + 40, which comes there from 1 + (m - 1) / 2 on, to 1 + m / 2 at most. So 60 do not have
// to wait, and from number 62 on all do, in the approach, where they are let in at m - 30 + d.
TEST(TrafficStorage, AQueueSpillsBackAndDissolvesWhenItShould) {
  const WrittenFiles files(kCorridor, trips_between(120, 0, 0));
  const traffic::Params params = corridor(files);
  for (const std::uint64_t seed : {1, 2, 3}) {
    EXPECT_EQ(run(params, 31, seed).cell(kRoad, "waits"), 0);
    const Outcome spilled = run(params, 33, seed);
    EXPECT_GE(spilled.cell(kRoad, "waits"), 1);
    EXPECT_GE(spilled.cell(kBottleneck, "waits"), 22);
    EXPECT_EQ(spilled.value("waiting_on_links"), 2);

    // The last one enters the road at 90 + d, the bottleneck at 122 + d, and arrives at 123 + d.
    EXPECT_LT(run(params, 90, seed).cell(kRoad, "entered"), 120);
    EXPECT_EQ(run(params, 90.5, seed).cell(kRoad, "entered"), 120);
    EXPECT_EQ(run(params, 122, seed).cell(kBottleneck, "entered"), 119);
    EXPECT_EQ(run(params, 123, seed).value("arrived"), 119);
    const Outcome all = run(params, kForever, seed);
    EXPECT_EQ(all.value("arrived"), 120);
    EXPECT_GE(all.report.end_time, 123);
    EXPECT_LT(all.report.end_time, 123.5);

    EXPECT_EQ(all.value("squeezed_in"), 0);
    EXPECT_EQ(all.value("departure_waits"), 0);
    EXPECT_GE(all.cell(kRoad, "most_vehicles"), 31);
    EXPECT_LE(all.cell(kRoad, "most_vehicles"), 40);
    EXPECT_LE(all.cell(kBottleneck, "most_vehicles"), 5);
    // The k-th arrives at 3 + k + d and departs between (k - 1) / 2 and k / 2.
    EXPECT_GE(all.value("total_travel_time"), 120 * 3 + 120 * 121 / 4);
    EXPECT_LE(all.value("total_travel_time"), 120 * 3 + 120 * 121 / 4 + 120);
    EXPECT_EQ(all.value("mean_free_flow_time"), 4);
    // All that is more than 4 minutes was spent in queues. Whoever is first steps up to the bottleneck a
    // quarter of a minute behind the one before, and is let in a minute behind it.
    EXPECT_NEAR(all.value("queue_time"), all.value("total_travel_time") - 4 * 120, 1e-6);
    EXPECT_NEAR(all.cell(kBottleneck, "mean_wait"), 0.75, 0.03);
    EXPECT_EQ(all.value("mean_storage_wait"), all.value("storage_wait_time") / all.value("storage_waits"));
    EXPECT_GE(all.value("longest_wait"), 1);
  }
}

TEST(TrafficStorage, WithoutCongestionNobodyWaits) {
  const WrittenFiles files(kCorridor, trips_between(30, 0, 0));
  const Outcome outcome = run(corridor(files), kForever);
  EXPECT_EQ(outcome.value("arrived"), 30);
  EXPECT_EQ(outcome.value("storage_waits"), 0);
  EXPECT_NEAR(outcome.value("mean_travel_time"), 4, 0.5);  // 0.5: two depart less than a headway apart
}

TEST(TrafficStorage, WhoCannotDepartWaitsOutside) {
  // Ten vehicles a minute want to go, one can: 5 enter at once, then one each minute.
  const WrittenFiles files(
      "<NUMBER OF ZONES> 2\n<NUMBER OF NODES> 2\n<FIRST THRU NODE> 1\n<NUMBER OF LINKS> 1\n<END OF "
      "METADATA>\n"
      "1 2 60 0.5 1 0 0 ;\n",
      trips_between(600, 0, 0));
  traffic::Params params = corridor(files);
  const Outcome part = run(params, 60);
  EXPECT_NEAR(part.value("departed"), 5 + 55, 1);
  EXPECT_EQ(part.value("waiting_to_depart"), 600 - part.value("departed"));
  EXPECT_EQ(part.value("waiting_on_links"), 0);
  const Outcome all = run(params, kForever);
  EXPECT_EQ(all.value("arrived"), 600);
  EXPECT_EQ(all.value("departure_waits"), 595);
  EXPECT_EQ(all.value("storage_waits"), 0);
  EXPECT_LT(run(params, 600).value("arrived"), 600);
  EXPECT_EQ(run(params, 600.2).value("arrived"), 600);
  // The last one has waited for 599 - 60 minutes, the first ones for few.
  EXPECT_NEAR(all.value("departure_wait_time") / 595, 539 / 2.0, 4);
  EXPECT_EQ(all.value("waiting_to_depart"), 0);
}

TEST(TrafficStorage, WhereRoadsMeetTheyTakeTurns) {
  // Eight and one vehicles a minute to a road of four: it takes one from each in turn, so the few hardly
  // wait.
  const WrittenFiles files(
      "<NUMBER OF ZONES> 3\n<NUMBER OF NODES> 4\n<FIRST THRU NODE> 4\n<NUMBER OF LINKS> 3\n<END OF "
      "METADATA>\n"
      "1 4 1200 1 1 0 0 ;\n"
      "2 4 1200 1 1 0 0 ;\n"
      "4 3 240 1 1 0 0 ;\n",
      "<NUMBER OF ZONES> 3\n<END OF METADATA>\nOrigin 1\n3 : 480;\nOrigin 2\n3 : 60;\n");
  const Outcome outcome = run(corridor(files), kForever);
  EXPECT_EQ(outcome.value("arrived"), 540);
  EXPECT_GT(outcome.cell(0, "mean_travel_time"), 20);
  EXPECT_LT(outcome.cell(1, "mean_travel_time"), 2);
}

TEST(TrafficStorage, AGridlockIsBrokenUpAndReported) {
  const WrittenFiles files(kRing, trips_around(600));
  traffic::Params params = corridor(files);
  params.patience = 2;
  const Outcome outcome = run(params, kForever);
  EXPECT_EQ(outcome.value("arrived"), 2400);
  EXPECT_EQ(outcome.value("driving"), 0);
  EXPECT_GT(outcome.value("squeezed_in"), 0);
  EXPECT_GT(outcome.cell(0, "most_vehicles"), outcome.cell(0, "storage"));

  params.patience = 1e6;
  const Outcome locked = run(params, 5000);
  EXPECT_EQ(locked.value("squeezed_in"), 0);
  EXPECT_EQ(locked.value("waiting_on_links"), 4);
  EXPECT_GT(locked.value("waiting_to_depart"), 1000);
  for (std::size_t link = 0; link < 4; ++link)
    EXPECT_LE(locked.cell(link, "most_vehicles"), locked.cell(link, "storage"));
}

/// From zone 1 over node 3 to zone 2 by way of node 4, quick, but only a vehicle every 2 minutes leaves that
/// road, or of node 5.
const std::string kFork =
    "<NUMBER OF ZONES> 2\n<NUMBER OF NODES> 5\n<FIRST THRU NODE> 3\n<NUMBER OF LINKS> 6\n<END OF METADATA>\n"
    "1 3 600 1 1 0 0 ;\n"
    "3 4 30 1 2 0 0 ;\n"
    "3 5 600 1 4 0 0 ;\n"
    "4 2 600 1 1 0 0 ;\n"
    "5 2 600 1 1 0 0 ;\n"
    "2 1 600 1 1 0 0 ;\n";

// One vehicle in each minute. Of 9 that are on the narrow road by minute 10, the first of which has left
// after minute 3, 5 are there. It takes 11 minutes and more, and who sets out after minute 12 has heard of
// it. The 12 before have gone by minute 26, so from 32 on it is known to be empty. Of 7 that then come by
// minute 40, 4 are there; with that known from 42 on, 10 have come, and until 50 it is not shorter again.
TEST(TrafficStorage, DriversTurnOffWhenTheyHaveHeardOfAQueue) {
  const WrittenFiles files(kFork, trips_between(60, 0, 0));
  traffic::Params params = files.params();
  params.storage = 1e5;
  params.rerouting = 1;
  params.publish = 10;
  params.publish_delay = 2;
  const Outcome turned = run(params, kForever);
  EXPECT_EQ(turned.cell(2, "entered"), 22);
  EXPECT_EQ(turned.cell(3, "entered"), 38);
  EXPECT_EQ(turned.value("rerouted"), 38);
  EXPECT_EQ(turned.value("rerouting_drivers"), 60);
  EXPECT_EQ(turned.value("arrived"), 60);
  EXPECT_EQ(turned.value("driving"), 0);

  params.rerouting = 0;
  params.publish = traffic::Params().publish;
  params.publish_delay = traffic::Params().publish_delay;
  EXPECT_EQ(run(params, kForever).cell(2, "entered"), 60);
}

// The narrow road is full, and the queue stands before it: that is where time is lost.
TEST(TrafficStorage, DriversHearOfAQueueThatSpillsBack) {
  const std::string network =
      "<NUMBER OF ZONES> 2\n<NUMBER OF NODES> 6\n<FIRST THRU NODE> 3\n<NUMBER OF LINKS> 7\n<END OF "
      "METADATA>\n"
      "1 3 600 1 1 0 0 ;\n"
      "3 4 600 1 1 0 0 ;\n"  // full before the narrow one
      "4 5 30 0 1 0 0 ;\n"   // has room for one vehicle
      "5 2 600 1 1 0 0 ;\n"
      "3 6 600 1 5 0 0 ;\n"
      "6 2 600 1 1 0 0 ;\n"
      "2 1 600 1 1 0 0 ;\n";
  const WrittenFiles files(network, trips_between(60, 0, 0));
  traffic::Params params = files.params();
  params.storage = 1;
  params.patience = 30;
  params.rerouting = 1;
  params.publish = 1;
  params.publish_delay = 0;
  const Outcome turned = run(params, kForever);
  EXPECT_EQ(turned.value("arrived"), 60);
  const std::size_t other = 3, narrow = 4;  // rows are in the order of the nodes where links begin
  EXPECT_EQ(turned.cell(narrow, "most_vehicles"), 1);
  EXPECT_GT(turned.cell(other, "entered"), 20);  // half of them would find no place on the narrow road
  EXPECT_EQ(turned.cell(other, "entered"), turned.value("rerouted"));
}

TEST(TrafficStorage, OptionsThatDoNotGoTogetherAreRefused) {
  const WrittenFiles files(kTwoZones, trips_between(1, 0, 0));
  const auto error_with = [&](auto change) -> std::string {
    traffic::Params params = files.params();
    change(params);
    return error_of([&] { const World world(params); });
  };
  using P = traffic::Params;
  EXPECT_EQ(error_with([](P& p) { p.patience = 3; }),
            "--patience is for --storage: without it links are never full");
  EXPECT_EQ(error_with([](P& p) { p.lane_capacity = 3; }),
            "--lane-capacity is for --storage: without it links are never full");
  EXPECT_EQ(error_with([](P& p) { p.storage = 100, p.patience = 3; }), "no error");
}

}  // namespace
