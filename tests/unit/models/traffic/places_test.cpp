// Where the nodes of a road network are: files, and the generated city.

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>
#include <string>

#include <anachron/base/error.hpp>

#include "support/error_of.hpp"
#include "traffic/input/city.hpp"
#include "traffic/input/places.hpp"

namespace anachron::test {
namespace {

using namespace models::traffic;

Network triangle() {
  RoadPlan plan;
  plan.zones = 1;
  plan.nodes = 3;
  for (const auto& [from, to] : {std::pair(0u, 1u), std::pair(1u, 2u), std::pair(2u, 0u)})
    plan.links.push_back({.from = from, .to = to, .capacity = 1, .length = 1, .free_time = 1});
  return Network(std::move(plan));
}

std::vector<NodePlace> read(const std::string& text) {
  std::istringstream in(text);
  return read_tntp_nodes(in, "x_node.tntp", triangle());
}

std::string complaint(const std::string& text) {
  return test::error_of([&] { read(text); });
}

TEST(NodePlaces, AreReadWithOrWithoutHeading) {
  const std::vector<NodePlace> expected{{-96.77, 43.6}, {2, 3}, {1e3, -5}};
  EXPECT_EQ(read("Node\tX\tY\t;\n1\t-96.77\t43.6\t;\n3 1e3 -5;\n2 2 3 ;\n"), expected);
  EXPECT_EQ(read("3 1e3 -5\n~ a comment\n\n1 -96.77 43.6 ; ~ one more\r\n2 2 3\n7 0 0 ;"), expected);
}

TEST(NodePlaces, OfABadFileSayWhere) {
  EXPECT_EQ(complaint("Node X Y ;\n1 2 ;\n"), "x_node.tntp:2: expected y: a finite number, found ';'");
  EXPECT_EQ(complaint("1 2\n"), "x_node.tntp:1: expected y: a finite number, found 'the end of the line'");
  EXPECT_EQ(complaint("1 2 nan ;\n"), "x_node.tntp:1: expected y: a finite number, found 'nan ;'");
  EXPECT_EQ(complaint("1 2 3 4 ;\n"), "x_node.tntp:1: expected one node a line: node, x, y, found '4 ;'");
  EXPECT_EQ(complaint("1 2 3 ;\n1 2 3 ;\n"), "x_node.tntp:2: node 1 again: each has one place");
  EXPECT_EQ(complaint("1 2 3 ;\n2 2 3 ;\n"), "x_node.tntp: node 3 of the network is not in the file");
  EXPECT_NE(complaint("Node X Y ;\nNode X Y ;\n").find("x_node.tntp:2: expected a node"), std::string::npos);
}

// Streets are straight, and as long as the distance of their ends.
TEST(NodePlaces, OfACityGoWithItsStreets) {
  const City city = make_city({.columns = 12, .rows = 9, .vehicles = 1000});
  ASSERT_EQ(city.places.size(), city.roads.nodes);
  unsigned streets = 0;
  for (const RoadLink& link : city.roads.links) {
    if (link.from < city.roads.zones || link.to < city.roads.zones) continue;
    const NodePlace &a = city.places[link.from], &b = city.places[link.to];
    EXPECT_TRUE(a.x == b.x || a.y == b.y);
    EXPECT_NEAR(std::hypot(a.x - b.x, a.y - b.y), link.length, 1e-12);
    ++streets;
  }
  EXPECT_GT(streets, 100u);
}

}  // namespace
}  // namespace anachron::test
