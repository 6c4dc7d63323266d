#include "gvt/decisions/interval_controller.hpp"

#include <gtest/gtest.h>

#include "unit/throttle/throttle_rounds.hpp"

namespace anachron::gvt {
namespace {

TEST(IntervalController, KeepsWhatTheUserChose) {
  Config c;
  c.batch = 7;
  c.gvt_interval = 99;
  IntervalController pace(c);
  throttle::ThrottleRounds rounds;
  for (int i = 0; i < 100; ++i) pace.adapt(rounds.next(0.5));
  EXPECT_EQ(pace.batch(), 7u);
  EXPECT_EQ(pace.gvt_interval(), 99u);
}

TEST(IntervalController, LooksMoreOftenWhenMuchIsRolledBack) {
  const Config c;
  IntervalController pace(c);
  throttle::ThrottleRounds rounds;
  for (int i = 0; i < 200; ++i) pace.adapt(rounds.next(1.0));
  const unsigned seldom = pace.batch();
  EXPECT_GT(seldom, IntervalController::kFirstBatch);
  for (int i = 0; i < 200; ++i) pace.adapt(rounds.next(0.5));
  EXPECT_LT(pace.batch(), IntervalController::kFirstBatch);
}

// A look costs the same time whatever the events are: it counts less the longer they take.
TEST(IntervalController, LooksAtLeastAsOftenWhereEventsAreLonger) {
  const auto batch_at = [](double seconds_per_event) {
    const Config c;
    IntervalController pace(c);
    throttle::ThrottleRounds rounds(seconds_per_event);
    for (int i = 0; i < 200; ++i) pace.adapt(rounds.next(0.995));
    return pace.batch();
  };
  EXPECT_GT(batch_at(50e-9), batch_at(400e-9));
  EXPECT_GT(batch_at(400e-9), batch_at(20e-6));
}

// Next to other processes most of the wall time may go by without a core.
TEST(IntervalController, TimeWithoutACoreDoesNotMakeEventsLonger) {
  const auto batch_with = [](double share_of_cores) {
    const Config c;
    IntervalController pace(c);
    throttle::ThrottleRounds rounds(0.2e-6 / share_of_cores);
    double cpu_s = 0;
    for (int i = 0; i < 200; ++i) {
      throttle::RoundFacts facts = rounds.next(1.0);
      facts.cpu_s = cpu_s += 2000 * 0.4e-6;
      pace.adapt(facts);
    }
    return pace.batch();
  };
  EXPECT_EQ(batch_with(1e-4), batch_with(1));
}

TEST(IntervalController, RoundsAreTheRarerTheMoreTheyCost) {
  const auto interval_at = [](double seconds_per_round) {
    const Config c;
    IntervalController pace(c);
    throttle::ThrottleRounds rounds;
    double gvt_s = 0;
    for (int i = 0; i < 100; ++i) {
      throttle::RoundFacts facts = rounds.next(1.0);
      facts.gvt_s = gvt_s += seconds_per_round;
      pace.adapt(facts);
    }
    return pace.gvt_interval();
  };
  EXPECT_LT(interval_at(1e-6), interval_at(2e-5));
  EXPECT_LT(interval_at(2e-5), interval_at(2e-4));
}

}  // namespace
}  // namespace anachron::gvt
