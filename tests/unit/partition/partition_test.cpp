#include "partition/partition.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <anachron/base/error.hpp>

namespace anachron::partition {
namespace {

constexpr event::LpOps kPlain{};

std::vector<event::LpTypeEntry> types(const std::vector<std::uint32_t>& counts,
                                      const event::LpOps& ops = kPlain) {
  std::vector<event::LpTypeEntry> out;
  LpId first = 0;
  for (const std::uint32_t count : counts) {
    out.push_back({.ops = &ops, .first = first, .count = count});
    first += count;
  }
  return out;
}

std::vector<PeId> owners_by(Partition kind, const std::vector<event::LpTypeEntry>& lps, unsigned pes,
                            std::uint64_t seed) {
  Config config;
  config.partition = kind;
  config.seed = seed;
  return partition::deal(config, lps, Layout::of(pes)).owners.of_lps();
}

/// How many LPs `first` to `first + count - 1` each PE owns.
std::vector<std::uint32_t> shares(const std::vector<PeId>& owners, std::size_t first, std::size_t count,
                                  unsigned pes) {
  std::vector<std::uint32_t> out(pes);
  for (std::size_t id = first; id < first + count; ++id) ++out.at(owners.at(id));
  return out;
}

void expect_even(const std::vector<std::uint32_t>& shares) {
  const auto [least, most] = std::minmax_element(shares.begin(), shares.end());
  EXPECT_LE(*most - *least, 1u);
}

const Partition kAll[] = {Partition::block, Partition::round_robin, Partition::random};

TEST(Partition, OwnsEachLpOnce) {
  for (const Partition kind : kAll)
    for (const unsigned pes : {1u, 2u, 3u, 8u, 100u, 65535u}) {
      const auto owners = owners_by(kind, types({10, 1, 57}), pes, 1);
      ASSERT_EQ(owners.size(), 68u);
      for (const PeId owner : owners) EXPECT_LT(owner, pes);
    }
}

TEST(Partition, BlocksAreContiguousAndEven) {
  const auto owners = owners_by(Partition::block, types({10, 1003}), 4, 1);
  EXPECT_TRUE(std::is_sorted(owners.begin(), owners.begin() + 10));
  EXPECT_TRUE(std::is_sorted(owners.begin() + 10, owners.end()));
  expect_even(shares(owners, 10, 1003, 4));
  expect_even(shares(owners, 0, 1013, 4));
}

TEST(Partition, EightTypesOfOneLpAreOnAllPes) {
  const auto all = types({1, 1, 1, 1, 1, 1, 1, 1});
  for (const Partition kind : {Partition::block, Partition::round_robin})
    for (const unsigned pes : {2u, 3u, 4u, 8u}) expect_even(shares(owners_by(kind, all, pes, 1), 0, 8, pes));
}

TEST(Partition, LightTypesLevelOutHeavyOnes) {
  // The one LP of the first type does as much as all others together, which say nothing of their own.
  event::LpOps heavy{}, light{};
  heavy.load = [](const void*, const void*, std::uint32_t) { return 30.0; };
  light.load = [](const void*, const void*, std::uint32_t) { return 1.0; };
  auto all = types({1, 10, 10, 10}, light);
  all[0].ops = &heavy;
  const auto owners = owners_by(Partition::block, all, 2, 1);
  EXPECT_EQ(shares(owners, 0, 31, 2), (std::vector<std::uint32_t>{30, 1}));
}

TEST(Partition, WithoutALoadAnLpIsLikeTheOthers) {
  event::LpOps declared{};
  declared.load = [](const void*, const void*, std::uint32_t k) { return k == 0 ? 5e6 : 1e6; };
  auto all = types({6, 4});
  all[0].ops = &declared;
  const auto owners = owners_by(Partition::block, all, 2, 1);
  // 5 + 1 + 1 + 1 + 1 + 1, and four of 10 / 6.
  EXPECT_EQ(shares(owners, 0, 6, 2), (std::vector<std::uint32_t>{1, 5}));
  EXPECT_EQ(shares(owners, 6, 4, 2), (std::vector<std::uint32_t>{2, 2}));
}

TEST(Partition, TypesOfTheSameSizeAreCutAlike) {
  const auto owners = owners_by(Partition::block, types({1000, 1000, 1000}), 7, 1);
  for (std::size_t k = 0; k < 1000; ++k) {
    EXPECT_NEAR(owners[k], owners[1000 + k], 1);
    EXPECT_NEAR(owners[k], owners[2000 + k], 1);
  }
  expect_even(shares(owners, 0, 3000, 7));
}

TEST(Partition, LoadsThatAreAllAlikeAreAsGoodAsNone) {
  event::LpOps declared{}, silent{};
  declared.load = [](const void*, const void*, std::uint32_t) { return 1.0; };
  for (const std::vector<std::uint32_t>& counts :
       std::vector<std::vector<std::uint32_t>>{{1}, {10}, {10, 1003}, {1, 1, 1, 1}, {5, 100'003, 77, 1000}})
    for (const unsigned pes : {1u, 2u, 3u, 7u, 64u, 1000u})
      EXPECT_EQ(owners_by(Partition::block, types(counts, silent), pes, 1),
                owners_by(Partition::block, types(counts, declared), pes, 1))
          << pes;
}

TEST(Partition, OfAHundredMillionLpsTakesLittle) {
  const Owners owners = deal(Config(), types({100'000'000, 1000}), Layout::of(64)).owners;
  EXPECT_LT(owners.bytes(), 10'000u);
  EXPECT_EQ(owners[100'000'999], 63u);
}

TEST(Partition, RoundRobinTakesTurns) {
  const auto owners = owners_by(Partition::round_robin, types({5, 7}), 3, 1);
  EXPECT_EQ(owners, (std::vector<PeId>{0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2}));
}

TEST(Partition, RandomSpreadsEachTypeOverAllPes) {
  const auto owners = owners_by(Partition::random, types({10'000, 10'000}), 4, 1);
  for (const std::size_t first : {0u, 10'000u})
    for (const std::uint32_t share : shares(owners, first, 10'000, 4)) EXPECT_NEAR(share, 2500, 250);
}

TEST(Partition, RanksShareOutTheSamePes) {
  Config config;
  for (const Partition kind : kAll) {
    config.partition = kind;
    EXPECT_EQ(deal(config, types({100, 7}), Layout{{3, 2}}).owners,
              deal(config, types({100, 7}), Layout::of(5)).owners);
  }
}

TEST(Layout, DealsPesToRanks) {
  EXPECT_EQ(Layout::of(7, 3).pes_of_rank, (std::vector<unsigned>{3, 2, 2}));
  EXPECT_EQ(Layout::of(7, 3).pes(), 7u);
  EXPECT_EQ(Layout::of(7, 3).rank_of_pe(), (std::vector<unsigned>{0, 0, 0, 1, 1, 2, 2}));
  EXPECT_EQ(Layout::of(5).ranks(), 1u);
}

TEST(Partition, RandomDependsOnTheSeedOnly) {
  const auto all = types({1000});
  EXPECT_EQ(owners_by(Partition::random, all, 4, 7), owners_by(Partition::random, all, 4, 7));
  EXPECT_NE(owners_by(Partition::random, all, 4, 7), owners_by(Partition::random, all, 4, 8));
}

TEST(Partition, ManyLpsDoNotOverflow) {
  const auto owners = owners_by(Partition::block, types({3'000'000}), 65535, 1);
  EXPECT_EQ(owners.front(), 0);
  EXPECT_EQ(owners.back(), 65534);
  EXPECT_TRUE(std::is_sorted(owners.begin(), owners.end()));
  expect_even(shares(owners, 0, owners.size(), 65535));
}

event::LpOps with_load(double (*load)(const void*, const void*, std::uint32_t)) {
  event::LpOps ops{};
  ops.name = "Road";
  ops.load = load;
  return ops;
}

TEST(Partition, BlocksHaveTheSameLoad) {
  const auto ops = with_load([](const void*, const void*, std::uint32_t k) { return k < 10 ? 90.0 : 1.0; });
  const auto owners = owners_by(Partition::block, types({910}, ops), 2, 1);
  EXPECT_TRUE(std::is_sorted(owners.begin(), owners.end()));
  // The first ten have half of the load, the other 900 have the other half.
  EXPECT_EQ(shares(owners, 0, 910, 2), (std::vector<std::uint32_t>{10, 900}));
}

TEST(Partition, BlocksWithoutAnyLoadAreEven) {
  const auto ops = with_load([](const void*, const void*, std::uint32_t) { return 0.0; });
  expect_even(shares(owners_by(Partition::block, types({100}, ops), 8, 1), 0, 100, 8));
}

TEST(Partition, OneLpMayHaveAllTheLoad) {
  const auto ops = with_load([](const void*, const void*, std::uint32_t k) { return k == 50 ? 1.0 : 0.0; });
  const auto owners = owners_by(Partition::block, types({100}, ops), 8, 1);
  EXPECT_TRUE(std::is_sorted(owners.begin(), owners.end()));
  EXPECT_LT(owners.back(), 8);
}

TEST(Partition, BlocksKeepNearPositionsTogether) {
  event::LpOps ops{};
  ops.position = [](const void*, const void*, std::uint32_t k) { return static_cast<double>(k % 10); };
  const auto owners = owners_by(Partition::block, types({100}, ops), 2, 1);
  for (std::uint32_t k = 0; k < 100; ++k) EXPECT_EQ(owners[k], k % 10 < 5 ? 0 : 1) << k;
}

TEST(Partition, TypesWithPositionsAreCutTogether) {
  event::LpOps roads{}, crossings{};
  roads.position = [](const void*, const void*, std::uint32_t k) { return k < 90 ? 1.0 : 2.0; };
  crossings.position = [](const void*, const void*, std::uint32_t) { return 2.0; };
  auto both = types({100, 80});
  both[0].ops = &roads;
  both[1].ops = &crossings;
  const auto owners = owners_by(Partition::block, both, 2, 1);
  EXPECT_EQ(shares(owners, 0, 90, 2), (std::vector<std::uint32_t>{90, 0}));
  EXPECT_EQ(shares(owners, 90, 90, 2), (std::vector<std::uint32_t>{0, 90}));
}

TEST(Partition, AnImpossiblePositionIsNamed) {
  event::LpOps ops{};
  ops.name = "Road";
  ops.position = [](const void*, const void*, std::uint32_t) { return std::nan(""); };
  try {
    owners_by(Partition::block, types({3}, ops), 2, 1);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("position of Road 0"), std::string::npos) << error.what();
  }
}

TEST(Partition, AnImpossibleLoadIsNamed) {
  for (const auto load : {+[](const void*, const void*, std::uint32_t) { return -1.0; },
                          +[](const void*, const void*, std::uint32_t) { return std::nan(""); }}) {
    const auto ops = with_load(load);
    try {
      owners_by(Partition::block, types({3}, ops), 2, 1);
      FAIL();
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("load of Road 0"), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace anachron::partition
