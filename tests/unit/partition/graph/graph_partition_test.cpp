// Partitions of graphs whose best cut is known, on one level and on two.
#include "partition/graph/graph_partition.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <anachron/base/error.hpp>

#include "partition/metis/metis.hpp"
#include "partition/quality.hpp"

namespace anachron::partition {
namespace {

/// Allowed by METIS on each level, and a little for what cannot be divided.
constexpr double kTolerance = 1.05;

class GraphPartition : public testing::Test {
 protected:
  void SetUp() override {
    if (!kHasMetis) GTEST_SKIP() << "built without METIS";
  }
};

/// Everybody of [first, first + size) sends `weight` to everybody else there.
void add_clique(Profile& profile, LpId first, LpId size, double weight) {
  for (LpId a = first; a < first + size; ++a)
    for (LpId b = first; b < first + size; ++b)
      if (a != b) profile.sent.push_back({a, b, weight});
}

/// Cliques of `size` LPs, each with a light link to the next one.
Profile chain_of_cliques(LpId cliques, LpId size) {
  Profile profile;
  profile.work.assign(cliques * size, 1);
  for (LpId k = 0; k < cliques; ++k) {
    add_clique(profile, k * size, size, 1);
    if (k > 0) profile.sent.push_back({k * size - 1, k * size, 0.5});
  }
  return profile;
}

/// Groups of blocks of LPs. Blocks of a group are linked lightly, groups more lightly. LPs are numbered so
/// that neighbours are far apart.
Profile hierarchy(LpId groups, LpId blocks, LpId size) {
  Profile profile;
  const LpId lps = groups * blocks * size;
  profile.work.assign(lps, 1);
  const auto lp = [&](LpId group, LpId block, LpId k) { return (k * blocks + block) * groups + group; };
  for (LpId g = 0; g < groups; ++g)
    for (LpId b = 0; b < blocks; ++b)
      for (LpId k = 0; k < size; ++k) {
        for (LpId other = k + 1; other < size; ++other)
          profile.sent.push_back({lp(g, b, k), lp(g, b, other), 16});
        profile.sent.push_back({lp(g, b, k), lp(g, (b + 1) % blocks, k), 4});
        profile.sent.push_back({lp(g, b, k), lp((g + 1) % groups, b, k), 1});
      }
  return profile;
}

TEST_F(GraphPartition, CutsTwoCliquesApart) {
  const Profile profile = chain_of_cliques(2, 10);
  const auto owners = partition_graph(graph_of(profile), Layout::of(2), Levels::automatic, 1);
  for (LpId lp = 0; lp < 20; ++lp) EXPECT_EQ(owners[lp], owners[lp / 10 * 10]) << lp;
  EXPECT_NE(owners[0], owners[10]);
  EXPECT_EQ(quality_of(profile, Owners(owners), Layout::of(2)).edge_cut, 0.5);
}

TEST_F(GraphPartition, CutsEveryCliqueApart) {
  for (const unsigned pes : {3u, 8u, 12u}) {
    const Profile profile = chain_of_cliques(pes, 16);
    const auto owners = partition_graph(graph_of(profile), Layout::of(pes), Levels::automatic, 1);
    const Quality quality = quality_of(profile, Owners(owners), Layout::of(pes));
    EXPECT_EQ(quality.edge_cut, 0.5 * (pes - 1)) << pes;
    EXPECT_EQ(quality.balance, 1) << pes;
  }
}

TEST_F(GraphPartition, IsBalancedByWork) {
  // A ring, on which a tenth of the LPs has half of the work.
  Profile profile;
  constexpr LpId kLps = 2000;
  for (LpId lp = 0; lp < kLps; ++lp) {
    profile.work.push_back(lp < kLps / 10 ? 9 : 1);
    profile.sent.push_back({lp, (lp + 1) % kLps, 1});
  }
  for (const unsigned pes : {2u, 5u, 16u})
    for (const std::uint64_t seed : {1u, 2u, 3u}) {
      const auto owners = partition_graph(graph_of(profile), Layout::of(pes), Levels::one, seed);
      const Quality quality = quality_of(profile, Owners(owners), Layout::of(pes));
      EXPECT_LE(quality.balance, kTolerance + 9.0 * pes / (18.0 * kLps / 10)) << pes;
      EXPECT_LE(quality.edge_cut, 4 * pes) << pes;
    }
}

TEST_F(GraphPartition, RanksGetWorkAsTheyHavePes) {
  const Profile profile = hierarchy(6, 4, 10);
  const Layout layout{{1, 2, 3}};
  const auto owners = partition_graph(graph_of(profile), layout, Levels::two, 1);
  const Quality quality = quality_of(profile, Owners(owners), layout);
  EXPECT_LE(quality.balance, kTolerance * kTolerance);
}

TEST_F(GraphPartition, TwoLevelsCutNoMoreBetweenRanks) {
  for (const auto& [ranks, pes] : {std::pair{2u, 6u}, {3u, 12u}, {4u, 20u}}) {
    const Layout layout = Layout::of(pes, ranks);
    const Profile profile = hierarchy(ranks, 5, 24);
    const Graph graph = graph_of(profile);
    const Quality flat = quality_of(profile, Owners(partition_graph(graph, layout, Levels::one, 1)), layout);
    const Quality nested =
        quality_of(profile, Owners(partition_graph(graph, layout, Levels::two, 1)), layout);
    EXPECT_LE(nested.between_ranks, flat.between_ranks) << ranks;
    // The groups are the ranks: nothing else is cut between ranks than the lightest links.
    const Quality best{.between_ranks = 1.0 / (16 * 23 / 2.0 + 4 + 1) * (ranks > 1)};
    EXPECT_LE(nested.between_ranks, best.between_ranks * 1.000001) << ranks;
    EXPECT_LE(nested.balance, kTolerance * kTolerance + 1.0 / 6)
        << ranks;  // five blocks for more or fewer PEs
  }
}

TEST_F(GraphPartition, AutomaticIsTwoLevelsWithRanks) {
  const Graph graph = graph_of(hierarchy(3, 4, 12));
  const Layout ranks = Layout::of(7, 2), one = Layout::of(7);
  EXPECT_EQ(partition_graph(graph, ranks, Levels::automatic, 5),
            partition_graph(graph, ranks, Levels::two, 5));
  EXPECT_EQ(partition_graph(graph, one, Levels::automatic, 5), partition_graph(graph, one, Levels::one, 5));
  EXPECT_EQ(partition_graph(graph, one, Levels::two, 5), partition_graph(graph, one, Levels::one, 5));
}

// All ranks must come to the same result.
TEST_F(GraphPartition, IsTheSameEachTime) {
  const Graph graph = graph_of(hierarchy(4, 5, 15));
  const Layout layout = Layout::of(9, 3);
  const auto first = partition_graph(graph, layout, Levels::automatic, 7);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(partition_graph(graph, layout, Levels::automatic, 7), first);
}

TEST_F(GraphPartition, OddGraphsAreDealt) {
  const auto deal = [](const Profile& profile, const Layout& layout) {
    const auto owners = partition_graph(graph_of(profile), layout, Levels::automatic, 1);
    EXPECT_EQ(owners.size(), profile.work.size());
    for (const PeId owner : owners) EXPECT_LT(owner, layout.pes());
    return quality_of(profile, Owners(owners), layout);
  };
  const auto expect_silent = [&](const Profile& profile, const Layout& layout) {
    testing::internal::CaptureStdout();
    const Quality quality = deal(profile, layout);
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
    return quality;
  };
  for (const Layout& layout :
       {Layout::of(1), Layout::of(2), Layout::of(7), Layout::of(40, 4), Layout{{1, 9, 2}}})
    for (const std::size_t lps : {1u, 2u, 3u, 8u, 13u, 100u}) {
      SCOPED_TRACE(std::to_string(lps) + " LPs on " + std::to_string(layout.pes()));
      Profile none;  // no links
      none.work.assign(lps, 1);
      expect_silent(none, layout);
      Profile idle = none;  // no work
      idle.work.assign(lps, 0);
      expect_silent(idle, layout);
      Profile heavy = none;  // all work at one LP, and all send to it
      heavy.work[0] = 1e9;
      for (LpId lp = 1; lp < lps; ++lp) heavy.sent.push_back({lp, 0, 1e-6});
      expect_silent(heavy, layout);
      Profile uneven = none;
      for (LpId lp = 0; lp < lps; ++lp) {
        uneven.work[lp] = lp * lp * lp;
        uneven.sent.push_back({lp, static_cast<LpId>(lp * 7 % lps), 1e12});
        uneven.sent.push_back({lp, static_cast<LpId>(lp * 3 % lps), 1e-12});
      }
      expect_silent(uneven, layout);
    }
}

TEST_F(GraphPartition, AnLpThatFillsItsPeIsAlone) {
  Profile profile;
  profile.work.assign(31, 1);
  profile.work[7] = 100;
  for (LpId lp = 0; lp + 1 < 31; ++lp) profile.sent.push_back({lp, lp + 1, 1});
  const auto owners = partition_graph(graph_of(profile), Layout::of(4), Levels::one, 1);
  std::vector<int> lps(4);
  for (const PeId owner : owners) ++lps[owner];
  EXPECT_EQ(lps[owners[7]], 1);
  for (const int n : lps) EXPECT_LE(n, 11);
}

TEST_F(GraphPartition, NoPeIsWithoutLps) {
  Profile profile;
  profile.work.assign(20, 0);
  profile.work[3] = profile.work[4] = profile.work[5] = 1;
  for (LpId lp = 1; lp < 20; ++lp) profile.sent.push_back({0, lp, 1});
  for (const Layout& layout : {Layout::of(7), Layout::of(20), Layout::of(9, 3)}) {
    std::vector<int> lps(layout.pes());
    for (const PeId owner : partition_graph(graph_of(profile), layout, Levels::automatic, 1)) ++lps[owner];
    EXPECT_GT(*std::min_element(lps.begin(), lps.end()), 0) << layout.pes();
  }
}

TEST(WithoutMetis, IsAnErrorThatSaysWhatToInstall) {
  if (kHasMetis) GTEST_SKIP() << "built with METIS";
  try {
    require_metis();
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("libmetis-dev"), std::string::npos) << error.what();
  }
}

TEST(Graph, AddsUpBothDirections) {
  const Graph graph = graph_of(
      {.work = {1, 2, 3}, .sent = {{0, 1, 5}, {1, 0, 2}, {2, 2, 9}, {0, 1, 1}, {2, 0, 4}}, .spread = {}});
  EXPECT_EQ(graph.first, (std::vector<std::uint64_t>{0, 2, 3, 4}));
  EXPECT_EQ(graph.to, (std::vector<std::uint32_t>{1, 2, 0, 0}));
  EXPECT_EQ(graph.weight, (std::vector<double>{8, 4, 8, 4}));
}

TEST(Graph, IsSplitByGroups) {
  const Graph graph =
      graph_of({.work = {1, 2, 3, 4}, .sent = {{0, 1, 5}, {1, 3, 6}, {3, 2, 7}, {2, 0, 8}}, .spread = {}});
  const auto parts = split(graph, std::vector<std::uint32_t>{1, 0, 1, 0}, 3);
  ASSERT_EQ(parts.size(), 3u);
  EXPECT_EQ(parts[0].vertices, (std::vector<std::uint32_t>{1, 3}));
  EXPECT_EQ(parts[0].graph.work, (std::vector<double>{2, 4}));
  EXPECT_EQ(parts[0].graph.to, (std::vector<std::uint32_t>{1, 0}));
  EXPECT_EQ(parts[0].graph.weight, (std::vector<double>{6, 6}));
  EXPECT_EQ(parts[1].vertices, (std::vector<std::uint32_t>{0, 2}));
  EXPECT_EQ(parts[1].graph.weight, (std::vector<double>{8, 8}));
  EXPECT_EQ(parts[2].graph.size(), 0u);
}

TEST(Quality, CountsWhatGoesToOthers) {
  const Profile profile{
      .work = {1, 1, 1, 5}, .sent = {{0, 1, 2}, {1, 2, 3}, {3, 0, 4}, {2, 2, 1}}, .spread = {}};
  const Quality quality = quality_of(profile, Owners({0, 0, 1, 2}), Layout{{2, 1}});
  EXPECT_EQ(quality.edge_cut, 7);
  EXPECT_EQ(quality.remote, 0.7);
  EXPECT_EQ(quality.between_ranks, 0.4);
  EXPECT_EQ(quality.balance, 5.0 * 3 / 8);
}

TEST(Quality, KnowsWhatGoesAnywhere) {
  // Of two LPs on PE 0, one on PE 1 and one on the other rank; each sends once to itself and three times
  // anywhere.
  const Profile profile{.work = {1, 1, 1, 1},
                        .sent = {{0, 0, 1}, {1, 1, 1}, {2, 2, 1}, {3, 3, 1}},
                        .spread = {{0, 0, 4, 3}, {1, 0, 4, 3}, {2, 0, 4, 3}, {3, 0, 4, 3}}};
  const Quality quality = quality_of(profile, Owners({0, 0, 1, 2}), Layout{{2, 1}});
  EXPECT_DOUBLE_EQ(quality.edge_cut, 3 * (0.5 + 0.5 + 0.75 + 0.75));
  EXPECT_DOUBLE_EQ(quality.remote, 3.0 / 4 * (0.5 + 0.5 + 0.75 + 0.75) / 4);
  EXPECT_DOUBLE_EQ(quality.between_ranks, 3.0 / 4 * (0.25 * 3 + 0.75) / 4);
}

TEST(Quality, CountsEveryLpOfARange) {
  const Profile profile{
      .work = {1, 1, 1, 1, 1, 1}, .sent = {}, .spread = {{0, 1, 3, 6}, {0, 5, 1, 1}, {4, 2, 4, 8}}};
  // LP 0 sends to 1, 2 and 3, of which one is with it, and to 5; LP 4 to 2, 3, 4 and 5, of which it is one.
  const Quality quality = quality_of(profile, Owners({0, 1, 0, 1, 1, 0}), Layout::of(2));
  EXPECT_DOUBLE_EQ(quality.edge_cut, 4 + 8 / 2);
  EXPECT_DOUBLE_EQ(quality.remote, 8.0 / 15);
}

}  // namespace
}  // namespace anachron::partition
