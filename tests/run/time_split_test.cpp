// Where the time of workers and PEs goes, in the report.
#include <chrono>
#include <string>

#include <gtest/gtest.h>

#include <anachron/anachron.hpp>

#include "run/mode.hpp"

namespace anachron::test {
namespace {

struct Ball {};

/// Throws balls at random, so that PEs go at different speeds and undo what they did.
struct Juggler {
  std::uint64_t caught = 0;
  void start(Context<Juggler>& cx) {
    for (int i = 0; i < 4; ++i) throw_ball(cx);
  }
  void on(Context<Juggler>& cx, const Ball&) {
    ++caught;
    throw_ball(cx);
  }
  static void throw_ball(Context<Juggler>& cx) {
    cx.send(cx.id(cx.rng().below(cx.lp_count())), cx.rng().exponential(1), Ball{});
  }
};

Report juggle(Config config) {
  Simulation<Juggler> simulation;
  simulation.lps<Juggler>(64);
  simulation.config = std::move(config);
  simulation.config.until = 50;
  return simulation.run();
}

Config on_two_workers(Sync sync, Mapping mapping, unsigned pes) {
  Config config = with(sync, 2, pes);
  config.mapping = mapping;
  return config;
}

/// What workers spent without a PE belongs to no row of PEs.
double of_pes(const Report& report) {
  double sum = 0;
  for (const PeReport& pe : report.pes) sum += pe.spent.sum();
  return sum;
}
double of_workers(const Report& report) {
  double sum = 0;
  for (const WorkerReport& worker : report.workers) sum += worker.spent.sum();
  return sum;
}
/// The clocks of processor and system are compared once per run.
double most(const Report& report) { return report.wall_s * 1.01 + 1e-3; }

TEST(ASplitOfTime, OfASequentialRunIsExecution) {
  const Report report = juggle(with(Sync::sequential, 1, 1));
  ASSERT_EQ(report.workers.size(), 1u);
  EXPECT_GT(report.spent.execution_s, 0);
  EXPECT_EQ(report.spent.sum(), report.spent.execution_s);
  EXPECT_EQ(report.asleep_s, 0);
  EXPECT_DOUBLE_EQ(report.pes[0].spent.execution_s, report.spent.execution_s);
  EXPECT_LE(report.spent.execution_s, most(report));
}

TEST(ASplitOfTime, OfAFixedMappingIsThatOfThePes) {
  for (const unsigned pes : {2u, 5u}) {
    const Report report = juggle(on_two_workers(Sync::optimistic, Mapping::fixed, pes));
    EXPECT_LE(of_pes(report), of_workers(report) * (1 + 1e-9)) << "up to their first turn workers have no PE";
    EXPECT_DOUBLE_EQ(report.spent.sum(), of_workers(report));
    for (const WorkerReport& worker : report.workers) {
      EXPECT_GT(worker.spent.execution_s, 0);
      EXPECT_LE(worker.spent.sum() + worker.asleep_s, most(report));
    }
    EXPECT_GT(report.spent.routing_s, 0);
    EXPECT_GT(report.spent.rounds_s, 0);
    EXPECT_GT(report.spent.commit_s, 0);
  }
}

TEST(ASplitOfTime, OfOtherMappingsHasWhatWorkersDidWithoutAPe) {
  for (const Mapping mapping : {Mapping::dynamic, Mapping::automatic}) {
    const Report report = juggle(on_two_workers(Sync::optimistic, mapping, 4));
    EXPECT_LE(of_pes(report), of_workers(report) * (1 + 1e-9));
    EXPECT_GT(report.spent.execution_s, 0);
    for (const WorkerReport& worker : report.workers)
      EXPECT_LE(worker.spent.sum() + worker.asleep_s, most(report));
  }
}

TEST(ASplitOfTime, KnowsRollbacks) {
  Config config = on_two_workers(Sync::optimistic, Mapping::fixed, 4);
  config.test_chaos = 1;
  const Report report = juggle(config);
  ASSERT_GT(report.rollbacks, 0u);
  EXPECT_GT(report.spent.rollback_s, 0);
}

/// Its handler takes 100 microseconds.
struct Slow {
  void start(Context<Slow>& cx) { cx.send(cx.self(), 1, Ball{}); }
  void on(Context<Slow>& cx, const Ball&) {
    const auto began = std::chrono::steady_clock::now();
    while (std::chrono::steady_clock::now() - began < std::chrono::microseconds(100)) continue;
    cx.send(cx.self(), 1, Ball{});
  }
};

TEST(ASplitOfTime, HasTheHandlersInExecution) {
  for (const Sync sync : {Sync::sequential, Sync::optimistic}) {
    Simulation<Slow> simulation;
    simulation.lps<Slow>(2);
    simulation.config = with(sync, sync == Sync::sequential ? 1 : 2, sync == Sync::sequential ? 1 : 2);
    simulation.config.until = 100;
    const Report report = simulation.run();
    EXPECT_GE(report.spent.execution_s, 0.99e-4 * static_cast<double>(report.committed));
  }
}

}  // namespace
}  // namespace anachron::test
