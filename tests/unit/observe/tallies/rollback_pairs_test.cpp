#include "observe/tallies/rollback_pairs.hpp"

#include <gtest/gtest.h>

namespace anachron::observe {
namespace {

TEST(RollbackPairs, AreCountedExactlyWhileTheyAreFew) {
  RollbackPairs pairs;
  for (int i = 0; i < 5; ++i) pairs.add(1, 2);
  for (int i = 0; i < 7; ++i) pairs.add(2, 1);
  std::vector<LpPair> all = pairs.all();
  keep_most(all, 10);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].sender, 2u);
  EXPECT_EQ(all[0].rollbacks, 7u);
  EXPECT_EQ(all[1].receiver, 2u);
  EXPECT_EQ(all[1].rollbacks, 5u);
}

TEST(RollbackPairs, ThatComeOftenAreFoundAmongMany) {
  RollbackPairs pairs;
  for (LpId i = 0; i < 20'000; ++i) {
    pairs.add(i, i + 1);
    if (i % 4 == 0) pairs.add(7, 9);
  }
  std::vector<LpPair> all = pairs.all();
  keep_most(all, 1);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].sender, 7u);
  EXPECT_GT(all[0].rollbacks, 5'000u * 9 / 10);
  EXPECT_LE(all[0].rollbacks, 5'000u);
}

TEST(RollbackPairs, OfSeveralPesAreAddedUp) {
  std::vector<LpPair> pairs{{1, 2, 3}, {2, 1, 6}, {1, 2, 4}, {1, 2, 1}};
  keep_most(pairs, 10);
  ASSERT_EQ(pairs.size(), 2u);
  EXPECT_EQ(pairs[0].sender, 1u);
  EXPECT_EQ(pairs[0].rollbacks, 8u);
  EXPECT_EQ(pairs[1].rollbacks, 6u);
}

TEST(RollbackPairs, OfEqualCountsAreInTheOrderOfLps) {
  std::vector<LpPair> pairs{{3, 1, 4}, {1, 2, 4}, {1, 1, 4}, {9, 9, 5}};
  keep_most(pairs, 3);
  EXPECT_EQ(pairs[0].sender, 9u);
  EXPECT_EQ(pairs[1].receiver, 1u);
  EXPECT_EQ(pairs[2].receiver, 2u);
}

}  // namespace
}  // namespace anachron::observe
