#include "run/options/config_file.hpp"

#include <anachron/base/error.hpp>

#include "run/fake_model.hpp"

namespace anachron::test {
namespace {

class ConfigFiles : public testing::Test {
 protected:
  Outcome run(const std::string& toml, std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"--config", folder_.write("run.toml", toml)});
    Outcome outcome = run_fake(model_, more);
    // The path without the folder's random name.
    for (std::size_t at; (at = outcome.err.find(folder_.file(""))) != std::string::npos;)
      outcome.err.erase(at, folder_.file("").size());
    return outcome;
  }
  std::string refusal(const std::string& toml) {
    const Outcome outcome = run(toml);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_FALSE(model_.seen);
    return outcome.err;
  }

  TemporaryFolder folder_;
  FakeModel model_;
};

TEST_F(ConfigFiles, SetEngineAndModelOptions) {
  const Outcome outcome = run(R"(
model = "fake"
workers = 3          # a comment
until = 12.5
batch = "1k"
quiet = true
[fake]
lps = "2k"
mean = 2
receiver = "torus"
fast = true
)");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  ASSERT_TRUE(model_.seen);
  EXPECT_EQ(model_.seen->workers, 3u);
  EXPECT_EQ(model_.seen->until, 12.5);
  EXPECT_EQ(model_.seen->batch, 1000u);
  EXPECT_EQ(model_.lps, 2000u);
  EXPECT_EQ(model_.mean, 2.0);
  EXPECT_EQ(model_.receiver, "torus");
  EXPECT_TRUE(model_.fast);
}

TEST_F(ConfigFiles, TheCommandLineWins) {
  const Outcome outcome =
      run("workers = 3\n[model]\nlps = 5\nfast = true\n", {"--workers", "2", "--lps=6", "--fast=false"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(model_.seen->workers, 2u);
  EXPECT_EQ(model_.lps, 6u);
  EXPECT_FALSE(model_.fast);
}

TEST_F(ConfigFiles, InfinityIsAnEndTime) {
  EXPECT_EQ(run("until = inf").status, 0);
  EXPECT_EQ(model_.seen->until, kForever);
}

TEST_F(ConfigFiles, UnknownKeysAreNamedWithTheirLine) {
  EXPECT_EQ(refusal("seed = 1\nworker = 2\n").substr(0, 72),
            "prog: run.toml:2: 'worker' is no engine option; did you mean 'workers'? ");
  EXPECT_EQ(refusal("\n\n[fake]\nlsp = 2\n"),
            "prog: run.toml:4: 'lsp' is no option of model 'fake'; did you mean 'lps'? "
            "(valid: lps, mean, network, fast, receiver)\n");
  EXPECT_NE(refusal("config = \"other.toml\"").find("'config' is no engine option"), std::string::npos);
  EXPECT_EQ(refusal("[fakee]\nlps = 2\n"),
            "prog: run.toml:1: table [fakee] names no model; did you mean 'fake'? (valid: model, fake)\n");
  EXPECT_EQ(refusal("model = \"traffic\"\n"),
            "prog: run.toml:1: model: 'traffic' is no model (valid: fake)\n");
}

TEST_F(ConfigFiles, BadValuesAreNamedWithTheirLine) {
  EXPECT_EQ(refusal("\nworkers = \"two\"\n"),
            "prog: run.toml:2: --workers: 'two' is not valid: expected a whole number such as 1000, 10k, 2M "
            "or 1G\n");
  EXPECT_EQ(
      refusal("workers = -2\n"),
      "prog: run.toml:1: --workers: '-2' is negative: expected a whole number such as 1000, 10k, 2M or 1G\n");
  EXPECT_EQ(refusal("workers = 2.5\n"),
            "prog: run.toml:1: --workers: '2.5' is not a whole number: expected a whole number such as 1000, "
            "10k, 2M or 1G\n");
  EXPECT_NE(refusal("until = nan\n").find("run.toml:1: --until: 'NaN' is not valid"), std::string::npos);
  EXPECT_NE(refusal("sync = \"paralel\"\n").find("expected one of auto, sequential, optimistic"),
            std::string::npos);
  EXPECT_NE(refusal("workers = 0\n").find("--workers: '0' is not valid: expected at least 1"),
            std::string::npos);
}

TEST_F(ConfigFiles, WrongTypesAreNamedWithTheirLine) {
  EXPECT_EQ(refusal("workers = true\n"),
            "prog: run.toml:1: workers: 'true' is not valid: expected a value such as N\n");
  EXPECT_EQ(refusal("quiet = \"yes\"\n"),
            "prog: run.toml:1: quiet: 'yes' is not valid: expected true or false\n");
  EXPECT_EQ(refusal("quiet = 1\n"), "prog: run.toml:1: quiet: '1' is not valid: expected true or false\n");
  EXPECT_EQ(refusal("workers = [1, 2]\n"),
            "prog: run.toml:1: workers: a value of type array is not valid: expected a text, a number, true "
            "or false\n");
  EXPECT_EQ(refusal("model = 3\n"),
            "prog: run.toml:1: model: '3' is not valid: expected a model's name in quotes\n");
  EXPECT_NE(refusal("seed = 2024-01-01\n").find("of type date"), std::string::npos);
  EXPECT_NE(refusal("[fake.lps]\nx = 1\n").find("lps: a value of type table"), std::string::npos);
}

TEST_F(ConfigFiles, SyntaxErrorsAreNamedWithTheirLine) {
  EXPECT_EQ(refusal("seed = 1\nworkers == 2\n").substr(0, 18), "prog: run.toml:2: ");
  EXPECT_EQ(refusal("seed = 1\nseed = 2\n").substr(0, 18), "prog: run.toml:2: ");
  EXPECT_EQ(refusal("seed = \"open").substr(0, 18), "prog: run.toml:1: ");
}

TEST_F(ConfigFiles, ValuesThatShowLateToBeImpossible) {
  EXPECT_EQ(refusal("seed = 1\nworkers = 0\n"),
            "prog: run.toml:2: --workers: '0' is not valid: expected at least 1\n");
  EXPECT_EQ(refusal("workers = 4\npes = 2\n"),
            "prog: run.toml:2: --pes: '2' is not valid: expected at least as many as --workers (4)\n");
  EXPECT_EQ(refusal("report = \"/none/r.json\"\n"),
            "prog: run.toml:1: --report: cannot write '/none/r.json': No such file or directory\n");
  EXPECT_EQ(run("workers = 3\n", {"--workers", "0"}).err,
            "prog: --workers: '0' is not valid: expected at least 1\n")
      << "it is not the file's value";
  model_.action = [](const Config&, const ProgressCallback&, const std::function<bool()>&) -> Report {
    throw InputError("--network needs --trips");
  };
  EXPECT_EQ(run("[model]\n\nnetwork = \"net.tntp\"\n").err, "prog: run.toml:3: --network needs --trips\n");
}

TEST_F(ConfigFiles, MayBeginWithAByteOrderMark) {
  EXPECT_EQ(run("\xef\xbb\xbfworkers = 3\n").status, 0);
  EXPECT_EQ(model_.seen->workers, 3u);
  model_.seen.reset();
  EXPECT_EQ(refusal(std::string("\xff\xfes\0", 4)),
            "prog: run.toml:1: a byte order mark of UTF-16 or UTF-32: expected a file in UTF-8\n");
}

TEST_F(ConfigFiles, HaveLimits) {
  std::string key = "a";
  for (int i = 1; i < 50'000; ++i) key += ".a";
  for (const std::string& line : {key + " = 1", "[" + key + "]"})
    EXPECT_EQ(refusal("seed = 1\n" + line + "\n"),
              "prog: run.toml:2: more than 4000 dots: expected keys of one part\n");
  EXPECT_EQ(run_fake(model_, {"--config", "/dev/zero"}).err,
            "prog: --config: cannot read '/dev/zero': expected a file of at most 1MiB\n");
}

TEST_F(ConfigFiles, CannotColourTheTerminal) {
  EXPECT_EQ(
      refusal("queue = \"\\u001b[31m\"\n").rfind("prog: run.toml:1: --queue: '\\x1b[31m' is not valid: ", 0),
      0u);
}

TEST_F(ConfigFiles, FilesThatCannotBeRead) {
  EXPECT_EQ(run_fake(model_, {"--config", "/none/run.toml"}).err,
            "prog: --config: cannot read '/none/run.toml': No such file or directory\n");
  EXPECT_EQ(run_fake(model_, {"--config", "/tmp"}).err,
            "prog: --config: cannot read '/tmp': it is a folder\n");
}

}  // namespace
}  // namespace anachron::test
