// Checkpoints of runs through Simulation: when they are written, and errors.

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <anachron/anachron.hpp>

#include "support/error_of.hpp"
#include "support/temporary_folder.hpp"

namespace anachron::checkpoints {
namespace {

struct Knock {
  std::uint32_t left = 0;
};

/// Its events take so long that a run is looked at many times.
struct Door {
  struct Params {
    std::uint32_t knocks = 500;
    int microseconds = 200;
  };
  static constexpr std::string_view name = "Door";
  static double lookahead(const Params&) { return 0.5; }

  std::uint64_t sum = 0;
  std::unordered_map<std::uint32_t, std::uint64_t> seen;

  void start(Context<Door>& cx) { cx.send(cx.self(), 0.5, Knock{cx.params().knocks}); }
  void on(Context<Door>& cx, const Knock& knock) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::microseconds(cx.params().microseconds);
    while (std::chrono::steady_clock::now() < until) continue;
    sum += knock.left + cx.rng().below(7u);
    ++seen[knock.left % 13];
    if (knock.left > 0)
      cx.send(cx.id(cx.rng().below(8u)), 0.5 + cx.rng().exponential(1), Knock{knock.left - 1});
  }
  void finish(Results& results) const { results.count("sum", static_cast<std::int64_t>(sum)); }
};
using Doors = Simulation<Door>;

Doors doors(Sync sync, unsigned workers, unsigned pes) {
  Doors simulation;
  simulation.lps<Door>(8);
  simulation.config.sync = sync;
  simulation.config.workers = workers;
  simulation.config.pes = pes;
  return simulation;
}

void expect_same(const Report& expected, const Report& actual) {
  EXPECT_EQ(actual.digest, expected.digest);
  ASSERT_TRUE(expected.state_digest) << expected.why_no_state_digest;
  EXPECT_EQ(actual.state_digest, expected.state_digest);
  EXPECT_EQ(actual.committed, expected.committed);
  EXPECT_EQ(actual.results.value("sum"), expected.results.value("sum"));
}

struct Layout {
  Sync sync;
  unsigned workers, pes;
};
class WrittenAtAnyTime : public testing::TestWithParam<Layout> {};
INSTANTIATE_TEST_SUITE_P(Modes, WrittenAtAnyTime,
                         testing::Values(Layout{Sync::sequential, 1, 1}, Layout{Sync::optimistic, 1, 1},
                                         Layout{Sync::optimistic, 2, 4}, Layout{Sync::conservative, 2, 3},
                                         Layout{Sync::automatic, 2, 2}));

// Where the run stands when a checkpoint is wanted is a matter of chance.
TEST_P(WrittenAtAnyTime, GoesOnToTheSameEnd) {
  const auto [sync, workers, pes] = GetParam();
  const Report expected = doors(Sync::sequential, 1, 1).run();
  const test::TemporaryFolder folder;
  auto writing = doors(sync, workers, pes);
  writing.config.checkpoint.folder = folder.path().string();
  int asked = 0;
  writing.config.checkpoint.asked = [&] { return ++asked > 0; };
  expect_same(expected, writing.run());
  EXPECT_GT(asked, 0);
  for (const Layout layout : {Layout{Sync::sequential, 1, 1}, Layout{Sync::optimistic, 2, 5}}) {
    auto reading = doors(layout.sync, layout.workers, layout.pes);
    reading.config.checkpoint.resume = folder.path().string();
    const Report report = reading.run();
    expect_same(expected, report);
    EXPECT_GT(report.committed_before, 0u);
    EXPECT_LT(report.committed_before, report.committed);
  }
}

TEST_P(WrittenAtAnyTime, EndsWhenItsTimeIsOver) {
  const auto [sync, workers, pes] = GetParam();
  const Report expected = doors(Sync::sequential, 1, 1).run();
  const test::TemporaryFolder folder;
  auto writing = doors(sync, workers, pes);
  writing.config.checkpoint.folder = folder.path().string();
  writing.config.checkpoint.max_wall_s = 1e-9;
  const Report first = writing.run();
  EXPECT_EQ(first.ending, Ending::interrupted);
  EXPECT_TRUE(first.is_out_of_time);
  EXPECT_NE(first.checkpoint, "");
  writing.config.checkpoint.max_wall_s.reset();
  writing.config.checkpoint.resume = folder.path().string();
  expect_same(expected, writing.run());
}

TEST(Checkpointed, GoOnWhereLpsHaveMoved) {
  const Report expected = doors(Sync::sequential, 1, 1).run();
  const test::TemporaryFolder folder;
  const auto moving = [] {
    auto simulation = doors(Sync::optimistic, 2, 4);
    simulation.config.migration = Migration::on;
    simulation.config.test_chaos = 3;
    simulation.config.gvt_interval = 5;
    return simulation;
  };
  auto writing = moving();
  writing.config.checkpoint.folder = folder.path().string();
  writing.config.checkpoint.asked = [] { return true; };
  const Report first = writing.run();
  expect_same(expected, first);
  EXPECT_GT(first.migrations, 0u);
  auto reading = moving();
  reading.config.checkpoint.resume = folder.path().string();
  expect_same(expected, reading.run());
}

TEST(Checkpointed, ASignalAsksForOne) {
  const Report expected = doors(Sync::sequential, 1, 1).run();
  const test::TemporaryFolder folder;
  auto writing = doors(Sync::sequential, 1, 1);
  writing.config.checkpoint.folder = folder.path().string();
  bool has_come = false;
  const Report report = writing.run([&](const Progress& now) {
    if (now.committed > 0 && !std::exchange(has_come, true)) std::raise(SIGUSR1);
  });
  expect_same(expected, report);
  EXPECT_EQ(report.checkpoints, has_come ? 1u : 0u);
}

TEST(Checkpointed, AnInterruptedRunGoesOn) {
  const Report expected = doors(Sync::sequential, 1, 1).run();
  const test::TemporaryFolder folder;
  auto writing = doors(Sync::optimistic, 2, 4);
  writing.config.checkpoint.folder = folder.path().string();
  const Report first = writing.run({}, [] { return true; });
  EXPECT_EQ(first.ending, Ending::interrupted);
  auto reading = doors(Sync::sequential, 1, 1);
  if (first.checkpoint.empty()) return;  // it was interrupted before all had started
  reading.config.checkpoint.resume = folder.path().string();
  expect_same(expected, reading.run());
}

TEST(Checkpointed, WhatCannotBeWrittenIsANote) {
  const test::TemporaryFolder folder;
  const std::filesystem::path place = folder.path() / "run";
  auto writing = doors(Sync::sequential, 1, 1);
  writing.config.checkpoint.folder = place.string();
  writing.config.checkpoint.asked = [&] {
    std::filesystem::remove_all(place);
    return true;
  };
  const Report report = writing.run();
  EXPECT_EQ(report.ending, Ending::finished);
  ASSERT_FALSE(report.notes.empty());
  EXPECT_NE(report.notes.front().find("not written: cannot make " + place.string()), std::string::npos)
      << report.notes.front();
}

// An edit is a function, so it cannot be encoded. What waits beside it must stay.
TEST_P(WrittenAtAnyTime, LosesNothingWhenItFailsOnTheWay) {
  const auto [sync, workers, pes] = GetParam();
  const test::TemporaryFolder folder;
  std::vector<Report> reports;
  for (const bool tries : {false, true}) {
    Doors simulation = doors(sync, workers, pes);
    simulation.params<Door::Params>() = {.knocks = 20, .microseconds = 0};
    constexpr std::uint32_t kMany = 500;  // so that a pending set has buckets
    simulation.lps<Door>(kMany);
    auto session = simulation.open();
    for (std::uint32_t door = 0; door < kMany; ++door)
      session.edit(session.id<Door>(door), 9 + 0.01 * door, [](Door& of) { of.sum += 1000; });
    for (int time = 1; time < 10; ++time) {
      session.run_until(time);
      if (!tries) continue;
      EXPECT_THROW(session.checkpoint(folder.file(std::to_string(time))), std::runtime_error);
    }
    session.run_until(kForever);
    reports.push_back(session.report());
  }
  expect_same(reports[0], reports[1]);
}

TEST(Checkpointed, OptionsThatDecideMustBeTheSame) {
  const test::TemporaryFolder folder;
  auto simulation = doors(Sync::sequential, 1, 1);
  simulation.params<Door>().microseconds = 0;
  simulation.config.until = 20;
  simulation.config.checkpoint.folder = folder.path().string();
  simulation.config.checkpoint.every = 5;
  const Report first = simulation.run();
  EXPECT_TRUE(first.checkpoint.ends_with("checkpoint-000003")) << first.checkpoint;
  const std::string place = first.checkpoint;
  simulation.config.checkpoint = {.resume = folder.path().string()};
  simulation.config.seed = 2;
  EXPECT_EQ(test::error_of([&] { simulation.run(); }),
            "checkpoint " + place + ": --seed was 1 and is 2 now: a run goes on with the same options");
  simulation.config.seed = 1;
  simulation.config.model_options = {{"--knocks", "9"}};
  EXPECT_EQ(
      test::error_of([&] { simulation.run(); }),
      "checkpoint " + place + ": --knocks was not given and is 9 now: a run goes on with the same options");
  simulation.config.model_options.clear();
  simulation.lps<Door>(9);
  EXPECT_EQ(test::error_of([&] { simulation.run(); }),
            "checkpoint " + place + "/rank-0: it has 8 Door; the model has 9 Door");
}

TEST(Checkpointed, NewOnesAreNotMixedWithThoseOfAnotherRun) {
  const test::TemporaryFolder one, other;
  auto simulation = doors(Sync::sequential, 1, 1);
  simulation.params<Door>().microseconds = 0;
  simulation.config.until = 20;
  simulation.config.checkpoint.every = 5;
  for (const auto* const folder : {&one, &other}) {
    simulation.config.checkpoint.folder = folder->path().string();
    simulation.run();
  }
  simulation.config.checkpoint.resume = one.path().string();
  EXPECT_EQ(test::error_of([&] {
              simulation.run();
            }).find("--checkpoint " + other.path().string() + ": there are checkpoints of another run"),
            0u);
}

// Results are those of the whole run, though the newest checkpoint is damaged.
TEST(Checkpointed, ARunGoesBackToOneBefore) {
  const test::TemporaryFolder folder;
  auto simulation = doors(Sync::sequential, 1, 1);
  simulation.params<Door>().microseconds = 0;
  const Report expected = simulation.run();
  simulation.config.until = 20;
  simulation.config.checkpoint = {.folder = folder.path().string(), .every = 5};
  const std::filesystem::path damaged = simulation.run().checkpoint;
  std::filesystem::resize_file(damaged / "rank-0", 100);
  simulation.config.checkpoint.resume = folder.path().string();
  const std::string error = test::error_of([&] { simulation.run(); });
  const std::string before = (folder.path() / "checkpoint-000002").string();
  EXPECT_TRUE(error.ends_with("; the newest before it that can be read is " + before)) << error;
  simulation.config.checkpoint.resume = before;
  simulation.config.until = 16;
  EXPECT_TRUE(simulation.run().checkpoint.ends_with("checkpoint-000004"));
  EXPECT_FALSE(exists(damaged));
  simulation.config.until = kForever;
  simulation.config.checkpoint = {.resume = folder.path().string()};
  expect_same(expected, simulation.run());
}

struct Pointing {
  std::shared_ptr<int> pointer;
  void start(Context<Pointing>& cx) { cx.send(cx.self(), 1, Knock{}); }
  void on(Context<Pointing>&, const Knock&) {}
};

TEST(Checkpointed, SaysWhatCannotBeEncoded) {
  const test::TemporaryFolder folder;
  Simulation<Pointing> simulation;
  simulation.lps<Pointing>(1);
  simulation.config.checkpoint.folder = folder.path().string();
  EXPECT_TRUE(
      test::error_of([&] {
        simulation.run();
      }).starts_with("checkpoints need states that can be encoded. LP type Pointing: member pointer, "));
  simulation.config.checkpoint.folder.clear();
  simulation.config.checkpoint.max_wall_s = 100;  // needs no checkpoint
  const Report report = simulation.run();
  EXPECT_FALSE(report.state_digest);
  EXPECT_TRUE(report.why_no_state_digest.starts_with("LP type Pointing cannot be encoded: member pointer, "))
      << report.why_no_state_digest;
}

TEST(Checkpointed, OptionsAreChecked) {
  auto simulation = doors(Sync::sequential, 1, 1);
  const test::TemporaryFolder folder;
  simulation.config.checkpoint.folder = folder.path().string();
  simulation.config.checkpoint.every = 5;
  EXPECT_EQ(test::error_of([&] { simulation.run(); }),
            "--checkpoint-every in simulated time needs an end of the run: set --until");
  simulation.config.checkpoint.every = -1;
  EXPECT_EQ(test::error_of([&] { simulation.run(); }), "--checkpoint-every: -1: valid is a time above 0");
}

TEST(Checkpointed, SessionsGoOn) {
  auto simulation = doors(Sync::sequential, 1, 1);
  simulation.params<Door>().microseconds = 0;
  auto whole = simulation.open();
  const auto knock = [](auto& session, Time time) {
    session.schedule(session.template id<Door>(2), time, Knock{3});
  };
  knock(whole, 4);
  knock(whole, 30);
  whole.run_until(200);

  const test::TemporaryFolder folder;
  simulation.config.sync = Sync::optimistic;
  simulation.config.workers = simulation.config.pes = 2;
  auto first = simulation.open();
  knock(first, 4);
  first.run_until(10);
  EXPECT_TRUE(first.checkpoint(folder.path().string()).ends_with("checkpoint-000001"));
  knock(first, 30);
  first.run_until(20);
  EXPECT_TRUE(first.checkpoint(folder.path().string()).ends_with("checkpoint-000002"));
  const Mark mark = first.mark();
  EXPECT_THROW(first.checkpoint(folder.path().string()), std::logic_error);
  first.accept(mark);
  first.edit<Door>(first.id<Door>(1), 25, [](Door& door) { door.sum = 0; });
  EXPECT_THROW(first.checkpoint(folder.path().string()), std::runtime_error);  // a function has no encoding
  first.run_until(30);

  simulation.config.sync = Sync::sequential;
  simulation.config.workers = simulation.config.pes = 1;
  simulation.config.checkpoint.resume = folder.path().string();
  auto second = simulation.open();
  EXPECT_EQ(second.now(), 20);
  EXPECT_TRUE(second.checkpoint(folder.path().string()).ends_with("checkpoint-000003"));
  second.run_until(200);
  expect_same(whole.report(), second.report());

  const std::string newest = folder.file("checkpoint-000003");
  simulation.config.checkpoint.resume = newest;
  auto third = simulation.open();
  EXPECT_TRUE(third.checkpoint(folder.path().string()).ends_with("checkpoint-000004"));
  EXPECT_TRUE(third.checkpoint(folder.path().string()).ends_with("checkpoint-000005"));
}

}  // namespace
}  // namespace anachron::checkpoints
