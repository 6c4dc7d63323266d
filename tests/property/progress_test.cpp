// GVT's time advances however a wrong chain of zero-delay sends goes on: see
// src/gvt/decisions/step_limit.hpp.

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <anachron/anachron.hpp>

#include "comm/transport/cluster.hpp"
#include "comm/transport/local/local_cluster.hpp"
#include "engine/seams.hpp"
#include "property/random_options.hpp"
#include "scale.hpp"
#include "sched/trials/active_workers.hpp"
#include "support/rank_threads.hpp"

namespace anachron::test {
namespace {

struct Usual {};
struct Rare {};

/// Each event sends one on, often without delay. The two types draw differently many numbers: so a wrong
/// order of two events makes other draws, and a chain of events that never was.
struct ChainNode {
  struct Params {
    std::uint32_t lps = 3;
    double zero = 0.3, far = 0;
  };
  std::uint64_t handled = 0;

  static std::uint64_t count(const Params& params) { return params.lps; }
  void start(Context<ChainNode>& cx) {
    for (int i = 0; i < 3; ++i) cx.send(cx.self(), cx.rng().exponential(1), Usual{});
  }
  void on(Context<ChainNode>& cx, const Usual&) {
    cx.rng().uniform();
    send_on(cx);
  }
  void on(Context<ChainNode>& cx, const Rare&) { send_on(cx); }

 private:
  void send_on(Context<ChainNode>& cx) {
    ++handled;
    Rng& rng = cx.rng();
    const bool is_rare = rng.below(8u) == 7;
    const auto near = [&] { return cx.id((cx.self().index() + rng.below(3u)) % cx.lp_count()); };
    const auto to = rng.bernoulli(cx.params().far) ? cx.id(rng.below(cx.lp_count())) : near();
    const double delay = rng.bernoulli(cx.params().zero) ? 0 : rng.exponential(1);
    if (is_rare)
      cx.send(to, delay, Rare{});
    else
      cx.send(to, delay, Usual{});
  }
};

using Chains = Simulation<ChainNode>;

struct Shape {
  unsigned workers, pes;
  Mapping mapping;
  PeChoice pe_choice = PeChoice::round_robin;
};

/// Events that a run may execute for each one that it commits. A wrong chain costs what is executed in the
/// rounds until it is held up, and each commit can lead to another one. The worst of 22,000 runs on two
/// cores that others used as well executed 1,112, the median one 18. Without a limit it is a million.
constexpr std::uint64_t kMostForEach = 10'000;

/// `run(progress, interrupted)`, which ends when it has executed more: that could go on for minutes.
template <class Run>
auto ended_at(std::uint64_t most_executed, const Run& run) {
  std::uint64_t executed = 0;
  return run([&executed](const Progress& now) { executed = now.executed; },
             [&] { return executed > most_executed; });
}

Config base_of(std::uint64_t seed) {
  Config config = sequential_run(seed, 12);
  config.tie_seed = 1;
  return config;
}

Report run_sequentially(const ChainNode::Params& params, std::uint64_t seed) {
  Chains chains;
  chains.config = base_of(seed);
  chains.params<ChainNode>() = params;
  return chains.run();
}

/// `expected`: of the sequential run.
void expect_progress(const Report& expected, const ChainNode::Params& params, const Config& config) {
  Chains chains;
  chains.config = config;
  chains.params<ChainNode>() = params;
  const std::uint64_t most = kMostForEach * expected.committed;
  const Report actual = ended_at(most, [&chains](auto... callbacks) { return chains.run(callbacks...); });
  ASSERT_LE(actual.executed, most) << describe(config);
  ASSERT_EQ(actual.digest, expected.digest) << describe(config);
}
void expect_progress(const ChainNode::Params& params, std::uint64_t seed, const Config& config) {
  expect_progress(run_sequentially(params, seed), params, config);
}

Config optimistic_run(std::uint64_t seed, const Shape& shape) {
  Config config = base_of(seed);
  config.sync = Sync::optimistic;
  config.workers = shape.workers;
  config.pes = shape.pes;
  config.mapping = shape.mapping;
  config.pe_choice = shape.pe_choice;
  return config;
}

constexpr Shape kShapes[] = {{1, 3, Mapping::fixed},
                             {2, 2, Mapping::fixed},
                             {2, 8, Mapping::ladm},
                             {2, 5, Mapping::dynamic},
                             {2, 4, Mapping::adaptive},
                             {2, 5, Mapping::dynamic, PeChoice::lowest_lvt},
                             {2, 8, Mapping::ladm, PeChoice::lowest_lvt}};
ChainNode::Params params_for(const Shape& shape) {
  const bool is_small = shape.pes <= 3;
  return {.lps = is_small ? 3u : 12u, .far = is_small ? 0 : 0.5};
}

TEST(Progress, AWrongChainOfZeroDelaysIsHeldUpInEachMapping) {
  for (std::uint64_t seed = 1; seed <= scaled(400u); ++seed)
    for (const Shape& shape : kShapes)
      ASSERT_NO_FATAL_FAILURE(expect_progress(params_for(shape), seed, optimistic_run(seed, shape)));
}

/// By default a run on fewer than three cores begins with one worker, which executes in the order of events,
/// and ends before it tries three. So most runs begin with all three.
TEST(Progress, HoldsWithThreeWorkersAndDefaultOptions) {
  const auto all_active = std::make_shared<engine::Seams>();
  all_active->active_workers = [](const Config& c) {
    return std::make_unique<sched::AllWorkers>(*c.workers);
  };
  for (std::uint64_t seed = 1; seed <= scaled(300u); ++seed) {
    Config config;
    config.workers = 3;
    config.until = 12;
    config.seed = seed;
    config.tie_seed = 1;
    if (seed % 10 != 0) config.seams = all_active;
    ASSERT_NO_FATAL_FAILURE(expect_progress({}, seed, config));
  }
}

/// A session that runs to a time, marks, goes on, returns to the mark and goes on once more.
void expect_progress_behind_mark(const ChainNode::Params& params, std::uint64_t seed, const Config& config) {
  const Report expected = run_sequentially(params, seed);
  Chains chains;
  chains.config = config;
  chains.params<ChainNode>() = params;
  auto session = chains.open();
  const auto handled = [&session] {
    return session.gather<ChainNode>([](const ChainNode& node) { return node.handled; });
  };
  session.run_until(4);
  const std::vector<std::uint64_t> before = handled();
  const std::uint64_t committed = session.report().committed;
  const Mark mark = session.mark();
  for (unsigned pass = 1; pass <= 2; ++pass) {
    // What was taken back would have committed, too.
    const std::uint64_t most = kMostForEach * (committed + pass * (expected.committed - committed));
    ended_at(most, [&session](auto... callbacks) { return session.run_until(12, callbacks...); });
    const Report report = session.report();
    ASSERT_LE(report.executed, most) << describe(config);
    ASSERT_EQ(report.digest, expected.digest) << describe(config);
    session.rewind(mark);
    ASSERT_EQ(handled(), before) << describe(config);
    ASSERT_EQ(session.report().committed, committed) << describe(config);
  }
}

TEST(Progress, HoldsBehindTheMarkOfASession) {
  for (std::uint64_t seed = 1; seed <= scaled(50u); ++seed)
    for (const Shape& shape : kShapes)
      ASSERT_NO_FATAL_FAILURE(
          expect_progress_behind_mark(params_for(shape), seed, optimistic_run(seed, shape)));
}

TEST(Progress, HoldsForEachThrottleGvtAndCancellation) {
  for (std::uint64_t seed = 1; seed <= scaled(100u); ++seed) {
    for (const Throttle throttle : {Throttle::balanced, Throttle::none, Throttle::fixed, Throttle::atw,
                                    Throttle::atw_repaired, Throttle::mtw}) {
      Config config = optimistic_run(seed, {1, 3, Mapping::fixed});
      config.throttle = throttle;
      config.gvt = seed % 2 ? Gvt::epoch : Gvt::barrier;
      config.cancellation = seed % 3 ? Cancellation::aggressive : Cancellation::lazy;
      ASSERT_NO_FATAL_FAILURE(expect_progress({}, seed, config));
    }
  }
}

TEST(Progress, HoldsOverRanks) {
  for (std::uint64_t seed = 1; seed <= scaled(50u); ++seed) {
    const ChainNode::Params params{.lps = 12, .far = 0.5};
    const Report expected = run_sequentially(params, seed);
    transport::LocalCluster cluster(3, {});
    for_all_ranks(3, [&](unsigned rank) {
      transport::Cluster here(cluster.transport(rank));
      Config config = optimistic_run(seed, {1, 1, Mapping::fixed});
      config.cluster = &here;
      expect_progress(expected, params, config);
      here.transport().finish();
    });
    ASSERT_FALSE(HasFailure()) << seed;
  }
}

}  // namespace
}  // namespace anachron::test
