// Run time as it would be at the nominal frequency, with cores that count what a test wants.
#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include <gtest/gtest.h>
#include <anachron/anachron.hpp>

#include "comm/transport/cluster.hpp"
#include "comm/transport/local/local_cluster.hpp"
#include "engine/seams.hpp"
#include "support/rank_threads.hpp"

namespace anachron {
namespace {

struct Ping {};

struct Pinger {
  void start(Context<Pinger>& cx) { cx.send(cx.self(), cx.rng().exponential(1), Ping{}); }
  void on(Context<Pinger>& cx, const Ping&) {
    cx.send(cx.id(cx.rng().below(cx.lp_count())), cx.rng().exponential(1), Ping{});
  }
};

class Fixed final : public topo::Counters {
 public:
  explicit Fixed(std::optional<CoreCounts> counts) : counts_(counts) {}
  std::optional<CoreCounts> read() override { return counts_; }

 private:
  std::optional<CoreCounts> counts_;
};

constexpr CoreCounts kCounts{.cycles = 1'000'000, .user_s = 0.5, .instructions = 700'000, .cache_misses = 10};

Config with_counters(std::function<std::unique_ptr<topo::Counters>()> open) {
  auto seams = std::make_shared<engine::Seams>();
  seams->description = "made-up counters";
  seams->counters = std::move(open);
  Config config;
  config.sync = Sync::optimistic;
  config.mapping = Mapping::fixed;  // one term
  config.workers = 2;
  config.until = 50;
  config.seams = std::move(seams);
  return config;
}

Report run(const Config& config) {
  Simulation<Pinger> simulation;
  simulation.config = config;
  simulation.lps<Pinger>(16);
  return simulation.run();
}

TEST(NormalisedTime, IsCyclesOverUtilisationAndNominalFrequency) {
  Report report = run(with_counters([] { return std::make_unique<Fixed>(kCounts); }));
  ASSERT_TRUE(report.core_counts);
  EXPECT_EQ(report.core_counts->cycles, 2'000'000u) << "of two workers";
  EXPECT_DOUBLE_EQ(report.core_counts->user_s, 1.0);
  EXPECT_EQ(report.core_counts->instructions, 1'400'000u);
  EXPECT_EQ(report.core_counts->cache_misses, 20u);

  report.wall_s = 0.8;  // 1.25 cores were busy
  report.nominal_hz = 1e6;
  ASSERT_TRUE(report.normalised_s());
  EXPECT_DOUBLE_EQ(*report.normalised_s(), 2e6 / (1.25 * 1e6));
  report.nominal_hz = std::nullopt;
  EXPECT_FALSE(report.normalised_s()) << "nobody knows the frequency";
}

TEST(NormalisedTime, OfCoresThatRanFasterIsLonger) {
  Report report;
  report.wall_s = 10;
  report.nominal_hz = 2.4e9;
  report.core_counts = CoreCounts{.cycles = 48'000'000'000, .user_s = 20};  // two cores, at 2.4 GHz
  EXPECT_DOUBLE_EQ(report.normalised_s().value(), 10);
  report.core_counts->cycles = 60'000'000'000;  // at 3 GHz
  EXPECT_DOUBLE_EQ(report.normalised_s().value(), 12.5);
  report.core_counts->user_s = 0;
  EXPECT_FALSE(report.normalised_s());
}

TEST(NormalisedTime, IsNoneWhereAnyWorkerWasNotCounted) {
  EXPECT_FALSE(run(with_counters([]() -> std::unique_ptr<topo::Counters> { return nullptr; })).core_counts);
  EXPECT_FALSE(run(with_counters([] { return std::make_unique<Fixed>(std::nullopt); })).core_counts);
  auto opened = std::make_shared<std::atomic<int>>(0);
  const Report report = run(with_counters([opened]() -> std::unique_ptr<topo::Counters> {
    if ((*opened)++ > 0) return nullptr;
    return std::make_unique<Fixed>(kCounts);
  }));
  EXPECT_FALSE(report.core_counts) << "half of it would look like all";
  EXPECT_EQ(opened->load(), 2);
}

TEST(NormalisedTime, IsOfAllRanks) {
  transport::LocalCluster cluster(2);
  std::vector<Report> reports(2);
  test::for_all_ranks(2, [&](unsigned rank) {
    Config config = with_counters([] { return std::make_unique<Fixed>(kCounts); });
    config.workers = 1;
    transport::Cluster here(cluster.transport(rank));
    config.cluster = &here;
    reports[rank] = run(config);
    here.transport().finish();
  });
  for (const Report& report : reports) {
    ASSERT_EQ(report.ranks.size(), 2u);
    ASSERT_TRUE(report.core_counts);
    EXPECT_EQ(report.core_counts->cycles, 2'000'000u);
    EXPECT_DOUBLE_EQ(report.core_counts->user_s, 1.0);
  }
}

TEST(NormalisedTime, OfThisMachineIsNoneOrNearTheRunTime) {
  Config config;
  config.until = 2000;
  const Report report = run(config);
  if (!report.normalised_s()) GTEST_SKIP() << "no counters, or no nominal frequency";
  EXPECT_GT(*report.normalised_s(), 0);
  EXPECT_GT(report.core_counts->cycles, report.executed) << "an event takes more than a cycle";
}

}  // namespace
}  // namespace anachron
