// The phases of the GVT rounds, driven by hand; tests/concurrency has the same with threads.
#include "sync/gvt.hpp"

#include <optional>
#include <vector>

#include <gtest/gtest.h>

namespace anachron::sync {
namespace {

Summary summary(std::optional<Time> earliest) {
  Summary s;
  if (earliest) s.earliest = event::EventKey{.time = *earliest};
  return s;
}

/// The bound of a round is the least that was reported.
struct Rounds {
  std::size_t concluded = 0;

  Gvt make(std::size_t members, anachron::Gvt algorithm = anachron::Gvt::epoch) {
    return Gvt(algorithm, members, [this, members](std::span<const Summary> summaries) {
      EXPECT_EQ(summaries.size(), members);
      ++concluded;
      Round round;
      for (const Summary& s : summaries)
        if (s.earliest && (!round.bound || *s.earliest < *round.bound)) round.bound = s.earliest;
      return round;
    });
  }
};

TEST(Gvt, APeAloneGoesThroughThePhases) {
  Rounds rounds;
  Gvt gvt = rounds.make(1);
  for (int i = 1; i <= 5; ++i) {
    EXPECT_EQ(gvt.due(0), Duty::cut);
    gvt.cut(0);
    EXPECT_EQ(gvt.due(0), Duty::report);
    gvt.report(0, summary(i * 1.5));
    EXPECT_EQ(gvt.due(0), Duty::adopt);
    EXPECT_EQ(gvt.round().bound->time, i * 1.5);
    gvt.adopted(0);
  }
  EXPECT_EQ(rounds.concluded, 5u);
}

TEST(Gvt, ABarrierCallsAllAndHoldsThoseThatHaveCut) {
  Rounds rounds;
  Gvt gvt = rounds.make(2, anachron::Gvt::barrier);
  for (int i = 1; i <= 3; ++i) {
    EXPECT_FALSE(gvt.is_called());
    EXPECT_FALSE(gvt.holds(0));
    gvt.cut(0);
    EXPECT_TRUE(gvt.is_called());
    EXPECT_TRUE(gvt.holds(0));
    EXPECT_FALSE(gvt.holds(1));
    gvt.cut(1);
    gvt.report(0, summary(i));
    EXPECT_TRUE(gvt.holds(0));
    gvt.report(1, summary(i));
    EXPECT_TRUE(gvt.holds(0));
    gvt.adopted(0);
    EXPECT_FALSE(gvt.holds(0));
    EXPECT_TRUE(gvt.holds(1));
    gvt.adopted(1);
  }
}

TEST(Gvt, AnEpochHoldsAndCallsNobody) {
  Rounds rounds;
  Gvt gvt = rounds.make(2);
  gvt.cut(0);
  EXPECT_FALSE(gvt.is_called());
  EXPECT_FALSE(gvt.holds(0));
}

TEST(Gvt, NothingIsDueTwice) {
  Rounds rounds;
  Gvt gvt = rounds.make(2);
  gvt.cut(0);
  EXPECT_EQ(gvt.due(0), Duty::none);
  EXPECT_EQ(gvt.due(1), Duty::cut);
  gvt.cut(1);
  gvt.report(1, summary(1));
  EXPECT_EQ(gvt.due(1), Duty::none);
  EXPECT_EQ(gvt.due(0), Duty::report);
}

TEST(Gvt, ReportsAreDueOnlyWhenAllHaveCut) {
  Rounds rounds;
  Gvt gvt = rounds.make(3);
  for (std::size_t member : {2u, 0u}) {
    gvt.cut(member);
    for (std::size_t other : {0u, 2u}) EXPECT_NE(gvt.due(other), Duty::report);
  }
  gvt.cut(1);
  for (std::size_t member = 0; member < 3; ++member) EXPECT_EQ(gvt.due(member), Duty::report);
}

TEST(Gvt, ARoundIsConcludedByTheLastReport) {
  Rounds rounds;
  Gvt gvt = rounds.make(3);
  for (std::size_t member = 0; member < 3; ++member) gvt.cut(member);
  gvt.report(1, summary(5));
  gvt.report(2, summary({}));
  EXPECT_EQ(rounds.concluded, 0u);
  gvt.report(0, summary(7));
  EXPECT_EQ(rounds.concluded, 1u);
  EXPECT_EQ(gvt.round().bound->time, 5);
}

// A fast PE may begin the next round, but nobody reports in it before all have had the chance to adopt this
// one.
TEST(Gvt, ARoundStaysValidUntilTheSlowestHasAdoptedIt) {
  Rounds rounds;
  Gvt gvt = rounds.make(2);
  for (std::size_t member : {0u, 1u}) gvt.cut(member);
  for (std::size_t member : {0u, 1u}) gvt.report(member, summary(3));
  EXPECT_EQ(gvt.due(0), Duty::adopt);
  gvt.adopted(0);
  EXPECT_EQ(gvt.due(0), Duty::cut);
  gvt.cut(0);
  EXPECT_EQ(gvt.due(0), Duty::none);
  EXPECT_EQ(gvt.due(1), Duty::adopt);
  EXPECT_EQ(gvt.round().bound->time, 3);
  gvt.adopted(1);
  EXPECT_EQ(gvt.due(1), Duty::cut);
}

TEST(Gvt, NothingReportedIsNoBound) {
  Rounds rounds;
  Gvt gvt = rounds.make(2);
  for (std::size_t member : {0u, 1u}) gvt.cut(member);
  for (std::size_t member : {0u, 1u}) gvt.report(member, summary({}));
  EXPECT_EQ(gvt.due(0), Duty::adopt);
  EXPECT_FALSE(gvt.round().bound);
}

}  // namespace
}  // namespace anachron::sync
