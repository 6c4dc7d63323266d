#include "throttle/balanced_window.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "unit/throttle/throttle_rounds.hpp"

namespace anachron::throttle {
namespace {

TEST(BalancedWindow, ShrinksWhenItWastesMoreThanItWaits) {
  BalancedWindow throttle;
  ThrottleRounds rounds;
  const double first = throttle.events_per_pe();
  for (int i = 0; i < 200; ++i) throttle.horizon(rounds.next(0.5, 0.1));
  EXPECT_LT(throttle.events_per_pe(), first / 10);
}

// Some rollbacks come from elsewhere: as much is wasted with the smaller window, and there is waiting
// besides.
TEST(BalancedWindow, DoesNotShrinkWhenThatDoesNotHelp) {
  BalancedWindow throttle;
  ThrottleRounds rounds;
  const double first = throttle.events_per_pe();
  double least = first;
  for (int i = 0; i < 10'000; ++i) {
    throttle.horizon(rounds.next(0.95, throttle.events_per_pe() < first ? 0.03 : 0.0));
    least = std::min(least, throttle.events_per_pe());
  }
  EXPECT_LT(least, first) << "it has tried";
  EXPECT_GT(least, first / 2);
  EXPECT_GE(throttle.events_per_pe(), first / 2);
}

// With a small window the workers do not wait long, but call for a round each time.
TEST(BalancedWindow, GrowsWhereRoundsTakeMuchOfTheTime) {
  const auto events = [](double gvt_share) {
    BalancedWindow throttle;
    ThrottleRounds rounds;
    double share = gvt_share;
    for (int i = 0; i < 200; ++i) {
      const double before = throttle.events_per_pe();
      throttle.horizon(rounds.next(1.0, 0, share));
      if (throttle.events_per_pe() > before) share *= 0.7;
    }
    return throttle.events_per_pe();
  };
  EXPECT_GT(events(0.2), 3 * events(0.01));
}

TEST(BalancedWindow, GrowsWhileGrowthHelpsAgainstWaiting) {
  BalancedWindow throttle;
  ThrottleRounds rounds;
  const double first = throttle.events_per_pe();
  double waiting = 0.5;
  for (int i = 0; i < 200; ++i) {
    const double before = throttle.events_per_pe();
    throttle.horizon(rounds.next(1.0, waiting));
    if (throttle.events_per_pe() > before) waiting *= 0.7;
  }
  EXPECT_GT(throttle.events_per_pe(), 4 * first);
  EXPECT_LT(waiting, 0.03);
}

// As between ranks that are far apart, where the first window is over long before a GVT round is.
TEST(BalancedWindow, LeapsWhereWorkersWaitMostOfTheTime) {
  const auto steps_to = [](double waiting, double events) {
    BalancedWindow throttle;
    ThrottleRounds rounds;
    int steps = 0;
    while (throttle.events_per_pe() < events) {
      const double before = throttle.events_per_pe();
      throttle.horizon(rounds.next(1.0, waiting));
      if (throttle.events_per_pe() <= before) continue;
      ++steps;
      waiting *= 0.88;
    }
    return steps;
  };
  EXPECT_LE(2 * steps_to(0.9, 16'000), steps_to(0.5, 16'000));
}

TEST(BalancedWindow, NeverLeapsBeyondItsBound) {
  BalancedWindow throttle;
  ThrottleRounds rounds;
  double waiting = 0.99, most = 0;
  for (int i = 0; i < 10'000; ++i) {
    const double before = throttle.events_per_pe();
    throttle.horizon(rounds.next(1.0, waiting));
    if (throttle.events_per_pe() > before) waiting = std::max(waiting * 0.88, 0.7);
    most = std::max(most, throttle.events_per_pe());
  }
  EXPECT_LE(most, 1 << 17);
}

// Rounds between machines are few, and each tells much.
TEST(BalancedWindow, DoesNotWaitForManyLongRounds) {
  BalancedWindow throttle;
  ThrottleRounds rounds(5e-6);  // of 10 ms each
  const double first = throttle.events_per_pe();
  throttle.horizon(rounds.next(1.0, 0.5));
  EXPECT_GT(throttle.events_per_pe(), first);
}

// A PE that has most of the load keeps the others waiting whatever the window is.
TEST(BalancedWindow, DoesNotGrowWhenThatDoesNotHelp) {
  BalancedWindow throttle;
  ThrottleRounds rounds;
  const double first = throttle.events_per_pe();
  double most = 0;
  for (int i = 0; i < 10'000; ++i) {
    throttle.horizon(rounds.next(1.0, 0.5));
    most = std::max(most, throttle.events_per_pe());
  }
  EXPECT_LT(most, 2 * first);
}

// Somebody else has the core of one of two workers half of the time: the other one waits, or executes in
// vain.
TEST(BalancedWindow, ShrinksThoughOthersWaitForWorkersThatWereStopped) {
  BalancedWindow throttle;
  ThrottleRounds rounds;
  const double first = throttle.events_per_pe();
  for (int i = 0; i < 1000; ++i) {
    throttle.horizon(rounds.next(0.97, 0.25, 0, 0.25));
    ASSERT_LT(throttle.events_per_pe(), 2 * first);
  }
  for (int i = 0; i < 1000; ++i) throttle.horizon(rounds.next(0.8, 0.25, 0, 0.25));
  EXPECT_LT(throttle.events_per_pe(), first / 10);
}

// Who waits and has given the core away was not kept from work.
TEST(BalancedWindow, GrowsAgainstWaitingForNews) {
  BalancedWindow throttle;
  ThrottleRounds rounds;
  const double first = throttle.events_per_pe();
  throttle.horizon(rounds.next(1.0, 0.5, 0, 0, 0.5));
  for (int i = 0; i < 20; ++i) throttle.horizon(rounds.next(1.0, 0.5, 0, 0, 0.5));
  EXPECT_GT(throttle.events_per_pe(), first);
}

TEST(BalancedWindow, StaysWhereNothingIsLost) {
  BalancedWindow throttle;
  ThrottleRounds rounds;
  const double first = throttle.events_per_pe();
  for (int i = 0; i < 1000; ++i) throttle.horizon(rounds.next(0.999, 0.01));
  EXPECT_EQ(throttle.events_per_pe(), first);
}

}  // namespace
}  // namespace anachron::throttle
