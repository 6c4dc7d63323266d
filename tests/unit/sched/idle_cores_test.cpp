#include "sched/trials/other_loads.hpp"

#include <optional>

#include <gtest/gtest.h>

namespace anachron::sched {
namespace {

/// Asked for each millisecond for so many seconds; `wall_s` goes on.
std::optional<IdleCores::Answer> next_answer(IdleCores& cores, double& wall_s, double for_s = 1) {
  for (const double end = wall_s + for_s; wall_s < end;) {
    wall_s += 1e-3;
    if (const auto mean = cores.mean(wall_s)) return mean;
  }
  return std::nullopt;
}
std::optional<double> next(IdleCores& cores, double& wall_s, double for_s = 1) {
  const auto answer = next_answer(cores, wall_s, for_s);
  return answer ? std::optional(answer->idle) : std::nullopt;
}

TEST(CountedIdleCores, AreTheTimeThatTheyWereIdle) {
  double wall_s = 0, idle_s = 5;
  CountedIdleCores cores([&] { return std::optional(idle_s += 1.5e-3); });
  EXPECT_FALSE(cores.mean(wall_s)) << "since when?";
  idle_s += 0.2;
  const auto answer = cores.mean(wall_s += 0.1);
  ASSERT_TRUE(answer);
  EXPECT_NEAR(answer->idle, 2, 0.05);
  EXPECT_EQ(answer->unused, answer->idle);
  EXPECT_FALSE(cores.mean(wall_s + 1e-3)) << "the system counts in steps";
  cores.forget();
  idle_s += 100;
  EXPECT_FALSE(cores.mean(wall_s += 0.1)) << "what was before says nothing";
}

TEST(SampledIdleCores, AreThoseThatNoThreadWants) {
  double wall_s = 0;
  unsigned threads = 1;
  SampledIdleCores cores([&] { return std::optional(threads); }, 2);
  EXPECT_EQ(next(cores, wall_s), 1);
  threads = 3;
  EXPECT_EQ(next(cores, wall_s), -1) << "one waits";
  // Half of the time.
  SampledIdleCores half([&] { return std::optional(threads = 3 - threads); }, 2);
  threads = 2;
  EXPECT_EQ(next(half, wall_s), 0.5);
}

// One waits half of the time, and one core is idle at other times.
TEST(SampledIdleCores, AreUnusedAtTimesThoughThreadsWaitAtOthers) {
  double wall_s = 0;
  unsigned threads = 3;
  SampledIdleCores cores([&] { return std::optional(threads = 4 - threads); }, 2);
  for (int i = 0; i < 2; ++i) {
    const auto answer = next_answer(cores, wall_s);
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->idle, 0);
    EXPECT_EQ(answer->unused, 0.5);
  }
}

TEST(SampledIdleCores, DoNotMixWhatWasWithWhatIs) {
  double wall_s = 0;
  unsigned threads = 3;
  SampledIdleCores cores([&] { return std::optional(threads); }, 2);
  EXPECT_EQ(next(cores, wall_s, 5e-3), std::nullopt);
  cores.forget();
  threads = 1;
  EXPECT_EQ(next(cores, wall_s), 1);
}

// The system adds up over all of them.
TEST(SampledIdleCores, AreLookedAtLessOftenWhereThereAreMany) {
  double wall_s = 0;
  unsigned looks = 0;
  SampledIdleCores cores([&] { return std::optional(++looks); }, 200);
  next(cores, wall_s, 0.05);
  EXPECT_NEAR(looks, 8, 2);
}

TEST(IdleCores, AreNoneWhereTheSystemDoesNotTell) {
  double wall_s = 0;
  CountedIdleCores counted([] { return std::optional<double>(); });
  SampledIdleCores sampled([] { return std::optional<unsigned>(); }, 2);
  EXPECT_EQ(next(counted, wall_s), std::nullopt);
  EXPECT_EQ(next(sampled, wall_s), std::nullopt);
}

}  // namespace
}  // namespace anachron::sched
