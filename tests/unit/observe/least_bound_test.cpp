// The least of what many have told.
#include "observe/least_bound.hpp"

#include <algorithm>
#include <optional>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "scale.hpp"

namespace anachron::observe {
namespace {

event::EventKey key(Time time) { return {.time = time}; }

TEST(LeastBound, IsNoneUntilAllHaveToldOne) {
  LeastBound bounds(3);
  EXPECT_EQ(bounds.least(), std::nullopt);
  bounds.set(0, key(2));
  bounds.set(2, key(1));
  EXPECT_EQ(bounds.least(), std::nullopt);
  bounds.set(1, key(3));
  EXPECT_EQ(bounds.least(), key(1));
  bounds.set(2, std::nullopt);
  EXPECT_EQ(bounds.least(), std::nullopt);
}

TEST(LeastBound, IsTheLeastOfAll) {
  std::mt19937 random(1);
  for (int n = 0; n < test::scaled(50); ++n) {
    const std::size_t tellers = 1 + random() % 40;
    LeastBound bounds(tellers);
    std::vector<std::optional<event::EventKey>> all(tellers);
    for (int turn = 0; turn < 200; ++turn) {
      const std::size_t teller = random() % tellers;
      all[teller] = key(static_cast<Time>(random() % 100));
      bounds.set(teller, all[teller]);
      ASSERT_EQ(bounds.least(), *std::min_element(all.begin(), all.end())) << tellers;
    }
  }
}

}  // namespace
}  // namespace anachron::observe
