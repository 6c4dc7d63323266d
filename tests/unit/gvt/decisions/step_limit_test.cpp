#include "gvt/decisions/step_limit.hpp"

#include <gtest/gtest.h>

namespace anachron::gvt {
namespace {

event::EventKey at(Time time, std::uint32_t step) { return {time, event::make_order(step, 7), 1, 1}; }

TEST(StepLimit, IsNoneWhileTimeAdvances) {
  StepLimit limit;
  for (int round = 0; round < 100; ++round)
    EXPECT_EQ(limit.step_end(at(round, 3), std::nullopt, 5), event::kStepEnd);
}

TEST(StepLimit, IsNoneWhileEventsCommit) {
  StepLimit limit;
  for (std::uint32_t round = 0; round < 100; ++round)
    EXPECT_EQ(limit.step_end(at(1, round), std::nullopt, round), event::kStepEnd);
}

TEST(StepLimit, ShrinksToTheStepOfGvt) {
  StepLimit limit;
  std::uint32_t last = event::kStepEnd;
  for (int round = 0; round < 20; ++round) {
    const std::uint32_t end = limit.step_end(at(1, 10), std::nullopt, 5);
    EXPECT_LE(end, last);
    EXPECT_GT(end, 10u);
    last = end;
  }
  EXPECT_EQ(last, 11u);
  EXPECT_TRUE(limit.is_strict());
  EXPECT_EQ(limit.step_end(at(1, 200), std::nullopt, 5), 201u);
  EXPECT_EQ(limit.step_end(at(2, 0), std::nullopt, 5), event::kStepEnd);
  EXPECT_FALSE(limit.is_strict());
}

TEST(StepLimit, HoldsUpWhatAnUnseenCancellationMayBeFor) {
  StepLimit limit;
  for (int round = 0; round < 20; ++round) limit.step_end(at(1, 10), std::nullopt, 5);
  EXPECT_EQ(limit.step_end(at(1, 10), at(1, 10), 5), 10u);
  EXPECT_EQ(limit.step_end(at(1, 10), at(1, 12), 5), 11u);
  EXPECT_EQ(limit.step_end(at(1, 10), at(2, 0), 5), 11u);
}

}  // namespace
}  // namespace anachron::gvt
