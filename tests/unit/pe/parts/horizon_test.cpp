// How far ahead a PE may execute.
#include "pe/parts/horizon.hpp"

#include <gtest/gtest.h>

namespace anachron::pe {
namespace {

Config config(Throttle throttle) {
  Config config;
  config.sync = Sync::optimistic;
  config.throttle = throttle;
  return config;
}
gvt::Round round(Time bound, Time horizon) {
  return {.bound = event::EventKey{.time = bound}, .horizon = horizon};
}

TEST(Horizon, IsClosedUntilTheFirstRound) {
  Horizon horizon(config(Throttle::none));
  EXPECT_EQ(horizon.time(), 0);
  EXPECT_FALSE(horizon.has_own_window());
  horizon.adopt(round(1, 5));
  EXPECT_EQ(horizon.time(), 5);
  horizon.close();
  EXPECT_EQ(horizon.time(), 0);
}

TEST(Horizon, LetsTheEventAtTheBoundPassUntilTheNextRound) {
  Horizon horizon(config(Throttle::none));
  horizon.adopt(round(7, 3));
  EXPECT_EQ(horizon.time(), 3);
  horizon.pass({.time = 7});
  EXPECT_GT(horizon.time(), 7);
  horizon.adopt(round(7, 3));
  EXPECT_EQ(horizon.time(), 3);
  horizon.adopt(round(7, 30));
  horizon.pass({.time = 7});
  EXPECT_EQ(horizon.time(), 30);
}

class HorizonWithWindow : public testing::TestWithParam<Throttle> {
 protected:
  /// With a window of about 2 beyond GVT.
  void learn(Time gvt) {
    horizon_.adopt(round(gvt, kForever));
    for (int n = 0; n < 200; ++n) horizon_.rolled_back(gvt + 2);
    horizon_.adopt(round(gvt, kForever));
  }
  Horizon horizon_{config(GetParam())};
};
INSTANTIATE_TEST_SUITE_P(All, HorizonWithWindow, testing::Values(Throttle::atw, Throttle::atw_repaired),
                         [](const auto& throttle) {
                           return throttle.param == Throttle::atw ? "as_printed" : "repaired";
                         });

TEST_P(HorizonWithWindow, IsTheNearerOfRoundAndWindow) {
  EXPECT_TRUE(horizon_.has_own_window());
  learn(10);
  EXPECT_NEAR(horizon_.time(), 12, 1e-6);
  horizon_.adopt(round(10, 11));
  EXPECT_EQ(horizon_.time(), 11);
  horizon_.pass({.time = 20});
  EXPECT_GT(horizon_.time(), 20);
}

TEST_P(HorizonWithWindow, GrowsWithWhatWaits) {
  learn(10);
  const Time before = horizon_.time();
  horizon_.waits(100);
  EXPECT_GT(horizon_.time(), before);
}

// The next event may be long before the last GVT then.
TEST_P(HorizonWithWindow, IsNeverNegativeAfterARewind) {
  learn(1000);
  horizon_.rewind();
  EXPECT_EQ(horizon_.time(), 0);
  for (int n = 0; n < 200; ++n) {
    horizon_.waits(1);
    EXPECT_EQ(horizon_.time(), 0) << "closed until the next round";
    horizon_.rolled_back(1);
  }
  horizon_.adopt(round(1, kForever));
  EXPECT_GT(horizon_.time(), 1) << "the event at GVT may be executed";
}

// Whatever was learnt: an event before GVT is no negative distance.
TEST_P(HorizonWithWindow, IsNeverBeforeGvt) {
  learn(1000);
  for (int n = 0; n < 10'000; ++n) {
    horizon_.rolled_back(1);
    horizon_.waits(1);
    horizon_.adopt(round(1000, kForever));
    ASSERT_GT(horizon_.time(), 1000);
  }
}

TEST_P(HorizonWithWindow, LearnsAnewAfterARewind) {
  learn(1000);
  horizon_.rewind();
  horizon_.adopt(round(1, kForever));
  EXPECT_EQ(horizon_.time(), kForever) << "no window yet";
}

}  // namespace
}  // namespace anachron::pe
