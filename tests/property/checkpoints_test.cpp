// A run that goes on from a checkpoint gives what it would have given without: random models, times, options
// and layouts of both runs.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "property/mill.hpp"
#include "property/random_options.hpp"
#include "property/random_ranks.hpp"
#include "property/tangle.hpp"
#include "scale.hpp"
#include "support/temporary_folder.hpp"

namespace anachron::test {
namespace {

/// A way to run a tangle.
struct Layout {
  Config config;
  unsigned ranks = 1;
  transport::LocalCluster::Options links{};

  TangleResult run(const TangleParams& params) const {
    return ranks == 1 ? run_tangle(params, config) : run_tangle_over_ranks(params, config, ranks, links);
  }
  std::string text() const { return fmt::format("{} ranks,{}", ranks, describe(config)); }
};

Layout random_layout(std::mt19937_64& random, const TangleParams& params, const Config& base) {
  const std::uint64_t kind = random() % 4;
  if (kind == 0) return {base};
  if (kind == 1) {
    const RankShape shape = random_rank_shape(random);
    return {random_rank_config(random, base, shape), shape.ranks, random_rank_links(random)};
  }
  Config config = random_optimistic(random, base);
  if (kind == 2 && params.gap > 0) {
    config.sync = Sync::conservative;
    config.cancellation = Cancellation::aggressive;
  }
  return {config};
}

/// `whole` is what the first run has written up to the checkpoint, and then the second.
template <class Lines>
bool is_continued(const Lines& whole, const Lines& first, const Lines& second) {
  if (second.size() > whole.size()) return false;
  const std::size_t before = whole.size() - second.size();
  return before <= first.size() && std::equal(second.begin(), second.end(), whole.begin() + before) &&
         std::equal(whole.begin(), whole.begin() + before, first.begin());
}

std::string difference_in_output(const TangleResult& whole, const TangleResult& first,
                                 const TangleResult& second) {
  for (std::size_t lp = 0; lp < whole.trace.size(); ++lp)
    if (!is_continued(whole.trace[lp], first.trace[lp], second.trace[lp])) return "output at commit";
  for (std::size_t lp = 0; lp < whole.decrees.size(); ++lp)
    if (!is_continued(whole.decrees[lp], first.decrees[lp], second.decrees[lp]))
      return "output of irrevocable events";
  return {};
}

/// From one checkpoint to the next, so that the first comes before `end`.
double random_interval(std::mt19937_64& random, Time end) {
  double every = one_of(random, {0.3, 0.9, 1.0, 2.5});
  while (every >= end) every /= 2;
  return every;
}

constexpr int kReaders = 4;

/// One model, a run that writes checkpoints, and some that go on from the last. Adds to `resumed` how many of
/// them did so.
void try_model(std::uint64_t seed, int& resumed) {
  std::mt19937_64 random(seed);
  TangleParams params = random() % 2 ? random_tangle(random) : random_medley(random);
  const Config base = sequential_run(random() % 1000 + 1, random() % 3 ? kForever : 5.5);
  TangleResult expected = run_tangle(params, base);
  if (expected.report.end_time <= 0) {  // it stops before there can be a checkpoint
    params.stops = 0;
    expected = run_tangle(params, base);
  }

  const TemporaryFolder folder, files;
  const std::string begun = files.file("begun");
  params.in_order = begun;
  Config writing = base;
  writing.until = 0.5 + static_cast<double>(random() % 6);
  Layout writer = random_layout(random, params, writing);
  writer.config.checkpoint.folder = folder.path().string();
  const bool stops = expected.report.ending == Ending::stopped;
  const Time end = stops ? std::min(writing.until, expected.report.end_time) : writing.until;
  ASSERT_GT(end, 0) << "model " << seed;
  writer.config.checkpoint.every = random_interval(random, end);
  const TangleResult first = writer.run(params);
  ASSERT_NE(first.report.checkpoint, "") << "model " << seed << ": written by " << writer.text();
  for (int reader = 0; reader < kReaders; ++reader) {
    Layout layout = random_layout(random, params, base);
    layout.config.checkpoint.resume = folder.path().string();
    params.in_order = files.file(fmt::format("continued-{}", reader));
    std::filesystem::copy_file(begun, params.in_order);
    TangleResult second = layout.run(params);
    const std::string what =
        fmt::format("model {}: written by {}, read by {}", seed, writer.text(), layout.text());
    ASSERT_EQ(difference_in_output(expected, first, second), "") << what;
    second.trace = expected.trace;
    second.decrees = expected.decrees;
    ASSERT_EQ(difference(expected, second), "") << what;
    ++resumed;
  }
}

TEST(Checkpoints, GiveWhatTheRunWouldHaveGiven) {
  int resumed = 0;
  for (int model = 0; model < scaled(100) && !testing::Test::HasFatalFailure(); ++model)
    try_model(static_cast<std::uint64_t>(model) + 81'000, resumed);
  EXPECT_EQ(resumed, kReaders * scaled(100));
}

TEST(LongCheckpoints, TenThousand) {
  int resumed = 0;
  for (int model = 0; model < 2500 && !testing::Test::HasFatalFailure(); ++model)
    try_model(static_cast<std::uint64_t>(model) + 91'000, resumed);
  EXPECT_EQ(resumed, 10'000);
}

// A run may write checkpoints and go on from one, again and again.
TEST(Checkpoints, FollowEachOther) {
  for (int model = 0; model < scaled(10); ++model) {
    std::mt19937_64 random(static_cast<std::uint64_t>(model) + 83'000);
    TangleParams params = random_tangle(random);
    const Config base = sequential_run(random() % 1000 + 1, 5.5);
    TangleResult expected = run_tangle(params, base);
    const TemporaryFolder folder, files;
    params.in_order = files.file("in-order");
    TangleResult last = expected;
    for (const double until : {1.2, 2.2, 3.7, 5.5}) {
      Config config = base;
      config.until = until;
      Layout layout = random_layout(random, params, config);
      layout.config.checkpoint.folder = folder.path().string();
      layout.config.checkpoint.every = 0.5;
      if (until > 1.2) layout.config.checkpoint.resume = folder.path().string();
      last = layout.run(params);
    }
    last.trace = expected.trace;
    last.decrees = expected.decrees;
    ASSERT_EQ(difference(expected, last), "") << "model " << model;
  }
}

}  // namespace
}  // namespace anachron::test
