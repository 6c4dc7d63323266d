// What the records of a worker mean.
#include "observe/flight/interval.hpp"

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "topo/clocks/phase_clock.hpp"

namespace anachron::observe {
namespace {

using topo::FlightRecord;
using topo::Phase;

std::uint64_t now_in_test = 0;
std::uint64_t time_of_intervals() { return now_in_test; }

class Intervals : public testing::Test {
 protected:
  Intervals() {
    now_in_test = 1000;
    clock_.record_in(&ring_);
  }
  void pass(std::uint64_t ticks) { now_in_test += ticks; }
  std::vector<Interval> read() {
    std::vector<FlightRecord> records;
    std::vector<Interval> intervals;
    read_ = ring_.read(read_, records);
    reader_.read(records, false, intervals);
    reader_.finish(intervals);
    return intervals;
  }

  topo::FlightRing ring_{1024};
  topo::PhaseClockOf<&time_of_intervals> clock_;
  LaneReader reader_{0};
  std::uint64_t read_ = 0;
};

TEST_F(Intervals, AreWhatTheClockHasCut) {
  clock_.start(Phase::idle);
  pass(5);
  clock_.charge_to(2);
  clock_.enter(Phase::execution);
  pass(7);
  clock_.cut(30);
  clock_.record_of_pe({.kind = FlightRecord::Kind::reached, .value = std::bit_cast<std::uint64_t>(4.5)});
  clock_.enter(Phase::routing);
  pass(2);
  clock_.stop();
  const std::vector<Interval> seen = read();
  ASSERT_EQ(seen.size(), 3u);
  EXPECT_EQ(seen[0].phase, Phase::idle);
  EXPECT_EQ(seen[0].end - seen[0].begin, 5u);
  EXPECT_FALSE(seen[0].pe);
  EXPECT_EQ(seen[1].phase, Phase::execution);
  EXPECT_EQ(seen[1].begin, 1005u);
  EXPECT_EQ(seen[1].end, 1012u);
  EXPECT_EQ(seen[1].executed, 30u);
  EXPECT_EQ(seen[1].reached, 4.5);
  EXPECT_EQ(seen[1].pe, 2u);
  EXPECT_EQ(seen[2].phase, Phase::routing);
  EXPECT_FALSE(seen[2].reached);
}

/// A worker that finds nothing goes from PE to PE.
TEST_F(Intervals, WithoutEventsAreOne) {
  clock_.start(Phase::idle);
  for (std::size_t turn = 0; turn < 100; ++turn) {
    pass(3);
    clock_.charge_to(turn % 4);
  }
  clock_.enter(Phase::execution);
  pass(1);
  clock_.cut(1);
  clock_.stop();
  const std::vector<Interval> seen = read();
  ASSERT_EQ(seen.size(), 2u);
  EXPECT_EQ(seen[0].end - seen[0].begin, 300u);
  EXPECT_EQ(ring_.written(), 3u) << "with the record of the start";
}

TEST_F(Intervals, OfARollbackSayWhoCausedIt) {
  clock_.start(Phase::execution, 1);
  pass(10);
  {
    const decltype(clock_)::Within timed(&clock_, Phase::rollback);
    pass(4);
    clock_.record(
        {.kind = FlightRecord::Kind::undone, .count = 6, .value = std::bit_cast<std::uint64_t>(2.5)});
    clock_.record({.kind = FlightRecord::Kind::culprit, .value = std::uint64_t{17} << 32 | 23});
  }
  pass(10);
  clock_.stop();
  const std::vector<Interval> seen = read();
  ASSERT_EQ(seen.size(), 3u);
  ASSERT_TRUE(seen[1].undone);
  EXPECT_EQ(seen[1].end - seen[1].begin, 4u);
  EXPECT_EQ(seen[1].undone->events, 6u);
  EXPECT_EQ(seen[1].undone->to, 2.5);
  EXPECT_TRUE(seen[1].undone->has_straggler);
  EXPECT_EQ(seen[1].undone->receiver, 17u);
  EXPECT_EQ(seen[1].undone->sender, 23u);
  EXPECT_FALSE(seen[0].undone);
  EXPECT_FALSE(seen[2].undone);
}

TEST_F(Intervals, DoNotReachOverWhatIsMissing) {
  clock_.start(Phase::execution);
  pass(10);
  clock_.cut(1);
  EXPECT_EQ(read().size(), 1u);
  std::vector<Interval> later;
  const FlightRecord record{.what = static_cast<std::uint8_t>(Phase::execution), .value = 5000};
  reader_.read({&record, 1}, true, later);
  reader_.finish(later);
  EXPECT_TRUE(later.empty()) << "nobody knows when it began";
  const FlightRecord next{.what = static_cast<std::uint8_t>(Phase::execution), .value = 5100};
  reader_.read({&next, 1}, false, later);
  reader_.finish(later);
  ASSERT_EQ(later.size(), 1u);
  EXPECT_EQ(later[0].begin, 5000u);
}

TEST(RoundIntervals, AreReadWhenTheyAreComplete) {
  FlightRecorder recorder(1, 1 << 30, false);
  recorder.add_round(1);
  for (std::size_t figure = 0; figure < kRoundFigures; ++figure)
    recorder.add_figure(static_cast<RoundFigure>(figure), std::uint64_t{100 + figure});
  recorder.add_round(2);
  std::vector<FlightRecord> records;
  recorder.of_rounds().read(0, records);
  std::vector<RoundInterval> rounds;
  EXPECT_EQ(read_rounds(records, rounds), 1 + kRoundFigures);
  ASSERT_EQ(rounds.size(), 1u);
  EXPECT_EQ(rounds[0].count(RoundFigure::committed), 102u);
}

}  // namespace
}  // namespace anachron::observe
