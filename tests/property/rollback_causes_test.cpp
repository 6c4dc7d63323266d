// Where the events were sent that made others be rolled back.
#include <gtest/gtest.h>

#include <cstdint>

#include <anachron/anachron.hpp>

namespace anachron::test {
namespace {

struct Step {};
struct Late {};

/// Each LP walks on its own. Every second one sends the one before it something that is near.
struct Walker {
  std::uint64_t steps = 0;

  void start(Context<Walker>& cx) { cx.send(cx.self(), 1, Step{}); }
  void on(Context<Walker>& cx, const Step&) {
    ++steps;
    cx.send(cx.self(), 1, Step{});
    if (cx.self().index() % 2 == 1) cx.send(cx.id(cx.self().index() - 1), 0.5, Late{});
  }
  void on(Context<Walker>&, const Late&) { ++steps; }
};

Simulation<Walker> walk(unsigned pes) {
  Simulation<Walker> simulation;
  simulation.lps<Walker>(6);
  simulation.config.until = 300;
  simulation.config.sync = Sync::optimistic;
  simulation.config.workers = 1;
  simulation.config.pes = pes;
  simulation.config.mapping = Mapping::fixed;  // not in order
  simulation.config.partition = Partition::round_robin;
  simulation.config.batch = 50;
  simulation.config.throttle = Throttle::none;
  return simulation;
}

TEST(RollbackCauses, RegionalWhereSenderAndReceiverAreApart) {
  const Report report = walk(2).run();
  EXPECT_GT(report.rollbacks, 0u);
  EXPECT_EQ(report.rollbacks_regional, report.rollbacks);
  EXPECT_EQ(report.rollbacks_local, 0u);
  EXPECT_EQ(report.rollbacks_remote, 0u);
  std::uint64_t regional = 0;
  for (const PeReport& pe : report.pes) regional += pe.rollbacks_regional;
  EXPECT_EQ(report.rollbacks_regional, regional);
}

// A single PE gets no stragglers, but takes back what was sent by events that the engine has undone.
TEST(RollbackCauses, LocalWhereThereIsOnePe) {
  Simulation<Walker> simulation = walk(1);
  simulation.config.test_chaos = 5;
  const Report report = simulation.run();
  EXPECT_GT(report.rollbacks_local, 0u);
  EXPECT_LT(report.rollbacks_local, report.rollbacks) << "the engine's own count for none";
  EXPECT_EQ(report.rollbacks_regional, 0u);
  EXPECT_EQ(report.rollbacks_remote, 0u);
}

TEST(RollbackCauses, NoneInOrder) {
  Simulation<Walker> simulation = walk(1);
  simulation.config.sync = Sync::sequential;
  const Report report = simulation.run();
  EXPECT_EQ(report.rollbacks_local + report.rollbacks_regional + report.rollbacks_remote, 0u);
}

}  // namespace
}  // namespace anachron::test
