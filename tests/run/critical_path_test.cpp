// The longest chain of causes: known for models that are made so, and the same in every mode.
#include <cstdint>
#include <ctime>
#include <optional>

#include <gtest/gtest.h>

#include <anachron/anachron.hpp>

#include "run/mode.hpp"

namespace anachron::test {
namespace {

double processor_seconds() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return double(time.tv_sec) + double(time.tv_nsec) * 1e-9;
}

struct Baton {
  std::uint32_t hops = 0;
};

/// Batons go round a ring of relays, each for so many hops.
struct Relay {
  struct Params {
    std::uint32_t batons = 1;  // each starts at another relay
    std::uint32_t hops = 100;
    bool stay = false;  // all go to relay 0
    double work = 0;    // of each event, in seconds
  };
  std::uint64_t seen = 0;
  void start(Context<Relay>& cx) {
    if (cx.self().index() < cx.params().batons) pass(cx, cx.params().hops);
  }
  void on(Context<Relay>& cx, const Baton& baton) {
    ++seen;
    for (const double began = processor_seconds(); processor_seconds() - began < cx.params().work;) continue;
    if (baton.hops > 0) pass(cx, baton.hops);
  }
  static void pass(Context<Relay>& cx, std::uint32_t hops) {
    const std::uint32_t next = cx.params().stay ? 0 : (cx.self().index() + 1) % cx.lp_count();
    cx.send(cx.id(next), 0.5 + cx.rng().exponential(1), Baton{hops - 1});
  }
};

Report relayed(const Relay::Params& params, Config config) {
  Simulation<Relay> simulation;
  simulation.lps<Relay>(10);
  simulation.params<Relay>() = params;
  simulation.config = std::move(config);
  return simulation.run();
}

std::optional<std::uint64_t> path(const Relay::Params& params, Config config) {
  return relayed(params, std::move(config)).critical_path;
}

// Of an event that is timed. Others may have the core for so long between two events, which is not noticed.
constexpr double kWork = 100e-6, kLeast = kWork - 25e-6;

Report timed(const Relay::Params& params, Config config) {
  config.time_events = true;
  return relayed(params, std::move(config));
}

TEST(CriticalPaths, OfOneBatonIsAllItsHops) {
  EXPECT_EQ(path({.batons = 1, .hops = 100}, with(Sync::sequential, 1, 1)), 100u);
  EXPECT_EQ(path({.batons = 1, .hops = 100}, with(Sync::optimistic, 2, 2)), 100u);
}

TEST(CriticalPaths, OfEventsThatMeetAtOneLpIsAllOfThem) {
  EXPECT_EQ(path({.batons = 7, .hops = 1, .stay = true}, with(Sync::sequential, 1, 1)), 7u);
  EXPECT_EQ(path({.batons = 7, .hops = 1, .stay = true}, with(Sync::optimistic, 2, 3)), 7u);
}

TEST(CriticalPaths, OfBatonsThatNeverMeetIsThatOfOne) {
  // One hop each, to a relay of its own.
  EXPECT_EQ(path({.batons = 10, .hops = 1}, with(Sync::optimistic, 2, 2)), 1u);
}

TEST(CriticalPaths, AreTheSameInEveryMode) {
  const Relay::Params params{.batons = 8, .hops = 200};
  const auto expected = path(params, with(Sync::sequential, 1, 1));
  ASSERT_TRUE(expected);
  EXPECT_GT(*expected, 200u);
  for (const unsigned pes : {2u, 5u}) {
    Config config = with(Sync::optimistic, 2, pes);
    config.test_chaos = 3;
    EXPECT_EQ(path(params, config), expected);
    config.events = Events::copied;
    EXPECT_EQ(path(params, config), expected);
    Config conservative = with(Sync::conservative, 2, pes);
    conservative.lookahead = 0.5;
    EXPECT_EQ(path(params, conservative), expected);
  }
}

TEST(CriticalPaths, AreNotKnownAfterLazyCancellation) {
  Config config = with(Sync::optimistic, 2, 2);
  config.cancellation = Cancellation::lazy;
  EXPECT_FALSE(path({}, config));
}

/// All events are on the path, and nothing else is: the length is that of all handlers, but for its digits.
TEST(CriticalPathsInTime, OfOneBatonTakeAsLongAsAllHandlers) {
  const Relay::Params params{.batons = 1, .hops = 300, .work = kWork};
  const Report report = timed(params, with(Sync::sequential, 1, 1));
  EXPECT_FALSE(report.critical_path) << "its place is taken";
  ASSERT_TRUE(report.event_times);
  EXPECT_GT(report.event_times->handlers_s, 300 * kLeast);
  EXPECT_NEAR(report.event_times->critical_path_s, report.event_times->handlers_s,
              report.event_times->handlers_s / 500);
  EXPECT_NEAR(*report.available_parallelism(), 1, 1. / 500);
}

TEST(CriticalPathsInTime, OfEventsThatMeetAtOneLpAreAllOfThem) {
  const Relay::Params params{.batons = 7, .hops = 1, .stay = true, .work = kWork};
  const Report report = timed(params, with(Sync::sequential, 1, 1));
  EXPECT_NEAR(report.event_times->critical_path_s, report.event_times->handlers_s,
              report.event_times->handlers_s / 500);
}

TEST(CriticalPathsInTime, OfBatonsThatNeverMeetAreTheLongestOne) {
  const Relay::Params params{.batons = 10, .hops = 1, .work = kWork};
  const Report report = timed(params, with(Sync::sequential, 1, 1));
  EXPECT_GT(report.event_times->critical_path_s, kLeast);
  EXPECT_LT(report.event_times->critical_path_s, report.event_times->handlers_s - 9 * kLeast)
      << "nine others are not on it";
}

TEST(CriticalPathsInTime, ChangeNoResultAndAreNotShorterThanTheirEvents) {
  const Relay::Params params{.batons = 3, .hops = 100, .work = kWork};
  const std::uint64_t expected = relayed(params, with(Sync::sequential, 1, 1)).digest;
  for (const unsigned pes : {2u, 3u, 5u})
    for (const bool is_checked : {false, true}) {
      Config config = with(Sync::optimistic, 2, pes);
      config.test_chaos = 3;
      config.check_rollback = is_checked;
      const Report report = timed(params, config);
      EXPECT_EQ(report.digest, expected);
      EXPECT_GT(report.event_times->critical_path_s, 100 * kLeast);
      EXPECT_GT(*report.available_parallelism(), 0.9);
    }
}

TEST(CriticalPathsInTime, AreNotKnownAfterLazyCancellation) {
  Config config = with(Sync::optimistic, 2, 2);
  config.cancellation = Cancellation::lazy;
  EXPECT_FALSE(timed({}, config).event_times);
}

}  // namespace
}  // namespace anachron::test
