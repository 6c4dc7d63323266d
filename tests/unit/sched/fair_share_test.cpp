#include "sched/trials/other_loads.hpp"

#include <gtest/gtest.h>

namespace anachron::sched {
namespace {

TEST(FairShare, IsThatOfEachThread) {
  EXPECT_EQ(fair_share(0, 2, 2), 1);
  EXPECT_EQ(fair_share(2, 2, 2), 0.5);
  EXPECT_EQ(fair_share(1, 1, 2), 1);
  EXPECT_DOUBLE_EQ(fair_share(2, 1, 2), 2.0 / 3);
  EXPECT_DOUBLE_EQ(foreign_threads(2.0 / 3, 2, 2), 1);
  EXPECT_EQ(foreign_threads(0.25, 8, 2), 0);
  EXPECT_EQ(foreign_threads(1.0, 1, 2), 1) << "at most: one worker does not see who has the other core";
}

TEST(LongShare, IsWhatIsExpectedUntilItIsKnown) {
  LongShare share(1);
  EXPECT_EQ(share.value(), 1);
  share.add(0.01, 0.02);
  EXPECT_GT(share.value(), 0.9);
  for (int i = 0; i < 100; ++i) share.add(0.01, 0.02);
  EXPECT_LT(share.value(), 0.55);
}

}  // namespace
}  // namespace anachron::sched
