// The bundled models over ranks, of whichever shape and however their LPs are dealt.

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <anachron/anachron.hpp>

#include "comm/transport/cluster.hpp"
#include "comm/transport/local/local_cluster.hpp"
#include "epidemic/epidemic.hpp"
#include "logic/logic.hpp"
#include "packets/packets.hpp"
#include "partition/metis/metis.hpp"
#include "pcs/pcs.hpp"
#include "phold/phold.hpp"
#include "queueing/queueing.hpp"
#include "scale.hpp"
#include "stress/stress.hpp"
#include "support/rank_threads.hpp"
#include "tlm/tlm.hpp"
#include "traffic/traffic.hpp"

namespace anachron::test {
namespace {

struct OverRanks {
  const char* name;
  std::unique_ptr<AnyModel> (*make)();
  std::vector<std::pair<std::string, std::string>> options;
  Time until;
  bool has_graph = true;  ///< that METIS could cut
};

std::ostream& operator<<(std::ostream& out, const OverRanks& model) { return out << model.name; }

struct RanksAndWorkers {
  unsigned ranks, workers;
};

class ModelsOverRanks : public testing::TestWithParam<OverRanks> {
 protected:
  static Report run(const Config& config) {
    const auto model = GetParam().make();
    auto options = model->options();
    for (const auto& [name, value] : GetParam().options)
      std::find_if(options.begin(), options.end(), [&, &wanted = name](const Option& option) {
        return option.name == wanted;
      })->set(value);
    return model->run(config, {}, {});
  }
  static Report run_alone() {
    Config config;
    config.sync = Sync::sequential;
    config.until = GetParam().until;
    return run(config);
  }
  /// What a rank other than 0 has: the figures of all, and the rows of its own PEs.
  static void expect_figures(const Report& first, const Report& other, unsigned workers) {
    expect_equal(first, other);
    EXPECT_EQ(first.executed, other.executed);
    EXPECT_EQ(first.sent, other.sent);
    EXPECT_EQ(first.rollbacks, other.rollbacks);
    EXPECT_EQ(first.gvt_rounds, other.gvt_rounds);
    EXPECT_EQ(first.ranks.size(), other.ranks.size());
    EXPECT_EQ(first.pes.size(), first.ranks.size() * workers);
    EXPECT_EQ(other.pes.size(), workers);
    for (const auto& [name, table] : other.results.tables()) EXPECT_EQ(name, Results::kStatistics);
  }
  /// Of rank 0.
  static Report run_on(RanksAndWorkers shape, Partition partition,
                       const transport::LocalCluster::Options& links = {}, unsigned chaos = 0) {
    Config config;
    if (chaos > 0) {  // LPs move at random, all the time
      config.migration = Migration::on;
      config.test_chaos = chaos;
      config.gvt_interval = 20;
    }
    config.sync = Sync::optimistic;
    config.until = GetParam().until;
    config.workers = shape.workers;
    config.partition = partition;
    if (shape.ranks == 1) return run(config);
    transport::LocalCluster cluster(shape.ranks, links);
    std::vector<Report> reports(shape.ranks);
    for_all_ranks(shape.ranks, [&](unsigned rank) {
      transport::Cluster here(cluster.transport(rank));
      Config own = config;
      own.cluster = &here;
      reports[rank] = run(own);
      here.transport().finish();
    });
    for (unsigned rank = 1; rank < shape.ranks; ++rank)
      expect_figures(reports.front(), reports[rank], shape.workers);
    return reports.front();
  }
  static void expect_equal(const Report& expected, const Report& actual) {
    EXPECT_EQ(expected.digest, actual.digest);
    EXPECT_EQ(expected.state_digest, actual.state_digest);
    EXPECT_EQ(expected.critical_path, actual.critical_path);
    EXPECT_EQ(expected.committed, actual.committed);
    ASSERT_EQ(expected.results.figures().size(), actual.results.figures().size());
    for (const auto& [name, figure] : expected.results.figures()) {
      const double value = expected.results.value(name), there = actual.results.value(name);
      EXPECT_TRUE(value == there || (std::isnan(value) && std::isnan(there)))
          << name << " " << value << " " << there;
    }
  }
};

constexpr RanksAndWorkers kShapes[] = {{1, 1}, {1, 2}, {2, 1}, {2, 2}, {4, 1}, {4, 2}, {8, 1}};

TEST_P(ModelsOverRanks, GiveTheSameInAnyShape) {
  const Report expected = run_alone();
  ASSERT_GT(expected.committed, 0u);
  auto n = static_cast<unsigned>(expected.committed % 5);  // that each model tries others
  for (const auto shape : kShapes)
    for (const auto& [name, partition] : Spelling<Partition>::names) {
      if (partition == Partition::metis && !(partition::kHasMetis && GetParam().has_graph)) continue;
      if (!is_tried(n++)) continue;
      SCOPED_TRACE(std::to_string(shape.ranks) + " x " + std::to_string(shape.workers) + " " +
                   std::string(name));
      expect_equal(expected, run_on(shape, partition));
    }
}

TEST_P(ModelsOverRanks, GiveTheSameFarApart) {
  const Report expected = run_alone();
  const transport::LocalCluster::Options links{.latency = std::chrono::microseconds(60)};
  for (const auto shape : {RanksAndWorkers{2, 1}, RanksAndWorkers{2, 2}, RanksAndWorkers{4, 1}}) {
    SCOPED_TRACE(std::to_string(shape.ranks) + " x " + std::to_string(shape.workers));
    expect_equal(expected, run_on(shape, Partition::block, links));
  }
}

TEST_P(ModelsOverRanks, GiveTheSameWhereLpsMove) {
  const Report expected = run_alone();
  for (const auto shape : {RanksAndWorkers{2, 1}, RanksAndWorkers{2, 2}, RanksAndWorkers{4, 1}})
    for (const unsigned chaos : {3u, 8u}) {
      if (!is_tried(shape.ranks * shape.workers + chaos)) continue;
      SCOPED_TRACE(std::to_string(shape.ranks) + " x " + std::to_string(shape.workers));
      const Report moved = run_on(shape, Partition::block, {}, chaos);
      expect_equal(expected, moved);
      if (std::string(GetParam().name) == "Phold") {
        EXPECT_GT(moved.migrated_lps, 0u);
      }
    }
}

INSTANTIATE_TEST_SUITE_P(
    , ModelsOverRanks,
    testing::Values(
        OverRanks{"Phold",
                  models::make_phold,
                  {{"lps", "120"},
                   {"events-per-lp", "2"},
                   {"receiver", "hierarchical"},
                   {"local-size", "10"},
                   {"region-size", "30"},
                   {"remote", "0.1"}},
                  5},
        OverRanks{"Pcs", models::make_pcs, {{"grid", "12x9"}, {"dwell", "0.5"}}, 1},
        OverRanks{
            "Tlm", models::make_tlm, {{"grid", "6x5x3"}, {"threshold", "1e-3"}, {"receive-at", "1,1,1"}}, 12},
        OverRanks{"Epidemic", models::make_epidemic, {{"nodes", "1000"}, {"group", "8"}}, 20},
        OverRanks{"Queueing", models::make_queueing, {{"stations", "100"}, {"classes", "2"}}, 20},
        OverRanks{
            "Logic", models::make_logic, {{"gates", "120"}, {"gates-per-lp", "8"}, {"vectors", "2"}}, 100},
        OverRanks{"Packets", models::make_packets, {{"torus", "4x4"}, {"buffer", "2"}, {"load", "0.5"}}, 600},
        OverRanks{"Traffic", models::make_traffic, {{"city", "6x6"}, {"vehicles", "60"}}, kForever},
        OverRanks{"TrafficQueues",
                  models::make_traffic,
                  {{"city", "5x4"},
                   {"vehicles", "600"},
                   {"period", "4"},
                   {"storage", "120"},
                   {"patience", "1"},
                   {"rerouting", "0.6"},
                   {"publish", "1"}},
                  8},
        OverRanks{"TrafficRerouting",
                  models::make_traffic,
                  {{"city", "6x6"},
                   {"vehicles", "900"},
                   {"period", "6"},
                   {"flow-window", "2"},
                   {"rerouting", "0.6"},
                   {"publish", "2"},
                   {"routing", "hierarchy"}},
                  kForever},
        OverRanks{"Stress", models::make_stress, {{"lps", "60"}, {"factor", "30"}, {"work", "10"}}, 2, false},
        OverRanks{
            "Slope", models::make_stress, {{"kind", "slope"}, {"lps", "60"}, {"factor", "30"}}, 5, false}),
    [](const auto& param) { return std::string(param.param.name); });

}  // namespace
}  // namespace anachron::test
