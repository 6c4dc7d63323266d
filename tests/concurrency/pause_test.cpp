// Pauses: a run that is paused again and again has the results of one that is not, and its clock stands.
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <anachron/anachron.hpp>

#include "comm/transport/cluster.hpp"
#include "comm/transport/local/local_cluster.hpp"
#include "engine/seams.hpp"
#include "observe/pause.hpp"
#include "observe/run_control.hpp"
#include "scale.hpp"
#include "support/odd_parts.hpp"
#include "support/rank_threads.hpp"

namespace anachron::test {
namespace {

using namespace std::chrono_literals;

/// Counts how often a monitor asks whether to pause; null: handlers do not wait for it.
std::atomic<std::atomic<unsigned>*> asked_for{nullptr};

/// So that a run lasts for some looks of its monitor, however fast the machine is.
void wait_for_a_look() {
  std::atomic<unsigned>* const asked = asked_for;
  if (!asked) return;
  const unsigned before = *asked;
  while (*asked == before) std::this_thread::yield();
}

struct Throw {};
struct Thrower {
  static double lookahead(const NoParams&) { return 0.05; }
  std::uint64_t caught = 0;
  void start(Context<Thrower>& cx) {
    for (int i = 0; i < 4; ++i) pass_on(cx);
  }
  void on(Context<Thrower>& cx, const Throw&) {
    if (++caught % 16 == 0 && cx.self().index() == 0) wait_for_a_look();
    pass_on(cx);
  }
  void pass_on(Context<Thrower>& cx) {
    auto& rng = cx.rng();
    const auto to = rng.bernoulli(0.2) ? cx.id(rng.below(cx.lp_count())) : cx.self();
    cx.send(to, 0.05 + rng.exponential(1), Throw{});
  }
};

Report run_throwers(const Config& config, const ProgressCallback& progress = {},
                    const std::function<bool()>& interrupted = {}) {
  Simulation<Thrower> simulation;
  simulation.config = config;
  simulation.lps<Thrower>(64);
  return simulation.run(progress, interrupted);
}

/// `base`, looked at every millisecond.
std::shared_ptr<const engine::Seams> watched(const engine::Seams& base = {}) {
  engine::Seams seams = base;
  seams.monitor_period = 1ms;
  return std::make_shared<const engine::Seams>(std::move(seams));
}

const Time kEnd = scaled_end(400);

const Report& in_order() {
  static const Report report = [] {
    Config config;
    config.sync = Sync::sequential;
    config.until = kEnd;
    return run_throwers(config);
  }();
  return report;
}

struct PausedRun {
  const char* name;
  Sync sync = Sync::optimistic;
  unsigned workers = 2, pes = 4;
  Mapping mapping = Mapping::fixed;
  Gvt gvt = Gvt::epoch;
  unsigned odd = 0;  // parts: a seed
};
std::ostream& operator<<(std::ostream& out, const PausedRun& run) { return out << run.name; }

class PausedRuns : public testing::TestWithParam<PausedRun> {
 protected:
  static Config config() {
    const PausedRun& of = GetParam();
    Config config;
    config.sync = of.sync;
    config.workers = of.workers;
    config.pes = of.pes;
    config.mapping = of.mapping;
    config.gvt = of.gvt;
    config.until = kEnd;
    config.seams = of.odd ? watched(*odd_parts(of.odd)) : watched();
    return config;
  }
};

INSTANTIATE_TEST_SUITE_P(
    , PausedRuns,
    testing::Values(PausedRun{"Sequential", Sync::sequential, 1, 1},
                    PausedRun{"Conservative", Sync::conservative},
                    PausedRun{"ConservativeBarrier", Sync::conservative, 2, 2, Mapping::fixed, Gvt::barrier},
                    PausedRun{"Optimistic"}, PausedRun{"OnePe", Sync::optimistic, 1, 1},
                    PausedRun{"Barrier", Sync::optimistic, 2, 4, Mapping::fixed, Gvt::barrier},
                    PausedRun{"Dynamic", Sync::optimistic, 2, 4, Mapping::dynamic},
                    PausedRun{"Adaptive", Sync::optimistic, 3, 4, Mapping::adaptive},
                    PausedRun{"Ladm", Sync::optimistic, 3, 6, Mapping::ladm},
                    PausedRun{"Automatic", Sync::automatic, 2, 4, Mapping::automatic},
                    PausedRun{"OddParts", Sync::optimistic, 2, 4, Mapping::fixed, Gvt::epoch, 7}),
    [](const auto& run) { return run.param.name; });

TEST_P(PausedRuns, GiveTheSequentialDigest) {
  Config paused = config();
  std::atomic<unsigned> asked = 0;
  unsigned pauses = 0;
  paused.paused = [&] { return ++asked % 3 > 0 && ++pauses; };
  asked_for = &asked;
  const Report report = run_throwers(paused);
  asked_for = nullptr;
  EXPECT_EQ(report.digest, in_order().digest);
  EXPECT_EQ(report.committed, in_order().committed);
  EXPECT_GT(pauses, 3u) << "hardly a test";
}

TEST_P(PausedRuns, StandStillAndSaySo) {
  Config paused = config();
  const auto began = std::chrono::steady_clock::now();
  std::optional<Progress> before;
  unsigned looks = 0;
  paused.paused = [&] { return looks < 200; };
  const Report report = run_throwers(paused, [&](const Progress& now) {
    if (++looks < 100) return;  // workers have come to the end of their batches
    if (looks < 200) {
      EXPECT_TRUE(now.is_paused);
      EXPECT_FALSE(now.long_event);
      if (before) {
        EXPECT_EQ(now.wall_s, before->wall_s);
        EXPECT_EQ(now.executed, before->executed);
        EXPECT_EQ(now.gvt, before->gvt);
      }
      before = now;
    }
  });
  const std::chrono::duration<double> all = std::chrono::steady_clock::now() - began;
  EXPECT_TRUE(before);
  EXPECT_EQ(report.digest, in_order().digest);
  EXPECT_LT(report.wall_s, all.count() - 0.15) << "200 looks, a millisecond apart";
}

TEST_P(PausedRuns, EndWhenTheyAreInterrupted) {
  Config paused = config();
  paused.until = kForever;
  paused.paused = [] { return true; };
  unsigned looks = 0;
  const Report report = run_throwers(paused, [&](const Progress&) { ++looks; }, [&] { return looks > 20; });
  EXPECT_EQ(report.ending, Ending::interrupted);
}

TEST_P(PausedRuns, EndWhenTheyFail) {
  Config paused = config();
  paused.until = kForever;
  paused.paused = [] { return true; };
  unsigned looks = 0;
  const auto fail = [&](const Progress&) {
    if (++looks > 20) throw std::runtime_error("enough");
  };
  EXPECT_THROW(run_throwers(paused, fail), std::runtime_error);
}

class PausedRanks : public testing::TestWithParam<Comm> {};
INSTANTIATE_TEST_SUITE_P(, PausedRanks, testing::Values(Comm::thread, Comm::in_line),
                         [](const auto& comm) { return std::string(to_string(comm.param)); });

// The other rank goes on, sends, and waits for a round.
TEST_P(PausedRanks, GiveTheSequentialDigest) {
  transport::LocalCluster local(2, {});
  std::vector<Report> reports(2);
  unsigned asked = 0, pauses = 0;
  for_all_ranks(2, [&](unsigned rank) {
    transport::Cluster cluster(local.transport(rank));
    Config config;
    config.sync = Sync::optimistic;
    config.workers = 1;
    config.pes = 2;
    config.until = kEnd;
    config.comm = GetParam();
    config.cluster = &cluster;
    config.seams = watched();
    if (rank == 0) config.paused = [&] { return ++asked % 8 > 2 && ++pauses; };
    reports[rank] = run_throwers(config);
    cluster.transport().finish();
  });
  EXPECT_EQ(reports[0].digest, in_order().digest);
  EXPECT_EQ(reports[1].digest, in_order().digest);
  EXPECT_GT(pauses, 3u) << "hardly a test";
}

TEST(PauseThreads, AllWaitAndAllGoOn) {
  observe::RunControl control;
  std::atomic<std::uint64_t> turns{0};
  std::vector<std::jthread> workers;
  for (int worker = 0; worker < 3; ++worker)
    workers.emplace_back([&, worker] {
      unsigned served = 0;
      while (!control.is_interrupted()) {
        if (control.is_paused())
          control.pause().wait(worker == 0 ? [&](bool) { ++served; } : std::function<void(bool)>());
        ++turns;
      }
    });
  const auto pauses = scaled(50);
  for (int i = 0; i < pauses; ++i) {
    control.pause().begin();
    const auto stands = control.pause().now();
    const auto before = turns.load();
    std::this_thread::sleep_for(1ms);
    EXPECT_EQ(control.pause().now(), stands);
    EXPECT_LE(turns.load(), before + workers.size()) << "each may end the turn that it has begun";
    control.pause().end();
    while (turns.load() < before + 10) std::this_thread::yield();
  }
  control.pause().begin();
  control.interrupt();  // wakes all
}

TEST(PauseClock, LeavesOutPauses) {
  observe::Pause pause;
  const auto first = pause.now();
  const auto began = std::chrono::steady_clock::now();
  std::this_thread::sleep_for(2ms);
  EXPECT_GE(pause.now() - first, 2ms);
  pause.begin();
  pause.begin();
  std::this_thread::sleep_for(20ms);
  pause.end();
  pause.end();
  const auto all = std::chrono::steady_clock::now() - began;
  EXPECT_LE(pause.now() - first, all - 19ms);
  pause.forbid();
  pause.begin();
  EXPECT_FALSE(pause.is_on());
  pause.allow();
  pause.begin();
  EXPECT_TRUE(pause.is_on());
}

}  // namespace
}  // namespace anachron::test
