// Any options give the sequential results: digest, final states, committed output, for random models.

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <random>
#include <string>
#include <utility>

#include "property/random_options.hpp"
#include "property/tangle.hpp"
#include "scale.hpp"
#include "support/first_difference.hpp"

namespace anachron::test {
namespace {

TEST(Equivalence, RandomModelsUnderRandomOptions) {
  for (int model = 0; model < scaled(25); ++model) {
    std::mt19937_64 random(static_cast<std::uint64_t>(model) + 1);
    TangleParams params = random_tangle(random);
    const Time until = random() % 3 ? kForever : 4.5;
    const Config base = sequential_run(random() % 1000 + 1, until);
    const TangleResult expected = run_tangle(params, base);
    ASSERT_GT(expected.report.committed, 0u);
    for (int variant = 0; variant < 6; ++variant) {
      Config config = random_optimistic(random, base);
      config.partition = random_partition(random);
      const TangleResult actual = run_tangle(params, config);
      ASSERT_EQ(difference(expected, actual), "")
          << "model " << model << ", " << describe(config)
          << first_difference(base, config, [&](const Config& of) { run_tangle(params, of); });
    }
  }
}

// What tests say when runs differ.
TEST(FirstDifference, NamesTheEventWhereRunsPart) {
  const TangleParams params;
  const Config base = sequential_run(1, 3), other = sequential_run(2, 3);
  const auto run = [&](const Config& of) { run_tangle(params, of); };
  EXPECT_EQ(first_difference(base, base, run), "\nrun again, both had the same events");
  const std::string text = first_difference(base, other, run);
  EXPECT_NE(text.find("first difference"), std::string::npos) << text;
}

TEST(Equivalence, StopEndsAtTheSameEvent) {
  for (int model = 0; model < scaled(15); ++model) {
    std::mt19937_64 random(static_cast<std::uint64_t>(model) + 1001);
    TangleParams params = random_tangle(random);
    params.stops = 0.005;
    const Config base = sequential_run(random() % 1000 + 1, kForever);
    const TangleResult expected = run_tangle(params, base);
    for (int variant = 0; variant < 5; ++variant) {
      const Config config = random_optimistic(random, base);
      ASSERT_EQ(difference(expected, run_tangle(params, config)), "")
          << "model " << model << ", " << describe(config);
    }
  }
}

TEST(Equivalence, AFaultIsTheSameInEveryMode) {
  const auto failure = [](const TangleParams& params, const Config& config) -> std::string {
    try {
      run_tangle(params, config);
    } catch (const SimulationError& error) {
      return error.what();
    }
    return "none";
  };
  int failures = 0;
  for (int model = 0; model < scaled(15); ++model) {
    std::mt19937_64 random(static_cast<std::uint64_t>(model) + 2001);
    TangleParams params = random_tangle(random);
    params.faults = 0.01;
    const Config base = sequential_run(random() % 1000 + 1, kForever);
    const std::string expected = failure(params, base);
    failures += expected != "none";
    for (int variant = 0; variant < 5; ++variant) {
      const Config config = random_optimistic(random, base);
      ASSERT_EQ(expected, failure(params, config)) << "model " << model << ", " << describe(config);
    }
  }
  EXPECT_GT(failures, 0);
}

TEST(Equivalence, TheRollbackCheckPassesAndChangesNothing) {
  for (int model = 0; model < scaled(5); ++model) {
    std::mt19937_64 random(static_cast<std::uint64_t>(model) + 3001);
    const TangleParams params = random_tangle(random);
    const Config base = sequential_run(random() % 1000 + 1, kForever);
    const TangleResult expected = run_tangle(params, base);
    Config checked = base;
    checked.check_rollback = true;
    TangleResult actual = run_tangle(params, checked);
    ASSERT_EQ(difference(expected, actual), "") << "model " << model;
    EXPECT_TRUE(actual.report.notes.empty());
    Config parallel = random_optimistic(random, base);
    parallel.check_rollback = true;
    ASSERT_EQ(difference(expected, run_tangle(params, parallel)), "")
        << "model " << model << ", " << describe(parallel);
  }
}

// The more events there are to a copy, the fewer copies are taken, and the results stay the same.
TEST(Equivalence, SparseCopiesAreFewerAndRestoreTheSame) {
  TangleParams params;
  params.roots = 12;
  const Config base = sequential_run(11, kForever);
  const TangleResult expected = run_tangle(params, base);
  for (const Rollback rollback : {Rollback::automatic, Rollback::copy}) {
    double copies = 0, before = 0;  // per executed event: how much is undone differs
    for (const unsigned interval : {1u, 2u, 4u, 8u}) {
      Config config = base;
      config.sync = Sync::optimistic;
      config.workers = 1;
      config.pes = 3;
      config.rollback = rollback;
      config.checkpoint_interval = interval;
      config.lps_per_group = 2;
      config.test_chaos = 5;
      const TangleResult actual = run_tangle(params, config);
      ASSERT_EQ(difference(expected, actual), "") << describe(config);
      before = std::exchange(copies, static_cast<double>(actual.report.state_copies) /
                                         static_cast<double>(actual.report.executed));
      if (interval == 1) {
        EXPECT_EQ(actual.report.coasted, 0u);
        continue;
      }
      EXPECT_LT(copies, before) << describe(config);
      EXPECT_GT(actual.report.coasted, 0u) << describe(config);
      for (const PeReport& pe : actual.report.pes) EXPECT_EQ(pe.checkpoint_interval, interval);
    }
  }
}

// Lazily, some of what rolled-back events sent is right; the results stay the same.
TEST(Equivalence, LazyCancellationKeepsSomeSends) {
  TangleParams params;
  params.roots = 8;
  const Config base = sequential_run(13, kForever);
  const TangleResult expected = run_tangle(params, base);
  for (const unsigned chaos : {1u, 2u, 3u}) {
    Config config = base;
    config.sync = Sync::optimistic;
    config.workers = chaos;
    config.pes = 3;
    config.lps_per_group = 4;
    config.test_chaos = chaos;
    for (const Cancellation cancellation : {Cancellation::aggressive, Cancellation::lazy}) {
      config.cancellation = cancellation;
      const TangleResult actual = run_tangle(params, config);
      ASSERT_EQ(difference(expected, actual), "") << describe(config);
      EXPECT_EQ(actual.report.lazy_hits > 0, cancellation == Cancellation::lazy) << describe(config);
    }
  }
}

// Recipient k of a broadcast gets what it would get if the sender had sent to one after the other.
TEST(Equivalence, ABroadcastIsALoopOfSends) {
  for (int model = 0; model < scaled(10); ++model) {
    std::mt19937_64 random(static_cast<std::uint64_t>(model) + 5001);
    TangleParams params = random_tangle(random);
    params.broadcasts = 0.1;
    const Config base = sequential_run(random() % 1000 + 1, random() % 2 ? kForever : 2.5);
    const TangleResult broadcast = run_tangle(params, base);
    params.in_loops = true;
    const TangleResult looped = run_tangle(params, base);
    ASSERT_EQ(difference(broadcast, looped), "") << "model " << model;
    for (int variant = 0; variant < 4; ++variant) {
      params.in_loops = variant == 0;
      const Config config = random_optimistic(random, base);
      ASSERT_EQ(difference(broadcast, run_tangle(params, config)), "")
          << "model " << model << ", " << describe(config);
    }
  }
}

// A multicast is for the LPs that a PE owns, of which some move while it waits.
TEST(Equivalence, WhatIsBroadcastFindsLpsThatHaveMoved) {
  std::uint64_t migrations = 0;
  for (int model = 0; model < scaled(10); ++model) {
    std::mt19937_64 random(static_cast<std::uint64_t>(model) + 5301);
    TangleParams params = random_tangle(random);
    params.broadcasts = 0.1;
    const Config base = sequential_run(random() % 1000 + 1, kForever);
    const TangleResult expected = run_tangle(params, base);
    for (int variant = 0; variant < 4; ++variant) {
      Config config = random_optimistic(random, base);
      config.workers = 2;
      config.pes = 2 + static_cast<unsigned>(random() % 4);
      config.gvt_interval = one_of(random, {2u, 10u, 40u});
      config.test_chaos = static_cast<unsigned>(1 + random() % 1000);
      config.migration = Migration::on;
      const TangleResult actual = run_tangle(params, config);
      ASSERT_EQ(difference(expected, actual), "") << "model " << model << ", " << describe(config);
      migrations += actual.report.migrations;
    }
  }
  EXPECT_GT(migrations, 0u);
}

// Many states to bring back at once, over committed events too.
TEST(Equivalence, SparseCopiesOutliveCommits) {
  for (int model = 0; model < scaled(6); ++model) {
    std::mt19937_64 random(static_cast<std::uint64_t>(model) + 4001);
    TangleParams params = random_tangle(random);
    params.life = std::min(params.life, 10u);
    const Config base = sequential_run(random() % 1000 + 1, random() % 2 ? kForever : 3.3);
    const TangleResult expected = run_tangle(params, base);
    for (int variant = 0; variant < 3; ++variant) {
      Config config = random_optimistic(random, base);
      config.gvt_interval = one_of(random, {2u, 20u, 200u});
      config.checkpoint_interval = one_of(random, {3u, 10u, 50u});
      config.test_chaos = static_cast<unsigned>(1 + random() % 1000);
      ASSERT_EQ(difference(expected, run_tangle(params, config)), "")
          << "model " << model << ", " << describe(config);
    }
  }
}

TEST(Equivalence, TwoHundredRunsInARow) {
  TangleParams params;
  params.life = 14;
  const Config base = sequential_run(7, kForever);
  const TangleResult expected = run_tangle(params, base);
  std::mt19937_64 random(99);
  for (int run = 0; run < scaled(200); ++run) {
    const Config config = random_optimistic(random, base);
    ASSERT_EQ(difference(expected, run_tangle(params, config)), "")
        << "run " << run << ", " << describe(config);
  }
}

// So little memory that each PE stops again and again, and what it has executed is taken back.
TEST(Equivalence, WithoutMemoryForOptimism) {
  std::uint64_t retreats = 0;
  for (int model = 0; model < scaled(8); ++model) {
    std::mt19937_64 random(static_cast<std::uint64_t>(model) + 5001);
    TangleParams params = random_tangle(random);
    params.life = std::min(params.life, 9u);
    const Config base = sequential_run(random() % 1000 + 1, random() % 2 ? kForever : 3.3);
    const TangleResult expected = run_tangle(params, base);
    for (int variant = 0; variant < 5; ++variant) {
      Config config = random_optimistic(random, base);
      config.workers = std::min(*config.workers, 4u);
      config.pes = std::min(*config.pes, 4u);
      config.memory = one_of(random, {100'000u, 400'000u, 1'000'000u});
      config.history = History::always;
      // Copies, memory on each of several nodes, and long bounded queues take more than the sequential run.
      config.channel_capacity = std::min(config.channel_capacity, 8u);
      config.seams.reset();
      config.events = Events::shared;
      config.numa = Numa::off;
      const TangleResult actual = run_tangle(params, config);
      ASSERT_EQ(difference(expected, actual), "")
          << "model " << model << ", " << describe(config) << " --memory " << *config.memory;
      retreats += actual.report.retreats;
    }
  }
  EXPECT_GT(retreats, 0u);
}

TEST(Equivalence, AnotherTieSeedGivesAnotherOrder) {
  TangleParams params;
  params.tie = 0.5;
  Config config = sequential_run(7, kForever);
  const auto first = run_tangle(params, config).report.digest;
  config.tie_seed += 1;
  EXPECT_NE(first, run_tangle(params, config).report.digest);
}

}  // namespace
}  // namespace anachron::test
