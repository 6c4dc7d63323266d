#include "observe/watchdog.hpp"

#include <array>

#include <gtest/gtest.h>

namespace anachron::observe {
namespace {

using namespace std::chrono_literals;

constexpr event::EventOps kBall{};
constexpr auto kLong = Watchdog::kLong;

class Watching : public testing::Test {
 protected:
  auto look(std::chrono::milliseconds at) {
    return watchdog_.look(running_, Watchdog::Clock::time_point(at));
  }

  std::array<event::Running, 2> running_{{{&kBall, 3, 1.5, 7}, {}}};
  Watchdog watchdog_;
};

TEST_F(Watching, NamesAnEventThatStays) {
  EXPECT_FALSE(look(100ms));
  EXPECT_FALSE(look(100ms + kLong));
  const auto found = look(101ms + kLong);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->what, running_[0]);
  EXPECT_NEAR(found->seconds, 3.001, 1e-6);
}

TEST_F(Watching, TellsAnEventFromTheNextOfTheSameKind) {
  look(0ms);
  ++running_[0].batch;
  EXPECT_FALSE(look(1ms + kLong));
  EXPECT_TRUE(look(2ms + 2 * kLong));
}

TEST_F(Watching, DoesNotMindAPeThatHasNothingToDo) {
  running_[0].event = nullptr;
  look(0ms);
  EXPECT_FALSE(look(1ms + kLong));
}

TEST_F(Watching, NamesTheOneThatHasStayedLongest) {
  look(0ms);
  running_[1] = {&kBall, 4, 2.5, 1};
  look(10ms);
  EXPECT_EQ(look(1ms + kLong)->what.lp, 3u);
  EXPECT_EQ(look(20ms + kLong)->what.lp, 3u);
  ++running_[0].batch;
  EXPECT_EQ(look(30ms + kLong)->what.lp, 4u);
}

}  // namespace
}  // namespace anachron::observe
