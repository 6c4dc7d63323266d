// The commands of a program that is a single model, and programs that run their simulation themselves.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <anachron/anachron.hpp>

#include "fake_model.hpp"

namespace anachron::test {
namespace {

TEST(Single, RunGoesWithoutSaying) {
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"--lps", "7"}, {"run", "--lps", "7"}}) {
    FakeModel model;
    const Outcome outcome = run_fake(model, words);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(model.lps, 7u);
    EXPECT_NE(outcome.out.find("0000000000abcdef"), std::string::npos) << outcome.out;
  }
}

TEST(Single, Tunes) {
  FakeModel model;
  const Outcome outcome = run_fake(model, {"tune", "--sweep", "gvt", "--repetitions", "1", "--quiet"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("barrier"), std::string::npos) << outcome.out;
}

TEST(Single, HelpsWithEachCommand) {
  FakeModel model;
  const std::string help = run_fake(model, {"help"}).out;
  EXPECT_EQ(help, run_fake(model, {"--help"}).out);
  EXPECT_NE(help.find("\nCommands, run if none is given:\n  prog run [options]"), std::string::npos) << help;
  EXPECT_EQ(run_fake(model, {"help", "tune"}).out, run_fake(model, {"tune", "--help"}).out);
  EXPECT_NE(run_fake(model, {"tune", "--help"}).out.find("--sweep"), std::string::npos);
  EXPECT_FALSE(model.seen);
}

TEST(Single, SuggestsForSlips) {
  FakeModel model;
  const auto message = [&](const std::vector<std::string>& words) {
    const Outcome outcome = run_fake(model, words);
    EXPECT_EQ(outcome.status, 2);
    return outcome.err;
  };
  EXPECT_EQ(message({"tnue"}),
            "prog: unknown command 'tnue'; did you mean 'tune'? (valid: run, tune, what-if, partition, "
            "resume, help; "
            "options "
            "have the form "
            "--NAME VALUE)\n");
  EXPECT_EQ(message({"help", "runn"}),
            "prog: unknown command 'runn'; did you mean 'run'? (valid: run, tune, what-if, partition, "
            "resume, help; "
            "options "
            "have the form "
            "--NAME VALUE)\n");
  EXPECT_EQ(message({"help", "run", "tune"}), "prog: unexpected argument 'tune': expected help COMMAND\n");
}

struct Beat {};
struct Heart {
  struct Params {
    double rate = 1;
    static void describe(Describe<Params>& d) { d(&Params::rate, "Beats").above(0); }
  };
  std::uint64_t beats = 0;
  void start(Context<Heart>& cx) { cx.send(cx.self(), 1 / cx.params().rate, Beat{}); }
  void on(Context<Heart>& cx, const Beat&) {
    ++beats;
    cx.send(cx.self(), 1 / cx.params().rate, Beat{});
  }
};

struct OwnOutcome : Outcome {
  Config config;
  std::uint64_t beats = 0;
  bool ran = false;
};

/// A program that runs a session to the end time.
OwnOutcome run_own(std::vector<std::string> words) {
  words.insert(words.begin(), "prog");
  Simulation<Heart> simulation;
  simulation.lps<Heart>(2);
  simulation.config.until = 10.5;
  simulation.config.workers = 1;
  OwnOutcome outcome;
  static_cast<Outcome&>(outcome) = captured([&] {
    return cli(simulation, static_cast<int>(words.size()), pointers(words).data(), [&] {
      outcome.ran = true;
      Session<Heart> session = simulation.open();
      session.run_until(simulation.config.until);
      outcome.beats = session.lp<Heart>(0).beats;
    });
  });
  outcome.config = simulation.config;
  return outcome;
}

TEST(OwnProgram, TakesTheEnginesOptionsAndItsParameters) {
  const OwnOutcome plain = run_own({});
  EXPECT_EQ(plain.status, 0) << plain.err;
  EXPECT_EQ(plain.beats, 10u);
  const OwnOutcome set = run_own({"--rate", "2", "--sync=optimistic", "--workers", "2", "--seed", "5"});
  EXPECT_EQ(set.status, 0) << set.err;
  EXPECT_EQ(set.beats, 20u);
  EXPECT_EQ(set.config.sync, Sync::optimistic);
  EXPECT_EQ(set.config.workers, 2u);
  EXPECT_EQ(set.config.seed, 5u);
  EXPECT_EQ(set.config.until, 10.5) << "what is not asked for stays";
}

TEST(OwnProgram, ReadsAFile) {
  const TemporaryFolder folder;
  const OwnOutcome outcome = run_own(
      {"--config", folder.write("run.toml", "seed = 9\nuntil = 3.5\n[model]\nrate = 4\n"), "--seed", "8"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.beats, 13u);
  EXPECT_EQ(outcome.config.seed, 8u);
}

TEST(OwnProgram, HelpsInsteadOfRunning) {
  const OwnOutcome outcome = run_own({"--help"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_FALSE(outcome.ran);
  EXPECT_NE(outcome.out.find("--rate"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("--workers"), std::string::npos);
  EXPECT_EQ(outcome.out.find("--report"), std::string::npos);
  EXPECT_EQ(run_own({"--version"}).out.rfind("Anachron ", 0), 0u);
}

TEST(OwnProgram, BadOptionsAreNamedWithWhatIsValid) {
  const auto message = [](const std::vector<std::string>& words) {
    const OwnOutcome outcome = run_own(words);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_FALSE(outcome.ran);
    EXPECT_EQ(outcome.out, "");
    return outcome.err;
  };
  EXPECT_EQ(
      message({"--sync", "fast"}),
      "prog: --sync: 'fast' is not valid: expected one of auto, sequential, optimistic, conservative\n");
  EXPECT_EQ(
      message({"--worker", "2"}),
      "prog: unknown option '--worker'; did you mean '--workers'? ('prog --help' lists the valid ones)\n");
  EXPECT_EQ(message({"--rate", "0"}), "prog: --rate: '0' is not valid: expected a number > 0\n");
  EXPECT_EQ(
      message({"tune"}),
      "prog: unexpected argument 'tune': options have the form --NAME VALUE ('prog --help' lists them)\n");
}

TEST(OwnProgram, WhatItsRunThrowsIsItsStatus) {
  const OwnOutcome bad = run_own({"--pes", "1", "--workers", "2"});
  EXPECT_EQ(bad.status, 2);
  EXPECT_NE(bad.err.find("--pes"), std::string::npos) << bad.err;
}

}  // namespace
}  // namespace anachron::test
