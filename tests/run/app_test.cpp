// The command line as a whole, with a model that simulates nothing.

#include <anachron/run/app.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <stdexcept>
#include <thread>

#include <anachron/base/error.hpp>

#include "fake_model.hpp"
#include "run/signals/interrupt.hpp"

namespace anachron::test {
namespace {

Outcome bundle(std::vector<std::string> arguments) {
  const std::array<BundledModel, 2> models{{
      {"fake", "a model for tests", [] { return std::unique_ptr<AnyModel>(new FakeModel); }},
      {"other", "another one", [] { return std::unique_ptr<AnyModel>(new FakeModel); }},
  }};
  arguments.insert(arguments.begin(), "anachron");
  return captured(
      [&] { return run_program(models, static_cast<int>(arguments.size()), pointers(arguments).data()); });
}

TEST(Program, RunsAndPrintsTheTable) {
  FakeModel model;
  const Outcome outcome = run_fake(model, {"--lps", "2k", "--fast", "--workers", "2", "--until", "50"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  EXPECT_NE(outcome.out.find("\ndigest          0000000000abcdef\n"), std::string::npos) << outcome.out;
  EXPECT_EQ(model.lps, 2000u);
  EXPECT_TRUE(model.fast);
  EXPECT_EQ(model.seen->workers, 2u);
  EXPECT_EQ(model.seen->pes, 2u) << "the model gets the resolved configuration";
  EXPECT_EQ(model.seen->until, 50);
}

TEST(Program, UntilIsTheModelsByDefault) {
  FakeModel model;
  run_fake(model, {});
  EXPECT_EQ(model.seen->until, 100);
  run_fake(model, {"--until", "inf"});
  EXPECT_EQ(model.seen->until, kForever);
  model.model_until.reset();
  run_fake(model, {});
  EXPECT_EQ(model.seen->until, kForever);
}

TEST(Program, QuietPrintsNothing) {
  FakeModel model;
  const Outcome outcome = run_fake(model, {"--quiet"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.out + outcome.err, "");
}

TEST(Program, ReportGoesToAFileOrStandardOutput) {
  const TemporaryFolder folder;
  FakeModel model;
  EXPECT_EQ(run_fake(model, {"--mean", "2.5", "--report", folder.file("r.json")}).status, 0);
  const std::string text = read_all(folder.file("r.json"));
  EXPECT_NE(text.find("\"digest\": \"0000000000abcdef\""), std::string::npos);
  EXPECT_NE(text.find("\"mean\": \"2.5\""), std::string::npos) << "config.model has the model's options";
  EXPECT_EQ(folder.names(), std::vector<std::string>{"r.json"}) << "no temporary file stays";

  const Outcome outcome = run_fake(model, {"--quiet", "--report", "-"});
  EXPECT_EQ(outcome.out.rfind("{\n  \"schema\"", 0), 0u) << "the report alone";
  EXPECT_TRUE(outcome.out.ends_with("}\n"));
}

TEST(Program, OutWritesTables) {
  const TemporaryFolder folder;
  FakeModel model;
  EXPECT_EQ(run_fake(model, {"--quiet", "--out", folder.file("a/b")}).status, 0);
  EXPECT_EQ(read_all(folder.file("a/b/links.csv")), "id,flow\n1,2.5\n");
}

TEST(Program, UnwritableOutputsStopItBeforeTheRun) {
  const TemporaryFolder folder;
  folder.write("plain", "x");
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"--report", "/none/r.json"},
                                             {"--report", folder.file("")},
                                             {"--report", "/tmp"},
                                             {"--report", folder.file("plain/r.json")},
                                             {"--out", folder.file("plain")},
                                             {"--out", folder.file("plain/deeper")},
                                             {"--out", "/proc/none"}}) {
    FakeModel model;
    const Outcome outcome = run_fake(model, arguments);
    EXPECT_EQ(outcome.status, 2) << arguments[1];
    EXPECT_EQ(outcome.err.rfind("prog: " + arguments[0] + ": cannot write '" + arguments[1] + "': ", 0), 0u)
        << outcome.err;
    EXPECT_FALSE(model.seen) << arguments[1];
  }
}

TEST(Program, AFailedWriteDoesNotCostTheTable) {
  const TemporaryFolder folder;
  const std::string inner = folder.file("inner");
  std::filesystem::create_directory(inner);
  FakeModel model;
  model.action = [&](const Config& config, const ProgressCallback&, const std::function<bool()>&) {
    std::filesystem::remove_all(inner);
    return model.report(config);
  };
  const Outcome outcome = run_fake(model, {"--report", inner + "/r.json"});
  EXPECT_EQ(outcome.status, 1) << "the input was good";
  EXPECT_NE(outcome.out.find("digest"), std::string::npos);
  EXPECT_NE(outcome.err.find("cannot write"), std::string::npos);
}

TEST(Program, BadInputHasStatus2) {
  FakeModel model;
  const auto message = [&](const std::vector<std::string>& arguments) {
    const Outcome outcome = run_fake(model, arguments);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_EQ(outcome.out, "");
    return outcome.err;
  };
  EXPECT_EQ(message({"--lps", "-1"}),
            "prog: --lps: '-1' is negative: expected a whole number such as 1000, 10k, 2M or 1G\n");
  EXPECT_EQ(message({"--mean", "1.5x"}),
            "prog: --mean: '1.5x' is not valid: expected a finite decimal number such as 0.5, 2 or 1e-3\n");
  EXPECT_EQ(
      message({"--receiver", "tours"}),
      "prog: --receiver: 'tours' is not valid: expected one of uniform, torus; did you mean 'torus'?\n");
  EXPECT_EQ(message({"--lsp", "1"}),
            "prog: unknown option '--lsp'; did you mean '--lps'? ('prog --help' lists the valid ones)\n");
  EXPECT_EQ(message({"--workers", "3", "--pes", "2"}),
            "prog: --pes: '2' is not valid: expected at least as many as --workers (3)\n");
  EXPECT_FALSE(model.seen);
}

TEST(Program, FailuresInTheRunHaveStatus1) {
  FakeModel model;
  model.action = [](const Config&, const ProgressCallback&, const std::function<bool()>&) -> Report {
    throw SimulationError("Player 3", "Ball", 1.5, "it fell");
  };
  const Outcome failed = run_fake(model, {});
  EXPECT_EQ(failed.status, 1);
  EXPECT_EQ(failed.err, "prog: Player 3: event Ball at time 1.5: it fell\n");

  model.action = [](const Config&, const ProgressCallback&, const std::function<bool()>&) -> Report {
    throw InputError("net.tntp:7: expected a number");
  };
  const Outcome bad = run_fake(model, {});
  EXPECT_EQ(bad.status, 2);
  EXPECT_EQ(bad.err, "prog: net.tntp:7: expected a number\n");
}

TEST(Program, NamesThatClashAreAProgrammingError) {
  FakeModel model;
  std::uint64_t value = 0;
  const auto message = [&](const std::string& name) {
    model.more_options = {FakeModel::bound(value, name, "N", "Mine")};
    const Outcome outcome = run_fake(model, {});
    EXPECT_EQ(outcome.status, 1);
    return outcome.err;
  };
  EXPECT_EQ(message("seed"),
            "prog: model 'fake': its option --seed (Mine) is named like the engine's (Seed of all random "
            "numbers): rename one\n");
  EXPECT_EQ(message("lps"),
            "prog: model 'fake': its option --lps (Mine) is named like another one of the model's (Number of "
            "LPs): rename one\n");
  EXPECT_NE(message("help"), "");
}

TEST(Program, HelpShowsTheModelsOptionsFirst) {
  FakeModel model;
  const Outcome outcome = run_fake(model, {"--help"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.out.rfind("fake: a model for tests\nUsage: prog [options]\n", 0), 0u) << outcome.out;
  const auto mine = outcome.out.find("Model fake:\n  --lps N"), engine = outcome.out.find("--workers N");
  EXPECT_LT(mine, engine);
  EXPECT_NE(engine, std::string::npos);
  EXPECT_FALSE(model.seen);
}

TEST(Program, ABrokenPipeIsNoCrash) {
  const TemporaryFolder folder;
  FakeModel model;
  std::vector<std::string> words{"prog", "--report", folder.file("r.json")};
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  close(ends[0]);
  std::fflush(stdout);
  const int saved = dup(STDOUT_FILENO);
  dup2(ends[1], STDOUT_FILENO);
  const int status = run_program(model, 3, pointers(words).data());
  dup2(saved, STDOUT_FILENO);
  close(saved);
  close(ends[1]);
  EXPECT_EQ(status, 0);
  EXPECT_NE(read_all(folder.file("r.json")), "");
}

TEST(Program, AFullDiskIsAnError) {
  FakeModel model;
  std::vector<std::string> words{"prog", "--report", "-"};
  std::fflush(stdout);
  const int saved = dup(STDOUT_FILENO), full = open("/dev/full", O_WRONLY);
  if (full < 0) GTEST_SKIP() << "no /dev/full";
  dup2(full, STDOUT_FILENO);
  testing::internal::CaptureStderr();
  const int status = run_program(model, 3, pointers(words).data());
  const std::string err = testing::internal::GetCapturedStderr();
  dup2(saved, STDOUT_FILENO);
  close(saved);
  close(full);
  EXPECT_EQ(status, 1);
  EXPECT_EQ(err, "prog: cannot write to standard output: No space left on device\n");
}

TEST(Interrupt, EndsTheRunWithAReport) {
  for (const int signal : {SIGINT, SIGTERM}) {
    FakeModel model;
    model.action = [&](const Config& config, const ProgressCallback&,
                       const std::function<bool()>& interrupted) {
      EXPECT_FALSE(interrupted());
      raise(signal);
      EXPECT_TRUE(interrupted());
      Report report = model.report(config);
      report.ending = Ending::interrupted;
      return report;
    };
    const Outcome outcome = run_fake(model, {"--report", "-"});
    EXPECT_EQ(outcome.status, 130);
    EXPECT_NE(outcome.out.find("\"interrupted\": true"), std::string::npos);
  }
}

TEST(InterruptDeathTest, TheSecondSignalKills) {
  const auto twice = [] {
    const InterruptGuard guard;
    raise(SIGINT);
    std::this_thread::sleep_for(std::chrono::milliseconds(400));
    raise(SIGINT);
  };
  EXPECT_EXIT(twice(), testing::KilledBySignal(SIGINT), "");
}

TEST(Interrupt, SignalsThatComeTogetherAreOne) {
  const InterruptGuard guard;
  raise(SIGTERM);
  raise(SIGTERM);
  EXPECT_TRUE(InterruptGuard::requested());
}

TEST(Interrupt, RestoresWhatWasSetBefore) {
  struct sigaction mine{}, before{}, after{};
  mine.sa_handler = [](int) {};
  sigaction(SIGINT, &mine, &before);
  {
    const InterruptGuard guard;
    raise(SIGINT);
    EXPECT_TRUE(InterruptGuard::requested());
  }
  sigaction(SIGINT, &before, &after);
  EXPECT_EQ(after.sa_handler, mine.sa_handler);

  const InterruptGuard again;
  EXPECT_FALSE(InterruptGuard::requested());
}

TEST(Interrupt, IgnoredSignalsStayIgnored) {
  struct sigaction ignore{}, before{};
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGINT, &ignore, &before);
  {
    const InterruptGuard guard;
    raise(SIGINT);
    EXPECT_FALSE(InterruptGuard::requested());
  }
  sigaction(SIGINT, &before, nullptr);
}

TEST(Bundle, ListsItsModels) {
  const Outcome outcome = bundle({"list"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.out, "  fake   a model for tests\n  other  another one\n");
}

TEST(Bundle, HelpsWithAModelInEitherForm) {
  const std::string help = bundle({"help", "fake"}).out;
  EXPECT_NE(help.find("Usage: anachron run fake [options]"), std::string::npos) << help;
  EXPECT_EQ(bundle({"run", "fake", "--help"}).out, help);
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"help"}, {"--help"}, {"run", "-h"}})
    EXPECT_NE(bundle(words).out.find("another one"), std::string::npos);
  EXPECT_EQ(bundle({"--version"}).out.rfind("anachron ", 0), 0u);
}

TEST(Bundle, RunsAModel) {
  const Outcome outcome = bundle({"run", "fake", "--lps", "3"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("fake            3 LPs"), std::string::npos) << outcome.out;
}

TEST(Bundle, AFileMayNameTheModel) {
  const TemporaryFolder folder;
  const std::string file =
      folder.write("run.toml", "model = \"fake\"\n[fake]\nlps = 4\n[other]\nanything = 1\n");
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"run", "--config", file},
                                             {"run", "--config=" + file},
                                             {"run", "--workers", "2", "--config", file},
                                             {"run", "fake", "--config", file}}) {
    const Outcome outcome = bundle(words);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("fake            4 LPs"), std::string::npos) << outcome.out;
  }
  const Outcome unnamed = bundle({"run", "--config", folder.write("none.toml", "seed = 1\n")});
  EXPECT_EQ(unnamed.status, 2);
  EXPECT_NE(unnamed.err.find("no model is named"), std::string::npos);
  EXPECT_NE(
      bundle({"run", "--config", folder.write("bad.toml", "model = \"fak\"\n")})
          .err.find("bad.toml:1: model: unknown model 'fak'; did you mean 'fake'? (valid: fake, other)"),
      std::string::npos);
}

TEST(Bundle, SuggestsForSlips) {
  const auto message = [](const std::vector<std::string>& words) {
    const Outcome outcome = bundle(words);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_EQ(outcome.out, "");
    return outcome.err;
  };
  EXPECT_EQ(message({"rnu", "fake"}),
            "anachron: unknown command 'rnu'; did you mean 'run'? (valid: run, tune, what-if, partition, "
            "resume, supervise, list, explain, diff, "
            "load, help, "
            "--version)\n");
  EXPECT_EQ(message({"fake"}),
            "anachron: unknown command 'fake'; did you mean 'run fake'? (valid: run, tune, what-if, "
            "partition, resume, supervise, list, "
            "explain, diff, "
            "load, help, "
            "--version)\n");
  EXPECT_EQ(message({"run", "fale"}),
            "anachron: unknown model 'fale'; did you mean 'fake'? (valid: fake, other)\n");
  EXPECT_EQ(message({"help", "zzz"}), "anachron: unknown model 'zzz' (valid: fake, other)\n");
  EXPECT_EQ(message({"run"}), "anachron: a model is missing right after run (valid: fake, other)\n");
  EXPECT_EQ(message({"list", "all"}), "anachron: unexpected argument 'all': list takes none\n");
  EXPECT_EQ(message({}).rfind("anachron: a command is missing\nUsage: ", 0), 0u);
}

}  // namespace
}  // namespace anachron::test
