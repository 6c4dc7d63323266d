// Networks of contacts: those that are generated, and those that are read.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include <anachron/anachron.hpp>

#include "epidemic/graph.hpp"
#include "support/error_of.hpp"

namespace anachron::models::epidemic {
namespace {

Graph generated(Kind kind, std::uint32_t nodes, double degree = 10, std::uint64_t seed = 1) {
  Params params;
  params.graph = kind;
  params.nodes = nodes;
  params.degree = degree;
  params.graph_seed = seed;
  return generate(params);
}

double variance_of_degrees(const Graph& graph) {
  Tally tally;
  for (Node v = 0; v < graph.nodes(); ++v) tally.add(static_cast<double>(graph.degree(v)));
  return tally.variance();
}

/// Part of the pairs of neighbours of a node that are neighbours of each other, on average.
double clustering(const Graph& graph) {
  double sum = 0;
  for (Node v = 0; v < graph.nodes(); ++v) {
    const auto all = graph.neighbours(v);
    if (all.size() < 2) continue;
    std::size_t triangles = 0;
    for (const Node a : all)
      for (const Node b : all)
        triangles += a < b && std::binary_search(graph.neighbours(a).begin(), graph.neighbours(a).end(), b);
    sum += 2.0 * static_cast<double>(triangles) / static_cast<double>(all.size() * (all.size() - 1));
  }
  return sum / graph.nodes();
}

TEST(Graph, LeavesOutLoopsAndRepetitions) {
  const Graph graph(4, {{0, 1}, {1, 0}, {2, 2}, {1, 3}, {0, 1}});
  EXPECT_EQ(graph.nodes(), 4u);
  EXPECT_EQ(graph.edges(), 2u);
  EXPECT_EQ(graph.dropped(), 3u);
  EXPECT_EQ(std::vector<Node>(graph.neighbours(1).begin(), graph.neighbours(1).end()),
            (std::vector<Node>{0, 3}));
  EXPECT_EQ(graph.degree(2), 0u);
}

class Generated : public testing::TestWithParam<Kind> {};
TEST_P(Generated, IsSimpleAndTheSameForTheSameSeed) {
  const Graph graph = generated(GetParam(), 1000), same = generated(GetParam(), 1000);
  bool is_equal = true;
  for (Node v = 0; v < graph.nodes(); ++v) {
    const auto all = graph.neighbours(v), others = same.neighbours(v);
    is_equal = is_equal && std::equal(all.begin(), all.end(), others.begin(), others.end());
    ASSERT_TRUE(std::is_sorted(all.begin(), all.end()));
    ASSERT_EQ(std::adjacent_find(all.begin(), all.end()), all.end());
    for (const Node w : all) {
      ASSERT_NE(v, w);
      const auto back = graph.neighbours(w);
      ASSERT_TRUE(std::binary_search(back.begin(), back.end(), v));
    }
  }
  EXPECT_TRUE(is_equal);
  const Graph other = generated(GetParam(), 1000, 10, 2);
  bool differs = false;
  for (Node v = 0; v < graph.nodes() && !differs; ++v)
    differs = !std::equal(graph.neighbours(v).begin(), graph.neighbours(v).end(), other.neighbours(v).begin(),
                          other.neighbours(v).end());
  EXPECT_TRUE(differs);
}
INSTANTIATE_TEST_SUITE_P(All, Generated,
                         testing::Values(Kind::erdos_renyi, Kind::barabasi_albert, Kind::watts_strogatz,
                                         Kind::regular, Kind::power_law));

TEST(Generated, HaveTheDegreesOfTheirKind) {
  constexpr std::uint32_t kNodes = 20'000;
  const Graph erdos = generated(Kind::erdos_renyi, kNodes, 7.5);
  EXPECT_NEAR(static_cast<double>(erdos.edges()), 7.5 * kNodes / 2, 5 * std::sqrt(7.5 * kNodes / 2));
  EXPECT_NEAR(variance_of_degrees(erdos), 7.5, 0.4);
  EXPECT_LT(clustering(erdos), 0.002);

  const Graph barabasi = generated(Kind::barabasi_albert, kNodes, 6);
  EXPECT_EQ(barabasi.edges(), 6u + std::size_t{kNodes - 4} * 3);
  std::size_t most = 0, least = kNodes, three = 0;
  for (Node v = 0; v < kNodes; ++v) {
    most = std::max(most, barabasi.degree(v));
    least = std::min(least, barabasi.degree(v));
    three += barabasi.degree(v) == 3;
  }
  EXPECT_EQ(least, 3u);
  EXPECT_GT(most, 200u);
  EXPECT_NEAR(static_cast<double>(three), 0.4 * kNodes,
              0.02 * kNodes);  // P(k) = 2 m (m+1) / (k (k+1) (k+2)) = 24 / 60

  const Graph regular = generated(Kind::regular, kNodes, 5);
  EXPECT_EQ(variance_of_degrees(regular), 0);
  EXPECT_EQ(regular.degree(0), 5u);
  EXPECT_LT(clustering(regular), 0.002);

  const Graph small_world = generated(Kind::watts_strogatz, kNodes, 6);
  EXPECT_LT(small_world.dropped(), 20u);
  EXPECT_NEAR(clustering(small_world), 0.6 * 0.9 * 0.9 * 0.9, 0.03);  // of the ring; each edge stays with 0.9

  const Graph complete = generated(Kind::complete, 50);
  EXPECT_EQ(complete.edges(), 50u * 49 / 2);
}

TEST(Generated, PowerLawsHaveTheirExponent) {
  Params params;
  params.graph = Kind::power_law;
  params.nodes = 50'000;
  params.exponent = 2.2;
  params.least_degree = 2;
  const Graph graph = generate(params);
  EXPECT_EQ(graph.dropped(), 0u);
  std::vector<double> number(300, 0);
  for (Node v = 0; v < graph.nodes(); ++v) ++number.at(graph.degree(v));
  EXPECT_EQ(number[0] + number[1], 0);
  EXPECT_NEAR(number[4] / number[2], std::pow(2, -2.2), 0.01);
  EXPECT_NEAR(number[8] / number[4], std::pow(2, -2.2), 0.02);
  EXPECT_EQ(number[224] + number[250], 0);  // sqrt(50,000) is 223.6
}

EdgeList read(const std::string& text) {
  std::istringstream in(text);
  return read_edges(in, "edges");
}

TEST(EdgeList, IsReadHoweverItIsWritten) {
  for (const char* text : {"5 900\n900 12\n", "source,target,weight\n5,900,1\r\n900,12,2\r\n",
                           "\xEF\xBB\xBF# a\n\n5;900\n% b\n 900\t12 # c\n5 900",
                           "\"from\" \"to\"\n5\t900\n12\t900\n900\t900\n"}) {
    SCOPED_TRACE(text);
    const EdgeList list = read(text);
    EXPECT_EQ(list.ids, (std::vector<std::uint64_t>{5, 12, 900}));
    EXPECT_EQ(list.graph.edges(), 2u);
    EXPECT_EQ(list.graph.degree(2), 2u);
  }
  EXPECT_EQ(read("5 900\n5 900\n").graph.dropped(), 1u);
}

TEST(EdgeList, HasLinesThatEndInCarriageReturnsAlone) {
  for (const char* text : {"1 2\r2 3\r", "1 2\r2 3", "# a\r1 2\n2 3\r\n", "1 2 9\r\r2 3"}) {
    SCOPED_TRACE(text);
    const EdgeList list = read(text);
    EXPECT_EQ(list.ids, (std::vector<std::uint64_t>{1, 2, 3}));
    EXPECT_EQ(list.graph.edges(), 2u);
  }
  EXPECT_EQ(test::error_of([] { read("1 2\r2 x\r"); }).substr(0, 12), "edges:2: 'x'");
}

TEST(EdgeList, OfMatrixMarketHasNoEdgeOfSizes) {
  const EdgeList square =
      read("%%MatrixMarket matrix coordinate pattern symmetric\n5 5 4\n2 1\n3 2\n4 3\n5 4\n");
  EXPECT_EQ(square.graph.nodes(), 5u);
  EXPECT_EQ(square.graph.edges(), 4u);
  const EdgeList rectangular =
      read("%%matrixmarket matrix coordinate pattern general\r\n% more\r\n3 9 3\r\n1 4\r\n2 5\r\n3 6\r\n");
  EXPECT_EQ(rectangular.graph.nodes(), 6u);
  EXPECT_EQ(rectangular.graph.edges(), 3u);
  const auto complaint = [](const std::string& text) { return test::error_of([&] { read(text); }); };
  EXPECT_EQ(complaint("%%MatrixMarket matrix array real general\n1 1\n2\n"),
            "edges:1: a MatrixMarket file of another kind: expected 'matrix coordinate'");
  EXPECT_EQ(complaint("%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n"),
            "edges:3: expected 2 entries, as the line of sizes says, found 1");
  EXPECT_EQ(complaint("%%MatrixMarket matrix coordinate pattern general\n3 3 1\n1 4\n"),
            "edges:3: expected a row from 1 to 3 and a column from 1 to 3, found 1 and 4");
}

TEST(EdgeList, IsNoMetisGraph) {
  std::istringstream in("3 2\n2\n1 3\n2\n");
  EXPECT_EQ(test::error_of([&] { read_edges(in, "net.graph"); }),
            "net.graph: a METIS graph by its name: expected a list of edges, two nodes on each line");
}

TEST(EdgeList, CountsLinesOfWhichItIgnoresMore) {
  EXPECT_EQ(read("1 2\n2 3 0.5\n3 4,7 8\n4 5 \n").lines_with_more, 2u);
}

TEST(EdgeList, SaysWhereAFileIsWrong) {
  const auto complaint = [](const std::string& text) -> std::string {
    return test::error_of([&] { read(text); });
  };
  const std::string whole = " is not valid: expected a node, a whole number from 0 to 18446744073709551615";
  EXPECT_EQ(complaint(""), "edges:0: the file ends without an edge");
  EXPECT_EQ(complaint("from to\n# nothing\n"), "edges:2: the file ends without an edge");
  EXPECT_EQ(complaint("1 2\n\n3\n"), "edges:3: expected two nodes, found one");
  EXPECT_EQ(complaint("1 2\nfrom to\n"), "edges:2: 'from'" + whole);
  EXPECT_EQ(complaint("1 -2\n"), "edges:1: '-2'" + whole);
  EXPECT_EQ(complaint("1 2.5\n"), "edges:1: '2.5'" + whole);
  EXPECT_EQ(complaint("1 99999999999999999999\n"), "edges:1: '99999999999999999999'" + whole);
}

}  // namespace
}  // namespace anachron::models::epidemic
