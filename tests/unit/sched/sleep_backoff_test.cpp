// Workers whose core others want sleep longer when they came back too early.
#include "sched/sleep_backoff.hpp"

#include <gtest/gtest.h>

namespace anachron::sched {
namespace {

using std::chrono::milliseconds;

TEST(SleepBackoff, IsLongerEachTimeThatItWasTooShort) {
  SleepBackoff nap;
  SleepBackoff::Clock::time_point now{};
  EXPECT_EQ(nap.begin(2e-3, now), 2e-3);
  EXPECT_EQ(nap.begin(2e-3, now += milliseconds(2)), 2e-3) << "it has not been active";
  nap.end(now += milliseconds(2));
  EXPECT_EQ(nap.begin(2e-3, now += milliseconds(5)), 4e-3);
  nap.end(now += milliseconds(4));
  EXPECT_EQ(nap.begin(2e-3, now += milliseconds(5)), 8e-3);
  nap.end(now += milliseconds(8));
  EXPECT_EQ(nap.begin(2e-3, now += milliseconds(50)), 2e-3) << "it was right to come back";
}

TEST(SleepBackoff, EndsBeforeSomebodyWouldNotice) {
  SleepBackoff nap;
  SleepBackoff::Clock::time_point now{};
  double seconds = 0;
  for (int i = 0; i < 100; ++i) {
    seconds = nap.begin(2e-3, now += milliseconds(1));
    nap.end(now);
  }
  EXPECT_GT(seconds, 0.1);
  EXPECT_LE(seconds, 0.5);
  EXPECT_EQ(nap.begin(0.7, now), 0.7) << "unless it is long as a rule";
}

}  // namespace
}  // namespace anachron::sched
