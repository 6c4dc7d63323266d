// GVT's time advances however a wrong chain of zero-delay sends goes on: see src/gvt/step_limit.hpp.

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include <anachron/anachron.hpp>

#include "comm/transport/cluster.hpp"
#include "comm/transport/local_cluster.hpp"
#include "property/random_options.hpp"
#include "scale.hpp"
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

Report run_chains(const ChainNode::Params& params, const Config& config) {
  Chains chains;
  chains.config = config;
  chains.params<ChainNode>() = params;
  return chains.run();
}

struct Shape {
  unsigned workers, pes;
  Mapping mapping;
  PeChoice pe_choice = PeChoice::round_robin;
};

/// A wrong chain costs what is executed in the rounds until it is held up, some thousand events each. Without
/// a limit it costs hundreds of millions.
constexpr std::uint64_t kMostExecuted = 2'000'000;

void expect_progress(const ChainNode::Params& params, std::uint64_t seed, const Config& config) {
  Config base = sequential_run(seed, 12);
  base.tie_seed = 1;
  const Report expected = run_chains(params, base);
  const Report actual = run_chains(params, config);
  ASSERT_EQ(expected.digest, actual.digest) << describe(config);
  ASSERT_LT(actual.executed, kMostExecuted) << describe(config);
}

Config optimistic_run(std::uint64_t seed, const Shape& shape) {
  Config config = sequential_run(seed, 12);
  config.tie_seed = 1;
  config.sync = Sync::optimistic;
  config.workers = shape.workers;
  config.pes = shape.pes;
  config.mapping = shape.mapping;
  config.pe_choice = shape.pe_choice;
  return config;
}

TEST(Progress, AWrongChainOfZeroDelaysIsHeldUpInEachMapping) {
  const Shape shapes[] = {{1, 3, Mapping::fixed},
                          {2, 2, Mapping::fixed},
                          {2, 8, Mapping::ladm},
                          {2, 5, Mapping::dynamic},
                          {2, 4, Mapping::adaptive},
                          {2, 5, Mapping::dynamic, PeChoice::lowest_lvt},
                          {2, 8, Mapping::ladm, PeChoice::lowest_lvt}};
  for (std::uint64_t seed = 1; seed <= scaled(1000u); ++seed) {
    for (const Shape& shape : shapes) {
      const bool is_small = shape.pes <= 3;
      const ChainNode::Params params{.lps = is_small ? 3u : 12u, .far = is_small ? 0 : 0.5};
      ASSERT_NO_FATAL_FAILURE(expect_progress(params, seed, optimistic_run(seed, shape)));
    }
  }
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
    Config base = sequential_run(seed, 12);
    base.tie_seed = 1;
    const Report expected = run_chains(params, base);
    transport::LocalCluster cluster(3, {});
    for_all_ranks(3, [&](unsigned rank) {
      transport::Cluster here(cluster.transport(rank));
      Config config = optimistic_run(seed, {1, 1, Mapping::fixed});
      config.cluster = &here;
      const Report actual = run_chains(params, config);
      here.transport().finish();
      if (rank > 0) return;
      EXPECT_EQ(expected.digest, actual.digest) << seed;
      EXPECT_LT(actual.executed, kMostExecuted) << seed;
    });
  }
}

}  // namespace
}  // namespace anachron::test
