// Runs over ranks stay within their memory when all send to one of them, as fast as they can.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <utility>

#include <anachron/anachron.hpp>

#include "comm/transport/cluster.hpp"
#include "comm/transport/local/local_cluster.hpp"
#include "scale.hpp"
#include "support/rank_threads.hpp"

namespace anachron::test {
namespace {

struct Step {};
struct Drop {
  std::array<std::uint64_t, 8> content{};
};

/// Nobody waits for anybody: without a limit all but the flooded ones would be at the end long before these.
struct Flooder {
  struct Params {
    std::uint32_t flooded = 1;  // so many LPs, the last ones
  };
  std::uint64_t received = 0;
  void start(Context<Flooder>& cx) { cx.send(cx.self(), cx.rng().uniform(), Step{}); }
  void on(Context<Flooder>& cx, const Step&) {
    const std::uint32_t flooded = cx.params().flooded;
    for (int i = 0; i < 5; ++i) {
      const auto to = cx.lp_count() - 1 - cx.rng().below(flooded);
      cx.send(cx.id(to), 1 + cx.rng().exponential(1), Drop{});
    }
    cx.send(cx.self(), 0.05 + cx.rng().exponential(0.05), Step{});
  }
  void on(Context<Flooder>&, const Drop&) { ++received; }
};

Report run_flood(const Config& config, std::uint32_t lps, unsigned ranks) {
  Simulation<Flooder> simulation;
  simulation.config = config;
  simulation.lps<Flooder>(lps);
  simulation.params<Flooder::Params>().flooded = lps / ranks;
  return simulation.run();
}

/// The report of rank 0.
Report run_flood_over_ranks(const Config& config, std::uint32_t lps, unsigned ranks,
                            const transport::LocalCluster::Options& links) {
  transport::LocalCluster local(ranks, links);
  Report report;
  for_all_ranks(ranks, [&](unsigned rank) {
    transport::Cluster cluster(local.transport(rank));
    Config own = config;
    own.cluster = &cluster;
    Report here = run_flood(own, lps, ranks);
    if (rank == 0) report = std::move(here);
    cluster.transport().finish();
  });
  return report;
}

/// As tests/property/memory_test.cpp has it for PEs that share their memory.
std::uint64_t most(const Report& report, const RankFigures& rank) {
  const std::uint64_t beyond = std::max(report.memory_limit / 8, std::uint64_t{2} << 20);
  return report.memory_limit + rank.pes * std::uint64_t{256 * 1024} + beyond;
}

TEST(RanksMemory, AFloodLeavesEachRankWithinItsLimit) {
  const auto lps = static_cast<std::uint32_t>(std::max(scaled(600), 120));
  for (const unsigned ranks : {2u, 3u}) {
    Config config;
    config.until = 8;
    config.sync = Sync::sequential;
    const Report expected = run_flood(config, lps, ranks);
    config.sync = Sync::optimistic;
    config.partition = Partition::block;
    // The flooded rank has nearly all events that wait, and each of them in a table as well. Pools and queues
    // of two PEs take memory by pieces, which counts where there are few events.
    constexpr std::uint64_t kPieces = 512 << 10;
    config.memory = (expected.memory_peak - (expected.pool_bytes - expected.event_bytes)) / 2 * 3 + kPieces;
    for (const Throttle throttle : {Throttle::none, Throttle::balanced}) {
      for (const unsigned pes : {1u, 2u}) {
        config.throttle = throttle;
        config.pes = pes;
        config.workers = pes == 2 && ranks == 2 ? 2 : 1;
        const Report report = run_flood_over_ranks(config, lps, ranks, {.most_bytes = 4096});
        SCOPED_TRACE(std::to_string(ranks) + " ranks " + std::to_string(pes) + " PEs " +
                     std::string(to_string(throttle)));
        EXPECT_EQ(report.digest, expected.digest);
        EXPECT_EQ(report.committed, expected.committed);
        ASSERT_EQ(report.ranks.size(), ranks);
        for (const RankFigures& rank : report.ranks) EXPECT_LE(rank.memory_peak, most(report, rank));
      }
    }
  }
}

}  // namespace
}  // namespace anachron::test
