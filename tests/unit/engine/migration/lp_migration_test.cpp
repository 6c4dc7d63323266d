// When LPs move, when a move is taken back, and what is told of it.
#include "engine/migration/lp_migration.hpp"

#include <array>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>
#include <anachron/anachron.hpp>
#include <anachron/model/lp_ops.hpp>

#include "lp/lp_store.hpp"

namespace anachron::engine {
namespace {

struct Step {};
struct Quiet {
  void on(Context<Quiet>&, const Step&) {}
};

/// Eight LPs on two PEs of a worker each. GVT rounds are told what the PEs commit in each hundredth of a
/// second.
class LpMigrationTest : public ::testing::Test {
 protected:
  LpMigrationTest() { migration_.begin_term(kWay, 0); }

  /// So many events in a hundredth of a second, for so many of them or until the term is to end.
  void pass(std::uint64_t first_pe, std::uint64_t second_pe, int hundredths) {
    for (int i = 0; i < hundredths && !migration_.ends_term(); ++i) {
      now_s_ += 0.01;
      summaries_[0].committed += first_pe;
      summaries_[1].committed += second_pe;
      gvt::RankReport own;
      own.committed = summaries_[0].committed + summaries_[1].committed;
      migration_.look(summaries_, own, now_s_);
    }
  }
  /// Until the LPs of the first PE have moved. `loads`: of each LP.
  LpMigration::Plan move(const std::vector<std::uint32_t>& loads) {
    pass(9000, 1000, 100);
    return carry_out(loads);
  }
  LpMigration::Plan carry_out(const std::vector<std::uint32_t>& loads) {
    EXPECT_TRUE(migration_.is_due());
    auto plan = migration_.plan(loads);
    migration_.take(plan);
    migration_.begin_term(kWay, now_s_);
    return plan;
  }
  RunFigures figures() const {
    RunFigures figures;
    migration_.report(figures);
    return figures;
  }

  static constexpr LpMigration::Way kWay{.workers = 2, .mode = pe::SyncMode::ahead};
  static Config config() {
    Config config;
    config.migration = Migration::on;
    config.mapping = Mapping::fixed;
    config.workers = 2;
    config.pes = 2;
    return config;
  }
  const std::vector<std::uint32_t> loads_{100, 100, 200, 200, 50, 50, 50, 50};
  const Config config_ = config();
  lp::LpStore lps_{{{&detail::lp_ops<Quiet>(), 0, 8, nullptr, nullptr}}, Owners({0, 0, 0, 0, 1, 1, 1, 1})};
  LpMigration migration_{lps_, config_, nullptr};
  std::array<gvt::Summary, 2> summaries_{};
  double now_s_ = 0;
};

TEST_F(LpMigrationTest, NothingMovesWhereAllPesHaveTheSameToDo) {
  pass(5000, 5000, 500);
  EXPECT_FALSE(migration_.is_due());
  EXPECT_FALSE(figures().migration_gain);
}

TEST_F(LpMigrationTest, LpsOfABusyPeMove) {
  const auto plan = move(loads_);
  ASSERT_FALSE(plan.moves.empty());
  for (const lp::Move& each : plan.moves) EXPECT_EQ(each.to, 1u);
  EXPECT_EQ(figures().migrations, 1u);
  EXPECT_EQ(figures().migrated_lps, plan.moves.size());
  EXPECT_FALSE(figures().migration_gain) << "before it was seen to pay";
}

TEST_F(LpMigrationTest, AMoveThatPaysStaysAndItsGainIsTold) {
  move(loads_);
  pass(7500, 7500, 20);  // 10,000 events before
  EXPECT_FALSE(migration_.is_due());
  ASSERT_TRUE(figures().migration_gain);
  EXPECT_NEAR(*figures().migration_gain, 1.5, 0.01);
  EXPECT_EQ(figures().migrations_taken_back, 0u);
}

TEST_F(LpMigrationTest, AMoveInVainIsTakenBack) {
  const auto there = move(loads_);
  pass(5000, 5000, 20);
  const auto back = carry_out(loads_);
  EXPECT_TRUE(back.is_back);
  EXPECT_EQ(back.moves.size(), there.moves.size());
  for (const lp::Move& each : back.moves) EXPECT_EQ(each.to, 0u);
  EXPECT_EQ(figures().migrations_taken_back, 1u);
  EXPECT_FALSE(figures().migration_gain);
}

}  // namespace
}  // namespace anachron::engine
