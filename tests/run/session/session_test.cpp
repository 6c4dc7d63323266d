// What a session promises: times, errors, stops, interruptions.

#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <stdexcept>
#include <string>

#include <anachron/anachron.hpp>

#include "run/mode.hpp"
#include "run/session/purses.hpp"

namespace anachron::purses {
namespace {

INSTANTIATE_TEST_SUITE_P(Modes, Sessions,
                         ::testing::Values(with(Sync::sequential, 1, 1), with(Sync::optimistic, 1, 3),
                                           with(Sync::optimistic, 2, 2)),
                         [](const auto& test) {
                           return std::string(to_string(*test.param.sync)) + std::to_string(*test.param.pes);
                         });

TEST_P(Sessions, DrainToATimeAndShowTheLps) {
  auto session = simulation_.open();
  EXPECT_EQ(session.now(), 0);
  EXPECT_EQ(session.lp_count<Purse>(), 6u);
  EXPECT_EQ(session.run_until(2.5), Ending::finished);  // the event at 2.5 is not before it
  EXPECT_EQ(session.now(), 2.5);
  EXPECT_EQ(*session.lp<Purse>(1).coins, 1);
  EXPECT_EQ(*session.lp<Purse>(2).coins, 0);
  EXPECT_EQ(committed(), 2);
  session.run_until(2.5);
  EXPECT_EQ(committed(), 2);
  session.run_until(10);
  EXPECT_EQ(*session.lp<Purse>(2).coins, 2);
  EXPECT_THROW(session.lp<Purse>(6), std::out_of_range);

  const Report report = session.report();
  EXPECT_EQ(report.committed, 10u);
  EXPECT_EQ(report.end_time, 10);
  EXPECT_EQ(report.config.until, 10);
  EXPECT_EQ(report.results.value("coins"), 10);
  simulation_.config.until = 10;
  EXPECT_EQ(report.digest, simulation_.run().digest);
}

TEST_P(Sessions, OutliveTheirSimulation) {
  auto simulation = std::make_unique<Simulation<Purse>>();
  simulation->config = GetParam();
  auto session = simulation->open();
  simulation.reset();
  session.run_until(3);
  auto moved = std::move(session);
  moved.run_until(6);
  EXPECT_EQ(moved.report().committed, 6u);
}

TEST_P(Sessions, TakeEventsFromOutside) {
  auto session = simulation_.open();
  session.run_until(2);
  session.schedule(session.id<Purse>(5), 2, Coin{10});
  session.schedule(session.id<Purse>(4), 2.75, Coin{20});
  session.run_until(2.5);
  EXPECT_EQ(*session.lp<Purse>(5).coins, 10);
  EXPECT_EQ(*session.lp<Purse>(4).coins, 0);
  session.run_until(3);
  EXPECT_EQ(*session.lp<Purse>(4).coins, 20);
}

TEST_P(Sessions, RefuseBadInput) {
  auto session = simulation_.open();
  session.run_until(2);
  EXPECT_EQ(test::error_of([&] { session.run_until(1); }),
            "run until 1: valid are times from 2 on, where the session is");
  EXPECT_NE(test::error_of([&] { session.run_until(std::numeric_limits<double>::quiet_NaN()); }), "no error");
  EXPECT_EQ(test::error_of([&] { session.schedule(session.id<Purse>(5), 1.5, Coin{}); }),
            "event Coin is scheduled for Purse 5 at 1.5: valid are finite times from 2");
  EXPECT_EQ(test::error_of([&] { session.schedule(session.id<Purse>(6), 3, Coin{}); }),
            "event Coin is scheduled for an unknown LP, Purse 6: there are 6");
  for (const Time time : {kForever, std::numeric_limits<double>::quiet_NaN(), -1.0})
    EXPECT_NE(test::error_of([&] { session.schedule(session.id<Purse>(5), time, Coin{}); }), "no error")
        << time;
  // Nothing has come of any of it.
  session.run_until(10);
  simulation_.config.until = 10;
  EXPECT_EQ(session.report().digest, simulation_.run().digest);
}

struct Refusing {
  Refusing() = default;
  Refusing(Refusing&&) { throw std::runtime_error("does not move"); }
};
struct Taker {
  int taken = 0;
  void on(Context<Taker>&, const Refusing&) { ++taken; }
  void on(Context<Taker>&, const Coin&) { ++taken; }
};

TEST(Session, AnEventThatCannotBeMadeIsNotScheduled) {
  Simulation<Taker> simulation;
  simulation.lps<Taker>(2);
  auto session = simulation.open(), other = simulation.open();
  EXPECT_THROW(session.schedule(session.id<Taker>(0), 1, Refusing{}), std::runtime_error);
  session.schedule(session.id<Taker>(0), 1, Coin{});
  other.schedule(other.id<Taker>(0), 1, Coin{});
  session.run_until(2);
  other.run_until(2);
  EXPECT_EQ(session.lp<Taker>(0).taken, 1);
  EXPECT_EQ(session.report().digest, other.report().digest);
}

TEST_P(Sessions, GoOnBehindAStop) {
  auto session = simulation_.open();
  session.schedule(session.id<Purse>(0), 3.25, Halt{});
  EXPECT_EQ(session.run_until(10), Ending::stopped);
  EXPECT_EQ(session.now(), 3.25);
  EXPECT_EQ(session.report().ending, Ending::stopped);
  EXPECT_EQ(committed(), 3);
  // At that time something has happened already.
  EXPECT_EQ(test::error_of([&] { session.schedule(session.id<Purse>(5), 3.25, Coin{5}); }),
            "event Coin is scheduled for Purse 5 at 3.25: valid are finite times after 3.25");
  session.schedule(session.id<Purse>(5), 3.26, Coin{5});
  EXPECT_EQ(session.run_until(10), Ending::finished);
  EXPECT_EQ(session.report().ending, Ending::finished);
  EXPECT_EQ(session.report().results.value("coins"), 15);
}

struct Quitter {
  int handled = 0;
  void start(Context<Quitter>& cx) {
    cx.send(cx.self(), 1, Coin{});
    if (cx.self().index() == 1) cx.stop();
  }
  void on(Context<Quitter>&, const Coin&) { ++handled; }
};

TEST(Session, AStopInStartEndsTheFirstStep) {
  for (const Config& config : {with(Sync::sequential, 1, 1), with(Sync::optimistic, 2, 2)}) {
    Simulation<Quitter> simulation;
    simulation.config = config;
    simulation.lps<Quitter>(3);
    auto session = simulation.open();
    EXPECT_EQ(session.run_until(5), Ending::stopped);
    EXPECT_EQ(session.report().committed, 0u);
    EXPECT_EQ(session.run_until(5), Ending::finished);
    EXPECT_EQ(session.lp<Quitter>(1).handled, 1);
  }
}

TEST_P(Sessions, RunOutOfEvents) {
  Simulation<Taker> simulation;
  simulation.config = GetParam();
  simulation.lps<Taker>(4);
  auto session = simulation.open();
  EXPECT_EQ(session.run_until(kForever), Ending::finished);
  EXPECT_EQ(session.now(), 0);
  session.schedule(session.id<Taker>(0), 0, Coin{});  // nothing has happened at 0
  session.schedule(session.id<Taker>(3), 7, Coin{});
  session.run_until(kForever);
  EXPECT_EQ(session.now(), 7);
  EXPECT_THROW(session.schedule(session.id<Taker>(0), 7, Coin{}), InputError);
  session.schedule(session.id<Taker>(0), 8, Coin{});
  session.run_until(kForever);
  EXPECT_EQ(session.lp<Taker>(0).taken, 2);
  EXPECT_EQ(session.report().end_time, 8);
}

TEST_P(Sessions, ABrokenOneCanOnlyBeDestroyed) {
  auto session = simulation_.open();
  const Mark mark = session.mark();
  EXPECT_THROW(
      session.run_until(kForever, [](const Progress&) { throw std::runtime_error("in a callback"); }),
      std::runtime_error);
  EXPECT_THROW(session.rewind(mark), std::logic_error);
  EXPECT_THROW(session.report(), std::logic_error);
  EXPECT_THROW(session.branch({}, kForever), std::logic_error);
}

// Where it is interrupted nobody knows, but from there it goes on as if it had not been.
TEST_P(Sessions, GoOnWhenInterrupted) {
  auto session = simulation_.open();
  const auto at_once = [] { return true; };
  EXPECT_EQ(session.run_until(kForever, {}, at_once), Ending::interrupted);
  const Time first = session.now();
  const std::uint64_t digest = session.report().digest;
  const Mark mark = session.mark();
  EXPECT_EQ(session.run_until(kForever, {}, at_once), Ending::interrupted);
  EXPECT_GT(session.now(), first);
  session.rewind(mark);
  EXPECT_EQ(session.now(), first);
  EXPECT_EQ(session.report().digest, digest);
  session.run_until(first + 100);
  session.accept(mark);
  simulation_.config.until = first + 100;
  EXPECT_EQ(session.report().digest, simulation_.run().digest);
}

TEST(Session, FailsToOpenAsARunWould) {
  Simulation<Taker> simulation;
  EXPECT_THROW(simulation.open(), InputError);  // no number of LPs
  simulation.lps<Taker>(2);
  simulation.config.batch = 0;
  EXPECT_THROW(simulation.open(), InputError);
}

}  // namespace
}  // namespace anachron::purses
