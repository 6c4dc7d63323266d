#include "sched/mapping/mapping.hpp"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "sched/mapping/shared_mapping.hpp"

namespace anachron::sched {
namespace {

std::vector<PeId> turns(Mapping& mapping, unsigned worker, unsigned n, bool had_work = true) {
  std::vector<PeId> out;
  for (; n > 0; --n) {
    out.push_back(mapping.try_acquire(worker));
    mapping.release(worker, out.back(), had_work);
  }
  return out;
}

TEST(FixedMapping, EachPeHasOneWorker) {
  for (const unsigned workers : {1u, 2u, 3u, 7u})
    for (const unsigned pes : {7u, 8u, 20u}) {
      FixedMapping mapping(workers, pes);
      std::multiset<PeId> run;
      for (unsigned worker = 0; worker < workers; ++worker)
        for (const PeId pe : turns(mapping, worker, mapping.pes_of(worker))) run.insert(pe);
      ASSERT_EQ(run.size(), pes);
      for (unsigned pe = 0; pe < pes; ++pe) EXPECT_EQ(run.count(static_cast<PeId>(pe)), 1u);
    }
}

TEST(FixedMapping, AWorkerRunsItsPesInTurn) {
  FixedMapping mapping(3, 10);
  EXPECT_EQ(mapping.pes_of(1), 3u);
  EXPECT_EQ(turns(mapping, 1, 8), (std::vector<PeId>{1, 4, 7, 1, 4, 7, 1, 4}));
}

TEST(FixedMapping, AsManyPesAsWorkersIsOneEach) {
  FixedMapping mapping(4, 4);
  for (unsigned worker = 0; worker < 4; ++worker)
    EXPECT_EQ(turns(mapping, worker, 3), std::vector<PeId>(3, static_cast<PeId>(worker)));
  EXPECT_EQ(mapping.active_workers(), 4u);
}

TEST(FixedMapping, KeepsThePeUntilItIsReleased) {
  FixedMapping mapping(2, 4);
  EXPECT_EQ(mapping.try_acquire(0), 0);
  EXPECT_EQ(mapping.try_acquire(0), 0);
  mapping.release(0, 0, true);
  EXPECT_EQ(mapping.try_acquire(0), 2);
}

TEST(FixedMapping, AWorkerWithoutPesRests) {
  FixedMapping mapping(6, 5);
  EXPECT_EQ(mapping.pes_of(5), 0u);
  EXPECT_EQ(mapping.try_acquire(5), kNoPe);
  EXPECT_EQ(mapping.active_workers(), 5u);
}

TEST(FixedMapping, InATermOfFewerWorkersTheseRunAllPes) {
  FixedMapping mapping(4, 4);
  mapping.begin_term(2, 4);
  EXPECT_EQ(turns(mapping, 0, 4), (std::vector<PeId>{0, 2, 0, 2}));
  EXPECT_EQ(turns(mapping, 1, 4), (std::vector<PeId>{1, 3, 1, 3}));
  EXPECT_EQ(mapping.active_workers(), 2u);
}

TEST(FixedMapping, InATermOfFewerPesOnlyTheseAreRun) {
  FixedMapping mapping(4, 8);
  mapping.begin_term(2, 3);
  EXPECT_EQ(turns(mapping, 0, 4), (std::vector<PeId>{0, 2, 0, 2}));
  EXPECT_EQ(turns(mapping, 1, 2), (std::vector<PeId>{1, 1}));
  EXPECT_EQ(mapping.pes_of(0), 2u);
}

TEST(DynamicMapping, InATermOfFewerPesOnlyTheseAreRun) {
  DynamicMapping mapping(2, 5, {});
  EXPECT_EQ(turns(mapping, 0, 4), (std::vector<PeId>{0, 1, 2, 3}));
  mapping.begin_term(2, 2);
  EXPECT_EQ(turns(mapping, 0, 3), (std::vector<PeId>{0, 1, 0}));
  mapping.begin_term(2, 5);
  EXPECT_EQ(turns(mapping, 1, 5), (std::vector<PeId>{0, 1, 2, 3, 4}));
}

TEST(DynamicMapping, EachWorkerGoesRoundAllPes) {
  DynamicMapping mapping(2, 3, {});
  EXPECT_EQ(turns(mapping, 0, 4), (std::vector<PeId>{0, 1, 2, 0}));
  EXPECT_EQ(turns(mapping, 1, 2), (std::vector<PeId>{0, 1}));
  EXPECT_EQ(mapping.activity(), nullptr);
}

TEST(DynamicMapping, APeInOtherHandsIsPassedOver) {
  DynamicMapping mapping(2, 3, {});
  ASSERT_EQ(mapping.try_acquire(0), 0);
  EXPECT_EQ(turns(mapping, 1, 3), (std::vector<PeId>{1, 2, 1}));
  ASSERT_EQ(mapping.try_acquire(1), 2);
  ASSERT_EQ(mapping.try_acquire(1), 1);
  EXPECT_EQ(mapping.try_acquire(1), kNoPe);
  mapping.release(0, 0, true);
  EXPECT_EQ(mapping.try_acquire(1), 0);
}

const SharedMappingSettings kLowestLvt{.pe_choice = PeChoice::lowest_lvt};

/// Gives a worker a turn of `pe`, whose first event is at `time` then.
void tell(Mapping& mapping, unsigned pe, Time time) {
  mapping.local_times()->tell(static_cast<PeId>(pe), time);
}

/// As a worker does: `reached` has the LVT of each PE, and a turn adds one.
std::vector<PeId> turns_by_lvt(Mapping& mapping, unsigned worker, unsigned n, std::vector<Time>& reached) {
  std::vector<PeId> out;
  for (; n > 0; --n) {
    const PeId pe = mapping.try_acquire(worker);
    out.push_back(pe);
    const bool had_work = reached[pe] < LocalTimes::kIdle;
    if (had_work) reached[pe] += 1;
    tell(mapping, pe, reached[pe]);
    mapping.release(worker, pe, had_work);
  }
  return out;
}

std::vector<unsigned> counts(const std::vector<PeId>& run, unsigned pes) {
  std::vector<unsigned> out(pes);
  for (const PeId pe : run) ++out[pe];
  return out;
}

TEST(DynamicMapping, InTurnNobodyAsksHowFarPesAre) {
  EXPECT_EQ(DynamicMapping(2, 3, {}).local_times(), nullptr);
}

TEST(DynamicMapping, ByTheLowestLvtThePeFurthestBehindIsNext) {
  DynamicMapping mapping(2, 3, kLowestLvt);
  for (const auto& [pe, time] : {std::pair{0u, 5.0}, {1u, 3.0}, {2u, 9.0}}) tell(mapping, pe, time);
  ASSERT_EQ(mapping.try_acquire(0), 1);
  EXPECT_EQ(mapping.try_acquire(1), 0) << "the one that is free";
  tell(mapping, 1, 6);
  mapping.release(0, 1, true);
  EXPECT_EQ(mapping.try_acquire(0), 1);
  EXPECT_EQ(mapping.try_acquire(1), 2);
  EXPECT_EQ(mapping.try_acquire(1), kNoPe);
}

TEST(DynamicMapping, ByTheLowestLvtPesStayTogether) {
  DynamicMapping mapping(1, 4, kLowestLvt);
  std::vector<Time> reached{0, 100, 200, 300};
  turns_by_lvt(mapping, 0, 10'000, reached);
  const auto [least, most] = std::minmax_element(reached.begin(), reached.end());
  EXPECT_LE(*most - *least, 8);
}

// A GVT round needs them: one far ahead, and one that has nothing to do.
TEST(DynamicMapping, ByTheLowestLvtNoPeStarves) {
  DynamicMapping mapping(1, 4, kLowestLvt);
  std::vector<Time> reached{0, 0, 1e9, LocalTimes::kIdle};
  const auto had = counts(turns_by_lvt(mapping, 0, 8000, reached), 4);
  EXPECT_GE(had[2], 8000 / 8 / 4 - 1);
  EXPECT_GE(had[3], 8000 / 2 - 10) << "it costs nothing";
  EXPECT_GE(had[0], 1000u);
  EXPECT_GE(had[1], 1000u);
}

TEST(DynamicMapping, ByTheLowestLvtIdlePesGoRound) {
  DynamicMapping mapping(2, 3, kLowestLvt);
  std::vector<Time> reached(3, LocalTimes::kIdle);
  for (const unsigned had : counts(turns_by_lvt(mapping, 1, 300, reached), 3)) EXPECT_GE(had, 90u);
  mapping.begin_term(2, 2);
  reached = {1, 0};
  EXPECT_EQ(turns_by_lvt(mapping, 0, 1, reached).front(), 0) << "nothing is known of an earlier term";
}

class OrphansByLvt : public testing::Test {
 protected:
  OrphansByLvt() {
    mapping_.activity()->deactivate(1);
    mapping_.activity()->deactivate(2);
  }
  LocalityMapping mapping_{
      3, 3, {.detector = anachron::Detector::kernel, .pe_choice = PeChoice::lowest_lvt, .orphan_turns = 4}};
};

TEST_F(OrphansByLvt, TheOneFurthestBehindIsServedIfItIsBehindTheWorkersOwn) {
  std::vector<Time> reached{50, 20, 30};
  for (unsigned pe = 0; pe < 3; ++pe) tell(mapping_, pe, reached[pe]);
  EXPECT_EQ(turns_by_lvt(mapping_, 0, 8, reached), std::vector<PeId>(8, 1));
  for (unsigned pe = 0; pe < 3; ++pe) tell(mapping_, pe, reached[pe] = pe == 0 ? 10 : 100);
  EXPECT_EQ(turns_by_lvt(mapping_, 0, 8, reached), std::vector<PeId>(8, 0));
}

TEST_F(OrphansByLvt, StayWithTheWorkersOwn) {
  std::vector<Time> reached{0, 100, 200};
  for (unsigned pe = 0; pe < 3; ++pe) tell(mapping_, pe, reached[pe]);
  turns_by_lvt(mapping_, 0, 10'000, reached);
  const auto [least, most] = std::minmax_element(reached.begin(), reached.end());
  EXPECT_LE(*most - *least, 3 * 4);
}

TEST_F(OrphansByLvt, NoneStarvesNorTheWorkersOwn) {
  for (const std::vector<Time>& at : {std::vector<Time>{0, 1e9, LocalTimes::kIdle},
                                      {LocalTimes::kIdle, 0, 1e9},
                                      {1e9, LocalTimes::kIdle, 0}}) {
    std::vector<Time> reached = at;
    for (unsigned pe = 0; pe < 3; ++pe) tell(mapping_, pe, reached[pe]);
    for (const unsigned had : counts(turns_by_lvt(mapping_, 0, 8000, reached), 3)) EXPECT_GE(had, 500u);
  }
}

class OrphansInLocalityMapping : public testing::Test {
 protected:
  LocalityMapping mapping_{3, 3, {.detector = anachron::Detector::kernel}};
};

TEST_F(OrphansInLocalityMapping, ThereAreNoneWhileAllAreActive) {
  for (unsigned worker = 0; worker < 3; ++worker)
    EXPECT_EQ(turns(mapping_, worker, 50), std::vector<PeId>(50, static_cast<PeId>(worker)));
}

TEST_F(OrphansInLocalityMapping, AreServedByTheOthersAndKeepUp) {
  mapping_.activity()->deactivate(2);
  EXPECT_EQ(mapping_.active_workers(), 2u);
  std::vector<unsigned> had(3);
  for (int i = 0; i < 3000; ++i)
    for (unsigned worker = 0; worker < 2; ++worker)
      for (const PeId pe : turns(mapping_, worker, 1)) ++had[pe];
  EXPECT_EQ(had[0] + had[1] + had[2], 6000u);
  for (const unsigned turns : had) EXPECT_NEAR(turns, 2000, 100);
}

TEST_F(OrphansInLocalityMapping, OneWorkerServesAll) {
  mapping_.activity()->deactivate(2);
  mapping_.activity()->deactivate(1);
  mapping_.activity()->deactivate(0);  // not the last
  EXPECT_EQ(mapping_.active_workers(), 1u);
  std::vector<unsigned> had(3);
  for (const PeId pe : turns(mapping_, 0, 3000)) ++had[pe];
  for (const unsigned turns : had) EXPECT_NEAR(turns, 1000, 100);
}

// What an orphan missed before it was one is not made up for: its server would neglect its own.
TEST_F(OrphansInLocalityMapping, LagOfLongAgoIsForgotten) {
  turns(mapping_, 0, 1'000'000);
  mapping_.activity()->deactivate(1);
  std::vector<unsigned> had(3);
  for (const PeId pe : turns(mapping_, 0, 20'000)) ++had[pe];
  EXPECT_NEAR(had[0], 10'000, 1000);
}

// One without events goes round fast.
TEST_F(OrphansInLocalityMapping, ThatHaveHadFarMoreTurnsAreServedAtOnce) {
  turns(mapping_, 2, 1'000'000);
  mapping_.activity()->deactivate(2);
  mapping_.release_kept(2);
  const std::vector<PeId> run = turns(mapping_, 0, 20);
  EXPECT_EQ(std::set<PeId>(run.begin(), run.end()), (std::set<PeId>{0, 2}));
}

TEST_F(OrphansInLocalityMapping, AreServedAStretchAtATime) {
  mapping_.activity()->deactivate(2);
  const std::vector<PeId> run = turns(mapping_, 0, 40);
  for (unsigned begin = 0; begin < 40; begin += 10)
    EXPECT_EQ(std::vector<PeId>(run.begin() + begin, run.begin() + begin + 10),
              std::vector<PeId>(10, begin % 20 ? 2 : 0));
}

TEST(LocalityMapping, AStretchHasAsManyTurnsAsItIsGiven) {
  LocalityMapping mapping(2, 2, {.detector = anachron::Detector::kernel, .orphan_turns = 3});
  mapping.activity()->deactivate(1);
  EXPECT_EQ(turns(mapping, 0, 12), (std::vector<PeId>{0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1}));
}

TEST_F(OrphansInLocalityMapping, AStretchEndsWithATurnWithoutWork) {
  mapping_.activity()->deactivate(2);
  EXPECT_EQ(turns(mapping_, 0, 4, false), (std::vector<PeId>{0, 2, 0, 2}));
}

TEST_F(OrphansInLocalityMapping, AreKeptUntilTheirWorkerLetsThemGo) {
  EXPECT_EQ(turns(mapping_, 1, 2), (std::vector<PeId>{1, 1}));
  mapping_.activity()->deactivate(1);
  EXPECT_EQ(turns(mapping_, 0, 50), std::vector<PeId>(50, 0))
      << "the worker has not seen that it is to sleep";
  mapping_.release_kept(1);
  const std::vector<PeId> run = turns(mapping_, 0, 50);
  EXPECT_EQ(std::set<PeId>(run.begin(), run.end()), (std::set<PeId>{0, 1}));
  mapping_.begin_term(3, 3);
  EXPECT_EQ(turns(mapping_, 1, 2), (std::vector<PeId>{1, 1}));
}

// Others may put it to sleep at any moment, also between its look at that and its next turn.
TEST_F(OrphansInLocalityMapping, APeIsNotAnOrphanToItsOwnWorker) {
  mapping_.activity()->deactivate(1);
  EXPECT_EQ(turns(mapping_, 1, 20), std::vector<PeId>(20, 1));
  mapping_.release_kept(1);
  const std::vector<PeId> run = turns(mapping_, 0, 50);
  EXPECT_EQ(std::set<PeId>(run.begin(), run.end()), (std::set<PeId>{0, 1}));
}

TEST_F(OrphansInLocalityMapping, WhoIsOutOfTheTermLetsNothingGo) {
  mapping_.begin_term(2, 3);
  EXPECT_EQ(turns(mapping_, 0, 2), (std::vector<PeId>{0, 2}));
  mapping_.release_kept(2);
  mapping_.activity()->deactivate(0);
  EXPECT_EQ(turns(mapping_, 1, 50), std::vector<PeId>(50, 1)) << "worker 0 still has the others";
}

TEST_F(OrphansInLocalityMapping, InATermOfFewerWorkersTheOthersAreOut) {
  mapping_.begin_term(1, 3);
  EXPECT_FALSE(mapping_.activity()->is_active(1));
  const std::vector<PeId> run = turns(mapping_, 0, 300);
  EXPECT_EQ(std::set<PeId>(run.begin(), run.end()).size(), 3u);
  mapping_.begin_term(3, 3);
  EXPECT_EQ(mapping_.active_workers(), 3u);
}

TEST_F(OrphansInLocalityMapping, InATermOfFewerPesEachIsServedByItsWorker) {
  mapping_.begin_term(2, 2);
  for (unsigned worker = 0; worker < 2; ++worker)
    EXPECT_EQ(turns(mapping_, worker, 50), std::vector<PeId>(50, static_cast<PeId>(worker)));
  mapping_.activity()->deactivate(1);
  mapping_.release_kept(1);
  const std::vector<PeId> run = turns(mapping_, 0, 300);
  EXPECT_EQ(std::set<PeId>(run.begin(), run.end()), (std::set<PeId>{0, 1}));
}

}  // namespace
}  // namespace anachron::sched
