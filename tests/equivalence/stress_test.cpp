// The cases that are hard on an engine: the same in every mode, and bounded in memory where events run one
// way.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "mem/allocator.hpp"
#include "scale.hpp"
#include "stress/stress.hpp"
#include "support/bundled.hpp"

namespace anachron::test {
namespace {

class Strains : public testing::TestWithParam<const char*> {};

TEST_P(Strains, AreTheSameInEveryMode) {
  expect_equivalent(models::make_stress,
                    {{"kind", GetParam()}, {"lps", "60"}, {"factor", "30"}, {"work", "10"}}, 2,
                    Graph::unknown);
}

INSTANTIATE_TEST_SUITE_P(All, Strains, testing::Values("laggard", "burst", "tide", "slope", "hotspot"),
                         [](const auto& param) { return std::string(param.param); });

/// Chaos moves LPs at random, all the time.
TEST(Hotspot, IsTheSameWhereLpsMove) {
  const Arguments hotspot{{"kind", "hotspot"}, {"lps", "60"}, {"factor", "3"}, {"work", "10"}};
  const Config base = sequential(20);
  const Report expected = run(models::make_stress, hotspot, base);
  EXPECT_EQ(expected.migrations, 0u);
  std::uint64_t moved = 0;
  const auto seeds = scaled(20u);
  for (unsigned seed = 1; seed <= seeds; ++seed) {
    Config config = parallel(20, 1 + seed % 3);
    config.pes = *config.workers + 2;
    config.migration = Migration::on;
    config.test_chaos = seed;
    config.gvt_interval = 20;
    config.lps_per_group = 1 + seed % 4;
    if (seed % 2) config.cancellation = Cancellation::lazy;
    moved += expect_same_run(models::make_stress, hotspot, expected, base, config).migrated_lps;
    config.migration = Migration::off;
    EXPECT_EQ(run(models::make_stress, hotspot, config).migrations, 0u);
  }
  EXPECT_GT(moved, 5 * seeds);
}

TEST(Slope, IsTheSameForAnOddNumberOfLps) {
  for (const char* lps : {"2", "3", "7"})
    expect_equivalent(models::make_stress, {{"kind", "slope"}, {"lps", lps}, {"factor", "5"}}, 20,
                      Graph::unknown);
}

constexpr std::uint64_t kUppers = 32, kFactor = 100;
// All that can be pending at a time, when everything that comes down is on its way.
constexpr std::uint64_t kMostPending = kUppers * 3 * kFactor;

/// One PE has the upper LPs and makes nearly all events, the other frees them. How far one may be ahead of
/// GVT is fixed, and with it, up to the time that a round takes, how many events are neither pending nor
/// committed.
Report run_slope(Pool pool, Time until) {
  Config config = parallel(until, 2);
  config.mapping = Mapping::fixed;
  config.migration = Migration::off;  // which half an LP is of is the case
  config.window = 0.5;
  config.pool = pool;
  return run(models::make_stress,
             {{"kind", "slope"}, {"lps", std::to_string(2 * kUppers)}, {"factor", std::to_string(kFactor)}},
             config);
}

/// Decision 12: at most what is in use at the worst time, for each of the two pools. In use are those that
/// are pending, and those executed within the window: a third of what is pending, on average, in half a mean
/// delay. Twice that is allowed, for the scatter.
void expect_bounded(const Report& report) {
  constexpr std::uint64_t kBlock = 64, kInUse = 2 * kMostPending;
  EXPECT_LE(report.event_bytes, 2 * kInUse * kBlock + (2u << 16));
  EXPECT_LE(report.memory_peak, 16u << 20);
}

TEST(Slope, TakesNoMoreMemoryTheLongerItRuns) {
  const Report report = run_slope(Pool::own, 100);
  EXPECT_GT(report.committed, 20 * kMostPending);
  EXPECT_GT(report.remote_events(), 0.9);
  expect_bounded(report);
}

TEST(LongSlope, TakesNoMoreMemoryTheLongerItRuns) {
  for (const Pool pool : {Pool::own, Pool::system, Pool::jemalloc, Pool::mimalloc}) {
    if (!mem::has_allocator(pool)) continue;
    SCOPED_TRACE(to_string(pool));
    const Report report = run_slope(pool, 1000);
    EXPECT_GT(report.committed, 200 * kMostPending);
    expect_bounded(report);
  }
}

}  // namespace
}  // namespace anachron::test
