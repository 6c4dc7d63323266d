// The queueing model in every mode.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include <anachron/anachron.hpp>

#include "queueing/queueing.hpp"
#include "support/bundled.hpp"
#include "support/error_of.hpp"

namespace anachron::test {
namespace {

class QueueingKnobs : public testing::TestWithParam<Arguments> {};

TEST_P(QueueingKnobs, IsTheSameInEveryMode) {
  Arguments arguments = GetParam();
  arguments.insert(arguments.begin(), {"stations", "60"});
  const Report report = expect_equivalent(models::make_queueing, arguments, 40);
  EXPECT_GT(report.results.get<Tally>("response_time").count(), 500u);
}

INSTANTIATE_TEST_SUITE_P(
    All, QueueingKnobs,
    testing::Values(Arguments{}, Arguments{{"servers", "3"}, {"capacity", "4"}, {"load", "1.2"}},
                    Arguments{{"population", "3"}, {"service", "gamma:0.5"}},
                    // Much happens at the same time.
                    Arguments{{"population", "2"}, {"service", "deterministic"}, {"transfer", "1"}},
                    Arguments{{"classes", "3"}, {"discipline", "priority"}, {"arrivals", "lognormal:1"}},
                    Arguments{{"classes", "3"}, {"discipline", "preemptive"}, {"servers", "2"}},
                    Arguments{{"classes", "2"},
                              {"discipline", "preemptive"},
                              {"service", "deterministic"},
                              {"arrivals", "deterministic"},
                              {"transfer", "0.5"}},
                    Arguments{
                        {"leave", "1"}, {"arrivals", "weibull:0.7"}, {"service", "hyperexponential:5"}}));

TEST(Queueing, ConservativeRunsAreTheSame) {
  for (const Arguments& lookahead :
       {Arguments{{"transfer", "0.3"}},
        Arguments{{"transfer", "0.3"}, {"classes", "2"}, {"discipline", "preemptive"}},
        Arguments{{"service", "uniform:0.5"}}, Arguments{{"population", "2"}, {"service", "deterministic"}},
        Arguments{{"leave", "1"}}}) {
    SCOPED_TRACE(lookahead.front().first + ' ' + lookahead.front().second);
    Arguments arguments = lookahead;
    arguments.emplace_back("stations", "60");
    expect_conservative_equivalent(models::make_queueing, arguments, 40);
  }
}

TEST(Queueing, HasNoLookaheadWhereServicesMayBeShort) {
  Config config = parallel(6, 2);
  config.sync = Sync::conservative;
  EXPECT_THROW(run(models::make_queueing, {{"stations", "10"}}, config), InputError);
  EXPECT_THROW(run(models::make_queueing,
                   {{"stations", "10"}, {"service", "deterministic"}, {"discipline", "preemptive"}}, config),
               InputError);
}

TEST(Queueing, OfAFileIsTheSameInEveryMode) {
  const auto file = std::filesystem::path(testing::TempDir()) / "queueing_test_network.csv";
  std::ofstream(file) << R"(class,urgent,1
class,normal,2
class,worker,2
station,desk,1,inf,preemptive
station,back,2,,priority
station,shop,3,5
station,rest,inf
service,desk,*,exponential,0.5
service,back,urgent,erlang:3,0.4
service,back,normal,gamma:0.5,0.4
service,back,worker,uniform:0.3,0.4
service,shop,*,weibull:2,2
service,rest,worker,lognormal:1,5
arrivals,desk,urgent,exponential,4
arrivals,desk,normal,hyperexponential:3,1.2
population,rest,worker,4
route,desk,back,urgent,0.7
route,desk,back,normal,0.4
route,desk,desk,normal,0.1
route,desk,shop,normal,0.5
route,back,desk,normal,0.1
route,rest,back,worker,1
route,back,rest,worker,1
)";
  const Report report = expect_equivalent(models::make_queueing, {{"network", file.string()}}, 300);
  EXPECT_EQ(report.results.figures().front().first, "waiting_time");
  EXPECT_GT(report.results.value("shop.lost_fraction"), 0);
  EXPECT_GT(report.results.get<Tally>("desk.urgent.waiting_time").count(), 0u);
  std::filesystem::remove(file);
}

// Jobs of both classes come at the same instants: a more important one never waits for the other.
TEST(Queueing, TakesInAllArrivalsOfAnInstantBeforeItServes) {
  const auto file = std::filesystem::path(testing::TempDir()) / "queueing_test_priority.csv";
  std::ofstream(file) << R"(class,urgent,1
class,normal,2
station,desk,1,inf,priority
service,desk,*,deterministic,0.9
arrivals,desk,urgent,deterministic,2
arrivals,desk,normal,deterministic,2
)";
  for (const std::uint64_t tie_seed : {1, 2, 3, 4, 5}) {
    Config config = sequential(200);
    config.tie_seed = tie_seed;
    const Report report = run(models::make_queueing, {{"network", file.string()}}, config);
    EXPECT_EQ(report.results.get<Tally>("urgent.waiting_time").max(), 0) << tie_seed;
    EXPECT_NEAR(report.results.get<Tally>("normal.waiting_time").min(), 0.9, 1e-12) << tie_seed;
    EXPECT_NEAR(report.results.get<Tally>("normal.waiting_time").max(), 0.9, 1e-12) << tie_seed;
  }
  expect_equivalent(models::make_queueing, {{"network", file.string()}}, 40);
  expect_conservative_equivalent(models::make_queueing, {{"network", file.string()}}, 40);
  std::filesystem::remove(file);
}

TEST(Queueing, RefusesOptionsWithoutEffect) {
  const auto complaint = [](const Arguments& arguments) -> std::string {
    return test::error_of([&] { run(models::make_queueing, arguments, sequential(1)); });
  };
  EXPECT_EQ(complaint({{"network", "x.csv"}, {"load", "0.5"}}),
            "--load is for a generated network, not with --network");
  EXPECT_EQ(complaint({{"population", "2"}, {"load", "0.5"}}),
            "--load is for an open network, not with --population");
  EXPECT_EQ(complaint({{"network", "/nonexistent.csv"}}), "--network: cannot read '/nonexistent.csv'");
  EXPECT_EQ(complaint({{"servers", "3"}, {"capacity", "2"}}),
            "--capacity: '2' is not valid: expected at least as many as --servers (3), or 0");
  EXPECT_NE(complaint({{"service", "erlang"}}).find("--service: 'erlang' is not valid: expected erlang:X"),
            std::string::npos);
}

}  // namespace
}  // namespace anachron::test
