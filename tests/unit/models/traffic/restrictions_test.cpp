// Roads that close or lose capacity: files of them, and what vehicles do.
#include "traffic/restrictions.hpp"

#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include <anachron/anachron.hpp>

#include "support/traffic_files.hpp"
#include "traffic/model.hpp"

namespace anachron::models::traffic {
namespace {

using test::WrittenFiles;

const std::string kOneTrip =
    "<NUMBER OF ZONES> 2\n<TOTAL OD FLOW> 1\n<END OF METADATA>\nOrigin 1\n 2 : 1.0;\nOrigin 2\n";

Restrictions read(const std::string& text) {
  RoadPlan plan{
      .zones = 2, .nodes = 2, .last_closed = 0, .links = {{0, 1, 8, 3, 10, 0.15, 4}, {1, 0, 8, 3, 10}}};
  std::istringstream in(text);
  return {in, "closed.txt", Network(plan)};
}

std::string error_of(const std::string& text) {
  try {
    read(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

TEST(Restrictions, AreReadByLinkAndTime) {
  const Restrictions all = read("# two roads\n1 2 30 40 0.5  # half\n2 1 0 5 0\n\n1 2 10 20 0\n");
  ASSERT_EQ(all.of(0).size(), 2u);
  EXPECT_EQ(all.of(0)[0].begin, 10);
  EXPECT_EQ(all.of(0)[0].factor, 0);
  EXPECT_EQ(all.of(0)[1].end, 40);
  EXPECT_EQ(all.of(0)[1].factor, 0.5);
  ASSERT_EQ(all.of(1).size(), 1u);
}

TEST(Restrictions, NameWhatIsWrongWithARow) {
  EXPECT_EQ(error_of("1 2 3 4"), "closed.txt:1: expected FROM TO BEGIN END FACTOR, found 4 words");
  EXPECT_EQ(error_of("\n1 9 0 5 0"), "closed.txt:2: TO: the network has no node 9");
  EXPECT_EQ(error_of("1 1 0 5 0"),
            "closed.txt:1: there is no road from node 1 to node 1; roads from there lead to 2");
  EXPECT_EQ(error_of("1 2 5 5 0"), "closed.txt:1: END: '5': expected a minute after BEGIN, 5");
  EXPECT_EQ(error_of("1 2 0 5 -1"), "closed.txt:1: FACTOR: '-1': expected a number from 0 on");
  EXPECT_EQ(error_of("1 2 0 5 0\n1 2 4 9 0.5"),
            "closed.txt: two restrictions of the road from 1 to 2 overlap, at minute 4");
}

/// The minute at which the only vehicle arrives; 0: it does not.
double arrival(const std::string& restrictions, double until = 1000, std::uint64_t tie_seed = 1) {
  const WrittenFiles files(test::kTwoZones, kOneTrip);
  Simulation<Link, Zone> simulation;
  simulation.params<Params>() = files.params();
  if (!restrictions.empty()) simulation.params<Params>().restrictions = files.add("closed", restrictions);
  simulation.config.sync = Sync::sequential;
  simulation.config.until = until;
  simulation.config.tie_seed = tie_seed;
  const Report report = simulation.run();
  EXPECT_EQ(report.results.value("departed"),
            report.results.value("arrived") + report.results.value("driving"));
  if (report.results.value("arrived") == 0) return 0;
  const auto& zone = simulation.lp<Zone>(1);
  return zone.travel_time.mean();
}

TEST(Restrictions, AClosedRoadIsEnteredWhenItOpens) {
  const double free = arrival("");
  EXPECT_GT(free, 0);
  // Departed in the first hour, wherever in it: it waits until minute 100.
  const double closed = arrival("1 2 0 100 0");
  EXPECT_GT(closed, free + 40);
  EXPECT_LE(closed, 100 + free);
  EXPECT_EQ(arrival("1 2 0 100 0", 90), 0);
  // What is behind a vehicle does not matter to it.
  EXPECT_EQ(arrival("1 2 500 600 0"), free);
  EXPECT_EQ(arrival("2 1 0 100 0"), free);
}

TEST(Restrictions, LessCapacityTakesLonger) {
  const double free = arrival(""), half = arrival("1 2 0 100 0.5"), twice = arrival("1 2 0 100 2");
  EXPECT_GT(half, free);
  EXPECT_LT(twice, free);
}

// A vehicle that comes at the very minute at which the road closes waits, whatever the tie seed.
TEST(Restrictions, TheClosingComesFirst) {
  for (std::uint64_t tie_seed = 1; tie_seed <= 20; ++tie_seed) {
    const WrittenFiles files(test::kTwoZones, kOneTrip);
    Simulation<Link, Zone> simulation;
    simulation.params<Params>() = files.params();
    simulation.config.sync = Sync::sequential;
    simulation.config.tie_seed = tie_seed;
    auto session = simulation.open();
    session.schedule(session.id<Link>(0), 200, Enter{Vehicle{0, World::Way(0, 1)}});
    session.schedule(session.id<Link>(0), 200, begin_of({.link = 0, .begin = 200, .end = 300, .factor = 0}));
    session.run_until(250);
    EXPECT_EQ(session.lp<Link>(0).entered, 1u) << "only the planned trip, tie seed " << tie_seed;
    session.run_until(301);
    EXPECT_EQ(session.lp<Link>(0).entered, 2u);
  }
}

}  // namespace
}  // namespace anachron::models::traffic
