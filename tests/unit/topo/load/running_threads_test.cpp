#include "topo/load/running_threads.hpp"

#include <gtest/gtest.h>

namespace anachron::topo {
namespace {

TEST(RunningThreads, AreTheFourthNumber) {
  EXPECT_EQ(running_threads("0.58 2.40 2.78 3/78 10437\n"), 3);
  EXPECT_EQ(running_threads("0.00 0.00 0.00 120/4000 1\n"), 120);
}

TEST(RunningThreads, AreNoneWhereTheSystemDoesNotTell) {
  EXPECT_EQ(running_threads(""), std::nullopt);
  EXPECT_EQ(running_threads("0.58 2.40 2.78"), std::nullopt);
  EXPECT_EQ(running_threads("0.58 2.40 2.78 3"), std::nullopt);
  EXPECT_EQ(running_threads("0.58 2.40 2.78 x/78 10437\n"), std::nullopt);
  EXPECT_EQ(running_threads("0.00 0.00 0.00 0/0 0\n"), std::nullopt) << "whoever asks runs";
}

TEST(RunningThreads, HaveTheOneThatAsks) {
  const auto count = RunningThreads().count();
  if (!count) GTEST_SKIP() << "the system does not tell, or not of the processors that may be used";
  EXPECT_GE(*count, 1);
}

}  // namespace
}  // namespace anachron::topo
