// Runs that end with an error, an exception of a callback, or at time 0.
#include <chrono>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <anachron/base/error.hpp>
#include <anachron/run/config.hpp>

#include "engine/engine.hpp"
#include "unit/pe/pe_bench.hpp"

namespace anachron::pe {
namespace {

// What the history holds is freed even if no event needs that: events here
// are trivial, states and actions own memory. The leak check of ASan sees to it.

struct Beat {
  int number = 0;
};

/// Fails in the handler of its 30th beat if that is before this time.
struct FailsBefore {
  Time time = 0;
};

struct Drummer {
  using Shared = FailsBefore;
  std::vector<int> beats;

  void start(Context<Drummer>& cx) { cx.send(cx.self(), 1, Beat{1}); }
  void on(Context<Drummer>& cx, const Beat& beat) {
    beats.push_back(beat.number);
    if (beat.number == 30 && cx.now() < cx.shared().time) throw std::runtime_error("in the handler");
    cx.on_commit([name = std::string(100, 'x'), beat] {
      if (beat.number == 40) throw std::runtime_error("at commit");
    });
    if (beat.number < 100) cx.send(cx.self(), 1, Beat{beat.number + 1});
  }
  bool operator==(const Drummer&) const = default;
};

class FailedRun : public ::testing::TestWithParam<Config> {
 protected:
  /// The cause of the error.
  std::string run(Time handler_fails_before) {
    const FailsBefore shared{handler_fails_before};
    try {
      run({{&anachron::detail::lp_ops<Drummer>(), 0, 3, nullptr, &shared}});
    } catch (const SimulationError& error) {
      return error.cause();
    }
    return "none";
  }

 private:
  void run(std::vector<event::LpTypeEntry> types) { engine::run(std::move(types), GetParam(), {}, {}); }
};
INSTANTIATE_TEST_SUITE_P(Modes, FailedRun, ::testing::ValuesIn([] {
                           Config checked = sequential(), checked_too = optimistic(1);
                           checked.check_rollback = checked_too.check_rollback = true;
                           return std::vector<Config>{sequential(), checked, optimistic(1), optimistic(2),
                                                      checked_too};
                         }()),
                         [](const auto& test) {
                           return std::string(to_string(*test.param.sync)) + std::to_string(*test.param.pes) +
                                  (test.param.check_rollback ? "checked" : "");
                         });

TEST_P(FailedRun, FreesAllAfterAFault) { EXPECT_EQ(run(1000), "threw: in the handler"); }

TEST_P(FailedRun, FreesAllAfterAFailedCommit) { EXPECT_EQ(run(0), "threw at commit: at commit"); }

/// What it throws at commit is no std::exception.
struct Thrower {
  void start(Context<Thrower>& cx) { cx.send(cx.self(), 1, Beat{}); }
  void on(Context<Thrower>& cx, const Beat&) {
    cx.on_commit([] { throw 5; });
  }
};

TEST(FailedCommit, AnyExceptionNamesTheEvent) {
  for (const Config& config : {sequential(), optimistic(2)})
    EXPECT_THROW(
        engine::run({{&anachron::detail::lp_ops<Thrower>(), 0, 1, nullptr, nullptr}}, config, {}, {}),
        SimulationError);
}

/// What it asks for in `start` is done at once.
struct Opener {
  struct Note {
    std::string text;
  };
  std::string name = std::string(100, 'x');

  void start(Context<Opener>& cx) {
    cx.on_commit([name = std::string(100, 'x')] {});
    cx.on_commit([name = std::string(100, 'x')] { throw std::runtime_error("no paper"); });
    cx.send(cx.self(), 1, Note{name});
  }
  void on(Context<Opener>&, const Note&) {}
};

TEST(FailedCommit, OfStartNamesTheLp) {
  for (const Config& config : {sequential(), optimistic(2)}) try {
      engine::run({{&anachron::detail::lp_ops<Opener>(), 0, 1, nullptr, nullptr}}, config, {}, {});
      ADD_FAILURE() << "no error";
    } catch (const SimulationError& error) {
      EXPECT_EQ(error.lp(), "Opener 0");
      EXPECT_EQ(error.event(), "start");
      EXPECT_EQ(error.cause(), "threw at commit: no paper");
    }
}

// Ids that come after the last one would be those of another PE.
TEST(MatchIds, ThatAreUsedUpEndTheRun) {
  const FailsBefore shared;
  PeBench bench({{&anachron::detail::lp_ops<Drummer>(), 0, 2, nullptr, &shared}}, {0, 1}, optimistic(2));
  bench.begin();
  bench.step(0, 1);
  bench.pe(0).skip_match_ids((std::uint64_t{1} << 48) - (std::uint64_t{1} << 39));
  EXPECT_THROW(bench.step(0, 1), std::runtime_error);
  EXPECT_NO_THROW(bench.step(1, 1));
}

/// Goes on for two seconds.
struct Runner {
  std::chrono::steady_clock::time_point began = std::chrono::steady_clock::now();

  void start(Context<Runner>& cx) { cx.send(cx.self(), 1, Beat{}); }
  void on(Context<Runner>& cx, const Beat& beat) {
    if (std::chrono::steady_clock::now() - began > std::chrono::seconds(2)) cx.stop();
    cx.send(cx.self(), 1, beat);
  }
};

// An exception of a callback reaches the caller when it happens, not at the end of a run that may have none.
TEST(Callbacks, AnExceptionEndsTheRun) {
  const auto fail = [](auto&&...) -> bool { throw std::runtime_error("window closed"); };
  for (const Config& config : {sequential(), optimistic(2)}) {
    const auto began = std::chrono::steady_clock::now();
    const auto took = [&] { return std::chrono::steady_clock::now() - began; };
    EXPECT_THROW(
        engine::run({{&anachron::detail::lp_ops<Runner>(), 0, 1, nullptr, nullptr}}, config, fail, {}),
        std::runtime_error);
    EXPECT_LT(took(), std::chrono::milliseconds(1500));
  }
}

// No event is before time 0, however zero is spelt (`--until -0`).
TEST(EndTime, ZeroCommitsNothing) {
  const FailsBefore shared;
  for (const Time until : {0.0, -0.0})
    for (Config config : {sequential(), optimistic(2)}) {
      config.until = until;
      config = resolve(config, 1);
      const auto outcome =
          engine::run({{&anachron::detail::lp_ops<Drummer>(), 0, 1, nullptr, &shared}}, config, {}, {});
      EXPECT_EQ(outcome.pes[0].committed, 0u) << to_string(*config.sync);
    }
}

}  // namespace
}  // namespace anachron::pe
