// Any options give the sequential results: digest, final states, committed output, for random models.

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <random>
#include <utility>

#include "property/tangle.hpp"
#include "scale.hpp"

namespace anachron::test {
namespace {

TangleParams random_params(std::mt19937_64& random) {
  const auto below = [&](std::uint64_t n) { return random() % n; };
  TangleParams params;
  params.lps_per_type = static_cast<std::uint32_t>(1 + below(20));
  params.roots = static_cast<std::uint32_t>(1 + below(6));
  params.life = static_cast<std::uint32_t>(5 + below(20));
  params.zero_delay = static_cast<double>(below(5)) * 0.1;
  params.tie = static_cast<double>(below(5)) * 0.1;
  params.local = static_cast<double>(below(4)) * 0.3;
  return params;
}

Config sequential(std::uint64_t seed, Time until) {
  Config config;
  config.sync = Sync::sequential;
  config.seed = seed;
  config.tie_seed = seed * 3;
  config.until = until;
  return config;
}

template <class T>
T one_of(std::mt19937_64& random, std::initializer_list<T> values) {
  return *(values.begin() + random() % values.size());
}

Config random_config(std::mt19937_64& random, Config config) {
  config.sync = Sync::optimistic;
  config.workers = one_of(random, {1u, 2u, 3u, 4u, 8u});
  config.pes = *config.workers + one_of(random, {0u, 0u, 1u, 5u});
  config.queue = one_of(random, {Queue::radix, Queue::heap, Queue::heap4, Queue::three_tier_heap,
                                 Queue::ladder, Queue::two_tier_ladder, Queue::splay});
  config.partition = one_of(random, {Partition::block, Partition::round_robin, Partition::random});
  config.rollback = one_of(random, {Rollback::automatic, Rollback::automatic, Rollback::copy});
  config.checkpoint_interval = one_of<std::optional<unsigned>>(random, {std::nullopt, 1u, 2u, 7u, 100u});
  config.throttle = one_of(random, {Throttle::none, Throttle::fixed});
  if (config.throttle == Throttle::fixed && random() % 2)
    config.window = one_of(random, {0.001, 0.1, 1.0, 100.0});
  config.batch = one_of(random, {1u, 2u, 7u, 64u, 1000u});
  if (random() % 2) config.gvt_interval = one_of(random, {1u, 10u, 100u, 2000u});
  config.lps_per_group = one_of(random, {1u, 1u, 2u, 5u, 1000u});
  config.test_chaos = random() % 2 ? static_cast<unsigned>(1 + random() % 1000) : 0;
  return config;
}

std::string describe(const Config& c) {
  std::string text =
      "--workers " + std::to_string(*c.workers) + " --pes " + std::to_string(*c.pes) + " --queue ";
  text += to_string(c.queue);
  text += " --partition ";
  text += to_string(c.partition);
  text += " --rollback ";
  text += to_string(c.rollback);
  text += " --checkpoint-interval ";
  text += c.checkpoint_interval ? std::to_string(*c.checkpoint_interval) : "auto";
  text += " --throttle ";
  text += to_string(c.throttle);
  text +=
      " --window " + (c.window ? std::to_string(*c.window) : "auto") + " --batch " + std::to_string(c.batch);
  text += " --gvt-interval " + (c.gvt_interval ? std::to_string(*c.gvt_interval) : "auto");
  text +=
      " --lps-per-group " + std::to_string(c.lps_per_group) + " --test-chaos " + std::to_string(c.test_chaos);
  return text + " --seed " + std::to_string(c.seed);
}

TEST(Equivalence, RandomModelsUnderRandomOptions) {
  for (int model = 0; model < scaled(25); ++model) {
    std::mt19937_64 random(static_cast<std::uint64_t>(model) + 1);
    TangleParams params = random_params(random);
    const Time until = random() % 3 ? kForever : 4.5;
    const Config base = sequential(random() % 1000 + 1, until);
    const TangleResult expected = run_tangle(params, base);
    ASSERT_GT(expected.report.committed, 0u);
    for (int variant = 0; variant < 6; ++variant) {
      const Config config = random_config(random, base);
      const TangleResult actual = run_tangle(params, config);
      ASSERT_EQ(difference(expected, actual), "") << "model " << model << ", " << describe(config);
    }
  }
}

TEST(Equivalence, StopEndsAtTheSameEvent) {
  for (int model = 0; model < scaled(15); ++model) {
    std::mt19937_64 random(static_cast<std::uint64_t>(model) + 1001);
    TangleParams params = random_params(random);
    params.stops = 0.005;
    const Config base = sequential(random() % 1000 + 1, kForever);
    const TangleResult expected = run_tangle(params, base);
    for (int variant = 0; variant < 5; ++variant) {
      const Config config = random_config(random, base);
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
    TangleParams params = random_params(random);
    params.faults = 0.01;
    const Config base = sequential(random() % 1000 + 1, kForever);
    const std::string expected = failure(params, base);
    failures += expected != "none";
    for (int variant = 0; variant < 5; ++variant) {
      const Config config = random_config(random, base);
      ASSERT_EQ(expected, failure(params, config)) << "model " << model << ", " << describe(config);
    }
  }
  EXPECT_GT(failures, 0);
}

TEST(Equivalence, TheRollbackCheckPassesAndChangesNothing) {
  for (int model = 0; model < scaled(5); ++model) {
    std::mt19937_64 random(static_cast<std::uint64_t>(model) + 3001);
    const TangleParams params = random_params(random);
    const Config base = sequential(random() % 1000 + 1, kForever);
    const TangleResult expected = run_tangle(params, base);
    Config checked = base;
    checked.check_rollback = true;
    TangleResult actual = run_tangle(params, checked);
    ASSERT_EQ(difference(expected, actual), "") << "model " << model;
    EXPECT_TRUE(actual.report.notes.empty());
    Config parallel = random_config(random, base);
    parallel.check_rollback = true;
    ASSERT_EQ(difference(expected, run_tangle(params, parallel)), "")
        << "model " << model << ", " << describe(parallel);
  }
}

// The more events there are to a copy, the fewer copies are taken, and the results stay the same.
TEST(Equivalence, SparseCopiesAreFewerAndRestoreTheSame) {
  TangleParams params;
  params.roots = 12;
  const Config base = sequential(11, kForever);
  const TangleResult expected = run_tangle(params, base);
  for (const Rollback rollback : {Rollback::automatic, Rollback::copy}) {
    std::uint64_t copies = 0, before = 0;
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
      before = std::exchange(copies, actual.report.state_copies);
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

// Many states to bring back at once, over committed events too.
TEST(Equivalence, SparseCopiesOutliveCommits) {
  for (int model = 0; model < scaled(6); ++model) {
    std::mt19937_64 random(static_cast<std::uint64_t>(model) + 4001);
    TangleParams params = random_params(random);
    params.life = std::min(params.life, 10u);
    const Config base = sequential(random() % 1000 + 1, random() % 2 ? kForever : 3.3);
    const TangleResult expected = run_tangle(params, base);
    for (int variant = 0; variant < 3; ++variant) {
      Config config = random_config(random, base);
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
  const Config base = sequential(7, kForever);
  const TangleResult expected = run_tangle(params, base);
  std::mt19937_64 random(99);
  for (int run = 0; run < scaled(200); ++run) {
    const Config config = random_config(random, base);
    ASSERT_EQ(difference(expected, run_tangle(params, config)), "")
        << "run " << run << ", " << describe(config);
  }
}

// So little memory that each PE stops again and again, and what it has executed is taken back.
TEST(Equivalence, WithoutMemoryForOptimism) {
  std::uint64_t retreats = 0;
  for (int model = 0; model < scaled(8); ++model) {
    std::mt19937_64 random(static_cast<std::uint64_t>(model) + 5001);
    TangleParams params = random_params(random);
    params.life = std::min(params.life, 9u);
    const Config base = sequential(random() % 1000 + 1, random() % 2 ? kForever : 3.3);
    const TangleResult expected = run_tangle(params, base);
    for (int variant = 0; variant < 5; ++variant) {
      Config config = random_config(random, base);
      config.workers = std::min(*config.workers, 4u);
      config.pes = std::min(*config.pes, 4u);
      config.memory = one_of(random, {100'000u, 400'000u, 1'000'000u});
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
  Config config = sequential(7, kForever);
  const auto first = run_tangle(params, config).report.digest;
  config.tie_seed += 1;
  EXPECT_NE(first, run_tangle(params, config).report.digest);
}

}  // namespace
}  // namespace anachron::test
