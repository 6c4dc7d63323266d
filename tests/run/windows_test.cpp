// --sync auto: windows beside Time Warp, for models with lookahead.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include <anachron/anachron.hpp>

#include "run/mode.hpp"

namespace anachron {
namespace {

struct Baton {};

/// Throws tokens at others, a lookahead ahead, and in pairs without one.
struct Juggler {
  struct Params {
    std::uint32_t jugglers = 400;
    double lookahead = 1, promised = 1;
    bool stops = false;
  };
  static std::uint64_t count(const Params& params) { return params.jugglers; }
  static double lookahead(const Params& params) { return params.promised; }
  static bool may_stop(const Params&) { return false; }
  static std::uint32_t cluster(const Params&, std::uint32_t index) { return index / 2; }

  std::uint64_t received = 0;

  void start(Context<Juggler>& cx) { cx.send(cx.self(), cx.rng().exponential(1), Baton{}); }
  void on(Context<Juggler>& cx, const Baton&) {
    ++received;
    const Params& params = cx.params();
    if (params.stops) cx.stop();
    const std::uint32_t self = cx.self().index();
    if (cx.rng().bernoulli(0.3)) return void(cx.send(cx.id(self ^ 1), 0, Baton{}));
    cx.send(cx.id(cx.rng().below(cx.lp_count())), params.lookahead + cx.rng().exponential(1), Baton{});
  }
};

/// The same, but it does not say that it does not stop.
struct Silent {
  static std::uint64_t count(const NoParams&) { return 50; }
  static double lookahead(const NoParams&) { return 1; }

  std::uint64_t received = 0;

  void start(Context<Silent>& cx) { cx.send(cx.self(), 1, Baton{}); }
  void on(Context<Silent>& cx, const Baton&) {
    if (++received == 500) return cx.stop();
    cx.send(cx.id(cx.rng().below(cx.lp_count())), 1, Baton{});
  }
};

Report run(const Config& config, const Juggler::Params& params = {}) {
  Simulation<Juggler> simulation;
  simulation.params<Juggler::Params>() = params;
  simulation.config = config;
  simulation.config.until = 400;
  return simulation.run();
}

TEST(Windows, AreThereForModelsWithLookahead) {
  const Report expected = run(with(Sync::sequential, 1, 1));
  Config config = with(Sync::automatic, 2, 2);
  const Report report = run(config);
  EXPECT_EQ(report.digest, expected.digest);
  EXPECT_TRUE(report.had_windows());
  config.sync.reset();
  EXPECT_TRUE(run(config).had_windows()) << "by default";
}

TEST(Windows, AreNotWhereTimeWarpIsAskedFor) {
  const std::uint64_t expected = run(with(Sync::sequential, 1, 1)).digest;
  const Config automatic = with(Sync::automatic, 2, 3);
  Config optimistic = automatic, keeping = automatic, throttled = automatic, fixed = automatic,
         checked = automatic;
  optimistic.sync = Sync::optimistic;
  keeping.history = History::always;
  throttled.throttle = Throttle::mtw;
  fixed.mapping = Mapping::fixed;
  checked.check_rollback = true;
  for (const Config& config : {optimistic, keeping, throttled, fixed, checked}) {
    const Report report = run(config);
    EXPECT_EQ(report.digest, expected);
    EXPECT_FALSE(report.had_windows());
  }
}

TEST(Windows, AreNotWhereAnEventMightStopTheRun) {
  const auto play = [](const Config& config) {
    Simulation<Silent> simulation;
    simulation.config = config;
    return simulation.run();
  };
  const Report report = play(with(Sync::automatic, 2, 2));
  EXPECT_EQ(report.digest, play(with(Sync::sequential, 1, 1)).digest);
  EXPECT_FALSE(report.had_windows());
}

// The trials begin in windows, and stay there for the first two whatever the clock says.
TEST(Windows, HoldAModelToItsWord) {
  const auto complaint = [](const Juggler::Params& params) -> std::string {
    try {
      run(with(Sync::automatic, 2, 2), params);
    } catch (const SimulationError& error) {
      return error.what();
    }
    return "none";
  };
  EXPECT_NE(
      complaint({.lookahead = 0.5}).find("which is below the lookahead 1 of LP type Juggler (--sync auto)"),
      std::string::npos)
      << complaint({.lookahead = 0.5});
  EXPECT_NE(complaint({.stops = true}).find("--sync auto needs a `static bool may_stop"), std::string::npos)
      << complaint({.stops = true});
}

TEST(Windows, ASessionGoesOnInThem) {
  const auto play = [](const Config& config) {
    Simulation<Juggler> simulation;
    simulation.config = config;
    auto session = simulation.open();
    session.run_until(10);
    session.schedule(session.id<Juggler>(3), 10.5, Baton{});
    session.run_until(20);
    const auto mark = session.mark();
    session.schedule(session.id<Juggler>(5), 21, Baton{});
    session.run_until(30);
    session.rewind(mark);
    session.schedule(session.id<Juggler>(7), 22, Baton{});
    session.run_until(40);
    session.accept(mark);
    session.run_until(100);
    return session.report().digest;
  };
  const std::uint64_t expected = play(with(Sync::sequential, 1, 1));
  for (const unsigned pes : {2u, 5u}) EXPECT_EQ(play(with(Sync::automatic, 2, pes)), expected);
}

}  // namespace
}  // namespace anachron
