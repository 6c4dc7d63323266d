// How many workers are active, as whoever runs a model sees it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <anachron/anachron.hpp>

#include "run/fake_model.hpp"
#include "run/mode.hpp"
#include "support/odd_parts.hpp"

namespace anachron {
namespace {

struct Baton {
  std::vector<int> trail;
};
struct All {};

/// Throws tokens at others, and now and then one at all.
struct Thrower {
  struct Params {
    std::uint32_t throwers = 20, tokens = 4;
  };
  static std::uint64_t count(const Params& params) { return params.throwers; }

  std::uint64_t received = 0;

  void start(Context<Thrower>& cx) {
    for (std::uint32_t i = 0; i < cx.params().tokens; ++i) cx.send(cx.self(), 0.1 * (i + 1), Baton{});
  }
  void on(Context<Thrower>& cx, const Baton& token) {
    ++received;
    std::vector<int> trail(token.trail.size() % 5 + 1, static_cast<int>(received));
    cx.send(cx.id(cx.rng().below(cx.lp_count())), cx.rng().exponential(1), Baton{std::move(trail)});
    if (cx.rng().bernoulli(0.01)) cx.broadcast<Thrower>(0.5, All{});
  }
  void on(Context<Thrower>&, const All&) { received += 1000; }
};

Report run(Config config, Time until = 200) {
  config.until = until;
  Simulation<Thrower> simulation;
  simulation.config = config;
  return simulation.run();
}

TEST(ActiveWorkers, OneOfSeveralPesGoesInOrder) {
  const Report sequential = run(with(Sync::sequential, 1, 1));
  const Report report = run(with(Sync::optimistic, 1, 4));
  EXPECT_EQ(report.digest, sequential.digest);
  EXPECT_EQ(report.committed, sequential.committed);
  EXPECT_EQ(report.committed_in_order, report.committed);
  EXPECT_EQ(report.executed, report.committed);
  EXPECT_EQ(report.gvt_rounds, 0u);
  ASSERT_FALSE(report.rounds.empty());
  for (const RoundSample& sample : report.rounds) EXPECT_EQ(sample.active_workers, 1u);
}

TEST(ActiveWorkers, OthersMappingsStayParallel) {
  const Report sequential = run(with(Sync::sequential, 1, 1));
  for (const auto& [name, mapping] : Spelling<Mapping>::names) {
    if (mapping == Mapping::automatic) continue;
    Config config = with(Sync::optimistic, 2, 4);
    config.mapping = mapping;
    const Report report = run(config);
    EXPECT_EQ(report.digest, sequential.digest) << name;
    EXPECT_EQ(report.committed_in_order, 0u) << name;
    EXPECT_TRUE(report.workers_tried.empty()) << name;
    EXPECT_GT(report.gvt_rounds, 0u) << name;
  }
}

// However the trials end.
TEST(ActiveWorkers, TrialsDoNotShowInTheResults) {
  const Report sequential = run(with(Sync::sequential, 1, 1), 20'000);
  const Report report = run(with(Sync::optimistic, 2, 2), 20'000);
  EXPECT_EQ(report.digest, sequential.digest);
  EXPECT_EQ(report.committed, sequential.committed);
  EXPECT_LE(report.committed_in_order, report.committed);
  std::uint64_t before = 0;
  for (const RoundSample& sample : report.rounds) {
    EXPECT_GE(sample.committed, before);
    before = sample.committed;
    EXPECT_GE(sample.active_workers, 1u);
    EXPECT_LE(sample.active_workers, 2u);
  }
}

// The sequential run would not fit either, and neither goes on for ever.
TEST(ActiveWorkers, InOrderWithoutMemoryAllGoOn) {
  for (const std::uint64_t memory : {200'000u, 400'000u, 800'000u}) {
    Config config = with(Sync::optimistic, 1, 3);
    config.memory = memory;
    try {
      const Report report = run(config, 20);
      EXPECT_EQ(report.digest, run(with(Sync::sequential, 1, 1), 20).digest);
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("--memory"), std::string::npos) << error.what();
    }
  }
}

TEST(ActiveWorkers, ASessionGoesOnAfterATermInOrder) {
  const auto play = [](const Config& config) {
    Simulation<Thrower> simulation;
    simulation.config = config;
    auto session = simulation.open();
    session.run_until(10);
    session.schedule(session.id<Thrower>(3), 10.5, Baton{});
    session.run_until(20);
    const auto mark = session.mark();
    session.schedule(session.id<Thrower>(5), 21, Baton{});
    session.run_until(30);
    session.rewind(mark);
    session.schedule(session.id<Thrower>(7), 22, Baton{});
    session.run_until(40);
    session.accept(mark);
    session.run_until(60);
    return session.report().digest;
  };
  const std::uint64_t digest = play(with(Sync::sequential, 1, 1));
  EXPECT_EQ(play(with(Sync::optimistic, 1, 3)), digest);
  EXPECT_EQ(play(with(Sync::optimistic, 2, 3)), digest);
}

Config in_turns() {
  Config config = with(Sync::optimistic, 2, 2);
  config.seams = test::one_in_order();
  return config;
}

TEST(ActiveWorkers, TwoTakeTurnsWithWhatOneExecutes) {
  const Report sequential = run(with(Sync::sequential, 1, 1), 2000);
  const Report report = run(in_turns(), 2000);
  EXPECT_EQ(report.digest, sequential.digest);
  EXPECT_EQ(report.committed_in_order, sequential.committed);
  EXPECT_GT(report.time_slices, 5u);
  EXPECT_GT(report.workers[1].time_slices, 0u);
}

struct Burn {};

struct Fuse {
  struct Params {};
  struct Shared {
    explicit Shared(const Params&) {}
    Time ends = kForever;
  };
  static std::uint64_t count(const Params&) { return 4; }

  void start(Context<Fuse>& cx) { cx.send(cx.self(), 1, Burn{}); }
  void on(Context<Fuse>& cx, const Burn&) {
    if (cx.now() >= cx.shared().ends) throw std::runtime_error("bang");
    cx.send(cx.self(), 1, Burn{});
  }
};

Report burn(Config config, Time ends, const std::function<bool()>& interrupted = {}) {
  Simulation<Fuse> simulation;
  simulation.config = std::move(config);
  simulation.config.until = kForever;
  const auto shared = std::make_shared<Fuse::Shared>(Fuse::Params{});
  shared->ends = ends;
  simulation.shared<Fuse::Shared>(std::shared_ptr<const Fuse::Shared>(shared));
  return simulation.run({}, interrupted);
}

// Whoever's turn it is.
TEST(ActiveWorkers, AFailureInATurnEndsTheRun) {
  for (Time ends = 5000; ends < 60'000; ends += 7000) {
    const std::string expected =
        test::message_of<SimulationError>([&] { burn(with(Sync::sequential, 1, 1), ends); });
    EXPECT_EQ(test::message_of<SimulationError>([&] { burn(in_turns(), ends); }), expected);
  }
}

TEST(ActiveWorkers, TurnsAreInterrupted) {
  const Report report = burn(in_turns(), kForever, [] { return true; });
  EXPECT_EQ(report.ending, Ending::interrupted);
  EXPECT_GT(report.time_slices, 5u);
}

}  // namespace
}  // namespace anachron
