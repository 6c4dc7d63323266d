// Runs over ranks give the sequential results: random models and options, ranks as threads of this process,
// between which all goes through bytes.

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "property/random_options.hpp"
#include "property/random_ranks.hpp"
#include "property/tangle.hpp"
#include "scale.hpp"

namespace anachron::test {
namespace {

/// Four variants each of so many models.
void try_random_models(int first, int count) {
  for (int model = first; model < first + count; ++model) {
    std::mt19937_64 random(static_cast<std::uint64_t>(model) + 5001);
    const TangleParams params = random_tangle(random);
    const Time until = random() % 3 ? kForever : 4.5;
    const Config base = sequential_run(random() % 1000 + 1, until);
    const TangleResult expected = run_tangle(params, base);
    for (int variant = 0; variant < 4; ++variant) {
      const RankShape shape = random_rank_shape(random);
      const Config config = random_rank_config(random, base, shape);
      const TangleResult actual =
          run_tangle_over_ranks(params, config, shape.ranks, random_rank_links(random));
      ASSERT_EQ(difference(expected, actual), "")
          << "model " << model << ", " << shape.ranks << " ranks," << describe(config);
      ASSERT_EQ(actual.report.ranks.size(), shape.ranks == 1 ? 0 : shape.ranks);
    }
  }
}

TEST(Ranks, RandomModelsUnderRandomOptions) { try_random_models(0, scaled(15)); }

TEST(LongRanks, FiveHundredRandomRuns) { try_random_models(1000, 125); }

TEST(Ranks, WhatIsBroadcastFindsLpsThatHaveMoved) {
  std::uint64_t migrations = 0;
  for (int model = 0; model < scaled(10); ++model) {
    std::mt19937_64 random(static_cast<std::uint64_t>(model) + 5401);
    TangleParams params = random_tangle(random);
    params.broadcasts = 0.1;
    const Config base = sequential_run(random() % 1000 + 1, kForever);
    const TangleResult expected = run_tangle(params, base);
    for (int variant = 0; variant < 3; ++variant) {
      const RankShape shape{.ranks = 2 + static_cast<unsigned>(variant % 2), .workers = 1};
      Config config = random_rank_config(random, base, shape);
      config.gvt_interval = one_of(random, {2u, 10u, 40u});
      config.test_chaos = static_cast<unsigned>(1 + random() % 1000);
      config.migration = Migration::on;
      const TangleResult actual =
          run_tangle_over_ranks(params, config, shape.ranks, random_rank_links(random));
      ASSERT_EQ(difference(expected, actual), "")
          << "model " << model << ", " << shape.ranks << " ranks," << describe(config);
      migrations += actual.report.migrations;
    }
  }
  EXPECT_GT(migrations, 0u);
}

TEST(Ranks, StopEndsAtTheSameEvent) {
  for (int model = 0; model < scaled(10); ++model) {
    std::mt19937_64 random(static_cast<std::uint64_t>(model) + 6001);
    TangleParams params = random_tangle(random);
    params.stops = 0.005;
    const Config base = sequential_run(random() % 1000 + 1, kForever);
    const TangleResult expected = run_tangle(params, base);
    for (int variant = 0; variant < 3; ++variant) {
      const RankShape shape = random_rank_shape(random);
      const Config config = random_rank_config(random, base, shape);
      const TangleResult actual =
          run_tangle_over_ranks(params, config, shape.ranks, random_rank_links(random));
      ASSERT_EQ(difference(expected, actual), "")
          << "model " << model << ", " << shape.ranks << " ranks," << describe(config);
    }
  }
}

TEST(Ranks, AFaultIsTheSameOnWhicheverRank) {
  const auto failure_of = [](const auto& run) -> std::string {
    try {
      run();
    } catch (const SimulationError& error) {
      return error.what();
    }
    return "none";
  };
  int failures = 0;
  for (int model = 0; model < scaled(10); ++model) {
    std::mt19937_64 random(static_cast<std::uint64_t>(model) + 7001);
    TangleParams params = random_tangle(random);
    params.faults = 0.01;
    const Config base = sequential_run(random() % 1000 + 1, kForever);
    const std::string expected = failure_of([&] { run_tangle(params, base); });
    failures += expected != "none";
    for (int variant = 0; variant < 3; ++variant) {
      const RankShape shape = random_rank_shape(random);
      const Config config = random_rank_config(random, base, shape);
      const auto links = random_rank_links(random);
      ASSERT_EQ(expected, failure_of([&] { run_tangle_over_ranks(params, config, shape.ranks, links); }))
          << "model " << model << ", " << shape.ranks << " ranks," << describe(config);
    }
  }
  EXPECT_GT(failures, 0);
}

/// Whichever rank an LP is on.
TEST(Ranks, FiguresOfLpsAreThoseOfAllRanks) {
  TangleParams params;
  params.lps_per_type = 12;
  params.roots = 6;
  params.life = 20;
  Config config = sequential_run(3, kForever);
  config.profile_lps = 1000;
  const Report expected = run_tangle(params, config).report;
  config.sync = Sync::optimistic;
  config.workers = config.pes = 1;
  const Report report = run_tangle_over_ranks(params, config, 3, {}).report;
  ASSERT_EQ(report.lp_profile.size(), expected.lp_profile.size());
  std::uint64_t rolled_back = 0, rollbacks = 0;
  for (std::size_t i = 0; i < report.lp_profile.size(); ++i) {
    EXPECT_EQ(report.lp_profile[i].type, expected.lp_profile[i].type);
    EXPECT_EQ(report.lp_profile[i].index, expected.lp_profile[i].index);
    EXPECT_EQ(report.lp_profile[i].committed, expected.lp_profile[i].committed);
    rolled_back += report.lp_profile[i].rolled_back;
    rollbacks += report.lp_profile[i].rollbacks;
  }
  EXPECT_EQ(rolled_back, report.rolled_back);
  EXPECT_EQ(rollbacks, report.rollbacks);
}

TEST(Ranks, ConservativelyToo) {
  for (int model = 0; model < scaled(10); ++model) {
    std::mt19937_64 random(static_cast<std::uint64_t>(model) + 8001);
    TangleParams params = random_tangle(random);
    params.gap = 0.25;
    const Config base = sequential_run(random() % 1000 + 1, kForever);
    const TangleResult expected = run_tangle(params, base);
    const RankShape shape = random_rank_shape(random);
    Config config = random_rank_config(random, base, shape);
    config.sync = Sync::conservative;
    config.lookahead = 0.25;
    config.window.reset();
    config.throttle = Throttle::balanced;
    const TangleResult actual = run_tangle_over_ranks(params, config, shape.ranks, random_rank_links(random));
    ASSERT_EQ(difference(expected, actual), "")
        << "model " << model << ", " << shape.ranks << " ranks," << describe(config);
  }
}

/// What is shown, and at its end why it ended: rank 0 shows all of it, in the order of all events.
std::vector<std::string> shown_by(Config config, const auto& run) {
  std::vector<std::string> lines;
  config.trace.show = [&lines](const CommittedEvent& e) {
    lines.push_back(fmt::format("{} {} {} {} {} {} {}", e.time, e.lp_type, e.lp, e.event, e.sender_type,
                                e.sender, e.payload));
  };
  try {
    run(config);
  } catch (const SimulationError& error) {
    lines.emplace_back(error.what());
  }
  return lines;
}

TEST(Ranks, TheTraceIsTheSame) {
  std::size_t lines = 0;
  for (int model = 0; model < scaled(12); ++model) {
    std::mt19937_64 random(static_cast<std::uint64_t>(model) + 9001);
    TangleParams params = random_tangle(random);
    if (model % 4 == 1) params.faults = 0.01;
    if (model % 4 == 2) params.stops = 0.005;
    Config base = sequential_run(random() % 1000 + 1, random() % 3 ? kForever : 4.5);
    if (model % 3 == 1) base.trace.lps = {{"Bag", 0, 0}, {"Gate"}};
    if (model % 2) base.trace.from = 0.5;
    const auto expected = shown_by(base, [&](const Config& config) { run_tangle(params, config); });
    lines += expected.size();
    for (int variant = 0; variant < 3; ++variant) {
      const RankShape shape = random_rank_shape(random);
      const Config config = random_rank_config(random, base, shape);
      const auto links = random_rank_links(random);
      ASSERT_EQ(
          shown_by(config,
                   [&](const Config& with) { run_tangle_over_ranks(params, with, shape.ranks, links); }),
          expected)
          << "model " << model << ", " << shape.ranks << " ranks," << describe(config);
    }
  }
  EXPECT_GT(lines, 1000u);
}

}  // namespace
}  // namespace anachron::test
