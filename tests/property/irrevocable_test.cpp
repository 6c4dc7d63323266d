// Irrevocable events are executed once, at the right time, in every mode: what their handlers do cannot be
// undone, and is compared with the sequential run.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "property/mill.hpp"
#include "property/random_options.hpp"
#include "scale.hpp"
#include "support/odd_parts.hpp"

namespace anachron::test {
namespace {

Config sequential_base(std::mt19937_64& random) {
  Config config;
  config.sync = Sync::sequential;
  config.seed = random() % 1000 + 1;
  config.tie_seed = random() % 1000;
  config.until = random() % 3 ? kForever : 4.5;
  return config;
}

Config parallel_of(std::mt19937_64& random, Config config) {
  config.sync = Sync::optimistic;
  config.workers = one_of(random, {1u, 2u, 2u, 3u});
  config.pes = *config.workers + one_of(random, {0u, 0u, 1u, 3u});
  config.queue = one_of(random, {Queue::radix, Queue::heap, Queue::ladder, Queue::splay});
  config.partition = one_of(random, {Partition::block, Partition::round_robin, Partition::random});
  config.checkpoint_interval = one_of<std::optional<unsigned>>(random, {std::nullopt, 1u, 2u, 7u, 100u});
  config.throttle = one_of(random, {Throttle::none, Throttle::fixed});
  config.batch = one_of(random, {1u, 2u, 7u, 64u});
  if (random() % 2) config.gvt_interval = one_of(random, {1u, 10u, 100u});
  config.lps_per_group = one_of(random, {1u, 1u, 2u, 1000u});
  config.test_chaos = random() % 2 ? static_cast<unsigned>(1 + random() % 1000) : 0;
  if (random() % 2) config.seams = odd_parts(random() % 1000);
  return config;
}

void expect_same(const MillParams& params, const Config& base, const MillResult& expected,
                 std::mt19937_64& random) {
  for (int variant = 0; variant < 5; ++variant) {
    const Config config = parallel_of(random, base);
    ASSERT_EQ(difference(expected, run_mill(params, config)), "") << describe(config);
  }
}

TEST(Irrevocable, AreExecutedOnceInRandomModelsUnderRandomOptions) {
  for (int model = 0; model < scaled(20); ++model) {
    std::mt19937_64 random(static_cast<std::uint64_t>(model) + 1);
    const MillParams params = random_mill(random);
    const Config base = sequential_base(random);
    const MillResult expected = run_mill(params, base);
    for (int variant = 0; variant < 6; ++variant) {
      const Config config = parallel_of(random, base);
      ASSERT_EQ(difference(expected, run_mill(params, config)), "")
          << "model " << model << ", " << describe(config);
    }
  }
}

// Sequentially and in parallel; a Printer has nothing to compare, and no note says so: it is not checked.
TEST(Irrevocable, AreNotRepeatedByTheRollbackCheck) {
  for (int model = 0; model < scaled(6); ++model) {
    std::mt19937_64 random(static_cast<std::uint64_t>(model) + 1001);
    const MillParams params = random_mill(random);
    const Config base = sequential_base(random);
    const MillResult expected = run_mill(params, base);
    Config checked = base;
    for (int variant = 0; variant < 3; ++variant) {
      checked.check_rollback = true;
      const MillResult actual = run_mill(params, checked);
      ASSERT_EQ(difference(expected, actual), "")
          << "model " << model << (variant ? ", " + describe(checked) : std::string(", sequential"));
      EXPECT_TRUE(actual.report.notes.empty());
      checked = parallel_of(random, base);
    }
  }
}

TEST(Irrevocable, NoneIsExecutedBeyondAStop) {
  int stopped = 0;
  for (int model = 0; model < scaled(15); ++model) {
    SCOPED_TRACE(model);
    std::mt19937_64 random(static_cast<std::uint64_t>(model) + 2001);
    MillParams params = random_mill(random);
    params.stops = 0.03;
    const Config base = sequential_base(random);
    const MillResult expected = run_mill(params, base);
    stopped += expected.report.ending == Ending::stopped;
    expect_same(params, base, expected, random);
  }
  EXPECT_GT(stopped, 0);
}

TEST(Irrevocable, NoneIsExecutedBeyondAFailure) {
  int failures = 0;
  for (int model = 0; model < scaled(15); ++model) {
    SCOPED_TRACE(model);
    std::mt19937_64 random(static_cast<std::uint64_t>(model) + 3001);
    MillParams params = random_mill(random);
    params.faults = 0.03;
    const Config base = sequential_base(random);
    const MillResult expected = run_mill(params, base);
    failures += expected.error != "none";
    expect_same(params, base, expected, random);
  }
  EXPECT_GT(failures, 0);
}

// Without history they are certain at once; with it, kept where the model may stop, they wait for it.
TEST(Irrevocable, ConservativeRunsGiveTheSame) {
  for (int model = 0; model < scaled(12); ++model) {
    std::mt19937_64 random(static_cast<std::uint64_t>(model) + 4001);
    MillParams params = random_mill(random);
    params.gap = one_of(random, {0.1, 0.5, 1.0});
    if (model % 2) params.stops = 0.01;
    const Config base = sequential_base(random);
    const MillResult expected = run_mill(params, base);
    for (int variant = 0; variant < 4; ++variant) {
      Config config = parallel_of(random, base);
      config.sync = Sync::conservative;
      config.check_rollback = variant == 3;
      ASSERT_EQ(difference(expected, run_mill(params, config)), "")
          << "model " << model << ", " << describe(config);
    }
  }
}

// In a stretch that can be taken back they are refused, always the same one, and afterwards all is as if
// there had been no stretch.
TEST(Irrevocable, SessionsRefuseThemBehindAMarkAndExecuteThemLater) {
  std::size_t refused = 0;
  for (int model = 0; model < scaled(15); ++model) {
    std::mt19937_64 random(static_cast<std::uint64_t>(model) + 5001);
    MillParams params = random_mill(random);
    params.printed = one_of(random, {0.05, 0.3});
    if (model % 3 == 0) params.gap = 0.5;
    Config base = sequential_base(random);
    if (base.until != kForever) base.until = 6;  // behind all looks ahead
    const MillResult expected = run_mill(params, base);
    const std::uint64_t seed = random();
    std::optional<std::vector<std::optional<Time>>> expected_refusals;
    for (int variant = 0; variant < 6; ++variant) {
      Config config = variant ? parallel_of(random, base) : base;
      if (params.gap > 0 && variant == 1) config.sync = Sync::conservative;
      config.check_rollback = variant == 5;
      const std::string how = variant ? describe(config) : "--sync sequential";
      SCOPED_TRACE(testing::Message() << "model " << model << ", " << how);
      std::vector<std::optional<Time>> refusals;
      ASSERT_EQ(difference(expected, run_mill_with_looks_ahead(params, config, seed, refusals)), "");
      if (!expected_refusals) expected_refusals = refusals;
      ASSERT_EQ(refusals, *expected_refusals);
      refused += static_cast<std::size_t>(
          std::ranges::count_if(refusals, [](const auto& time) { return time.has_value(); }));
      if (testing::Test::HasFailure()) return;
    }
  }
  EXPECT_GT(refused, 0u);
}

TEST(Irrevocable, AnLpTypeOfIrrevocableEventsNeedsNoCopies) {
  std::mt19937_64 random(1);
  const MillParams params;
  const Config base = sequential_base(random);
  Config config = parallel_of(random, base);
  config.rollback = Rollback::copy;
  EXPECT_EQ(difference(run_mill(params, base), run_mill(params, config)), "");
}

}  // namespace
}  // namespace anachron::test
