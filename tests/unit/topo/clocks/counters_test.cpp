// What cores count, as far as it can be known on a machine that may count nothing.
#include "topo/clocks/counters.hpp"

#include <cstdint>
#include <optional>

#include <gtest/gtest.h>

#include "topo/clocks/clocks.hpp"

namespace anachron {
namespace {

TEST(Counters, AreNoneOrMakeSense) {
  const auto counters = topo::open_counters();
  if (!counters) GTEST_SKIP() << "this system has no counters, or keeps them to itself";
  volatile std::uint64_t sum = 0;
  constexpr std::uint64_t kAdditions = 20'000'000;
  for (std::uint64_t i = 0; i < kAdditions; ++i) sum = sum + i;
  const auto counted = counters->read();
  if (!counted) GTEST_SKIP() << "the core counts for somebody else";
  EXPECT_GT(counted->cycles, kAdditions / 2);
  EXPECT_GE(counted->user_s, 0);
  EXPECT_GT(counted->instructions.value_or(kAdditions + 1), kAdditions);
  EXPECT_GE(counters->read()->cycles, counted->cycles) << "they go on";
}

TEST(Counters, ThatWereSharedAreScaled) {
  EXPECT_EQ(topo::scaled({.value = 100, .enabled = 50, .running = 50}), 100u);
  EXPECT_EQ(topo::scaled({.value = 100, .enabled = 200, .running = 50}), 400u);
  EXPECT_EQ(topo::scaled({.value = 0, .enabled = 50, .running = 0}), std::nullopt) << "none, not zero";
}

TEST(NominalFrequency, IsReadFromWhatTheSystemTells) {
  EXPECT_EQ(topo::frequency_in_khz("2400000\n"), 2.4e9);
  EXPECT_EQ(topo::frequency_in_khz(""), std::nullopt);
  EXPECT_EQ(topo::frequency_in_khz("0\n"), std::nullopt);
  EXPECT_EQ(topo::frequency_in_khz("<unknown>\n"), std::nullopt);
  EXPECT_EQ(topo::frequency_in_name("Intel(R) Xeon(R) CPU E5-2680 v4 @ 2.40GHz"), 2.4e9);
  EXPECT_EQ(topo::frequency_in_name("Intel(R) Pentium(R) III CPU @ 1000MHz"), 1e9);
  EXPECT_EQ(topo::frequency_in_name("Intel(R) Xeon(R) Processor @ 2.70GHz"), 2.7e9);
  EXPECT_EQ(topo::frequency_in_name("Intel(R) Xeon(R) Processor"), std::nullopt);
  EXPECT_EQ(topo::frequency_in_name("AMD EPYC @ home"), std::nullopt);
}

TEST(NominalFrequency, IsNoneOrMakesSense) {
  const auto hertz = topo::nominal_frequency();
  if (!hertz) GTEST_SKIP() << "the system does not tell";
  EXPECT_GT(*hertz, 1e8);
  EXPECT_LT(*hertz, 1e10);
}

TEST(CoreTally, AddsUpWhatAllHaveCounted) {
  topo::CoreTally tally;
  EXPECT_FALSE(tally.total()) << "nothing was counted";
  tally.add(CoreCounts{.cycles = 10, .user_s = 1, .instructions = 5, .cache_misses = 1});
  tally.add(CoreCounts{.cycles = 20, .user_s = 2, .instructions = 6, .cache_misses = std::nullopt});
  const auto all = tally.total();
  ASSERT_TRUE(all);
  EXPECT_EQ(all->cycles, 30u);
  EXPECT_DOUBLE_EQ(all->user_s, 3);
  EXPECT_EQ(all->instructions, 11u);
  EXPECT_EQ(all->cache_misses, std::nullopt) << "one did not count them";
  tally.add(std::nullopt);
  EXPECT_FALSE(tally.total()) << "one counted nothing";
}

}  // namespace
}  // namespace anachron
