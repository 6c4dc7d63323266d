#include "sched/mapping/detector.hpp"

#include <chrono>

#include <gtest/gtest.h>

#include "sched/mapping/activity.hpp"

namespace anachron::sched {
namespace {

constexpr double kUsualThreshold = 5.4;

/// Of that length at least.
void run_turn(Detector& detector, unsigned events, std::chrono::microseconds length) {
  detector.begin_turn();
  const auto began = std::chrono::steady_clock::now();
  while (std::chrono::steady_clock::now() - began < length) {
  }
  detector.end_turn({.executed = events});
}

// Each event takes the one worker a hundred times as long.
TEST(Detectors, TimePerEventFindsTheSlowest) {
  constexpr std::chrono::milliseconds kTurn(1);
  const Activity activity(2, Reactivation::probing);
  Detectors detectors(anachron::Detector::apte, kUsualThreshold, 2, activity);
  const auto quick = detectors.make(0), slow = detectors.make(1);
  EXPECT_FALSE(quick->detect());  // nothing was executed
  run_turn(*quick, 1'000'000'000, kTurn);
  EXPECT_FALSE(quick->detect());  // there is nobody to compare with
  run_turn(*slow, 10, kTurn);
  EXPECT_EQ(slow->detect(), 1u);
  run_turn(*quick, 1'000'000'000, kTurn);
  EXPECT_FALSE(quick->detect());  // told once
}

// The slow one takes about a million times as long for an event.
TEST(Detectors, TimePerEventHasAThreshold) {
  for (const double threshold : {20.0, 1e9}) {
    const Activity activity(2, Reactivation::probing);
    Detectors detectors(anachron::Detector::apte, threshold, 2, activity);
    const auto quick = detectors.make(0), slow = detectors.make(1);
    run_turn(*quick, 100'000, std::chrono::milliseconds(1));
    EXPECT_FALSE(quick->detect());
    run_turn(*slow, 10, std::chrono::milliseconds(100));
    EXPECT_EQ(slow->detect().has_value(), threshold < 1e6) << threshold;
  }
}

// A page fault takes as long as some hundred events.
TEST(Detectors, TimePerEventIsNotTakenFromAMoment) {
  using Clock = std::chrono::steady_clock;
  for (bool was_a_moment = false; !was_a_moment;) {
    const Activity activity(2, Reactivation::probing);
    Detectors detectors(anachron::Detector::apte, kUsualThreshold, 2, activity);
    const auto quick = detectors.make(0), slow = detectors.make(1);
    run_turn(*quick, 1'000'000'000, std::chrono::milliseconds(1));
    EXPECT_FALSE(quick->detect());
    const auto began = Clock::now();
    run_turn(*slow, 1, {});
    const auto found = slow->detect();
    was_a_moment = Clock::now() - began < std::chrono::microseconds(400);  // the test itself was not stopped
    EXPECT_TRUE(!was_a_moment || !found);
  }
}

TEST(Detectors, WhoLosesHalfOfItsCoreSleepsUnlessAllDo) {
  EXPECT_TRUE(is_held_up(0.5, 0, 0));
  EXPECT_TRUE(is_held_up(0.5, 0.05, 0));
  EXPECT_FALSE(is_held_up(0.2, 0, 0));
  EXPECT_FALSE(is_held_up(0.5, 0.5, 0));
  EXPECT_FALSE(is_held_up(0.7, 0.3, 0));
  EXPECT_FALSE(is_held_up(0.9, std::numeric_limits<double>::infinity(), 0));  // there are no others
  EXPECT_TRUE(is_held_up(0.5, 0.5, 0.2)) << "it executes in vain";
  EXPECT_FALSE(is_held_up(0.2, 0.2, 0.2)) << "but not for want of a core";
}

// Two foreign threads on two cores: each worker loses half of its core, in a single period much more or less,
// and what one did while the other stood still is undone in a few periods.
TEST(Detectors, WhoeverLosesAsMuchAsOthersGoesOnThoughNotInEachPeriod) {
  Usual share, share_of_other, undone;
  for (int period = 0; period < 100; ++period) {
    const bool is_bad = period % 2 == 0;
    share.add(is_bad ? 0.8 : 0.3);
    share_of_other.add(is_bad ? 0.3 : 0.8);
    undone.add(period % 10 == 0 ? 0.15 : 0);
    EXPECT_FALSE(is_held_up(share.lasting(), share_of_other.possible(), undone.value())) << period;
  }
}

TEST(Detectors, WhoeverBeginsToLoseWaitsToHearFromOthers) {
  Usual share, share_of_other;
  share.add(0.5);
  EXPECT_FALSE(is_held_up(share.lasting(), share_of_other.possible(), 0)) << "has not yet been asked";
  share_of_other.add(0.5);
  for (int period = 0; period < 10; ++period) {
    share.add(0.5);
    EXPECT_FALSE(is_held_up(share.lasting(), share_of_other.possible(), 0)) << period;
  }
  for (int period = 0; period < 20; ++period) share_of_other.add(0);
  EXPECT_TRUE(is_held_up(share.lasting(), share_of_other.possible(), 0)) << "it is the only one";
}

TEST(Detectors, EachKindCanBeAskedAtAnyTime) {
  const Activity activity(1, Reactivation::probing);
  for (const auto& [name, kind] : Spelling<anachron::Detector>::names) {
    Detectors detectors(kind, kUsualThreshold, 1, activity);
    const auto detector = detectors.make(0);
    for (unsigned i = 0; i < 100; ++i) {
      detector->begin_turn();
      detector->end_turn({.executed = i, .undone = 1});
      EXPECT_EQ(detector->detect().value_or(0), 0u) << name;  // there is nobody else to suspect
    }
  }
}

}  // namespace
}  // namespace anachron::sched
