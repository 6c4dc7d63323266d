// Marks and branches of a session: what commits when, what comes back, memory.

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <vector>

#include <anachron/anachron.hpp>

#include "run/session/purses.hpp"

namespace anachron::purses {
namespace {

// What happened since a mark is kept: then less fits than without.
TEST_P(Sessions, SayWhenAMarkNeedsMoreMemoryThanThereIs) {
  simulation_.config.memory = std::uint64_t{8} << 20;
  auto session = simulation_.open();
  const auto mark = session.mark();
  EXPECT_TRUE(test::error_of([&] { session.run_until(1e6); }).starts_with("--memory: '8MiB' is not valid"));
  EXPECT_THROW(session.run_until(1e6), std::logic_error);
  EXPECT_THROW(session.rewind(mark), std::logic_error);
}

TEST_P(Sessions, CommitNothingBehindAMark) {
  auto session = simulation_.open();
  session.run_until(2);
  const Mark mark = session.mark();
  session.run_until(6);
  EXPECT_EQ(session.report().committed, 6u);
  EXPECT_EQ(committed(), 2);
  session.rewind(mark);
  EXPECT_EQ(session.now(), 2);
  EXPECT_EQ(session.report().committed, 2u);
  EXPECT_EQ(*session.lp<Purse>(2).coins, 0);
  session.run_until(4);
  session.accept(mark);
  EXPECT_EQ(committed(), 4);
  session.run_until(5);
  EXPECT_EQ(committed(), 5);
  EXPECT_EQ(session.report().executed - session.report().rolled_back, 5u);
  const Mark forgotten = session.mark();
  session.run_until(9);
  EXPECT_EQ(forgotten.id(), 2u);
  {
    const auto ended = std::move(session);
  }
  EXPECT_EQ(committed(), 5);
}

TEST_P(Sessions, NestMarks) {
  auto session = simulation_.open();
  const Mark outer = session.mark();
  session.run_until(2);
  const Mark inner = session.mark();
  session.run_until(4);
  session.rewind(inner);
  EXPECT_EQ(session.now(), 2);
  session.run_until(5);
  session.accept(inner);
  EXPECT_THROW(session.rewind(inner), std::invalid_argument);
  EXPECT_EQ(committed(), 0);
  const Mark later = session.mark();
  session.rewind(outer);
  EXPECT_EQ(session.now(), 0);
  EXPECT_THROW(session.accept(later), std::invalid_argument);
  session.run_until(3);
  EXPECT_EQ(session.report().committed, 3u);
  session.accept(outer);
  EXPECT_EQ(committed(), 3);
  EXPECT_THROW(session.rewind(outer), std::invalid_argument);
}

TEST_P(Sessions, BranchAndReturnEachResult) {
  auto session = simulation_.open();
  session.run_until(2);
  using Way = std::function<void(Session<Purse>&)>;
  const std::vector<Way> ways{[](auto&) {},
                              [](auto& s) { s.schedule(s.template id<Purse>(3), 2.5, Coin{100}); },
                              [](auto& s) { s.schedule(s.template id<Purse>(3), 2, Bag{{1, 2, 3}, {}}); }};
  const auto coins = session.branch(ways, 3, [](const auto& s) { return *s.template lp<Purse>(3).coins; });
  EXPECT_EQ(coins, (std::vector<int>{0, 100, 12}));
  const std::vector<Report> reports = session.branch(ways, 4);
  ASSERT_EQ(reports.size(), 3u);
  EXPECT_EQ(reports[1].results.value("coins"), 104);
  EXPECT_EQ(reports[1].committed, 5u);
  EXPECT_EQ(session.now(), 2);
  session.run_until(4);
  EXPECT_EQ(committed(), 4);
  EXPECT_EQ(reports[0].digest, session.report().digest);
  EXPECT_NE(reports[1].digest, reports[0].digest);
}

TEST_P(Sessions, AreBackWhenABranchFails) {
  auto session = simulation_.open();
  session.run_until(2);
  EXPECT_THROW(session.branch({[](auto& s) { s.schedule(s.template id<Purse>(3), 3, Explode{}); }}, 4),
               SimulationError);
  EXPECT_THROW(session.branch({[](auto& s) {
                                s.run_until(3);
                                throw std::runtime_error("does not know what to do");
                              }},
                              4),
               std::runtime_error);
  EXPECT_EQ(session.now(), 2);
  session.run_until(4);
  EXPECT_EQ(committed(), 4);
}

TEST_P(Sessions, AFailedOneCanOnlyBeTakenBack) {
  auto session = simulation_.open();
  session.run_until(2);
  const Mark mark = session.mark();
  session.schedule(session.id<Purse>(2), 3.75, Explode{});
  try {
    session.run_until(10);
    FAIL() << "no failure";
  } catch (const SimulationError& error) {
    EXPECT_STREQ(error.what(), "Purse 2: event Explode at time 3.75: threw: the purse exploded");
  }
  EXPECT_THROW(session.run_until(10), std::logic_error);
  EXPECT_THROW(session.report(), std::logic_error);
  EXPECT_THROW(session.accept(mark), std::logic_error);
  EXPECT_THROW(session.schedule(session.id<Purse>(2), 20, Coin{}), std::logic_error);
  session.rewind(mark);
  session.run_until(4);
  session.accept(mark);
  EXPECT_EQ(committed(), 4);

  session.schedule(session.id<Purse>(2), 5, Explode{});
  EXPECT_THROW(session.run_until(10), SimulationError);
  EXPECT_THROW(session.rewind(mark), std::invalid_argument);
  EXPECT_THROW(session.run_until(10), std::logic_error);
}

// Going back gives the memory of the stretch back.
TEST_P(Sessions, ManyBranchesTakeTheMemoryOfOne) {
  for (const bool is_nested : {false, true}) {
    auto session = simulation_.open();
    session.run_until(2);
    if (is_nested) {
      session.mark();
      session.run_until(40);
    }
    const auto bytes = [&] {
      const Report report = session.report();
      return report.history_bytes + report.event_bytes + report.queue_bytes;
    };
    const std::vector<std::function<void(Session<Purse>&)>> ways(
        3, [](auto& s) { s.schedule(s.template id<Purse>(3), s.now(), Coin{1}); });
    const Time until = session.now() + 500;
    session.branch(ways, until);
    const std::uint64_t once = bytes();
    for (int i = 0; i < 30; ++i) session.branch(ways, until);
    EXPECT_LE(bytes(), once + once / 2) << "nested: " << is_nested;
  }
}

TEST_P(Sessions, StopThrowingAwayWhatTheyHold) {  // the leak check of ASan sees to it
  auto session = simulation_.open();
  session.schedule(session.id<Purse>(2), 1, Bag{{1, 2}, {}});
  const Mark mark = session.mark();
  session.schedule(session.id<Purse>(3), 1, Bag{{1, 2, 3}, {}});
  session.run_until(4);
  session.rewind(mark);
  session.schedule(session.id<Purse>(4), 1, Bag{{1, 2, 3}, {}});
  session.run_until(4);
  EXPECT_EQ(*session.lp<Purse>(4).coins, 3 * 12);
}

}  // namespace
}  // namespace anachron::purses
