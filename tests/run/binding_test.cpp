// Workers stay on cores of their own, where that can be, and it does not change what comes out.
#include <sched.h>

#include <atomic>
#include <chrono>
#include <set>
#include <thread>

#include <anachron/anachron.hpp>

#include "fake_model.hpp"
#include "topo/topology.hpp"

namespace anachron::test {
namespace {

struct Ball {};

/// Sees, when it is made, what the thread of its PE may run on.
struct Player {
  std::uint64_t received = 0;
  std::int64_t processors = 0, first = 0;

  Player() {
    cpu_set_t mask;
    sched_getaffinity(0, sizeof mask, &mask);
    processors = CPU_COUNT(&mask);
    while (first < CPU_SETSIZE && !CPU_ISSET(static_cast<unsigned>(first), &mask)) ++first;
  }
  void start(Context<Player>& cx) { cx.send(cx.self(), 1, Ball{}); }
  void on(Context<Player>& cx, const Ball&) {
    ++received;
    cx.send(cx.id(cx.rng().below(cx.lp_count())), cx.rng().exponential(1), Ball{});
  }
};

/// The calling thread's affinity, for the time of a test.
class Affinity {
 public:
  Affinity() { sched_getaffinity(0, sizeof before_, &before_); }
  ~Affinity() { sched_setaffinity(0, sizeof before_, &before_); }
  Affinity(const Affinity&) = delete;
  Affinity& operator=(const Affinity&) = delete;

  int count() const { return CPU_COUNT(&before_); }
  unsigned first() const {
    unsigned processor = 0;
    while (!CPU_ISSET(processor, &before_)) ++processor;
    return processor;
  }
  void narrow_to(unsigned processor) {
    cpu_set_t mask;
    CPU_ZERO(&mask);
    CPU_SET(processor, &mask);
    sched_setaffinity(0, sizeof mask, &mask);
  }

 private:
  cpu_set_t before_;
};

Simulation<Player> players(unsigned workers, Bind bind = Bind::automatic) {
  Simulation<Player> simulation;
  simulation.lps<Player>(64);
  simulation.config.sync = Sync::optimistic;
  simulation.config.workers = workers;
  simulation.config.bind = bind;
  simulation.config.until = 20;
  return simulation;
}

/// Two cores or more, and no quota.
bool can_bind() {
  const auto allowed = static_cast<unsigned>(Affinity().count());
  return topo::kHasHwloc && allowed >= 2 && usable_cores() == allowed;
}

/// The system refuses nothing here, but the machine may be busy.
bool was_bound(const WorkerBinding& binding) {
  return binding.cores.size() == 2 || binding.why_not.starts_with("let go after");
}

TEST(Binding, EachWorkerHasACoreOfItsOwn) {
  if (!can_bind()) GTEST_SKIP() << "needs hwloc and two cores";
  auto simulation = players(2);
  const Report report = simulation.run();
  ASSERT_TRUE(was_bound(report.binding)) << report.binding.why_not;
  std::set<std::int64_t> cores;
  for (std::uint32_t i = 0; i < 64; ++i) {
    EXPECT_EQ(simulation.lp<Player>(i).processors, 1) << "bound before the LPs are made";
    cores.insert(simulation.lp<Player>(i).first);
  }
  EXPECT_EQ(cores.size(), 2u);
  for (const auto& core : report.binding.cores) EXPECT_TRUE(cores.contains(core.value()));
}

TEST(Binding, ChangesNoResults) {
  auto sequential = players(1);
  sequential.config.sync = Sync::sequential;
  const std::uint64_t digest = sequential.run().digest;
  EXPECT_EQ(players(2).run().digest, digest);
  EXPECT_EQ(players(2, Bind::none).run().digest, digest);
  EXPECT_EQ(players(3).run().digest, digest);
}

TEST(Binding, LeavesTheCallingThreadAlone) {
  const int before = Affinity().count();
  players(2).run();
  EXPECT_EQ(Affinity().count(), before);
}

/// No worker is bound: all may run on as many processors as the calling thread.
void expect_unbound(Simulation<Player> simulation, const std::string& why_not) {
  const Report report = simulation.run();
  EXPECT_TRUE(report.binding.cores.empty());
  EXPECT_EQ(report.binding.why_not, why_not);
  EXPECT_EQ(simulation.lp<Player>(0).processors, Affinity().count());
}

TEST(Binding, NotWhenNotWanted) { expect_unbound(players(2, Bind::none), "--bind none"); }

TEST(Binding, NotOfASingleWorker) {
  expect_unbound(players(1), "a single worker");
  auto sequential = players(1);
  sequential.config.sync = Sync::sequential;
  expect_unbound(std::move(sequential), "a single worker");
}

TEST(Binding, NotWithFewerCoresThanWorkers) {
  if (!can_bind()) GTEST_SKIP() << "needs hwloc and two cores";
  Affinity affinity;
  const auto workers = static_cast<unsigned>(affinity.count()) + 1;
  expect_unbound(players(workers),
                 std::to_string(workers) + " workers on " + std::to_string(workers - 1) + " usable cores");
  affinity.narrow_to(affinity.first());
  expect_unbound(players(2), "2 workers on 1 usable core");
}

TEST(Binding, NotWithoutHwloc) {
  if (topo::kHasHwloc) GTEST_SKIP() << "built with hwloc";
  expect_unbound(players(2), "built without hwloc");
}

// With two others on its core the worker gets a third of it at most, and the others wait for it.
TEST(Binding, EndsWhenACoreIsBusyWithSomethingElse) {
  if (!can_bind()) GTEST_SKIP() << "needs hwloc and two cores";
  const auto cores = players(2).run().binding.cores;
  const unsigned core = cores.empty() ? Affinity().first() : cores.front().value();
  std::atomic<bool> is_over = false;
  std::vector<std::jthread> others;
  for (int i = 0; i < 2; ++i)
    others.emplace_back([&is_over, core] {
      Affinity affinity;
      affinity.narrow_to(core);
      while (!is_over.load(std::memory_order_relaxed)) continue;
    });
  auto simulation = players(2);
  simulation.config.mapping = Mapping::fixed;
  simulation.config.until = kForever;
  const auto began = std::chrono::steady_clock::now();
  const Report report =
      simulation.run({}, [&] { return std::chrono::steady_clock::now() - began > std::chrono::seconds(1); });
  is_over = true;
  EXPECT_TRUE(report.binding.cores.empty());
  EXPECT_TRUE(report.binding.why_not.starts_with("let go after 0.")) << report.binding.why_not;
}

}  // namespace
}  // namespace anachron::test
