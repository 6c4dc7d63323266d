#include "pe/parts/event_timer.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <random>
#include <thread>

#include <gtest/gtest.h>

namespace anachron::test {
namespace {

using pe::PathLength;

TEST(PathLength, IsNothingAtFirst) { EXPECT_EQ(PathLength().seconds(), 0); }

TEST(PathLength, OfManyShortEventsIsTheirSum) {
  std::mt19937 random(1);
  for (const double event_ns : {1.0, 37.0, 5e5}) {
    PathLength length;
    constexpr int kEvents = 3'000'000;
    for (int i = 0; i < kEvents; ++i) length = length.plus(event_ns, static_cast<std::uint32_t>(random()));
    EXPECT_NEAR(length.seconds() / (event_ns * kEvents * 1e-9), 1, 0.002);
  }
}

TEST(PathLength, SortsAsItsBitsDo) {
  const PathLength second = PathLength().plus(1e9, 0), hour = PathLength().plus(3.6e12, 0);
  EXPECT_LT(second.bits, hour.bits);
  EXPECT_NEAR(PathLength{std::max(second.bits, hour.bits)}.seconds(), 3600, 0.001);
}

TEST(PathLength, NeverGetsShorter) {
  PathLength length;
  for (std::uint32_t i = 0; i < 1000; ++i) {
    const PathLength more = length.plus(i % 7, i * 2654435761u);
    EXPECT_GE(more.bits, length.bits);
    length = more;
  }
}

TEST(EventTimer, AddsUpWhatItTimed) {
  pe::EventTimer timer;
  int calls = 0;
  const PathLength first = timer.time({}, [&] { ++calls; });
  const PathLength second = timer.time(first, [&] { ++calls; });
  EXPECT_EQ(calls, 2);
  EXPECT_GE(second.bits, first.bits);
  EXPECT_NEAR(second.seconds(), timer.seconds(), 1e-6 * timer.seconds() + 1e-12);
}

TEST(EventTimer, LeavesOutWhatTheThreadDidNotRun) {
  using namespace std::chrono_literals;
  pe::EventTimer timer;
  for (int i = 0; i < 5; ++i) timer.time({}, [] { std::this_thread::sleep_for(20ms); });
  EXPECT_LT(timer.seconds(), 0.05) << "of 0.1";
}

TEST(EventTimer, CountsLongEvents) {
  using namespace std::chrono_literals;
  pe::EventTimer timer;
  const double before = topo::thread_cpu_seconds();
  timer.time({}, [&] {
    while (topo::thread_cpu_seconds() - before < 0.02) continue;
  });
  EXPECT_GT(timer.seconds(), 0.015);
  EXPECT_LT(timer.seconds(), 0.05 + topo::thread_cpu_seconds() - before);
}

}  // namespace
}  // namespace anachron::test
