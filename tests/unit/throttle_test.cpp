#include "sync/throttle.hpp"

#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>

namespace anachron::sync {
namespace {

constexpr Time kHighest = std::numeric_limits<Time>::max();

Config config(std::optional<Time> window, unsigned pes = 2) {
  Config c;
  c.window = window;
  c.pes = pes;
  return c;
}

TEST(Throttle, NoneHasNoBound) {
  Config c = config({});
  c.throttle = anachron::Throttle::none;
  const auto throttle = make_throttle(c);
  EXPECT_EQ(throttle->horizon({.gvt = 0}), kForever);
  EXPECT_EQ(throttle->horizon({.gvt = 5, .committed = 100, .executed = 1000}), kForever);
}

TEST(Throttle, AWindowReachesFromGvt) {
  const auto throttle = make_throttle(config(0.5));
  EXPECT_EQ(throttle->horizon({.gvt = 0}), 0.5);
  EXPECT_EQ(throttle->horizon({.gvt = 10, .committed = 1}), 10.5);
  EXPECT_EQ(throttle->horizon({.gvt = 10, .committed = 1}), 10.5);
}

// Whatever the window, the event at GVT may be executed: else the run would stand still.
TEST(Throttle, HorizonIsAlwaysBeyondGvt) {
  for (const auto& window : {std::optional<Time>(), std::optional<Time>(1e-300), std::optional<Time>(1.0)}) {
    const auto throttle = make_throttle(config(window));
    RoundFacts facts;
    for (const Time gvt : {0.0, 0.0, 1e-320, 1.0, 1.0, 1.0 + 1e-15, 1e17, 1e17, 1e300, kHighest, kHighest}) {
      facts.gvt = gvt;
      for (int round = 0; round < 30; ++round) {
        EXPECT_GT(throttle->horizon(facts), gvt);
        facts.committed += 1000;
      }
    }
  }
}

TEST(Throttle, AWindowBeyondTheHighestTimeIsNoBound) {
  EXPECT_EQ(make_throttle(config(kHighest))->horizon({.gvt = kHighest}), kForever);
  EXPECT_EQ(make_throttle(config(kForever))->horizon({.gvt = 3}), kForever);
}

TEST(Throttle, WithoutWindowFollowsTheDensityOfEvents) {
  for (const double events_per_time : {1e-6, 1.0, 1e6}) {
    const auto throttle = make_throttle(config({}, 4));
    RoundFacts facts;
    double window = 0;
    for (int round = 0; round < 100; ++round) {
      window = throttle->horizon(facts) - facts.gvt;
      facts.committed += 10'000;
      facts.gvt += 10'000 / events_per_time;
    }
    const double events = window * events_per_time;
    EXPECT_GT(events, 4 * 100) << events_per_time;
    EXPECT_LT(events, 4 * 100'000) << events_per_time;
  }
}

TEST(Throttle, WithoutWindowAdaptsWhenTheDensityChanges) {
  const auto throttle = make_throttle(config({}, 1));
  RoundFacts facts;
  const auto window_after = [&](double time_per_round) {
    double window = 0;
    for (int round = 0; round < 200; ++round) {
      facts.committed += 1000;
      facts.gvt += time_per_round;
      window = throttle->horizon(facts) - facts.gvt;
    }
    return window;
  };
  const double sparse = window_after(100), dense = window_after(0.01), sparse_again = window_after(100);
  EXPECT_NEAR(sparse / dense, 1e4, 1e3);
  EXPECT_NEAR(sparse_again, sparse, sparse / 100);
}

TEST(Throttle, WithoutWindowSurvivesRoundsThatCommitNothing) {
  const auto throttle = make_throttle(config({}, 2));
  RoundFacts facts;
  std::mt19937_64 random(1);
  for (int round = 0; round < 10'000; ++round) {
    const Time horizon = throttle->horizon(facts);
    ASSERT_FALSE(std::isnan(horizon));
    ASSERT_GT(horizon, facts.gvt);
    if (random() % 3 == 0) facts.committed += random() % 1000;
    if (random() % 2 == 0) facts.gvt += static_cast<double>(random() % 100);
  }
}

}  // namespace
}  // namespace anachron::sync
