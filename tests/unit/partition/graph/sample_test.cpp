// What METIS sees of ranges of LPs.
#include "partition/graph/sample.hpp"

#include <cstdint>
#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace anachron::partition {
namespace {

Profile profile_of(std::vector<Spread> spread) {
  return {.work = std::vector<double>(1000, 1), .sent = {{3, 4, 5}}, .spread = std::move(spread)};
}

TEST(Sample, TakesAFewLpsWhole) {
  const Profile profile = sampled(profile_of({{0, 10, 2, 6}, {0, 20, 1, 1}, {7, 0, 1, 2}}));
  EXPECT_EQ(profile.sent, (std::vector<Sent>{{3, 4, 5}, {0, 10, 3}, {0, 11, 3}, {0, 20, 1}, {7, 0, 2}}));
  EXPECT_TRUE(profile.spread.empty());
}

TEST(Sample, LeavesOutWhatGoesToAnyLp) {
  EXPECT_EQ(sampled(profile_of({{0, 0, 1000, 6}})).sent, (std::vector<Sent>{{3, 4, 5}}));
  EXPECT_EQ(draws_of(std::vector<Spread>{{0, 0, 1000, 6}}, 1000), 0u);
}

// Of all that is sent each draw stands for the same part.
TEST(Sample, DrawsFromRangesAsTheyHaveWeight) {
  const std::vector<Spread> ranges{{2, 100, 50, 3}, {2, 500, 300, 1}};
  const Profile profile = sampled(profile_of(ranges));
  ASSERT_EQ(profile.sent.size(), 1 + draws_of(ranges, 1000));
  double near = 0, far = 0;
  std::set<LpId> different;
  for (const Sent& sent : profile.sent) {
    if (sent.from != 2) continue;
    (sent.to < 500 ? near : far) += sent.weight;
    EXPECT_TRUE((sent.to >= 100 && sent.to < 150) || (sent.to >= 500 && sent.to < 800)) << sent.to;
    different.insert(sent.to);
  }
  EXPECT_DOUBLE_EQ(near, 3);
  EXPECT_DOUBLE_EQ(far, 1);
  EXPECT_GE(different.size(), 7u);
}

TEST(Sample, IsAlwaysTheSameAndAnotherForEachLp) {
  const auto drawn = [](LpId from) {
    std::vector<LpId> to;
    for (const Sent& sent : sampled(profile_of({{from, 0, 900, 1}})).sent)
      if (sent.weight != 5) to.push_back(sent.to);
    return to;
  };
  EXPECT_EQ(drawn(1), drawn(1));
  EXPECT_NE(drawn(1), drawn(2));
}

}  // namespace
}  // namespace anachron::partition
