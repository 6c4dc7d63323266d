// Rerouting on the way: published travel times and routes by them (models/traffic/publication.hpp), and what
// drivers do with them.

#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include <anachron/base/error.hpp>
#include <anachron/model/encodable.hpp>
#include <anachron/run/simulation.hpp>

#include "support/error_of.hpp"
#include "support/traffic_files.hpp"
#include "traffic/input/city.hpp"
#include "traffic/model.hpp"
#include "traffic/network.hpp"
#include "traffic/publication.hpp"

namespace {

namespace traffic = anachron::models::traffic;
using anachron::InputError;
using anachron::models::traffic::Method;
using anachron::models::traffic::Network;
using anachron::models::traffic::NodeIndex;
using anachron::models::traffic::Publication;
using anachron::models::traffic::Published;
using anachron::models::traffic::Routes;
using anachron::models::traffic::Routing;
using anachron::models::traffic::SharedPublication;
using anachron::models::traffic::TreePool;
using anachron::models::traffic::World;
using anachron::models::traffic::ZoneIndex;
using anachron::test::error_of;
using anachron::test::trips_between;
using anachron::test::WrittenFiles;

std::vector<double> made_up_times(std::size_t links) {
  std::vector<double> times;
  std::uint32_t x = 1;
  for (std::size_t k = 0; k < links; ++k) {
    x = x * 1664525 + 1013904223;
    times.push_back((x >> 8) % 10);  // many ties
  }
  return times;
}

class PublicationBy : public testing::TestWithParam<Method> {};

TEST_P(PublicationBy, HasTheRoutesOfItsTimesWhicheverThreadAsksFirst) {
  const Network network(anachron::models::traffic::make_city({.columns = 17, .rows = 13}).roads);
  const auto times = made_up_times(network.links().size());
  const Routes routes(Routing(network, Method::search), times);
  TreePool trees(network, GetParam());
  ASSERT_NE(network.zones() % 8, 0u) << "or else there is no last bundle of fewer zones";
  const Publication publication(times, network.zones());
  const auto count_differences = [&](unsigned first) {
    std::size_t differences = 0;
    for (ZoneIndex k = 0; k < network.zones(); ++k) {
      const ZoneIndex to = (k + first) % network.zones();
      for (NodeIndex from = 0; from < network.nodes(); ++from)
        if (from != to && routes.reachable(from, to))
          differences += publication.next_from(from, network.first_out(from), to, trees) !=
                         routes.next_from(from, network.first_out(from), to);
    }
    return differences;
  };
  std::vector<std::size_t> differences(4, 1);
  {
    std::vector<std::jthread> threads;
    for (unsigned k = 0; k < differences.size(); ++k)
      threads.emplace_back([&, k] { differences[k] = count_differences(k / 2); });
  }
  EXPECT_EQ(differences, std::vector<std::size_t>(4));
}

INSTANTIATE_TEST_SUITE_P(All, PublicationBy, testing::Values(Method::search, Method::hierarchy));

TEST(Publication, TravelsBetweenProcesses) {
  const Published news{SharedPublication(made_up_times(100), 7)};
  const Published other{SharedPublication(made_up_times(101), 7)};
  const auto arrived = anachron::decode<Published>(anachron::encode(news));
  EXPECT_EQ(arrived, news);
  EXPECT_FALSE(arrived == other);
  EXPECT_EQ(arrived.publication->zones(), 7u);
}

traffic::Params city(double rerouting) {
  traffic::Params params;
  params.city = "12x9";
  params.vehicles = 5000;
  params.rerouting = rerouting;
  return params;
}

TEST(TrafficRerouting, TheShareOfDriversIsKeptInEachPairOfZones) {
  for (const double share : {0.0, 0.25, 0.6, 1.0}) {
    const World world(city(share));
    double all = 0;
    for (ZoneIndex origin = 0; origin < world.network().zones(); ++origin) {
      std::vector<double> trips(world.network().zones()), rerouting(world.network().zones());
      for (std::uint32_t k = 0; k < world.demand().trips_from(origin); ++k) {
        const ZoneIndex to = world.demand().destination(origin, k);
        ++trips[to];
        rerouting[to] += world.is_rerouting(origin, k);
      }
      for (ZoneIndex to = 0; to < trips.size(); ++to) {
        EXPECT_NEAR(rerouting[to], share * trips[to], 1);
        all += rerouting[to];
      }
    }
    EXPECT_NEAR(all, share * 5000, world.network().zones());
  }
}

TEST(TrafficRerouting, LinksMeasureAtMultiplesOfTheInterval) {
  traffic::Params params = city(0.5);
  params.publish = 0.3;
  params.publish_delay = 0.1;
  const World world(params);
  EXPECT_EQ(world.next_measurement(0), 0.3);
  EXPECT_DOUBLE_EQ(*world.next_measurement(0.3), 0.6);
  double now = 0;
  for (int k = 0; k < 10000; ++k) {
    const auto next = world.next_measurement(now);
    ASSERT_TRUE(next && *next > now && *next < now + 0.31) << now;
    now = *next;
  }
  EXPECT_FALSE(world.next_measurement(1e300));
}

/// From zone 1 to zone 2 over node 3, and from there by way of node 4, quick but narrow, or of node 5. The
/// way back is a road of its own.
const std::string kFork =
    "<NUMBER OF ZONES> 2\n<NUMBER OF NODES> 5\n<FIRST THRU NODE> 3\n<NUMBER OF LINKS> 6\n<END OF METADATA>\n"
    "1 3 100 1 1 0 0 ;\n"
    "3 4 10 1 2 1 1 ;\n"
    "3 5 100 1 4 0 0 ;\n"
    "4 2 100 1 1 0 0 ;\n"
    "5 2 100 1 1 0 0 ;\n"
    "2 1 100 1 1 0 0 ;\n";
constexpr std::size_t kQuick = 2, kLong = 3;  // rows of the table of links

using TrafficSimulation = anachron::Simulation<traffic::Link, traffic::Zone>;

struct Outcome {
  anachron::Report report;

  double value(const char* figure) const { return report.results.value(figure); }
  std::int64_t entered(std::size_t link) const {
    return std::get<std::int64_t>(report.results.tables().at("links").rows[link][6]);
  }
};

Outcome run(const traffic::Params& params) {
  TrafficSimulation simulation;
  simulation.params<traffic::Params>() = params;
  simulation.config.sync = anachron::Sync::sequential;
  return {simulation.run()};
}

traffic::Params fork(const WrittenFiles& files) {
  traffic::Params params = files.params();
  params.flow_window = 1000;  // so the narrow road stays as it was measured
  params.rerouting = 1;
  params.publish = 10;
  params.publish_delay = 2;
  return params;
}

// One vehicle in each minute, and 11 of them have the narrow road measured at minute 10: the eleventh hears
// of nothing, the thirteenth of 2 * (1 + 10 * 0.06 / 10) minutes, still the quicker way.
TEST(TrafficRerouting, DriversTurnOffWhenTheyHaveHeardOfIt) {
  const WrittenFiles files(kFork, trips_between(60, 0, 0));
  traffic::Params params = fork(files);
  EXPECT_EQ(run(params).entered(kLong), 0);

  params.flow_window = 60;
  params.publish = 12;
  params.publish_delay = 3;
  const Outcome turned = [&] {
    params.demand_factor = 10;  // ten in each minute; 2 * (1 + 110 / 10) minutes at the first measurement
    return run(params);
  }();
  // Those that set out before minute 15 have not heard; the road is not as empty again before the last has.
  EXPECT_EQ(turned.entered(kQuick), 150);
  EXPECT_EQ(turned.entered(kLong), 450);
  EXPECT_EQ(turned.value("rerouted"), 450);
  EXPECT_EQ(turned.value("rerouting_drivers"), 600);
  EXPECT_EQ(turned.value("share_rerouted"), 0.75);
  EXPECT_EQ(turned.value("arrived"), 600);
  EXPECT_EQ(turned.value("driving"), 0);
  EXPECT_EQ(turned.value("mean_free_flow_time"), 4);
  EXPECT_GE(turned.value("publications"), 2);

  params.rerouting = 0.5;
  const Outcome half = run(params);
  EXPECT_EQ(half.value("rerouting_drivers"), 300);
  EXPECT_EQ(half.entered(kLong), half.value("rerouted"));
  EXPECT_NEAR(half.value("rerouted"), 225, 1);
  const double all = half.value("mean_travel_time");
  EXPECT_NEAR((half.value("mean_travel_time_rerouting") + half.value("mean_travel_time_others")) / 2, all,
              1e-9);
  EXPECT_LT(half.value("mean_travel_time_rerouting"), all);
}

TEST(TrafficRerouting, WithoutPublicationsNothingChanges) {
  traffic::Params params = city(0);
  const Outcome without = run(params);
  params.rerouting = 1;
  params.publish = 1e6;
  const Outcome with = run(params);
  EXPECT_EQ(with.value("rerouted"), 0);
  for (const char* figure : {"total_travel_time", "link_entries", "highest_flow", "arrived"})
    EXPECT_EQ(with.value(figure), without.value(figure)) << figure;
  for (const auto& [name, figure] : without.report.results.figures()) EXPECT_NE(name, "rerouted");
}

TEST(TrafficRerouting, SavesTimeInAFullCity) {
  for (const auto assignment : {traffic::Assignment::free_flow, traffic::Assignment::equilibrium}) {
    traffic::Params params = city(0);
    params.vehicles = 24000;
    params.assignment = assignment;
    const Outcome without = run(params);
    params.rerouting = 0.5;
    params.publish = 3;
    const Outcome with = run(params);
    EXPECT_EQ(with.value("arrived"), 24000);
    EXPECT_EQ(with.value("driving"), 0);
    EXPECT_EQ(with.value("departed"), 24000);
    EXPECT_GT(with.value("rerouted"), 100);
    EXPECT_NEAR(with.value("mean_free_flow_time"), without.value("mean_free_flow_time"), 1e-9);
    if (assignment == traffic::Assignment::free_flow) {
      EXPECT_LT(with.value("mean_travel_time"), without.value("mean_travel_time"));
    }
  }
}

TEST(TrafficRerouting, OptionsThatDoNotGoTogetherAreRefused) {
  const auto error_with = [](auto change) -> std::string {
    traffic::Params params = city(0);
    change(params);
    return error_of([&] { const World world(params); });
  };
  using P = traffic::Params;
  EXPECT_EQ(error_with([](P& p) { p.publish = 3; }),
            "--publish is for --rerouting: without it nobody listens");
  EXPECT_EQ(error_with([](P& p) { p.publish_delay = 3; }),
            "--publish-delay is for --rerouting: without it nobody listens");
  EXPECT_EQ(error_with([](P& p) { p.rerouting = 1, p.publish = 3, p.publish_delay = 4; }),
            "--publish-delay: 4 minutes are more than those from one publication to the next, 3 (--publish)");
  EXPECT_EQ(error_with([](P& p) { p.rerouting = 1, p.publish = 3, p.publish_delay = 3; }), "no error");
}

TEST(TrafficRerouting, ATollMakesDriversAvoidARoad) {
  anachron::Simulation<traffic::Link, traffic::Zone> simulation;
  simulation.params<traffic::Params>() = city(1.0);
  simulation.config.sync = anachron::Sync::sequential;
  auto session = simulation.open();
  session.keep_history();
  session.run_until(anachron::kForever);
  std::uint32_t busiest = 0;
  for (std::uint32_t link = 0; link < session.lp_count<traffic::Link>(); ++link)
    if (session.lp<traffic::Link>(link).entered > session.lp<traffic::Link>(busiest).entered) busiest = link;
  auto variant = session.variant();
  variant.schedule(session.id<traffic::Link>(busiest), 0, traffic::Toll{30});
  const auto tolled = session.run(variant);
  EXPECT_LT(tolled.lp<traffic::Link>(busiest).entered, session.lp<traffic::Link>(busiest).entered / 2);
  EXPECT_EQ(tolled.report.results.value("arrived"), session.report().results.value("arrived"));
}

}  // namespace
