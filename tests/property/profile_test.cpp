// Figures by LP: the committed events of each are the same in all modes, and what was undone adds up.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include "property/random_options.hpp"
#include "property/tangle.hpp"
#include "scale.hpp"

namespace anachron::test {
namespace {

std::uint64_t sum(const std::vector<LpFigures>& lps, std::uint64_t LpFigures::* figure) {
  return std::accumulate(lps.begin(), lps.end(), std::uint64_t{0},
                         [figure](std::uint64_t so_far, const LpFigures& lp) { return so_far + lp.*figure; });
}

std::vector<std::uint64_t> committed(const Report& report) {
  std::vector<std::uint64_t> out;
  for (const LpFigures& lp : report.lp_profile) out.push_back(lp.committed);
  return out;
}

TEST(LpProfile, IsTheSameInEveryMode) {
  std::uint64_t caused = 0;
  for (int model = 0; model < scaled(5); ++model) {
    std::mt19937_64 random(static_cast<std::uint64_t>(model) + 13001);
    TangleParams params;
    params.lps_per_type = static_cast<std::uint32_t>(1 + random() % 12);
    params.life = static_cast<std::uint32_t>(5 + random() % 10);
    Config base;
    base.sync = Sync::sequential;
    base.seed = random() % 1000 + 1;
    base.profile_lps = 4 * params.lps_per_type;
    const Report expected = run_tangle(params, base).report;
    ASSERT_EQ(expected.lp_profile.size(), 4 * params.lps_per_type);
    EXPECT_EQ(sum(expected.lp_profile, &LpFigures::committed), expected.committed);
    for (int variant = 0; variant < 4; ++variant) {
      Config config = random_optimistic(random, base);
      config.check_rollback = variant == 3;
      const Report report = run_tangle(params, config).report;
      SCOPED_TRACE(describe(config));
      EXPECT_EQ(committed(report), committed(expected));
      EXPECT_EQ(sum(report.lp_profile, &LpFigures::rolled_back), report.rolled_back);
      EXPECT_EQ(sum(report.lp_profile, &LpFigures::rollbacks), report.rollbacks);
      EXPECT_LE(sum(report.lp_profile, &LpFigures::rollbacks_caused), report.rollbacks);
      EXPECT_EQ(sum(report.lp_profile, &LpFigures::rollbacks_caused),
                report.rollbacks_local + report.rollbacks_regional);
      EXPECT_EQ(report.rollbacks_remote, 0u) << "there is one rank";
      caused += sum(report.lp_profile, &LpFigures::rollbacks_caused);
    }
  }
  EXPECT_GT(caused, 0u);
}

TEST(LpProfile, HasNoMoreLpsThanAskedFor) {
  TangleParams params;
  Config config;
  config.sync = Sync::sequential;
  EXPECT_TRUE(run_tangle(params, config).report.lp_profile.empty());
  config.profile_lps = 100;
  const Report all = run_tangle(params, config).report;
  config.profile_lps = 3;
  const Report few = run_tangle(params, config).report;
  ASSERT_EQ(few.lp_profile.size(), 3u);
  std::vector<std::uint64_t> most = committed(all), found = committed(few);
  std::sort(most.rbegin(), most.rend());
  std::sort(found.rbegin(), found.rend());
  most.resize(3);
  EXPECT_EQ(found, most);
  EXPECT_EQ(few.lp_profile.front().type, all.lp_profile.front().type);
}

// The one that sends into the others' past is the one to blame.
struct Poke {};
struct Hit {};
struct Late {
  std::uint64_t pokes = 0;
  void start(Context<Late>& cx) {
    for (int i = 1; i < 200; ++i) cx.send_at(cx.self(), i, Poke{});
  }
  void on(Context<Late>& cx, const Poke&) {
    ++pokes;
    if (cx.self().index() == 1) cx.send(cx.id(0), 0.5, Hit{});
  }
  void on(Context<Late>&, const Hit&) {}
};

TEST(LpProfile, NamesTheSenderOfStragglers) {
  Simulation<Late> simulation;
  simulation.lps<Late>(2);
  simulation.config.sync = Sync::optimistic;
  simulation.config.workers = 1;
  simulation.config.pes = 2;
  simulation.config.mapping = Mapping::fixed;  // not in order
  simulation.config.batch = 50;
  simulation.config.throttle = Throttle::none;
  simulation.config.profile_lps = 2;
  const Report report = simulation.run();
  ASSERT_EQ(report.lp_profile.size(), 2u);
  ASSERT_EQ(report.rollback_pairs.size(), 1u);
  EXPECT_EQ(report.rollback_pairs[0].sender_type, "Late");
  EXPECT_EQ(report.rollback_pairs[0].sender, 1u);
  EXPECT_EQ(report.rollback_pairs[0].receiver, 0u);
  EXPECT_EQ(report.rollback_pairs[0].rollbacks, report.rollbacks);
  EXPECT_GT(report.rollbacks, 0u);
  EXPECT_EQ(report.lp_profile[0].rollbacks, report.rollbacks);
  EXPECT_EQ(report.lp_profile[1].rollbacks_caused, report.rollbacks);
  EXPECT_EQ(report.lp_profile[0].rollbacks_caused, 0u);
}

TEST(LpProfile, CountsWhatASessionKeeps) {
  Simulation<Late> simulation;
  simulation.lps<Late>(2);
  simulation.config.sync = Sync::sequential;
  simulation.config.profile_lps = 2;
  auto session = simulation.open();
  session.run_until(10);
  const Mark mark = session.mark();
  session.run_until(50);
  session.rewind(mark);
  session.run_until(20);
  session.accept(mark);
  const Report report = session.report();
  EXPECT_EQ(sum(report.lp_profile, &LpFigures::committed), report.committed);
}

}  // namespace
}  // namespace anachron::test
