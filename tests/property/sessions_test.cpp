// Sessions of random models under random options: steps, marks, branches, stops and failures give what one
// sequential run gives.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "property/random_options.hpp"
#include "property/tangle.hpp"
#include "property/tangle_session.hpp"
#include "scale.hpp"

namespace anachron::test {
namespace {

/// Sequential or not, with or without the rollback check.
Config any_config(std::mt19937_64& random, const Config& base) {
  Config config = random() % 4 ? random_optimistic(random, base) : base;
  config.check_rollback = random() % 8 == 0;
  return config;
}

std::string any_description(const Config& config) {
  const std::string checked = config.check_rollback ? " --check-rollback" : "";
  return *config.sync == Sync::sequential ? "--sync sequential" + checked : describe(config) + checked;
}

// Drained in steps, the run is the same, and what was committed stays.
TEST(Sessions, StepsGiveTheResultsOfOneRun) {
  for (int model = 0; model < scaled(12); ++model) {
    std::mt19937_64 random(static_cast<std::uint64_t>(model) + 5001);
    const TangleParams params = random_tangle(random);
    const Config base = sequential_run(random() % 1000 + 1, random() % 2 ? kForever : 5);
    const TangleResult expected = run_tangle(params, base);
    for (int variant = 0; variant < 5; ++variant) {
      const Config config = any_config(random, base);
      TangleSession session(params, config);
      std::uint64_t committed = 0;
      for (Time time = 0; time < 5; time += static_cast<double>(random() % 4) * 0.5) {
        ASSERT_EQ(session.steps().run_until(time), Ending::finished);
        const std::uint64_t before = std::exchange(committed, session.steps().report().committed);
        ASSERT_GE(committed, before);
      }
      session.steps().run_until(base.until);
      ASSERT_EQ(difference(expected, session.result()), "")
          << "model " << model << ", " << any_description(config);
    }
  }
}

TangleResult wandered(const TangleParams& params, const Config& config, std::uint64_t plan,
                      std::optional<std::uint64_t> detours) {
  TangleSession session(params, config);
  wander(session, plan, detours);
  return session.result();
}

/// Walks with detours against a sequential one without: four of each of so many models.
void try_walks(int first, int models) {
  for (int model = first; model < first + models; ++model) {
    std::mt19937_64 random(static_cast<std::uint64_t>(model) + 6001);
    const TangleParams params = random_tangle(random);
    const Config base = sequential_run(random() % 1000 + 1, kForever);
    const std::uint64_t plan = random();
    const TangleResult expected = wandered(params, base, plan, std::nullopt);
    for (int variant = 0; variant < 5; ++variant) {
      const Config config = any_config(random, base);
      const std::optional<std::uint64_t> detours = variant ? std::optional(random()) : std::nullopt;
      ASSERT_EQ(difference(expected, wandered(params, config, plan, detours)), "")
          << "model " << model << ", " << any_description(config);
    }
  }
}

TEST(Sessions, WhatWasTakenBackHasNeverBeen) { try_walks(0, scaled(12)); }

TEST(LongSessions, FourThousandRandomWalks) { try_walks(1000, 1000); }

// A branch is what a session of its own would have come to, and leaves nothing behind.
TEST(Sessions, BranchesAreIndependent) {
  for (int model = 0; model < scaled(6); ++model) {
    std::mt19937_64 random(static_cast<std::uint64_t>(model) + 7001);
    const TangleParams params = random_tangle(random);
    const Config base = sequential_run(random() % 1000 + 1, kForever);
    const std::vector<std::uint64_t> choices{random(), random(), random()};
    std::vector<std::uint64_t> expected;
    for (const auto choice : choices) {
      TangleSession alone(params, base);
      alone.steps().run_until(1.5);
      alone.disturb(choice);
      alone.steps().run_until(3);
      expected.push_back(alone.steps().report().digest);
    }
    const TangleResult unbranched = run_tangle(params, base);
    for (int variant = 0; variant < 4; ++variant) {
      const Config config = any_config(random, base);
      TangleSession session(params, config);
      session.steps().run_until(1.5);
      std::vector<std::function<void(Steps&)>> alternatives;
      for (const auto choice : choices)
        alternatives.push_back(
            [&params, choice](Steps& steps) { TangleSession::disturb(steps, params, choice); });
      std::vector<std::uint64_t> digests;
      for (const Report& report : session.steps().branch(alternatives, 3)) digests.push_back(report.digest);
      ASSERT_EQ(digests, expected) << "model " << model << ", " << any_description(config);
      session.steps().run_until(kForever);
      ASSERT_EQ(difference(unbranched, session.result()), "")
          << "model " << model << ", " << any_description(config);
    }
  }
}

// What a window has learnt in the future says nothing about the past that the session goes back to.
TEST(Sessions, WindowsOfTheFutureDoNotMatterAfterARewind) {
  std::uint64_t rolled_back = 0;
  for (int model = 0; model < scaled(7); ++model) {
    std::mt19937_64 random(static_cast<std::uint64_t>(model) + 11001);
    TangleParams params = random_tangle(random);
    params.lps_per_type = std::max(params.lps_per_type, 4u);
    params.roots = std::max(params.roots, 3u);
    const Config base = sequential_run(random() % 1000 + 1, kForever);
    const TangleResult expected = run_tangle(params, base);
    for (const Throttle throttle : {Throttle::atw, Throttle::atw_repaired}) {
      Config config = random_optimistic(random, base);
      config.throttle = throttle;
      config.window.reset();
      config.workers = one_of(random, {2u, 3u});
      config.pes = *config.workers + one_of(random, {0u, 1u});
      config.batch = one_of(random, {7u, 64u});
      config.test_chaos = static_cast<unsigned>(1 + random() % 1000);
      TangleSession session(params, config);
      Steps& steps = session.steps();
      const Mark start = steps.mark();
      steps.run_until(kForever);  // so that all windows are set, and far ahead
      steps.rewind(start);
      steps.run_until(static_cast<double>(random() % 10) * 0.3);
      const Mark later = steps.mark();
      for (int times = 0; times < 2; ++times) {
        steps.run_until(random() % 2 ? kForever : steps.now() + 3);
        rolled_back += steps.report().rolled_back;
        steps.rewind(later);
      }
      if (random() % 2) steps.rewind(start);
      steps.run_until(kForever);
      steps.accept(start);
      ASSERT_EQ(difference(expected, session.result()), "") << "model " << model << ", " << describe(config);
    }
  }
  EXPECT_GT(rolled_back, 0u);
}

// Stops are the same in every mode, also behind the first, and in a stretch that is taken back.
TEST(Sessions, GoOnBehindAStop) {
  const auto stops_of = [](const TangleParams& params, const Config& config, bool with_detours) {
    TangleSession session(params, config);
    Steps& steps = session.steps();
    std::vector<Time> times;
    for (int step = 0; step < 12; ++step) {
      std::optional<Mark> mark;
      if (with_detours) {
        mark = steps.mark();
        for (int n = 0; n < 2 && steps.run_until(kForever) == Ending::stopped; ++n) session.disturb(7);
        steps.rewind(*mark);
      }
      const Ending ending = steps.run_until(kForever);
      if (mark) steps.accept(*mark);
      times.push_back(steps.now());
      if (ending == Ending::finished) break;
      session.disturb(times.size());
    }
    return std::pair(session.result(), times);
  };
  int with_stops = 0;  // models without one show nothing
  for (int model = 0; with_stops < scaled(8); ++model) {
    std::mt19937_64 random(static_cast<std::uint64_t>(model) + 8001);
    TangleParams params = random_tangle(random);
    params.stops = 0.005;
    const Config base = sequential_run(random() % 1000 + 1, kForever);
    const auto expected = stops_of(params, base, false);
    if (expected.second.size() == 1) continue;
    ++with_stops;
    for (int variant = 0; variant < 4; ++variant) {
      const Config config = any_config(random, base);
      const auto actual = stops_of(params, config, variant % 2);
      ASSERT_EQ(difference(expected.first, actual.first), "")
          << "model " << model << ", " << any_description(config);
      ASSERT_EQ(expected.second, actual.second) << "model " << model << ", " << any_description(config);
    }
  }
}

// A failed stretch can be taken back; that it fails is the same in every mode.
TEST(Sessions, AreTakenBackFromAFault) {
  int failures = 0;  // models without one show nothing
  for (int model = 0; failures < scaled(6); ++model) {
    std::mt19937_64 random(static_cast<std::uint64_t>(model) + 9001);
    TangleParams params = random_tangle(random);
    params.faults = 0.01;
    const Config base = sequential_run(random() % 1000 + 1, kForever);
    std::optional<SimulationError> expected;
    std::optional<Report> before_it;
    {
      try {
        run_tangle(params, base);
      } catch (const SimulationError& error) {
        expected = error;
      }
      if (!expected || expected->time() == 0) continue;
      TangleSession session(params, base);
      session.steps().run_until(expected->time());
      before_it = session.steps().report();
    }
    ++failures;
    for (int variant = 0; variant < 5; ++variant) {
      const Config config = any_config(random, base);
      TangleSession session(params, config);
      Steps& steps = session.steps();
      steps.run_until(expected->time() / 2);
      const Mark mark = steps.mark();
      for (int attempt = 0; attempt < 2; ++attempt) {
        try {
          steps.run_until(kForever);
          FAIL() << "no failure: model " << model << ", " << any_description(config);
        } catch (const SimulationError& error) {
          ASSERT_STREQ(error.what(), expected->what());
        }
        EXPECT_THROW(steps.run_until(kForever), std::logic_error);
        steps.rewind(mark);
      }
      steps.run_until(expected->time());
      ASSERT_EQ(steps.report().digest, before_it->digest)
          << "model " << model << ", " << any_description(config);
    }
  }
}

}  // namespace
}  // namespace anachron::test
