// What counts as waiting.
#include "sched/idle.hpp"

#include <chrono>
#include <thread>

#include <gtest/gtest.h>

namespace anachron::sched {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point began) {
  return std::chrono::duration<double>(Clock::now() - began).count();
}
void work() { std::this_thread::sleep_for(std::chrono::milliseconds(5)); }

// That it found work shows at the end of the turn only. A batch per rest is what made waiting look ten times
// as long.
TEST(Idle, TheTurnThatFindsWorkIsNone) {
  topo::WorkerClock clock;
  Idle rest(clock, Backoff::kManySpins);
  double at_most = 0;
  for (int i = 0; i < 3; ++i) {
    rest.begin_turn();
    const auto began = Clock::now();
    rest.after_turn(Idle::Cause::no_events, 1);
    rest.begin_turn();
    at_most += seconds_since(began);
    work();
    rest.after_turn(Idle::Cause::had_work, 1);
  }
  EXPECT_GT(clock.waiting_s(), 0);
  EXPECT_LE(clock.waiting_s(), at_most);
}

TEST(Idle, IdleTurnsAre) {
  topo::WorkerClock clock;
  Idle rest(clock, Backoff::kManySpins);
  rest.after_turn(Idle::Cause::no_events, 1);
  for (int i = 0; i < 2; ++i) {
    rest.begin_turn();
    work();
    rest.after_turn(Idle::Cause::no_events, 1);
  }
  rest.begin_turn();
  rest.after_turn(Idle::Cause::had_work, 1);
  EXPECT_GE(clock.waiting_s(), 0.01);
  EXPECT_EQ(clock.gvt_s(), 0);
}

TEST(Idle, WaitingForARoundIsOfTheRound) {
  topo::WorkerClock clock;
  Idle rest(clock, Backoff::kManySpins);
  rest.after_turn(Idle::Cause::gvt, 1);
  work();
  rest.begin_turn();
  rest.book();  // as when it reports
  EXPECT_GE(clock.gvt_s(), 0.005);
  EXPECT_EQ(clock.waiting_s(), 0);
}

TEST(Idle, BeginsWhenNoneOfItsPesHadWork) {
  topo::WorkerClock clock;
  Idle rest(clock, Backoff::kManySpins);
  rest.after_turn(Idle::Cause::no_events, 2);
  rest.begin_turn();
  work();
  rest.after_turn(Idle::Cause::had_work, 2);
  EXPECT_EQ(clock.waiting_s(), 0);
}

}  // namespace
}  // namespace anachron::sched
