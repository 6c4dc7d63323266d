// Events that failed or asked to stop, of one PE.
#include "pe/parts/fault_log.hpp"

#include <optional>
#include <string>

#include <gtest/gtest.h>

namespace anachron::pe {
namespace {

using Kind = event::Halt::Kind;

event::EventKey key(Time time, LpId sender = 0) { return {.time = time, .sender = sender}; }

HaltAt halt(Time time, LpId lp, Kind kind = Kind::stop, std::string cause = {}) {
  return {.key = key(time), .lp = lp, .halt = {.kind = kind, .cause = std::move(cause)}};
}

TEST(FaultLog, ThereIsNoneAtFirst) {
  const FaultLog halts;
  EXPECT_TRUE(halts.empty());
  EXPECT_FALSE(halts.first());
  EXPECT_FALSE(halts.mark());
  EXPECT_FALSE(halts.forbid(key(1)));
  EXPECT_FALSE(halts.has_failed());
  EXPECT_FALSE(halts.ending());
}

TEST(FaultLog, TheFirstHasTheSmallestKey) {
  FaultLog halts;
  halts.note(halt(5, 1));
  EXPECT_EQ(halts.first()->lp, 1u);
  halts.note(halt(3, 2, Kind::fault));
  halts.note(halt(4, 3));
  EXPECT_EQ(halts.first()->lp, 2u);
  EXPECT_EQ(halts.mark(), (gvt::HaltMark{key(3), 2, Kind::fault}));
  EXPECT_TRUE(halts.has_failed());
  EXPECT_TRUE(halts.has(key(3)));
  EXPECT_FALSE(halts.has(key(4)));
  halts.forget(key(3), 2);
  EXPECT_EQ(halts.first()->lp, 3u);
  EXPECT_FALSE(halts.has_failed());
}

TEST(FaultLog, ForbidWhatComesBehindTheFirst) {
  FaultLog halts;
  halts.note(halt(3, 1));
  EXPECT_FALSE(halts.forbid(key(2)));
  EXPECT_FALSE(halts.forbid(key(3))) << "it may be executed again";
  EXPECT_TRUE(halts.forbid(key(3, 1)));
  EXPECT_TRUE(halts.forbid(key(4)));
}

// With lazy cancellation two LPs may have an event with the same key for a while.
TEST(FaultLog, OfEqualKeysOnlyThatOfTheLpIsForgotten) {
  FaultLog halts;
  halts.note(halt(3, 1));
  halts.note(halt(3, 2));
  halts.forget(key(3), 3);
  halts.forget(key(4), 1);
  EXPECT_EQ(halts.first()->lp, 1u);
  halts.forget(key(3), 1);
  ASSERT_TRUE(halts.first());
  EXPECT_EQ(halts.first()->lp, 2u);
  halts.forget(key(3), 2);
  EXPECT_FALSE(halts.first());
  EXPECT_TRUE(halts.empty());
}

TEST(FaultLog, AFailureCountsBelowTheBoundOnly) {
  FaultLog halts;
  halts.note(halt(1, 1));
  halts.note(halt(3, 2, Kind::fault, "why"));
  EXPECT_EQ(halts.failure_below(key(3)), nullptr);
  ASSERT_NE(halts.failure_below(key(3.5)), nullptr);
  EXPECT_EQ(halts.failure_below(key(3.5))->halt.cause, "why");
  EXPECT_NE(halts.failure_below(std::nullopt), nullptr) << "no bound: all commits";
}

TEST(FaultLog, TheEndingIsKeptAlthoughItsEventIsUndone) {
  FaultLog halts;
  halts.note(halt(3, 1, Kind::fault, "why"));
  halts.note(halt(3, 2, Kind::fault, "another"));
  halts.end_with({key(3), 1, Kind::fault});
  halts.forget(key(3), 1);
  halts.forget(key(3), 2);
  EXPECT_TRUE(halts.empty());
  ASSERT_TRUE(halts.ending());
  EXPECT_EQ(halts.ending()->halt.cause, "why");
  halts.clear();
  EXPECT_FALSE(halts.ending());
}

TEST(FaultLog, AnotherPesEndingIsNotHere) {
  FaultLog halts;
  halts.note(halt(3, 1));
  halts.end_with({key(3), 2, Kind::stop});
  EXPECT_FALSE(halts.ending());
}

}  // namespace
}  // namespace anachron::pe
