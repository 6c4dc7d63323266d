// Each tick of a worker's time belongs to one phase.
#include "topo/clocks/phase_clock.hpp"

#include <cstdint>
#include <numeric>
#include <optional>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace anachron::topo {
namespace {

std::uint64_t test_time = 0;
std::uint64_t time_of_test() { return test_time; }
using TestClock = PhaseClockOf<&time_of_test>;

std::uint64_t sum(const PhaseTicks& ticks) {
  return std::accumulate(ticks.of.begin(), ticks.of.end(), std::uint64_t{0});
}

class Phases : public testing::Test {
 protected:
  Phases() { test_time = 1000; }
  TestClock clock_;
};

TEST_F(Phases, AnIntervalIsOfThePhaseThatItWasInAtItsEnd) {
  clock_.start(Phase::idle);
  test_time += 5;
  clock_.cut();
  clock_.enter(Phase::routing);
  test_time += 7;
  clock_.enter(Phase::execution);  // what it began with was not worth a reading
  test_time += 11;
  clock_.cut();
  clock_.stop();
  EXPECT_EQ(clock_.total()[Phase::idle], 5u);
  EXPECT_EQ(clock_.total()[Phase::routing], 0u);
  EXPECT_EQ(clock_.total()[Phase::execution], 18u);
}

TEST_F(Phases, WhatIsWithinIsTakenOffWhatIsAround) {
  clock_.start(Phase::execution);
  test_time += 10;
  {
    const TestClock::Within routing(&clock_, Phase::routing);
    test_time += 3;
    {
      const TestClock::Within rollback(&clock_, Phase::rollback);
      test_time += 100;
    }
    test_time += 4;
  }
  test_time += 20;
  clock_.stop();
  EXPECT_EQ(clock_.total()[Phase::execution], 30u);
  EXPECT_EQ(clock_.total()[Phase::routing], 7u);
  EXPECT_EQ(clock_.total()[Phase::rollback], 100u);
}

TEST_F(Phases, EachPeHasItsOwn) {
  clock_.start(Phase::execution);
  test_time += 1;
  clock_.charge_to(3);
  test_time += 10;
  clock_.charge_to(0);
  test_time += 100;
  clock_.charge_to(3);
  test_time += 1000;
  clock_.charge_to(std::nullopt);
  test_time += 10'000;
  clock_.stop();
  EXPECT_EQ(clock_.of_pe(3)[Phase::execution], 1010u);
  EXPECT_EQ(clock_.of_pe(0)[Phase::execution], 100u);
  EXPECT_EQ(sum(clock_.of_pe(1)), 0u);
  EXPECT_EQ(sum(clock_.of_pe(77)), 0u);
  EXPECT_EQ(clock_.total()[Phase::execution], 11'111u);
}

TEST_F(Phases, NothingCountsWhileItIsStopped) {
  TestClock::Within before(&clock_, Phase::rollback);
  test_time += 50;
  clock_.start(Phase::idle);
  test_time += 1;
  clock_.stop();
  {
    const TestClock::Within after(&clock_, Phase::rollback);
    test_time += 50;
  }
  const TestClock::Within none(nullptr, Phase::rollback);
  EXPECT_EQ(sum(clock_.total()), 1u);
  EXPECT_EQ(clock_.total()[Phase::idle], 1u);
}

TEST_F(Phases, TimeDoesNotGoBackOnAnotherCore) {
  clock_.start(Phase::execution);
  test_time += 10;
  clock_.cut();
  test_time -= 4;
  clock_.cut();
  test_time += 10;
  clock_.stop();
  EXPECT_EQ(sum(clock_.total()), 16u);
}

/// Whatever is done with the clock, between start and stop.
void act_at_random(TestClock& clock, std::mt19937& random, unsigned depth) {
  const auto phase = static_cast<Phase>(random() % kPhases);
  switch (random() % (depth < 5 ? 5 : 4)) {
    case 0:
      return clock.enter(phase);
    case 1:
      return clock.cut();
    case 2:
      clock.charge_to(random() % 4);
      return;
    case 3:
      clock.charge_to(std::nullopt);
      return;
    default: {
      const TestClock::Within within(&clock, phase);
      for (unsigned n = random() % 4; n > 0; --n) {
        test_time += random() % 100;
        act_at_random(clock, random, depth + 1);
      }
    }
  }
}

TEST_F(Phases, AddUpToTheWhole) {
  std::mt19937 random(1);
  std::uint64_t whole = 0;
  for (int term = 0; term < 100; ++term) {
    const std::uint64_t began = test_time;
    clock_.start(Phase::idle);
    for (int i = 0; i < 100; ++i) {
      test_time += random() % 100;
      act_at_random(clock_, random, 0);
    }
    clock_.stop();
    whole += test_time - began;
    test_time += 12'345;  // between two terms
  }
  EXPECT_EQ(sum(clock_.total()), whole);
  const TimeSplit split = clock_.total().split(0.5);
  EXPECT_DOUBLE_EQ(split.sum() + clock_.total().seconds(Phase::asleep, 0.5),
                   0.5 * static_cast<double>(whole));
}

TEST(TickLength, IsThatOfTheSystemsClock) {
  const TickLength tick;
  const auto began = std::chrono::steady_clock::now();
  const std::uint64_t first = ticks();
  while (std::chrono::steady_clock::now() - began < std::chrono::milliseconds(20)) continue;
  const double counted = static_cast<double>(ticks() - first) * tick.seconds();
  EXPECT_GE(counted, 0.0199);
}

}  // namespace
}  // namespace anachron::topo
