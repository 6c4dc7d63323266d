// When an irrevocable event is certain, and what the last round commits because of one.
#include "pe/parts/irrevocable_gate.hpp"

#include <optional>

#include <gtest/gtest.h>

namespace anachron::pe {
namespace {

using event::EventHeader;
using event::EventKey;
using Bound = std::optional<EventKey>;

constexpr event::EventOps kPlain{};
constexpr event::EventOps kIrrevocable = [] {
  event::EventOps ops{};
  ops.irrevocable = true;
  return ops;
}();

EventHeader event_at(Time time, const event::EventOps& ops) {
  EventHeader e{};
  e.time = time;
  e.set_ops(ops, 0);
  return e;
}

TEST(IrrevocableGate, AnEventIsCertainAtTheBoundOnly) {
  IrrevocableGate gate;
  const EventHeader e = event_at(2, kIrrevocable);
  EXPECT_FALSE(gate.is_certain(&e));
  gate.adopt(EventKey{.time = 1});
  EXPECT_FALSE(gate.is_certain(&e));
  gate.adopt(EventKey{.time = 2});
  EXPECT_TRUE(gate.is_certain(&e));
  EXPECT_FALSE(gate.is_certain(nullptr));
  gate.adopt(std::nullopt);
  EXPECT_FALSE(gate.is_certain(&e));
}

TEST(IrrevocableGate, PutsAsideWhatIsIrrevocableAndWhatComesBehindIt) {
  IrrevocableGate gate;
  lp::LpCell a{}, b{};
  EventHeader early = event_at(1, kPlain), toll = event_at(2, kIrrevocable), late = event_at(3, kPlain);
  EXPECT_TRUE(gate.put_aside(&a, toll));
  EXPECT_FALSE(gate.put_aside(&a, early));
  EXPECT_FALSE(gate.put_aside(&b, late));
  EXPECT_TRUE(gate.put_aside(&a, late));
  EXPECT_EQ(gate.size(), 2u);
  EXPECT_EQ(gate.first(), &toll);
  int release_aside = 0;
  gate.release_aside(&a, toll, [&](EventHeader& e) {
    EXPECT_EQ(&e, &late);
    ++release_aside;
  });
  EXPECT_EQ(release_aside, 1);
  EXPECT_TRUE(gate.empty());
}

class FinalBound : public testing::Test {
 protected:
  FinalBound() { gate_.executed(toll_); }
  IrrevocableGate gate_;
  const EventHeader toll_ = event_at(5, kIrrevocable);
  const EventKey behind_ = toll_.key().successor();
};

TEST_F(FinalBound, IsThatOfTheRoundWhenNoneWasExecuted) {
  const IrrevocableGate none;
  EXPECT_EQ(none.final_bound(EventKey{.time = 1}, std::nullopt), (Bound{{.time = 1}}));
  EXPECT_EQ(none.behind_last(), std::nullopt);
}

TEST_F(FinalBound, IncludesAnIrrevocableEventThatWasExecutedAfterTheRound) {
  EXPECT_EQ(gate_.behind_last(), behind_);
  EXPECT_EQ(gate_.final_bound(EventKey{.time = 4}, std::nullopt), behind_);
  EXPECT_EQ(gate_.final_bound(toll_.key(), std::nullopt), behind_);
}

TEST_F(FinalBound, IsThatOfTheRoundWhenItIsBehindTheEvent) {
  EXPECT_EQ(gate_.final_bound(behind_, std::nullopt), behind_);
  EXPECT_EQ(gate_.final_bound(EventKey{.time = 6}, std::nullopt), (Bound{{.time = 6}}));
  EXPECT_EQ(gate_.final_bound(std::nullopt, std::nullopt), std::nullopt) << "all commits";
}

// It ended the run: what failed does not commit.
TEST_F(FinalBound, DoesNotIncludeTheEventIfItFailed) {
  EXPECT_EQ(gate_.final_bound(toll_.key(), toll_.key()), toll_.key());
  EXPECT_EQ(gate_.final_bound(EventKey{.time = 4}, EventKey{.time = 5.5}), behind_) << "another event failed";
}

}  // namespace
}  // namespace anachron::pe
