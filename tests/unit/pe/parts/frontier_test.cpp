// What may be a straggler, and what cannot be one.
#include "pe/parts/frontier.hpp"

#include <gtest/gtest.h>

namespace anachron::pe {
namespace {

event::EventHeader event_at(Time time, std::uint64_t order = 0) {
  event::EventHeader e{};
  e.time = time;
  e.order = order;
  return e;
}

TEST(Frontier, WhatIsLaterThanAllIsNoStraggler) {
  Frontier frontier;
  EXPECT_TRUE(frontier.may_precede(event_at(0)));
  EXPECT_FALSE(frontier.may_precede(event_at(0.5)));
  frontier.pass(event_at(2));
  frontier.pass(event_at(1));
  EXPECT_EQ(frontier.time(), 2);
  EXPECT_TRUE(frontier.may_precede(event_at(1.5)));
  EXPECT_FALSE(frontier.may_precede(event_at(2.5)));
}

TEST(Frontier, AtTheSameTimeTheOrderTells) {
  Frontier frontier;
  frontier.pass(event_at(2, 5));
  frontier.pass(event_at(2, 3));
  frontier.pass(event_at(1, 9));
  EXPECT_TRUE(frontier.may_precede(event_at(2, 4)));
  EXPECT_TRUE(frontier.may_precede(event_at(2, 5))) << "the sender may tell";
  EXPECT_FALSE(frontier.may_precede(event_at(2, 6)));
  frontier.pass(event_at(3, 1));
  EXPECT_TRUE(frontier.may_precede(event_at(2, 6)));
  EXPECT_FALSE(frontier.may_precede(event_at(3, 2))) << "orders of earlier times do not count";
}

TEST(Frontier, AfterGoingBackAllAtThatTimeMayBe) {
  Frontier frontier;
  frontier.pass(event_at(3, 1));
  frontier.go_back_to(2);
  EXPECT_EQ(frontier.time(), 2);
  EXPECT_TRUE(frontier.may_precede(event_at(2, 1000)));
  EXPECT_FALSE(frontier.may_precede(event_at(2.5)));
}

}  // namespace
}  // namespace anachron::pe
