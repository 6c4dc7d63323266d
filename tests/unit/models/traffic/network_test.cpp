// The road graph, its routes (models/traffic/network.hpp) and the inflow of a link (links/inflow_window.hpp).

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include <anachron/base/error.hpp>

#include "support/road_networks.hpp"
#include "traffic/links/inflow_window.hpp"
#include "traffic/network.hpp"
#include "traffic/routes/routes.hpp"

namespace {

using anachron::InputError;
using anachron::models::traffic::InflowWindow;
using anachron::models::traffic::LinkIndex;
using anachron::models::traffic::Method;
using anachron::models::traffic::Network;
using anachron::models::traffic::NodeIndex;
using anachron::models::traffic::RoadLink;
using anachron::models::traffic::RoadPlan;
using anachron::models::traffic::Routes;
using anachron::models::traffic::Routing;
using anachron::models::traffic::ZoneIndex;
using anachron::test::free_times;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

RoadLink link(NodeIndex from, NodeIndex to, double time) { return {from, to, 1000, 1, time, 0.15, 4}; }

RoadPlan plan(std::uint32_t zones, std::uint32_t nodes, std::uint32_t last_closed,
              std::vector<RoadLink> links) {
  return {zones, nodes, last_closed, std::move(links)};
}

/// Those found by a hierarchy, after a comparison with those found by search.
Routes routes_at(const Network& network, const std::vector<double>& times) {
  const Routes searched(Routing(network, Method::search), times);
  Routes found(Routing(network, Method::hierarchy), times);
  std::size_t differences = 0;
  for (ZoneIndex to = 0; to < network.zones(); ++to) {
    for (NodeIndex from = 0; from < network.nodes(); ++from)
      differences += found.next(from, to) != searched.next(from, to);
    for (ZoneIndex from = 0; from < network.zones(); ++from)
      differences += found.time(from, to) != searched.time(from, to);
  }
  EXPECT_EQ(differences, 0u);
  return found;
}

Routes free_routes(const Network& network) { return routes_at(network, free_times(network)); }

/// The links that a vehicle takes; stops after more links than a route can have.
std::vector<LinkIndex> drive(const Network& network, const Routes& routes, NodeIndex from, ZoneIndex to) {
  std::vector<LinkIndex> taken;
  for (NodeIndex node = from; node != to && taken.size() <= network.nodes();) {
    const auto next = routes.next(node, to);
    if (!next) break;
    taken.push_back(*next);
    node = network.link(*next).to;
  }
  return taken;
}

TEST(Network, NumbersLinksByTheNodeTheyLeave) {
  const Network network(
      plan(2, 4, 0, {link(2, 3, 1), link(0, 2, 2), link(2, 1, 3), link(0, 3, 4), link(3, 1, 5)}));
  std::vector<double> times = free_times(network);
  EXPECT_EQ(times, (std::vector<double>{2, 4, 1, 3, 5}));
  EXPECT_EQ(network.first_out(0), 0u);
  EXPECT_EQ(network.first_out(1), 2u);
  EXPECT_EQ(network.first_out(2), 2u);
  EXPECT_EQ(network.first_out(3), 4u);
  EXPECT_EQ(network.first_out(4), 5u);
  const auto entering = network.entering(1);
  EXPECT_EQ(std::vector<LinkIndex>(entering.begin(), entering.end()), (std::vector<LinkIndex>{3, 4}));
}

TEST(Network, KeepsTheFirstOfParallelLinksAndNoSelfLoop) {
  const Network network(
      plan(2, 2, 0, {link(1, 0, 1), link(0, 1, 7), link(0, 0, 1), link(0, 1, 3), link(1, 0, 9)}));
  EXPECT_EQ(free_times(network), (std::vector<double>{7, 1}));
  EXPECT_EQ(network.ignored_links(), 3u);
}

TEST(Network, RefusesWhatItCannotHold) {
  EXPECT_THROW(Network(plan(0, 3, 0, {})), InputError);
  EXPECT_THROW(Network(plan(Network::kMostZones + 1, Network::kMostZones + 1, 0, {})), InputError);
  std::vector<RoadLink> star;
  for (NodeIndex to = 1; to <= Network::kMostLinksPerNode + 1; ++to) star.push_back(link(0, to, 1));
  EXPECT_THROW(Network(plan(1, Network::kMostLinksPerNode + 2, 0, star)), InputError);
}

TEST(Routes, DoNotPassThroughNodesBelowFirstThrough) {
  // 0 -> 1 -> 2 is quicker than 0 -> 3 -> 2, but 1 is a zone.
  const std::vector<RoadLink> links{link(0, 1, 1), link(1, 2, 1), link(0, 3, 5), link(3, 2, 5)};
  const Network closed(plan(3, 4, 3, links)), open(plan(3, 4, 0, links));
  EXPECT_EQ(free_routes(closed).time(0, 2), 10);
  EXPECT_EQ(free_routes(open).time(0, 2), 2);
  EXPECT_EQ(free_routes(closed).time(0, 1), 1);
  EXPECT_EQ(free_routes(closed).time(1, 2), 1);
}

TEST(Routes, SayWhatCannotBeReached) {
  const Network network(plan(3, 4, 0, {link(0, 3, 1), link(3, 1, 1), link(1, 0, 1)}));
  const Routes routes = free_routes(network);
  EXPECT_TRUE(routes.reachable(0, 1));
  EXPECT_FALSE(routes.reachable(0, 2));
  EXPECT_FALSE(routes.reachable(2, 0));
  EXPECT_TRUE(routes.reachable(2, 2));
  EXPECT_EQ(routes.time(0, 2), kInfinity);
  EXPECT_EQ(routes.time(2, 2), 0);
  EXPECT_EQ(routes.next(0, 2), std::nullopt);
  EXPECT_EQ(routes.next(0, 0), std::nullopt);
}

TEST(Routes, BreakTiesByFewerLinksThenByLinkNumber) {
  // To 4: 0-1-2-4 and 0-3-4 take 4 each, and 0-2-4 (over a link of number 1) as well.
  const Network network(plan(
      5, 5, 0, {link(0, 1, 1), link(0, 2, 2), link(0, 3, 2), link(1, 2, 1), link(2, 4, 2), link(3, 4, 2)}));
  const Routes routes = free_routes(network);
  EXPECT_EQ(drive(network, routes, 0, 4), (std::vector<LinkIndex>{1, 4}));
}

TEST(Routes, NeverRunInACircleOverLinksOfZeroTime) {
  std::vector<RoadLink> links;
  constexpr NodeIndex kNodes = 6;
  for (NodeIndex a = 0; a < kNodes; ++a)
    for (NodeIndex b = 0; b < kNodes; ++b)
      if (a != b && (a + b) % 2 == 1) links.push_back(link(a, b, 0));
  const Network network(plan(kNodes, kNodes, 0, links));
  const Routes routes = free_routes(network);
  for (NodeIndex from = 0; from < kNodes; ++from)
    for (ZoneIndex to = 0; to < kNodes; ++to)
      EXPECT_EQ(drive(network, routes, from, to).size(), from == to ? 0u : (from + to) % 2 == 1 ? 1u : 2u);
}

TEST(Routes, TakeTheGivenTimesNotTheFreeOnes) {
  const Network network(plan(3, 3, 0, {link(0, 1, 1), link(0, 2, 1), link(2, 1, 1)}));
  EXPECT_EQ(routes_at(network, {5, 1, 1}).time(0, 1), 2);
}

/// Whole-number times, so that sums are exact in any order.
RoadPlan random_plan(std::mt19937_64& bits, std::uint32_t zones, std::uint32_t nodes, std::uint32_t links,
                     std::uint32_t last_closed) {
  RoadPlan result = plan(zones, nodes, last_closed, {});
  for (std::uint32_t k = 0; k < links; ++k)
    result.links.push_back(link(static_cast<NodeIndex>(bits() % nodes),
                                static_cast<NodeIndex>(bits() % nodes), static_cast<double>(bits() % 6)));
  return result;
}

/// Times and, among equally quick routes, numbers of links, by the algorithm of Floyd and Warshall.
struct AllPairs {
  std::vector<std::vector<std::pair<double, int>>> cost;

  explicit AllPairs(const Network& network)
      : cost(network.nodes(), std::vector<std::pair<double, int>>(network.nodes(), {kInfinity, 0})) {
    const std::uint32_t n = network.nodes();
    for (NodeIndex node = 0; node < n; ++node) cost[node][node] = {0, 0};
    for (const RoadLink& l : network.links())
      cost[l.from][l.to] = std::min(cost[l.from][l.to], std::pair(l.free_time, 1));
    for (NodeIndex through = 0; through < n; ++through) {
      if (!network.passable(through)) continue;
      for (NodeIndex a = 0; a < n; ++a)
        for (NodeIndex b = 0; b < n; ++b) {
          const auto [time1, links1] = cost[a][through];
          const auto [time2, links2] = cost[through][b];
          cost[a][b] = std::min(cost[a][b], std::pair(time1 + time2, links1 + links2));
        }
    }
  }
};

TEST(Routes, AgreeWithFloydAndWarshallOnRandomGraphs) {
  std::mt19937_64 bits(7);
  for (int round = 0; round < 60; ++round) {
    const auto nodes = static_cast<std::uint32_t>(5 + bits() % 26);
    const auto zones = static_cast<std::uint32_t>(1 + bits() % nodes);
    const auto links = static_cast<std::uint32_t>(nodes + bits() % (3 * nodes));
    const std::uint32_t last_closed = round % 2 == 0 ? 0 : zones;
    const Network network(random_plan(bits, zones, nodes, links, last_closed));
    const Routes routes = free_routes(network);
    const AllPairs expected(network);
    for (NodeIndex from = 0; from < nodes; ++from)
      for (ZoneIndex to = 0; to < zones; ++to) {
        const auto [time, count] = expected.cost[from][to];
        ASSERT_EQ(routes.reachable(from, to), time < kInfinity);
        if (from < zones) {
          ASSERT_EQ(routes.time(from, to), time);
        }
        if (time == kInfinity) continue;
        const auto taken = drive(network, routes, from, to);
        double sum = 0;
        for (const LinkIndex k : taken) sum += network.link(k).free_time;
        ASSERT_EQ(sum, time) << "round " << round << " from " << from << " to " << to;
        ASSERT_EQ(taken.size(), static_cast<std::size_t>(count));
      }
  }
}

TEST(Routes, AreTheSameOnManyThreadsAsOnOne) {
  // Large enough for several threads; the rows of few zones are found by one thread.
  std::mt19937_64 bits(11);
  RoadPlan big = random_plan(bits, 400, 5500, 16500, 0);
  const Network all(big);
  big.zones = 30;
  const Network few(big);
  const Routes by_many(Routing(all, Method::search), free_times(all));
  const Routes by_one(Routing(few, Method::search), free_times(few));
  for (NodeIndex from = 0; from < few.nodes(); ++from)
    for (ZoneIndex to = 0; to < few.zones(); ++to) ASSERT_EQ(by_many.next(from, to), by_one.next(from, to));
}

/// What the window should say, from all moments of entry.
double reference(const std::vector<double>& entries, double now) {
  constexpr double kIntervals = InflowWindow::kIntervals;
  const double interval = std::floor(now), elapsed = now - interval;
  double vehicles = 0;
  for (const double entry : entries) {
    const double age = interval - std::floor(entry);
    vehicles += age < kIntervals ? 1 : age == kIntervals ? 1 - elapsed : 0;
  }
  return vehicles;
}

TEST(InflowWindow, AgreesWithAListOfAllEntries) {
  std::mt19937_64 bits(3);
  for (const double pace : {0.01, 0.3, 2.0, 9.0, 40.0}) {
    InflowWindow window;
    std::vector<double> entries;
    double now = 0;
    for (int k = 0; k < 2000; ++k) {
      now += pace * static_cast<double>(bits() >> 11) * 0x1p-52;
      entries.push_back(now);
      ASSERT_NEAR(window.enter(now).vehicles, reference(entries, now), 1e-9)
          << "pace " << pace << " entry " << k;
    }
  }
}

TEST(InflowWindow, OfASteadyFlowIsTheFlow) {
  InflowWindow window;
  for (int k = 0; k < 1000; ++k) {
    const double vehicles = window.enter(k * 0.05).vehicles;
    if (k > 200) {
      EXPECT_NEAR(vehicles, InflowWindow::kIntervals / 0.05, 1.01);
    }
  }
}

TEST(InflowWindow, UndoesEntriesInReverse) {
  std::mt19937_64 bits(5);
  std::vector<InflowWindow> states{InflowWindow()};
  std::vector<InflowWindow::Undo> undos;
  double now = 0;
  for (int k = 0; k < 500; ++k) {
    now += static_cast<double>(bits() % 3000) / 1000;
    states.push_back(states.back());
    undos.push_back(states.back().enter(now).undo);
  }
  InflowWindow window = states.back();
  for (; !undos.empty(); undos.pop_back()) {
    ASSERT_EQ(window, states.back());
    states.pop_back();
    window.undo(undos.back());
  }
  EXPECT_EQ(window, InflowWindow());
}

TEST(InflowWindow, BearsHugeTimes) {
  InflowWindow window;
  EXPECT_EQ(window.enter(1e18).vehicles, 1);
  EXPECT_EQ(window.enter(1e300).vehicles, 1);
}

}  // namespace
