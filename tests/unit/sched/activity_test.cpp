#include "sched/mapping/activity.hpp"

#include <chrono>
#include <thread>

#include <gtest/gtest.h>

namespace anachron::sched {
namespace {

TEST(Activity, AWorkerThatSleepsComesBack) {
  Activity activity(2, Reactivation::periodic);
  activity.deactivate(1);
  activity.deactivate(1);
  EXPECT_EQ(activity.count(), 1u);
  EXPECT_EQ(activity.asleep(), 1u);
  activity.sleep(1, 1e-3);
  EXPECT_TRUE(activity.is_active(1));
  EXPECT_EQ(activity.count(), 2u);
}

TEST(Activity, WhenTheTermIsOverNobodySleepsOn) {
  Activity activity(2, Reactivation::periodic);
  activity.deactivate(0);
  activity.wake_all();
  activity.sleep(0, 1e9);
  EXPECT_FALSE(activity.is_active(0));
  activity.begin_term(2);
  EXPECT_TRUE(activity.is_active(0));
}

TEST(Activity, WhoIsOutOfTheTermDoesNotComeBack) {
  Activity activity(3, Reactivation::periodic);
  activity.begin_term(1);
  activity.sleep(2, 1e-3);
  EXPECT_FALSE(activity.is_active(2));
  EXPECT_EQ(activity.count(), 1u);
}

// The sleeper has no timer of its own: without a signal the thread would never end.
TEST(Activity, ASignalWakesTheOneThatSleeps) {
  Activity activity(3, Reactivation::signal);
  activity.deactivate(1);
  for (bool is_back = false; !is_back;) {  // its core may be wanted, and then it sleeps on
    std::thread sleeper([&] { activity.sleep(1, 1e9); });
    activity.signal_one(std::chrono::steady_clock::now(), 0);
    sleeper.join();
    is_back = activity.is_active(1);
  }
  EXPECT_EQ(activity.count(), 3u);
}

TEST(Activity, ASignalBeforeTheSleepIsNotLostAndOneIsEnough) {
  Activity activity(2, Reactivation::signal);
  const auto now = std::chrono::steady_clock::now();
  activity.signal_one(now, 0);  // nobody sleeps
  activity.deactivate(0);
  activity.signal_one(now, 3600);
  activity.sleep(0, 1e9);
  std::thread sleeper([&] {
    activity.deactivate(0);
    activity.sleep(0, 1e9);
  });
  activity.signal_one(now, 3600);  // too soon after the last
  activity.wake_all();
  sleeper.join();
}

TEST(Activity, SignalsGoRound) {
  Activity activity(4, Reactivation::signal);
  const auto now = std::chrono::steady_clock::now();
  for (const unsigned worker : {0u, 1u, 3u}) activity.deactivate(worker);
  for (int i = 0; i < 3; ++i) activity.signal_one(now, 0);
  for (const unsigned worker : {0u, 1u, 3u}) activity.sleep(worker, 1e9);  // each has one
}

TEST(Activity, WhenTheTermIsOverNobodyWaitsForASignal) {
  Activity activity(2, Reactivation::signal);
  activity.deactivate(0);
  activity.wake_all();
  activity.signal_one(std::chrono::steady_clock::now(), 0);
  activity.sleep(0, 1e9);
  EXPECT_FALSE(activity.is_active(0));
  activity.begin_term(1);
  std::thread out([&] { activity.sleep(1, 1e9); });  // not of this term
  activity.wake_all();
  out.join();
}

}  // namespace
}  // namespace anachron::sched
