// When committed records may be dropped.
#include "lp/retention.hpp"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <random>

#include <gtest/gtest.h>

#include "scale.hpp"

namespace anachron::lp {
namespace {

using test::scaled;

TEST(Retention, KeepsNothingThatNothingReliesOn) {
  Retention retention;
  EXPECT_TRUE(retention.is_free(10));
  EXPECT_EQ(retention.droppable(10, 0), 10u);
  EXPECT_EQ(retention.floor(), 10u);
}

TEST(Retention, KeepsTheLagForNewEntries) {
  Retention retention;
  EXPECT_EQ(retention.droppable(10, 4), 6u);
  EXPECT_EQ(retention.floor(), 6u);
  EXPECT_EQ(retention.droppable(3000, 10'000), 6u);
}

TEST(Retention, WaitsUntilWhatReliesOnItIsCommitted) {
  Retention retention;
  retention.add_dependent(15);
  EXPECT_EQ(retention.droppable(10, 0), 0u);
  EXPECT_EQ(retention.floor(), 10u) << "announced";
  EXPECT_EQ(retention.droppable(14, 0), 0u);
  EXPECT_EQ(retention.droppable(15, 0), 15u);
}

TEST(Retention, NewDependentsDoNotHoldUpWhatWasAnnounced) {
  Retention retention;
  retention.add_dependent(15);
  EXPECT_EQ(retention.droppable(10, 0), 0u);
  retention.add_dependent(30);  // relies on something beyond 10
  EXPECT_EQ(retention.droppable(20, 0), 10u);
  EXPECT_EQ(retention.floor(), 20u);
}

// Entries rely on others in any way that the floor allows, and commit in any steps: what an uncommitted one
// relies on is never dropped, and in the end all is.
TEST(Retention, NeverDropsWhatIsNeeded) {
  for (std::uint64_t seed = 0; seed < static_cast<std::uint64_t>(scaled(200)); ++seed) {
    std::mt19937_64 random(seed);
    Retention retention;
    struct Entry {
      std::uint64_t index, relies_on;
    };
    std::deque<Entry> uncommitted;
    std::uint64_t end = 0, committed = 0, dropped = 0;
    const std::uint64_t lag = random() % 3 ? random() % 40 : 0;
    for (int step = 0; step < 300; ++step) {
      if (random() % 3 && step < 250) {
        ++end;
        std::uint64_t relies_on = end;
        if (random() % 2 && end - 1 > retention.floor()) {
          relies_on = retention.floor() + 1 + random() % (end - 1 - retention.floor());
          retention.add_dependent(end);
        }
        uncommitted.push_back({end, relies_on});
      } else {
        committed += random() % (end - committed + 1);
        while (!uncommitted.empty() && uncommitted.front().index <= committed) uncommitted.pop_front();
        const std::uint64_t droppable = retention.droppable(committed, lag);
        ASSERT_GE(droppable, dropped);
        ASSERT_LE(droppable, committed);
        dropped = droppable;
        for (const Entry& entry : uncommitted) ASSERT_GT(entry.relies_on, dropped) << "seed " << seed;
      }
    }
    EXPECT_EQ(retention.droppable(end, 0), retention.droppable(end, 0));
    EXPECT_EQ(retention.droppable(end, 0), end);
  }
}

}  // namespace
}  // namespace anachron::lp
