// What the rollback check compares, what it cannot, and that it says so.

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <anachron/anachron.hpp>

#include "mode.hpp"

namespace anachron {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// The notes of a run under the check, or its error.
template <class Lp>
std::vector<std::string> checked(Config config) {
  Simulation<Lp> simulation;
  config.check_rollback = true;
  config.until = 20;
  simulation.config = config;
  simulation.template lps<Lp>(2);
  try {
    return simulation.run().notes;
  } catch (const SimulationError& error) {
    return {error.cause()};
  }
}

/// In every mode the same.
template <class Lp>
void expect_notes(const std::vector<std::string>& notes) {
  for (const Config& config :
       {with(Sync::sequential, 1, 1), with(Sync::optimistic, 1, 2), with(Sync::optimistic, 2, 2)})
    EXPECT_EQ(checked<Lp>(config), notes) << to_string(*config.sync) << " " << *config.workers;
}

/// Only sequentially: the model is wrong on purpose, and not to be run by two threads.
template <class Lp>
void expect_error(const std::string& part) {
  const auto notes = checked<Lp>(with(Sync::sequential, 1, 1));
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes[0].find(part), std::string::npos) << notes[0];
}

struct Tick {};

/// An LP that sends an event of type E to the other one, and counts in a state with a part of type Part.
template <class Part, class E = Tick>
struct Counter {
  static constexpr std::string_view name = "Counter";
  Part part{};
  int n = 0;

  void start(Context<Counter>& cx) { cx.send(cx.self(), 1, E{}); }
  void on(Context<Counter>& cx, const E& event) {
    ++n;
    cx.send(cx.id(1 - cx.self().index()), 1, event);
  }
  friend bool operator==(const Counter&, const Counter&)
    requires std::equality_comparable<Part>
  = default;
};

struct Measured {
  double mean = kNaN;  // of nothing, so far
  friend bool operator==(const Measured&, const Measured&) = default;
};
struct Bare {  // copyable, and nothing else
  std::vector<int> all{1};
};
struct Letter {
  std::string text = "Dear";
};
struct Sample {
  double value = kNaN;
  friend bool operator==(const Sample&, const Sample&) = default;
};

TEST(RollbackCheck, HasNothingToSayOfARightModel) { expect_notes<Counter<int>>({}); }

TEST(RollbackCheck, ANaNInAStateIsNoFault) {
  expect_notes<Counter<Measured>>(
      {"rollback check: some states of Counter are not equal to their copies, perhaps for a "
       "NaN, and were "
       "not compared"});
}

TEST(RollbackCheck, NamesStatesThatCannotBeCompared) {
  expect_notes<Counter<Bare>>(
      {"rollback check: states of Counter cannot be compared; make it copyable and give it "
       "operator=="});
}

TEST(RollbackCheck, NamesEventsThatCannotBeCompared) {
  expect_notes<Counter<int, Letter>>(
      {"rollback check: events Letter cannot be compared; give the type operator=="});
  expect_notes<Counter<int, Sample>>(
      {"rollback check: some events Sample are not equal to themselves, perhaps for a NaN, and were not "
       "compared"});
}

/// A state that has a value which becomes NaN once is compared before and after.
struct Meter {
  double mean = 0;
  int n = 0;

  void start(Context<Meter>& cx) { cx.send(cx.self(), 1, Tick{}); }
  auto on(Context<Meter>& cx, const Tick&) {
    const double before = mean;
    mean = ++n == 3 ? kNaN : n;
    cx.send(cx.self(), 1, Tick{});
    return [before](Meter& m) {
      m.mean = before;
      m.n -= m.n == 7 ? 2 : 1;
    };
  }
  friend bool operator==(const Meter&, const Meter&) = default;
};

TEST(RollbackCheck, ANaNHidesNothingLater) {
  expect_error<Meter>("undoing the event does not restore the state that was before it");
}

/// Sends something else each time that it is executed, which `Part` is not to hide.
template <class Part>
struct Fickle {
  Part part{};

  void start(Context<Fickle>& cx) { cx.send(cx.self(), 1, 0); }
  auto on(Context<Fickle>& cx, const int&) {
    static int calls = 0;
    cx.send(cx.self(), 1, ++calls);
    return [](Fickle&) {};
  }
};

TEST(RollbackCheck, ComparesWhatWasSentWithoutComparingStates) {
  const std::string part = "executed again, the event changes the state or sends in another way";
  expect_error<Fickle<int>>(part);
  expect_error<Fickle<Bare>>(part);
  expect_error<Fickle<std::unique_ptr<int>>>(part);
}

/// Its `serialize` forgets a member.
struct Forgetful {
  int n = 0, hidden = 0;

  void start(Context<Forgetful>& cx) { cx.send(cx.self(), 1, Tick{}); }
  void on(Context<Forgetful>& cx, const Tick&) {
    hidden += ++n;
    cx.send(cx.self(), 1, Tick{});
  }
  template <class Archive>
  void serialize(Archive& ar) {
    ar(n);
  }
  friend bool operator==(const Forgetful&, const Forgetful&) = default;
};

TEST(RollbackCheck, FindsAMemberThatIsNotEncoded) {
  expect_error<Forgetful>(
      "the state that was encoded and decoded is another one: its `serialize` leaves something out");
}

/// Events and what they send are right. What undoes one forgets a member that decides nothing.
struct Sloppy {
  static std::uint64_t count(const NoParams&) { return 40; }
  static inline bool is_wrong = false;
  std::uint64_t sum = 0, seen = 0;

  void start(Context<Sloppy>& cx) { cx.send(cx.self(), cx.rng().exponential(1), Tick{}); }
  auto on(Context<Sloppy>& cx, const Tick&) {
    const auto added = cx.rng().below(100u);
    sum += added;
    ++seen;
    cx.send(cx.id(cx.rng().below(40u)), cx.rng().exponential(1), Tick{});
    return [added](Sloppy& lp) {
      lp.sum -= added;
      if (!is_wrong) --lp.seen;
    };
  }
};

TEST(StateDigest, ShowsWhatTheDigestDoesNot) {
  const auto run = [](Sync sync, unsigned pes, bool is_wrong) {
    Sloppy::is_wrong = is_wrong;
    Simulation<Sloppy> simulation;
    simulation.config = with(sync, pes > 1 ? 2 : 1, pes);
    simulation.config.until = 30;
    if (pes > 1) simulation.config.test_chaos = 7;
    return simulation.run();
  };
  const Report expected = run(Sync::sequential, 1, false), right = run(Sync::optimistic, 4, false),
               wrong = run(Sync::optimistic, 4, true);
  ASSERT_TRUE(expected.state_digest);
  EXPECT_EQ(right.state_digest, expected.state_digest);
  ASSERT_GT(wrong.rolled_back, 0u);
  EXPECT_EQ(wrong.digest, expected.digest);
  EXPECT_NE(wrong.state_digest, expected.state_digest);
}

}  // namespace
}  // namespace anachron
