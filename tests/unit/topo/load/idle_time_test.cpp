#include "topo/load/idle_time.hpp"

#include <chrono>
#include <thread>

#include <gtest/gtest.h>

#include "topo/processors.hpp"

namespace anachron::topo {
namespace {

constexpr std::string_view kStat =
    "cpu  100 20 30 4000 50 0 0 0 0 0\n"
    "cpu0 50 10 15 1000 10 0 0 0 0 0\n"
    "cpu1 50 10 15 2000 30 0 0 0 0 0\n"
    "cpu11 50 10 15 1000 10 7 0 0 0 0\n"
    "intr 1 2 3\n";

TEST(IdleTicks, AreThoseOfTheProcessorsAskedFor) {
  EXPECT_EQ(idle_ticks(kStat, {0}), 1010);
  EXPECT_EQ(idle_ticks(kStat, {1}), 2030);
  EXPECT_EQ(idle_ticks(kStat, {0, 11}), 2020);
  EXPECT_EQ(idle_ticks(kStat, {}), 0);
}

TEST(IdleTicks, AreNoneWhereTheSystemDoesNotTell) {
  EXPECT_EQ(idle_ticks(kStat, {2}), std::nullopt);
  EXPECT_EQ(idle_ticks("", {0}), std::nullopt);
  EXPECT_EQ(idle_ticks("cpu 1 2 3\ncpu0 1 2\n", {0}), std::nullopt);
}

TEST(IdleTime, IsNotLongerThanTheTimeOfAll) {
  const IdleTime idle;
  const auto before = idle.seconds();
  if (!before) GTEST_SKIP() << "the system does not tell";
  const auto began = std::chrono::steady_clock::now();
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  const auto after = idle.seconds();
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - began;
  ASSERT_TRUE(after);
  EXPECT_GE(*after - *before, -0.1);  // time that a processor waits for a disk may be taken back
  EXPECT_LE(*after - *before, allowed_processors() * (passed.count() + 0.1));  // it counts in ticks
}

}  // namespace
}  // namespace anachron::topo
