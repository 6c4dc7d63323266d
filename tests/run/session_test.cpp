// What a session promises: times, errors, marks, what commits when, memory.

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <anachron/anachron.hpp>

#include "run/mode.hpp"

namespace anachron {
namespace {

struct Coin {
  int value = 1;
};
/// Owns memory; large ones come one by one from the system.
struct Bag {
  std::vector<int> coins;
  std::array<char, 2000> air{};
};
struct Explode {};
struct Halt {};

/// Sends a coin around, one LP a unit of time. Can be copied in no way.
struct Purse {
  struct Params {
    std::uint32_t purses = 6;
  };
  struct Shared {
    explicit Shared(const Params& params) : committed(params.purses) {}
    mutable std::vector<std::atomic<int>> committed;
  };
  static std::uint64_t count(const Params& params) { return params.purses; }

  std::unique_ptr<int> coins = std::make_unique<int>(0);

  void start(Context<Purse>& cx) {
    if (cx.self().index() == 0) cx.send(cx.id(0), 0.5, Coin{});
  }
  auto on(Context<Purse>& cx, const Coin& coin) {
    *coins += coin.value;
    if (coin.value == 1) cx.send(cx.id((cx.self().index() + 1) % cx.lp_count()), 1, Coin{});
    cx.on_commit([&committed = cx.shared().committed[cx.self().index()]] { ++committed; });
    return [value = coin.value](Purse& purse) { *purse.coins -= value; };
  }
  auto on(Context<Purse>& cx, const Bag& bag) {
    *coins += static_cast<int>(bag.coins.size());
    cx.send(cx.self(), 0.25, Bag{bag.coins});
    return [size = static_cast<int>(bag.coins.size())](Purse& purse) { *purse.coins -= size; };
  }
  auto on(Context<Purse>&, const Explode&) {
    if (*coins >= 0) throw std::runtime_error("the purse exploded");
    return [](Purse&) {};
  }
  auto on(Context<Purse>& cx, const Halt&) {
    cx.stop();
    return [](Purse&) {};
  }
  void finish(Results& results) const { results.count("coins", static_cast<std::uint64_t>(*coins)); }
};

class Sessions : public ::testing::TestWithParam<Config> {
 protected:
  Sessions() {
    simulation_.config = GetParam();
    shared_ = std::make_shared<const Purse::Shared>(Purse::Params{});
    simulation_.shared<Purse::Shared>(shared_);
  }
  int committed() const {
    int sum = 0;
    for (const auto& of_purse : shared_->committed) sum += of_purse;
    return sum;
  }
  template <class Action>
  static std::string input_error(Action&& action) {
    try {
      action();
    } catch (const InputError& error) {
      return error.what();
    }
    return "none";
  }

  Simulation<Purse> simulation_;
  std::shared_ptr<const Purse::Shared> shared_;
};

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
  EXPECT_EQ(input_error([&] { session.run_until(1); }),
            "run until 1: valid are times from 2 on, where the session is");
  EXPECT_NE(input_error([&] { session.run_until(std::numeric_limits<double>::quiet_NaN()); }), "none");
  EXPECT_EQ(input_error([&] { session.schedule(session.id<Purse>(5), 1.5, Coin{}); }),
            "event Coin is scheduled for Purse 5 at 1.5: valid are finite times from 2");
  EXPECT_EQ(input_error([&] { session.schedule(session.id<Purse>(6), 3, Coin{}); }),
            "event Coin is scheduled for an unknown LP, Purse 6: there are 6");
  for (const Time time : {kForever, std::numeric_limits<double>::quiet_NaN(), -1.0})
    EXPECT_NE(input_error([&] { session.schedule(session.id<Purse>(5), time, Coin{}); }), "none") << time;
  // Nothing has come of any of it.
  session.run_until(10);
  simulation_.config.until = 10;
  EXPECT_EQ(session.report().digest, simulation_.run().digest);
}

// What happened since a mark is kept: then less fits than without.
TEST_P(Sessions, SayWhenAMarkNeedsMoreMemoryThanThereIs) {
  simulation_.config.memory = std::uint64_t{8} << 20;
  auto session = simulation_.open();
  const auto mark = session.mark();
  EXPECT_TRUE(input_error([&] { session.run_until(1e6); }).starts_with("--memory: '8MiB' is not valid"));
  EXPECT_THROW(session.run_until(1e6), std::logic_error);
  EXPECT_THROW(session.rewind(mark), std::logic_error);
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

TEST_P(Sessions, GoOnBehindAStop) {
  auto session = simulation_.open();
  session.schedule(session.id<Purse>(0), 3.25, Halt{});
  EXPECT_EQ(session.run_until(10), Ending::stopped);
  EXPECT_EQ(session.now(), 3.25);
  EXPECT_EQ(session.report().ending, Ending::stopped);
  EXPECT_EQ(committed(), 3);
  // At that time something has happened already.
  EXPECT_EQ(input_error([&] { session.schedule(session.id<Purse>(5), 3.25, Coin{5}); }),
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

TEST(Session, FailsToOpenAsARunWould) {
  Simulation<Taker> simulation;
  EXPECT_THROW(simulation.open(), InputError);  // no number of LPs
  simulation.lps<Taker>(2);
  simulation.config.batch = 0;
  EXPECT_THROW(simulation.open(), InputError);
}

}  // namespace
}  // namespace anachron
