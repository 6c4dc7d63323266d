// Options that do nothing in a run are said: which ones, where, and that no others are.
#include "run/options/without_effect.hpp"

#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <anachron/anachron.hpp>
#include <anachron/run/cli.hpp>

#include "run/fake_model.hpp"

namespace anachron::test {
namespace {

using Names = std::vector<std::string>;

const Names kAll{"until",
                 "seed",
                 "tie-seed",
                 "sync",
                 "workers",
                 "pes",
                 "bind",
                 "queue",
                 "partition",
                 "rollback",
                 "throttle",
                 "window",
                 "batch",
                 "gvt",
                 "checkpoint-interval",
                 "gvt-interval",
                 "lps-per-group",
                 "memory",
                 "run-lookahead",
                 "cancellation",
                 "report",
                 "check-rollback",
                 "test-chaos",
                 "channel",
                 "channel-queues",
                 "channel-capacity"};

Config config_of(Sync sync, unsigned workers, unsigned pes) {
  Config config;
  config.sync = sync;
  config.workers = workers;
  config.pes = pes;
  return resolve(config, 2);
}

/// The options without effect, and the one reason that all have.
void expect_without_effect(const Config& config, bool may_stop, const std::string& reason,
                           const Names& expected) {
  Names sentences;
  for (const std::string& name : kAll)
    if (std::find(expected.begin(), expected.end(), name) != expected.end())
      sentences.push_back("--" + name + " has no effect " + reason);
  Names actual = notes_on_options(kAll, {config, may_stop});
  std::erase_if(actual, [&](const std::string& note) { return !note.ends_with(reason); });
  EXPECT_EQ(actual, sentences);
}

TEST(WithoutEffect, Sequentially) {
  Config config = config_of(Sync::sequential, 1, 1);
  const Names always{"bind",    "partition",      "throttle",        "window",        "batch",
                     "gvt",     "gvt-interval",   "cancellation",    "run-lookahead", "test-chaos",
                     "channel", "channel-queues", "channel-capacity"};
  Names unchecked = always;
  for (const char* name : {"rollback", "checkpoint-interval", "lps-per-group"}) unchecked.push_back(name);
  expect_without_effect(config, true, "in a sequential run", unchecked);
  EXPECT_EQ(notes_on_options(kAll, {config, true}).size(), unchecked.size());
  config.check_rollback = true;
  expect_without_effect(config, true, "in a sequential run", always);
}

TEST(WithoutEffect, Conservatively) {
  Config config = config_of(Sync::conservative, 2, 2);
  const Names undoing{"rollback", "checkpoint-interval", "lps-per-group", "cancellation"};
  const std::string why = "in a conservative run of a model that does not stop itself";
  expect_without_effect(config, false, "in a conservative run", {"throttle", "window"});
  expect_without_effect(config, false, why, undoing);
  EXPECT_EQ(notes_on_options(kAll, {config, false}).size(), 8u);
  EXPECT_EQ(notes_on_options(kAll, {config, true}).size(), 4u);
  config.check_rollback = true;
  EXPECT_EQ(notes_on_options(kAll, {config, false}).size(), 4u);
}

TEST(WithoutEffect, Optimistically) {
  Config config = config_of(Sync::optimistic, 2, 2);
  expect_without_effect(config, true, "without --throttle fixed", {"window"});
  expect_without_effect(config, true, "in an optimistic run", {"run-lookahead"});
  EXPECT_EQ(notes_on_options(kAll, {config, true}).size(), 4u);
  config.window = 1;
  EXPECT_EQ(notes_on_options(kAll, {resolve(config, 2), true}).size(), 3u) << "a window makes it fixed";
}

TEST(WithoutEffect, WithOneWorkerOrPe) {
  expect_without_effect(config_of(Sync::optimistic, 1, 2), true, "with a single worker", {"bind"});
  expect_without_effect(config_of(Sync::optimistic, 1, 2), true, "with a single processing element", {});
  expect_without_effect(config_of(Sync::optimistic, 1, 1), true, "with a single processing element",
                        {"partition", "channel", "channel-queues", "channel-capacity"});
}

TEST(WithoutEffect, OfHowWorkersSharePes) {
  const Names names{"pe-choice", "orphan-turns", "apte-threshold", "reactivation"};
  const auto notes = [&](Mapping mapping, Detector detector, unsigned workers) {
    Config config = config_of(Sync::optimistic, workers, 4);
    config.mapping = mapping;
    config.detector = detector;
    return notes_on_options(names, {config, true});
  };
  EXPECT_EQ(notes(Mapping::ladm, Detector::apte, 2), Names{});
  EXPECT_EQ(notes(Mapping::automatic, Detector::kernel, 2),
            Names{"--apte-threshold has no effect without --detector apte"});
  EXPECT_EQ(notes(Mapping::adaptive, Detector::apte, 2),
            Names{"--orphan-turns has no effect without --mapping auto or ladm"});
  EXPECT_EQ(notes(Mapping::dynamic, Detector::apte, 1),
            (Names{"--orphan-turns has no effect with a single worker",
                   "--apte-threshold has no effect with a single worker",
                   "--reactivation has no effect with a single worker"}));
  EXPECT_EQ(notes(Mapping::ladm, Detector::apte, 1).front(),
            "--pe-choice has no effect with a single worker, without --mapping dynamic or adaptive");
  EXPECT_EQ(notes(Mapping::fixed, Detector::apte, 2).front(),
            "--pe-choice has no effect with --mapping fixed");
}

TEST(WithoutEffect, OfChannelsThatHaveNoSeveralOrNoBoundedQueues) {
  Config config = config_of(Sync::optimistic, 2, 2);
  const std::string one_queue =
      "without inter-thread event queues (--channel iteq-locked, iteq-spinning, iteq-lock-free)";
  const std::string unbounded = "without --channel iteq-lock-free";
  for (const Channel channel : {Channel::spsc, Channel::mpsc}) {
    config.channel = channel;
    expect_without_effect(config, true, one_queue, {"channel-queues"});
    expect_without_effect(config, true, unbounded, {"channel-capacity"});
  }
  config.channel = Channel::iteq_locked;
  expect_without_effect(config, true, one_queue, {});
  expect_without_effect(config, true, unbounded, {"channel-capacity"});
  config.channel = Channel::iteq_lock_free;
  expect_without_effect(config, true, one_queue, {});
  expect_without_effect(config, true, unbounded, {});
}

TEST(WithoutEffect, IsSaidOnStderrAndInTheReport) {
  const TemporaryFolder folder;
  FakeModel model;
  const std::string note = "--throttle has no effect in a sequential run";
  const Outcome outcome = run_fake(model, {"--sync", "sequential", "--throttle", "none", "--seed", "3",
                                           "--report", folder.file("r.json")});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.err, "prog: " + note + "\n");
  EXPECT_NE(outcome.out.find("\nnote            " + note + "\n"), std::string::npos) << outcome.out;
  EXPECT_NE(read_all(folder.file("r.json")).find("\"notes\": [\"" + note + "\"]"), std::string::npos);

  const Outcome quiet =
      run_fake(model, {"--sync", "sequential", "--throttle", "none", "--quiet", "--report", "-"});
  EXPECT_EQ(quiet.err, "");
  EXPECT_NE(quiet.out.find(note), std::string::npos);
}

TEST(WithoutEffect, IsSaidOfOptionsInAFileOnce) {
  const TemporaryFolder folder;
  FakeModel model;
  const auto file = folder.write("run.toml", "sync = \"sequential\"\nbatch = 3\n[fake]\nlps = 4\n");
  const Outcome outcome = run_fake(model, {"--config", file, "--batch", "4"});
  EXPECT_EQ(outcome.err, "prog: --batch has no effect in a sequential run\n");
  EXPECT_EQ(run_fake(model, {"--sync", "sequential"}).err, "") << "defaults are not said";
}

TEST(WithoutEffect, OfStatisticsIsSaidWhenTheRunIsOver) {
  const auto said = [](const std::function<void(Results&)>& finish) {
    FakeModel model;
    model.action = [&](const Config& config, const auto&, const auto&) {
      Report report = model.report(config);
      finish(report.results);
      return report;
    };
    const Outcome outcome = run_fake(model, {"--confidence", "0.9", "--warm-up", "3"});
    for (std::size_t at = 0; (at = outcome.err.find("prog: ", at)) != std::string::npos; ++at)
      EXPECT_NE(outcome.out.find(outcome.err.substr(at + 6, outcome.err.find('\n', at) - at - 6)),
                std::string::npos);
    return outcome.err;
  };
  EXPECT_EQ(said([](Results&) {}),
            "prog: --warm-up has no effect in a model without statistics\n"
            "prog: --confidence has no effect in a model without statistics\n");
  EXPECT_EQ(said([](Results& results) { results.tally("stay", 1); }),
            "prog: --confidence has no effect in a single run of a model without batch means\n");
  EXPECT_EQ(said([](Results& results) { results.add("stay", BatchMeans()); }), "");
}

struct Stopper {
  struct Params {
    bool stops = false;
  };
  static double lookahead(const Params&) { return 1; }
  static bool may_stop(const Params& params) { return params.stops; }
};

TEST(WithoutEffect, DependsOnWhetherTheModelStopsItself) {
  const auto said = [](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"prog", "--lps", "2", "--until", "1", "--sync", "conservative",
                                         "--workers", "2", "--lps-per-group", "1"});
    const auto model = make_model<Stopper>("stopper", "");
    return captured([&] {
             return run_program(*model, static_cast<int>(arguments.size()), pointers(arguments).data());
           })
        .err;
  };
  EXPECT_EQ(
      said({}),
      "prog: --lps-per-group has no effect in a conservative run of a model that does not stop itself\n");
  EXPECT_EQ(said({"--stops"}), "");
}

}  // namespace
}  // namespace anachron::test
