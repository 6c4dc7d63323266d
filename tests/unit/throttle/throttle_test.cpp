#include "throttle/throttle.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "throttle/baselines/adaptive_time_window.hpp"
#include "throttle/baselines/moving_time_window.hpp"
#include "unit/throttle/throttle_rounds.hpp"

namespace anachron::throttle {
namespace {

constexpr Time kHighest = std::numeric_limits<Time>::max();

Config config(std::optional<Time> window, unsigned pes = 2,
              anachron::Throttle throttle = anachron::Throttle::fixed) {
  Config c;
  c.throttle = throttle;
  c.window = window;
  c.workers = c.pes = pes;
  return c;
}

std::unique_ptr<anachron::throttle::Throttle> make_throttle_for(const Config& config) {
  return make_throttle(config);
}

const std::vector<anachron::Throttle> kSelfTuning{anachron::Throttle::balanced, anachron::Throttle::fixed,
                                                  anachron::Throttle::mtw};

TEST(Throttle, NoneHasNoBound) {
  Config c = config({});
  c.throttle = anachron::Throttle::none;
  const auto throttle = make_throttle(c);
  EXPECT_EQ(throttle->horizon({.gvt = 0}), kForever);
  EXPECT_EQ(throttle->horizon({.gvt = 5, .committed = 100, .executed = 1000}), kForever);
}

TEST(Throttle, AWindowReachesFromGvt) {
  const auto throttle = make_throttle_for(config(0.5));
  EXPECT_EQ(throttle->horizon({.gvt = 0}), 0.5);
  EXPECT_EQ(throttle->horizon({.gvt = 10, .committed = 1}), 10.5);
  EXPECT_EQ(throttle->horizon({.gvt = 10, .committed = 1}), 10.5);
}

// Whatever the window, the event at GVT may be executed: else the run would stand still.
TEST(Throttle, HorizonIsAlwaysBeyondGvt) {
  std::vector<Config> configs{config(1e-300), config(1.0)};
  for (const auto throttle : kSelfTuning) configs.push_back(config({}, 2, throttle));
  for (const Config& c : configs) {
    const auto throttle = make_throttle(c);
    RoundFacts facts;
    for (const Time gvt : {0.0, 0.0, 1e-320, 1.0, 1.0, 1.0 + 1e-15, 1e17, 1e17, 1e300, kHighest, kHighest}) {
      facts.gvt = gvt;
      for (int round = 0; round < 30; ++round) {
        EXPECT_GT(throttle->horizon(facts), gvt) << to_string(c.throttle);
        facts.committed += 1000;
        facts.executed += round % 3 ? 1000 : 10'000;
        facts.rolled_back += round % 3 ? 0 : 9'000;
        facts.wall_s += 1e-3;
      }
    }
  }
}

TEST(Throttle, AWindowBeyondTheHighestTimeIsNoBound) {
  EXPECT_EQ(make_throttle_for(config(kHighest))->horizon({.gvt = kHighest}), kForever);
  EXPECT_EQ(make_throttle_for(config(kForever))->horizon({.gvt = 3}), kForever);
}

TEST(Throttle, WithoutWindowFollowsTheDensityOfEvents) {
  for (const auto kind : {anachron::Throttle::balanced, anachron::Throttle::fixed})
    for (const double events_per_time : {1e-6, 1.0, 1e6}) {
      const auto throttle = make_throttle_for(config({}, 4, kind));
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
  const auto throttle = make_throttle_for(config({}, 1));
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

TEST(Throttle, SurvivesRoundsThatCommitNothing) {
  for (const auto kind : kSelfTuning) {
    const auto throttle = make_throttle_for(config({}, 2, kind));
    RoundFacts facts;
    std::mt19937_64 random(1);
    for (int round = 0; round < 10'000; ++round) {
      const Time horizon = throttle->horizon(facts);
      ASSERT_FALSE(std::isnan(horizon));
      ASSERT_GT(horizon, facts.gvt);
      const std::uint64_t events = random() % 3 == 0 ? random() % 1000 : 0;
      facts.committed += events;
      facts.executed += events + random() % 2 * (random() % 100);
      facts.wall_s += 1e-4;
      if (random() % 2 == 0) facts.gvt += static_cast<double>(random() % 100);
    }
  }
}

// The four cases of Bachan et al. 2024, section 2.1.
TEST(MovingTimeWindow, HasTheFourCasesOfThePaper) {
  MovingTimeWindow throttle;
  ThrottleRounds rounds;
  const auto ratio_at = [&](double efficiency) {
    for (int i = 0; i < 20; ++i) throttle.horizon(rounds.next(efficiency));  // fills the 16 rounds
    const Time before = throttle.window();
    throttle.horizon(rounds.next(efficiency));
    return throttle.window() / before;
  };
  EXPECT_DOUBLE_EQ(ratio_at(0.99), 2);
  EXPECT_DOUBLE_EQ(ratio_at(0.95), 1);  // committed as much as before: neither more nor less
  for (int i = 0; i < 30; ++i) throttle.horizon(rounds.next(0.99));
  EXPECT_DOUBLE_EQ(ratio_at(0.5), 0.5);
  for (int i = 0; i < 60; ++i) throttle.horizon(rounds.next(0.99));
  EXPECT_DOUBLE_EQ(ratio_at(0.3), 0.25);
}

TEST(MovingTimeWindow, ClimbsByAPercentBetweenTheCases) {
  MovingTimeWindow throttle;
  ThrottleRounds rounds;
  for (int i = 0; i < 20; ++i) throttle.horizon(rounds.next(0.80));
  Time before = throttle.window();
  throttle.horizon(rounds.next(0.85));
  EXPECT_DOUBLE_EQ(throttle.window() / before, 1.01);
  for (int i = 0; i < 20; ++i) throttle.horizon(rounds.next(0.85));
  before = throttle.window();
  throttle.horizon(rounds.next(0.80));
  EXPECT_DOUBLE_EQ(throttle.window() / before, 0.99);
}

TEST(MovingTimeWindow, NeverFallsBelowOneEvent) {
  MovingTimeWindow throttle;
  ThrottleRounds rounds;
  for (int i = 0; i < 500; ++i) throttle.horizon(rounds.next(0.1));
  EXPECT_NEAR(throttle.window(), 1, 1e-9);  // time per committed event
}

TEST(AdaptiveTimeWindow, IsNoBoundUntilMoreThan100Rollbacks) {
  for (const auto variant :
       {AdaptiveTimeWindow::Variant::as_printed, AdaptiveTimeWindow::Variant::repaired}) {
    AdaptiveTimeWindow window(variant);
    window.adopt(10);
    for (int i = 0; i < 100; ++i) window.rolled_back(13);
    window.waits(50);  // no window yet, so no sample
    EXPECT_EQ(window.horizon(), kForever);
    window.rolled_back(13);
    EXPECT_EQ(window.horizon(), std::nextafter(13.0, kForever));
    window.adopt(20);
    EXPECT_EQ(window.horizon(), std::nextafter(23.0, kForever));
  }
}

TEST(AdaptiveTimeWindow, GrowsWithWhatWaits) {
  AdaptiveTimeWindow printed(AdaptiveTimeWindow::Variant::as_printed),
      repaired(AdaptiveTimeWindow::Variant::repaired);
  for (auto* window : {&printed, &repaired}) {
    for (int i = 0; i < 101; ++i) window->rolled_back(1);
    for (int i = 0; i < 101; ++i) window->waits(5);
  }
  EXPECT_NEAR(printed.horizon(), 3, 1e-9);               // each attempt counts
  EXPECT_NEAR(repaired.horizon(), 1 + 4 / 102.0, 1e-9);  // once per round
  repaired.adopt(0);
  repaired.waits(5);
  EXPECT_NEAR(repaired.horizon(), 1 + 8 / 103.0, 1e-9);
}

TEST(AdaptiveTimeWindow, WithoutDistanceIsNoBoundAsPrintedOnly) {
  AdaptiveTimeWindow printed(AdaptiveTimeWindow::Variant::as_printed),
      repaired(AdaptiveTimeWindow::Variant::repaired);
  for (auto* window : {&printed, &repaired}) {
    window->adopt(7);
    for (int i = 0; i < 101; ++i) window->rolled_back(7);
  }
  EXPECT_EQ(printed.horizon(), kForever);
  EXPECT_EQ(repaired.horizon(), std::nextafter(7.0, kForever));
}

TEST(AdaptiveTimeWindow, ForgetsWhenRepaired) {
  AdaptiveTimeWindow printed(AdaptiveTimeWindow::Variant::as_printed),
      repaired(AdaptiveTimeWindow::Variant::repaired);
  for (auto* window : {&printed, &repaired}) {
    for (int i = 0; i < 100'000; ++i) window->rolled_back(100);
    for (int i = 0; i < 5'000; ++i) window->rolled_back(1);
  }
  EXPECT_GT(printed.horizon(), 90);
  EXPECT_LT(repaired.horizon(), 2);
}

TEST(AdaptiveTimeWindow, BeginsAnewAfterARestart) {
  for (const auto variant :
       {AdaptiveTimeWindow::Variant::as_printed, AdaptiveTimeWindow::Variant::repaired}) {
    AdaptiveTimeWindow window(variant);
    window.adopt(1000);
    for (int i = 0; i < 200; ++i) window.rolled_back(1002);
    window.waits(1010);
    window.restart();
    EXPECT_EQ(window.horizon(), kForever);
    window.waits(5);  // counts for nothing: there is no window
    for (int i = 0; i < 100; ++i) window.rolled_back(3);
    EXPECT_EQ(window.horizon(), kForever);
    window.rolled_back(3);
    EXPECT_NEAR(window.horizon(), 3, 1e-9) << "GVT is 0 again, and nothing is left of what was learnt";
  }
}

}  // namespace
}  // namespace anachron::throttle
