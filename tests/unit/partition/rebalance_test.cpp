// LPs that move from PEs with much to do to others.
#include "partition/rebalance.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include <anachron/model/lp_ops.hpp>
#include <anachron/model/model.hpp>

namespace anachron::partition {
namespace {

struct Note {};
struct Member {
  struct Params {
    std::uint32_t clusters = 1;
  };
  static std::uint32_t cluster(const Params& params, std::uint32_t index) { return index % params.clusters; }
  void on(Context<Member>&, const Note&) {}
};
struct Loner {
  void on(Context<Loner>&, const Note&) {}
};

Clusters loners(std::uint32_t lps) {
  const std::vector<event::LpTypeEntry> types{{&detail::lp_ops<Loner>(), 0, lps, nullptr, nullptr}};
  return Clusters(types);
}

std::vector<PeId> in_blocks(std::size_t lps, std::size_t pes) {
  std::vector<PeId> owners;
  for (std::size_t lp = 0; lp < lps; ++lp) owners.push_back(static_cast<PeId>(lp * pes / lps));
  return owners;
}

double greatest_share(const std::vector<PeId>& owners, const std::vector<std::uint32_t>& loads,
                      std::size_t pes) {
  const auto of_pes = loads_of_pes(Owners(owners), loads, pes);
  const auto all = std::accumulate(of_pes.begin(), of_pes.end(), std::uint64_t{0});
  return static_cast<double>(*std::max_element(of_pes.begin(), of_pes.end())) / static_cast<double>(all);
}

void carry_out(const std::vector<lp::Move>& moves, std::vector<PeId>& owners) {
  for (const lp::Move& move : moves) {
    EXPECT_NE(owners[move.lp], move.to);
    owners[move.lp] = move.to;
  }
}

TEST(Rebalance, LeavesWhatIsEven) {
  const std::vector<std::uint32_t> loads(1000, 7);
  EXPECT_TRUE(rebalance(Owners(in_blocks(1000, 4)), loads, loners(1000), 4).empty());
  EXPECT_TRUE(
      rebalance(Owners(in_blocks(1000, 4)), std::vector<std::uint32_t>(1000), loners(1000), 4).empty());
}

TEST(Rebalance, MovesFewLpsOfAHotSpot) {
  std::vector<std::uint32_t> loads(1000, 10);
  std::fill_n(loads.begin() + 100, 125, 50);  // of PE 0, which has three fifths of all then
  std::vector<PeId> owners = in_blocks(1000, 4);
  EXPECT_GT(greatest_share(owners, loads, 4), 0.45);
  const auto moves = rebalance(Owners(owners), loads, loners(1000), 4);
  EXPECT_LT(moves.size(), 125u) << "hot ones are enough";
  carry_out(moves, owners);
  EXPECT_LT(greatest_share(owners, loads, 4), 0.26);
}

TEST(Rebalance, MovesNeighboursTogether) {
  std::vector<std::uint32_t> loads(400, 1);
  std::fill_n(loads.begin(), 100, 9);
  const auto moves = rebalance(Owners(in_blocks(400, 2)), loads, loners(400), 2);
  ASSERT_FALSE(moves.empty());
  EXPECT_EQ(moves.back().lp - moves.front().lp + 1, moves.size()) << "a row";
}

TEST(Rebalance, DoesNotCarryAHotLpToAndFro) {
  std::vector<std::uint32_t> loads(10, 1);
  loads[3] = 1000;
  std::vector<PeId> owners = in_blocks(10, 2);
  const auto moves = rebalance(Owners(owners), loads, loners(10), 2);
  for (const lp::Move& move : moves) EXPECT_NE(move.lp, 3u);
}

TEST(Rebalance, KeepsClustersTogether) {
  const Member::Params params{.clusters = 20};
  const std::vector<event::LpTypeEntry> types{{&detail::lp_ops<Member>(), 0, 400, &params, nullptr}};
  const Clusters clusters(types);
  std::vector<std::uint32_t> loads(400);
  std::vector<PeId> owners(400);
  for (LpId lp = 0; lp < 400; ++lp) {
    owners[lp] = static_cast<PeId>(lp % 20 / 5);
    loads[lp] = owners[lp] == 2 ? 30 : 10;
  }
  const auto moves = rebalance(Owners(owners), loads, clusters, 4);
  ASSERT_FALSE(moves.empty());
  carry_out(moves, owners);
  for (LpId lp = 20; lp < 400; ++lp) EXPECT_EQ(owners[lp], owners[lp % 20]);
  EXPECT_LT(greatest_share(owners, loads, 4), 0.35);
}

TEST(Rebalance, MakesNoPeWorseThanTheWorstBefore) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 300; ++round) {
    const std::size_t lps = 1 + random() % 200, pes = 1 + random() % 9;
    std::vector<std::uint32_t> loads(lps);
    std::vector<PeId> owners(lps);
    for (std::size_t lp = 0; lp < lps; ++lp) {
      loads[lp] = static_cast<std::uint32_t>(random() % 3 ? random() % 10 : random() % 1000);
      owners[lp] = static_cast<PeId>(random() % pes);
    }
    const double before = greatest_share(owners, loads, pes);
    const auto moves = rebalance(Owners(owners), loads, loners(static_cast<std::uint32_t>(lps)), pes);
    for (const lp::Move& move : moves) owners[move.lp] = move.to;
    if (before > 0) {
      EXPECT_LE(greatest_share(owners, loads, pes), before);
    }
  }
}

}  // namespace
}  // namespace anachron::partition
