// The epidemic model in every mode.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include <anachron/anachron.hpp>
#include <anachron/run/machine.hpp>
#include <anachron/run/report_text.hpp>

#include "epidemic/epidemic.hpp"
#include "support/bundled.hpp"
#include "support/error_of.hpp"

namespace anachron::test {
namespace {

class EpidemicKnobs : public testing::TestWithParam<Arguments> {};

TEST_P(EpidemicKnobs, IsTheSameInEveryMode) {
  Arguments arguments = GetParam();
  arguments.insert(arguments.begin(), {{"nodes", "600"}, {"group", "16"}});
  const Report all = expect_equivalent(models::make_epidemic, arguments, kForever);
  EXPECT_GT(all.results.value("infected"), 60);
  EXPECT_EQ(all.results.value("infected"), all.results.value("recovered"));
  EXPECT_EQ(all.results.value("nodes"), 600);
  const Report part = expect_equivalent(models::make_epidemic, arguments, 8);
  EXPECT_GT(part.results.value("infectious"), 0);
  EXPECT_EQ(part.results.value("susceptible") + part.results.value("exposed") +
                part.results.value("infectious") + part.results.value("recovered"),
            600);
}

INSTANTIATE_TEST_SUITE_P(
    All, EpidemicKnobs,
    testing::Values(Arguments{}, Arguments{{"group", "1"}}, Arguments{{"group", "600"}},
                    Arguments{{"graph", "barabasi-albert"}, {"latent-mean", "2"}, {"latent", "weibull:2"}},
                    Arguments{{"graph", "watts-strogatz"}, {"infection", "gamma:3"}, {"infection-mean", "5"}},
                    Arguments{{"graph", "regular"}, {"degree", "5"}, {"recovery", "lognormal:0.5"}},
                    Arguments{{"graph", "power-law"}, {"infection", "weibull:0.7"}},
                    // Much happens at the same time.
                    Arguments{{"infection", "deterministic"},
                              {"infection-mean", "4"},
                              {"recovery", "deterministic"},
                              {"latent", "deterministic"},
                              {"latent-mean", "1"}}));

TEST(Epidemic, ConservativeRunsAreTheSame) {
  for (const Arguments& lookahead : {Arguments{{"infection-least", "0.5"}},
                                     Arguments{{"infection", "uniform:0.8"}, {"infection-mean", "4"}},
                                     Arguments{{"latent-mean", "1"}, {"latent", "deterministic"}}}) {
    SCOPED_TRACE(lookahead.front().first);
    Arguments arguments = lookahead;
    arguments.insert(arguments.end(), {{"nodes", "600"}, {"group", "16"}});
    expect_conservative_equivalent(models::make_epidemic, arguments, kForever);
  }
}

TEST(Epidemic, HasNoLookaheadWhereInfectionMayBeSoon) {
  Config config = parallel(6, 2);
  config.sync = Sync::conservative;
  EXPECT_THROW(run(models::make_epidemic, {{"nodes", "100"}}, config), InputError);
}

TEST(Epidemic, OfAFileBeginsWhereItIsTold) {
  const auto file = std::filesystem::path(testing::TempDir()) / "epidemic_test_edges.txt";
  std::ofstream(file) << "# a path and a pair\n7 9\n9 12\n12 40\n100 101\n";
  // Whoever is infected infects all neighbours.
  const Arguments surely{
      {"network", file.string()}, {"infection-mean", "0.001"}, {"recovery", "deterministic"}};
  for (const auto& [first, infected] : {std::pair{"12", 4}, {"101", 2}}) {
    Arguments arguments = surely;
    arguments.emplace_back("first", first);
    const Report report = expect_equivalent(models::make_epidemic, arguments, kForever);
    EXPECT_EQ(report.results.value("infected"), infected);
    EXPECT_EQ(report.results.value("nodes"), 6);
    EXPECT_EQ(report.results.value("edges"), 4);
  }
  std::filesystem::remove(file);
}

TEST(Epidemic, ReportCountsLinesWhoseFurtherColumnsAreIgnored) {
  const auto file = std::filesystem::path(testing::TempDir()) / "epidemic_test_columns.txt";
  const auto report_on = [&file](const char* edges) {
    std::ofstream(file) << edges;
    Config config = sequential(kForever);
    config.workers = config.pes = 1;
    return report_text(run(models::make_epidemic, {{"network", file.string()}, {"infected", "1"}}, config),
                       Machine());
  };
  const std::string ignored = "lines_with_ignored_columns";
  const std::string weighted = report_on("# node node weight\n7 9 0.5\n9 12\n12 40 2 3\n");
  EXPECT_NE(weighted.find("\n" + ignored + "  2\n"), std::string::npos) << weighted;
  EXPECT_EQ(report_on("7 9\n9 12\n").find(ignored), std::string::npos);
  std::filesystem::remove(file);
}

TEST(Epidemic, RefusesWhatHasNoEffectOrIsImpossible) {
  const auto complaint = [](const Arguments& arguments) -> std::string {
    return test::error_of([&] { run(models::make_epidemic, arguments, sequential(1)); });
  };
  EXPECT_EQ(complaint({{"rewire", "0.2"}}), "--rewire is for --graph watts-strogatz");
  EXPECT_EQ(complaint({{"network", "x"}, {"nodes", "10"}}),
            "--nodes is for a generated network, not with --network");
  EXPECT_EQ(complaint({{"network", "/nonexistent"}}), "--network: cannot read '/nonexistent'");
  EXPECT_EQ(complaint({{"first", "5"}, {"infected", "3"}}), "--infected is not for --first");
  EXPECT_EQ(complaint({{"nodes", "20"}, {"first", "20"}}),
            "--first: '20' is not valid: expected a node from 0 to 19");
  EXPECT_EQ(complaint({{"nodes", "20"}, {"infected", "21"}}),
            "--infected: '21' is not valid: expected at most the number of nodes (20)");
  EXPECT_EQ(complaint({{"infection-least", "10"}}),
            "--infection-least: '10' is not valid: expected less than --infection-mean (10)");
  EXPECT_EQ(complaint({{"graph", "regular"}, {"degree", "2.5"}}),
            "--degree: '2.5' is not valid: expected a whole number below --nodes");
  EXPECT_EQ(complaint({{"graph", "barabasi-albert"}, {"degree", "3"}}),
            "--degree: '3' is not valid: expected an even number from 2 on, below --nodes");
  EXPECT_EQ(complaint({{"graph", "regular"}, {"degree", "3"}, {"nodes", "21"}}),
            "--degree: '3' is not valid: expected an even number, as --nodes is odd");
  EXPECT_NE(complaint({{"latent", "gamma:2"}}), "no error");
  EXPECT_NE(complaint({{"recovery", "gamma"}}).find("--recovery: 'gamma' is not valid"), std::string::npos);
}

}  // namespace
}  // namespace anachron::test
