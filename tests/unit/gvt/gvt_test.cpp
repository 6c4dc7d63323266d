// The phases of the GVT rounds, driven by hand; tests/concurrency has the same with threads.
#include "gvt/gvt.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

namespace anachron::gvt {
namespace {

Summary summary(std::optional<Time> earliest) {
  Summary s;
  if (earliest) s.earliest = event::EventKey{.time = *earliest};
  return s;
}

/// The bound of a round is the least that was reported.
struct Rounds {
  std::size_t concluded = 0;

  std::unique_ptr<Gvt> make(std::size_t members, anachron::Gvt algorithm = anachron::Gvt::epoch) {
    return make_gvt(algorithm, members, [this, members](Gvt& gvt, std::span<const Summary> summaries) {
      EXPECT_EQ(summaries.size(), members);
      ++concluded;
      Round round;
      for (const Summary& s : summaries)
        if (s.earliest && (!round.bound || *s.earliest < *round.bound)) round.bound = s.earliest;
      if (opens_at_once)
        gvt.open(round);
      else
        to_open = round;
    });
  }
  bool opens_at_once = true;
  std::optional<Round> to_open;
};

TEST(Gvt, APeAloneGoesThroughThePhases) {
  Rounds rounds;
  const auto gvt = rounds.make(1);
  for (int i = 1; i <= 5; ++i) {
    EXPECT_EQ(gvt->due(0), Duty::cut);
    gvt->cut(0);
    EXPECT_EQ(gvt->due(0), Duty::report);
    gvt->ready(0, summary(i * 1.5));
    EXPECT_EQ(gvt->due(0), Duty::adopt);
    EXPECT_EQ(gvt->round().bound->time, i * 1.5);
    gvt->adopted(0);
  }
  EXPECT_EQ(rounds.concluded, 5u);
}

TEST(Gvt, WhatAbsentMembersHaveSaidCountsInEachRound) {
  Rounds rounds;
  const auto gvt = rounds.make(3);
  const std::vector<Summary> absent{summary(std::nullopt), summary(2)};
  gvt->restart(absent);
  for (const Time earliest : {1.0, 3.0}) {
    gvt->cut(0);
    gvt->ready(0, summary(earliest));
    EXPECT_EQ(gvt->due(0), Duty::adopt);
    EXPECT_EQ(gvt->round().bound->time, std::min(earliest, 2.0));
    gvt->adopted(0);
  }
  gvt->restart({});
  gvt->cut(0);
  gvt->cut(1);
  EXPECT_EQ(gvt->due(0), Duty::none) << "all take part again";
}

TEST(Gvt, ABarrierCallsAllAndHoldsThoseThatHaveCut) {
  Rounds rounds;
  const auto gvt = rounds.make(2, anachron::Gvt::barrier);
  for (int i = 1; i <= 3; ++i) {
    EXPECT_FALSE(gvt->is_called());
    EXPECT_FALSE(gvt->must_wait(0));
    gvt->cut(0);
    EXPECT_TRUE(gvt->is_called());
    EXPECT_TRUE(gvt->must_wait(0));
    EXPECT_FALSE(gvt->must_wait(1));
    gvt->cut(1);
    gvt->ready(0, summary(i));
    EXPECT_TRUE(gvt->must_wait(0));
    gvt->ready(1, summary(i));
    EXPECT_TRUE(gvt->must_wait(0));
    gvt->adopted(0);
    EXPECT_FALSE(gvt->must_wait(0));
    EXPECT_TRUE(gvt->must_wait(1));
    gvt->adopted(1);
  }
}

TEST(Gvt, AnEpochMakesNobodyWait) {
  Rounds rounds;
  const auto gvt = rounds.make(2);
  gvt->cut(0);
  EXPECT_TRUE(gvt->is_called()) << "whoever likes may follow";
  EXPECT_FALSE(gvt->must_wait(0));
}

TEST(Gvt, NothingIsDueTwice) {
  Rounds rounds;
  const auto gvt = rounds.make(2);
  gvt->cut(0);
  EXPECT_EQ(gvt->due(0), Duty::none);
  EXPECT_EQ(gvt->due(1), Duty::cut);
  gvt->cut(1);
  gvt->ready(1, summary(1));
  EXPECT_EQ(gvt->due(1), Duty::none);
  EXPECT_EQ(gvt->due(0), Duty::report);
}

TEST(Gvt, ReportsAreDueOnlyWhenAllHaveCut) {
  Rounds rounds;
  const auto gvt = rounds.make(3);
  for (std::size_t member : {2u, 0u}) {
    gvt->cut(member);
    for (std::size_t other : {0u, 2u}) EXPECT_NE(gvt->due(other), Duty::report);
  }
  gvt->cut(1);
  for (std::size_t member = 0; member < 3; ++member) EXPECT_EQ(gvt->due(member), Duty::report);
}

TEST(Gvt, ARoundIsConcludedByTheLastReport) {
  Rounds rounds;
  const auto gvt = rounds.make(3);
  for (std::size_t member = 0; member < 3; ++member) gvt->cut(member);
  gvt->ready(1, summary(5));
  gvt->ready(2, summary({}));
  EXPECT_EQ(rounds.concluded, 0u);
  gvt->ready(0, summary(7));
  EXPECT_EQ(rounds.concluded, 1u);
  EXPECT_EQ(gvt->round().bound->time, 5);
}

// A fast PE may begin the next round, but nobody reports in it before all have had the chance to adopt this
// one.
TEST(Gvt, ARoundStaysValidUntilTheSlowestHasAdoptedIt) {
  Rounds rounds;
  const auto gvt = rounds.make(2);
  for (std::size_t member : {0u, 1u}) gvt->cut(member);
  for (std::size_t member : {0u, 1u}) gvt->ready(member, summary(3));
  EXPECT_EQ(gvt->due(0), Duty::adopt);
  gvt->adopted(0);
  EXPECT_EQ(gvt->due(0), Duty::cut);
  gvt->cut(0);
  EXPECT_EQ(gvt->due(0), Duty::none);
  EXPECT_EQ(gvt->due(1), Duty::adopt);
  EXPECT_EQ(gvt->round().bound->time, 3);
  gvt->adopted(1);
  EXPECT_EQ(gvt->due(1), Duty::cut);
}

// Nobody waits for a reduction that takes its time, and nobody goes on to the next round before it is open.
TEST(Gvt, ARoundIsOpenedWhenTheReductionIsDone) {
  Rounds rounds;
  rounds.opens_at_once = false;
  const auto gvt = rounds.make(2);
  for (int i = 1; i <= 3; ++i) {
    for (std::size_t member : {0u, 1u}) gvt->cut(member);
    for (std::size_t member : {0u, 1u}) gvt->ready(member, summary(i));
    EXPECT_EQ(rounds.concluded, static_cast<std::size_t>(i));
    for (std::size_t member : {0u, 1u}) EXPECT_EQ(gvt->due(member), Duty::none);
    gvt->open(*rounds.to_open);
    for (std::size_t member : {1u, 0u}) {
      EXPECT_EQ(gvt->due(member), Duty::adopt);
      EXPECT_EQ(gvt->round().bound->time, i);
      gvt->adopted(member);
      EXPECT_EQ(gvt->due(member), Duty::cut);
    }
  }
}

TEST(Gvt, NothingReportedIsNoBound) {
  Rounds rounds;
  const auto gvt = rounds.make(2);
  for (std::size_t member : {0u, 1u}) gvt->cut(member);
  for (std::size_t member : {0u, 1u}) gvt->ready(member, summary({}));
  EXPECT_EQ(gvt->due(0), Duty::adopt);
  EXPECT_FALSE(gvt->round().bound);
}

}  // namespace
}  // namespace anachron::gvt
