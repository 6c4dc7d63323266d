// Shortest routes by a contraction hierarchy (models/traffic/routes/hierarchy.hpp) are those that searches
// find.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <numeric>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "scale.hpp"
#include "traffic/input/city.hpp"
#include "traffic/input/tntp.hpp"
#include "traffic/routes/arc_lengths.hpp"
#include "traffic/routes/hierarchy.hpp"
#include "traffic/routes/lengths.hpp"
#include "traffic/routes/node_order.hpp"
#include "traffic/routes/routing.hpp"
#include "traffic/routes/tree_search.hpp"
#include "traffic/routes/zone_sweep.hpp"

namespace anachron::models::traffic {
namespace {

constexpr std::size_t kAnyNumber = std::numeric_limits<std::size_t>::max();

RoadLink link(NodeIndex from, NodeIndex to, double time = 1) { return {from, to, 1000, 1, time, 0.15, 4}; }

std::vector<double> free_times(const Network& network) {
  std::vector<double> times;
  for (const RoadLink& l : network.links()) times.push_back(l.free_time);
  return times;
}

NodeGraph graph_of(std::uint32_t nodes, const std::vector<std::pair<NodeIndex, NodeIndex>>& edges) {
  RoadPlan plan{1, nodes, 0, {}};
  for (const auto& [a, b] : edges) plan.links.push_back(link(a, b));
  return Hierarchy::core_of(Network(plan));
}

bool is_order(std::vector<std::uint32_t> order, std::size_t nodes) {
  std::sort(order.begin(), order.end());
  std::vector<std::uint32_t> all(nodes);
  std::iota(all.begin(), all.end(), 0u);
  return order == all;
}

TEST(LinkLengths, AddUpCostsAndCountLinks) {
  const Network network({2, 3, 0, {link(0, 1, 5), link(0, 2, 2.25), link(2, 1, 2.75), link(1, 0, 0)}});
  const LinkLengths lengths(network, free_times(network));
  EXPECT_EQ(lengths.cost(lengths[0]), 5);
  EXPECT_EQ(lengths.cost(lengths[1] + lengths[3]), 5);
  EXPECT_LT(lengths[0], lengths[1] + lengths[3]) << "the same cost with fewer links";
  EXPECT_FALSE(lengths.is_cheaper(lengths[0], lengths[1] + lengths[3]));
  EXPECT_TRUE(lengths.is_cheaper(lengths[1], lengths[0]));
  EXPECT_EQ(lengths.cost(lengths[2]), 0);
  EXPECT_EQ(lengths.cost(kNoRoute), std::numeric_limits<double>::infinity());
}

TEST(LinkLengths, AreFineAndDoNotOverflowWhateverTheCosts) {
  constexpr std::uint32_t kNodes = 3000;
  RoadPlan chain{1, kNodes, 0, {}};
  for (NodeIndex node = 0; node + 1 < kNodes; ++node) chain.links.push_back(link(node, node + 1));
  const Network network(chain);
  for (const double cost : {0.0, 1e-280, 0.013, 1.0, 7e5, 1e30, 1e300, 1.7e308}) {
    const LinkLengths lengths(network, std::vector<double>(kNodes - 1, cost));
    Length sum = 0;
    for (LinkIndex k = 0; k + 1 < kNodes; ++k) {
      ASSERT_GT(lengths[k], 0);
      sum += lengths[k];
    }
    EXPECT_LT(sum, kNoRoute) << cost;
    const double expected = std::min(cost, 1e300) * (kNodes - 1);
    EXPECT_NEAR(lengths.cost(sum), expected, 1e-10 * expected) << cost;
  }
}

TEST(NodeOrder, ByLeastDegreeOfATreeAddsNoArcs) {
  const NodeGraph tree = graph_of(9, {{0, 1}, {0, 2}, {1, 3}, {1, 4}, {2, 5}, {5, 6}, {5, 7}, {5, 8}});
  const Network network(
      {1,
       9,
       0,
       {link(0, 1), link(0, 2), link(1, 3), link(1, 4), link(2, 5), link(5, 6), link(5, 7), link(5, 8)}});
  const auto order = order_by_least_degree(tree);
  EXPECT_TRUE(is_order(order, 9));
  const auto hierarchy = Hierarchy::make(network, tree, order, kAnyNumber);
  EXPECT_EQ(hierarchy->arcs(), 8u);
}

TEST(NodeOrder, HasAllNodesOnceAndFewArcsInAGrid) {
  const Network network(make_city({.columns = 40, .rows = 40}).roads);
  const NodeGraph core = Hierarchy::core_of(network);
  for (const auto& order : {order_by_least_degree(core), contraction_order(core)}) {
    ASSERT_TRUE(is_order(order, core.size()));
    EXPECT_LT(Hierarchy::make(network, core, order, kAnyNumber)->arcs(), 5 * network.links().size());
  }
  EXPECT_TRUE(order_by_least_degree(NodeGraph()).empty());
  EXPECT_TRUE(contraction_order(NodeGraph()).empty());
}

// A ring of five, contracted in the order 0, 2, 1, 3, 4: 0 makes 1 and 4 neighbours, 2 makes 1 and 3, and 1
// then 3 and 4, which they are.
TEST(Hierarchy, OfARingHasTheArcsOfItsContraction) {
  const Network network({1, 5, 0, {link(0, 1), link(1, 2), link(2, 3), link(3, 4), link(4, 0)}});
  const auto hierarchy = Hierarchy::make(network, Hierarchy::core_of(network),
                                         std::vector<std::uint32_t>{0, 2, 1, 3, 4}, kAnyNumber);
  ASSERT_TRUE(hierarchy);
  EXPECT_EQ(hierarchy->places(), 5u);
  EXPECT_EQ(hierarchy->arcs(), 7u);
  EXPECT_EQ(hierarchy->triangles(), 3u);
  const auto heads_of = [&](NodeIndex node) {
    std::vector<NodeIndex> heads;
    const std::uint32_t place = hierarchy->root_slot(node);
    for (std::uint32_t arc = hierarchy->first_arc(place); arc < hierarchy->first_arc(place + 1); ++arc)
      heads.push_back(hierarchy->node_at(hierarchy->head(arc)));
    return heads;
  };
  EXPECT_EQ(heads_of(0), (std::vector<NodeIndex>{1, 4}));
  EXPECT_EQ(heads_of(2), (std::vector<NodeIndex>{1, 3}));
  EXPECT_EQ(heads_of(1), (std::vector<NodeIndex>{3, 4}));
  EXPECT_EQ(heads_of(3), (std::vector<NodeIndex>{4}));
  EXPECT_EQ(heads_of(4), (std::vector<NodeIndex>{}));
  EXPECT_EQ(hierarchy->root_slot(4), 0u);
  EXPECT_EQ(hierarchy->end_of_subtree(hierarchy->root_slot(1)) - hierarchy->root_slot(1), 3u);
  EXPECT_FALSE(
      Hierarchy::make(network, Hierarchy::core_of(network), std::vector<std::uint32_t>{0, 2, 1, 3, 4}, 6));
}

TEST(ArcLengths, AreTheShortestWaysOverNodesBelow) {
  const Network network(
      {1, 5, 0, {link(0, 1, 10), link(1, 2, 20), link(2, 3, 30), link(3, 4, 40), link(4, 0, 50)}});
  const auto hierarchy = Hierarchy::make(network, Hierarchy::core_of(network),
                                         std::vector<std::uint32_t>{0, 2, 1, 3, 4}, kAnyNumber);
  const LinkLengths links(network, free_times(network));
  ArcLengths arcs(*hierarchy, links);
  arcs.customise();
  const std::uint32_t of_3 = hierarchy->first_arc(hierarchy->root_slot(3));
  EXPECT_EQ(links.cost(arcs.up()[of_3]), 40);                   // the link
  EXPECT_EQ(links.cost(arcs.down()[of_3]), 50 + 10 + 20 + 30);  // from 4 over 0, 1 and 2
  const std::uint32_t of_1 = hierarchy->first_arc(hierarchy->root_slot(1));
  EXPECT_EQ(links.cost(arcs.up()[of_1]), 20 + 30);  // to 3 over 2
  EXPECT_EQ(arcs.down()[of_1], kNoRoute);
}

/// Few different times, so that there are ties, among them 0. Nodes of the plan up to `last_closed` are not
/// passed through, and some of these are no zones where there are more.
RoadPlan random_plan(std::mt19937_64& bits) {
  RoadPlan plan;
  plan.nodes = static_cast<std::uint32_t>(2 + bits() % 40);
  plan.zones = static_cast<std::uint32_t>(1 + bits() % plan.nodes);
  plan.last_closed = bits() % 3 == 0 ? 0 : static_cast<std::uint32_t>(bits() % (plan.nodes + 1));
  const std::uint64_t links = bits() % (4 * plan.nodes), times = 1 + bits() % 5;
  for (std::uint64_t k = 0; k < links; ++k) {
    const auto from = static_cast<NodeIndex>(bits() % plan.nodes);
    const bool is_near = bits() % 4 != 0;  // mostly like a road network, and sometimes not
    const auto to =
        static_cast<NodeIndex>(is_near ? (from + 1 + bits() % 5) % plan.nodes : bits() % plan.nodes);
    plan.links.push_back(link(from, to, static_cast<double>(bits() % times) * 0.1));
  }
  return plan;
}

void customise(ArcLengths& arcs, std::size_t threads) {
  std::vector<std::jthread> all;
  for (std::size_t k = 0; k < threads; ++k) all.emplace_back([&arcs] { arcs.customise(); });
}

/// In how many lengths and links sweeps and searches differ.
std::size_t differences(const Network& network, const Hierarchy& hierarchy, std::span<const double> times,
                        std::span<const ZoneIndex> zones, Direction direction, std::size_t threads) {
  const LinkLengths links(network, times);
  ArcLengths arcs(hierarchy, links);
  customise(arcs, threads);
  ZoneSweep sweep(network, hierarchy, direction);
  TreeSearch search(network, direction);
  std::vector<std::uint16_t> by_sweep(network.nodes() * ZoneSweep::kZones), by_search(network.nodes());
  std::size_t result = 0;
  for (std::size_t first = 0; first < zones.size(); first += ZoneSweep::kZones) {
    const auto together = zones.subspan(first, std::min(ZoneSweep::kZones, zones.size() - first));
    sweep.grow(together, {links, &arcs});
    if (direction == Direction::to_zones) sweep.write_choices(by_sweep.data(), ZoneSweep::kZones);
    for (std::size_t k = 0; k < together.size(); ++k) {
      search.grow(together.subspan(k, 1), {links});
      if (direction == Direction::to_zones) search.write_choices(by_search.data(), 1);
      for (NodeIndex node = 0; node < network.nodes(); ++node) {
        result += sweep.length(k, node) != search.length(0, node);
        result += sweep.link(k, node) != search.link(0, node);
        if (direction == Direction::from_zones && search.length(0, node) != kNoRoute)
          result += sweep.route_to(k, node) != search.route_to(0, node);
        if (direction == Direction::to_zones)
          result += by_sweep[node * ZoneSweep::kZones + k] != by_search[node];
      }
    }
  }
  return result;
}

TEST(ZoneSweep, FindsTheRoutesThatSearchesFindInRandomNetworks) {
  std::mt19937_64 bits(17);
  for (int round = 0; round < test::scaled(400); ++round) {
    const Network network(random_plan(bits));
    const NodeGraph core = Hierarchy::core_of(network);
    auto order = round % 3 == 0 ? contraction_order(core) : order_by_least_degree(core);
    if (round % 3 == 1) std::shuffle(order.begin(), order.end(), bits);  // any order is right
    const auto hierarchy = Hierarchy::make(network, core, order, kAnyNumber);
    std::vector<ZoneIndex> zones;
    for (std::uint64_t left = 1 + bits() % 30; left > 0; --left)
      zones.push_back(static_cast<ZoneIndex>(bits() % network.zones()));
    const auto times = free_times(network);
    for (const Direction direction : {Direction::to_zones, Direction::from_zones})
      ASSERT_EQ(differences(network, *hierarchy, times, zones, direction, 1 + bits() % 3), 0u)
          << "round " << round;
  }
}

TEST(ZoneSweep, FindsTheRoutesThatSearchesFindInACity) {
  const Network network(make_city({.columns = 30, .rows = 25}).roads);
  const NodeGraph core = Hierarchy::core_of(network);
  const auto hierarchy = Hierarchy::make(network, core, contraction_order(core), kAnyNumber);
  std::vector<ZoneIndex> zones(network.zones());
  std::iota(zones.begin(), zones.end(), ZoneIndex{0});
  for (const Direction direction : {Direction::to_zones, Direction::from_zones})
    EXPECT_EQ(differences(network, *hierarchy, free_times(network), zones, direction, 2), 0u);
}

struct RealNetwork {
  std::string folder, stem;
};
void PrintTo(const RealNetwork& network, std::ostream* out) { *out << network.folder; }

class RealRoutes : public testing::TestWithParam<RealNetwork> {};

TEST_P(RealRoutes, AreTheSameByHierarchyAndBySearch) {
  const char* const data = std::getenv("ANACHRON_DATA");
  if (!data) GTEST_SKIP() << "no real road networks: the environment variable ANACHRON_DATA is not set";
  const std::string path =
      std::string(data) + "/tntp/" + GetParam().folder + "/" + GetParam().stem + "_net.tntp";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no " << path;
  const Network network(read_tntp_network(path, 1, Tolls::ignored));
  const NodeGraph core = Hierarchy::core_of(network);
  std::vector<ZoneIndex> zones;
  for (ZoneIndex zone = 0; zone < network.zones(); zone += 1 + network.zones() / 24) zones.push_back(zone);
  for (const auto& order : {contraction_order(core), order_by_least_degree(core)}) {
    const auto hierarchy = Hierarchy::make(network, core, order, kAnyNumber);
    for (const Direction direction : {Direction::to_zones, Direction::from_zones})
      EXPECT_EQ(differences(network, *hierarchy, free_times(network), zones, direction, 2), 0u);
  }
}

INSTANTIATE_TEST_SUITE_P(All, RealRoutes,
                         testing::Values(RealNetwork{"SiouxFalls", "SiouxFalls"},
                                         RealNetwork{"Anaheim", "Anaheim"},
                                         RealNetwork{"Chicago-Sketch", "ChicagoSketch"},
                                         RealNetwork{"Berlin-Center", "berlin-center"}),
                         [](const auto& test) {
                           std::string name = test.param.folder;
                           std::erase(name, '-');
                           return name;
                         });

TEST(ArcLengths, AreTheSameWithAnyNumberOfThreads) {
  const Network network(make_city({.columns = 50, .rows = 40}).roads);
  const NodeGraph core = Hierarchy::core_of(network);
  const auto hierarchy = Hierarchy::make(network, core, contraction_order(core), kAnyNumber);
  const LinkLengths links(network, free_times(network));
  ArcLengths alone(*hierarchy, links);
  alone.customise();
  for (const std::size_t threads : {2u, 3u, 8u}) {
    ArcLengths together(*hierarchy, links);
    customise(together, threads);
    EXPECT_TRUE(std::equal(alone.up(), alone.up() + hierarchy->arcs(), together.up())) << threads;
    EXPECT_TRUE(std::equal(alone.down(), alone.down() + hierarchy->arcs(), together.down())) << threads;
  }
}

TEST(Routing, TakesAHierarchyWhereItPays) {
  const Network few({2, 4, 0, {link(0, 1), link(1, 2), link(2, 3), link(3, 0)}});
  EXPECT_FALSE(Routing(few, Method::automatic).hierarchy()) << "there is nothing to gain";
  EXPECT_TRUE(Routing(few, Method::hierarchy).hierarchy());

  const Network city(make_city({.columns = 64, .rows = 64}).roads);
  EXPECT_TRUE(Routing(city, Method::automatic).hierarchy());
  EXPECT_FALSE(Routing(city, Method::search).hierarchy());

  RoadPlan plan{300, 4000, 0, {}};  // no road network: contracting it joins all with all
  std::mt19937_64 bits(3);
  for (int k = 0; k < 16000; ++k)
    plan.links.push_back(
        link(static_cast<NodeIndex>(bits() % plan.nodes), static_cast<NodeIndex>(bits() % plan.nodes)));
  EXPECT_FALSE(Routing(Network(plan), Method::automatic).hierarchy());
}

}  // namespace
}  // namespace anachron::models::traffic
