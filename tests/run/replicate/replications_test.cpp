// Replications are runs with the seeds that they say, and tell how much these differ.
#include <anachron/run/replications.hpp>

#include <cmath>
#include <optional>
#include <stdexcept>
#include <string>

#include <anachron/anachron.hpp>
#include <anachron/model/stats/student.hpp>
#include <nlohmann/json.hpp>

#include "run/fake_model.hpp"

namespace anachron::test {
namespace {

struct Ball {};

struct Juggler {
  struct Params {
    std::uint32_t fails_at = 0;  // events; 0: never
  };
  std::uint64_t caught = 0;
  Tally delays;

  void start(Context<Juggler>& cx) { throw_ball(cx); }
  void on(Context<Juggler>& cx, const Ball&) {
    if (++caught == cx.params().fails_at) throw std::runtime_error("dropped");
    throw_ball(cx);
  }
  void finish(Results& results) const {
    results.count("caught", static_cast<std::int64_t>(caught));
    results.add("delay", delays);
  }

 private:
  void throw_ball(Context<Juggler>& cx) {
    const double delay = cx.rng().exponential(1);
    delays.add(cx, delay);
    cx.send(cx.id(cx.rng().below(cx.lp_count())), delay, Ball{});
  }
};

Simulation<Juggler> jugglers() {
  Simulation<Juggler> simulation;
  simulation.lps<Juggler>(20);
  simulation.config.until = 50;
  simulation.config.seed = 11;
  return simulation;
}

TEST(Replications, AreTheRunsWithTheirSeeds) {
  Simulation<Juggler> simulation = jugglers();
  for (const auto& [sync, workers] : {std::pair<std::optional<Sync>, std::optional<unsigned>>{},
                                      {Sync::sequential, {}},
                                      {Sync::optimistic, 2}}) {
    simulation.config.sync = sync;
    simulation.config.workers = workers;
    const Replications found = simulation.replicate(5);
    ASSERT_EQ(found.reports.size(), 5u);
    EXPECT_FALSE(found.is_interrupted());
    for (unsigned k = 0; k < 5; ++k) {
      Simulation<Juggler> single = jugglers();
      single.config.sync = Sync::sequential;
      single.config.seed = 11 + k;
      const Report expected = single.run();
      EXPECT_EQ(found.reports[k].config.seed, 11 + k);
      EXPECT_EQ(found.reports[k].digest, expected.digest);
      EXPECT_EQ(found.reports[k].results.get<Tally>("delay"), expected.results.get<Tally>("delay"));
    }
  }
}

TEST(Replications, EstimateWithStudentsIntervals) {
  Simulation<Juggler> simulation = jugglers();
  simulation.config.confidence = 0.9;
  const Replications found = simulation.replicate(6);
  Tally means;
  for (const Report& report : found.reports) means.add(report.results.value("delay"));
  const auto estimates = found.estimates();
  ASSERT_EQ(estimates.size(), 6u);
  EXPECT_EQ(estimates[0].name, "caught");
  EXPECT_EQ(estimates[2].name, "delay.mean");
  EXPECT_EQ(estimates[2].values, means);
  EXPECT_EQ(estimates[2].half_width, half_width(means, 0.9));
  const Results::Table table = found.table();
  EXPECT_EQ(table.columns[5], "delay.mean");
  EXPECT_EQ(table.rows[2][5], Results::Cell(found.reports[2].results.value("delay")));
  EXPECT_FALSE(simulation.replicate(1).estimates()[0].half_width);
}

// An estimate covers what a long run finds about as often as it says.
TEST(Replications, CoverTheTruth) {
  Simulation<Juggler> simulation = jugglers();
  simulation.config.confidence = 0.9;
  int covered = 0;
  constexpr int kTimes = 60;
  for (int i = 0; i < kTimes; ++i) {
    simulation.config.seed = 1000 + 8 * static_cast<unsigned>(i);
    const Estimate delay = simulation.replicate(8).estimates()[2];
    covered += std::abs(delay.values.mean() - 1) <= *delay.half_width;
  }
  EXPECT_GE(covered, kTimes * 3 / 4);
  EXPECT_LT(covered, kTimes);
}

TEST(Replications, NameTheOneThatFails) {
  Simulation<Juggler> simulation = jugglers();
  simulation.params<Juggler>().fails_at = 3;
  const std::string what = message_of<SimulationError>([&] { simulation.replicate(9); });
  EXPECT_TRUE(what.starts_with("replication 1 (seed 11): Juggler ")) << what;
  EXPECT_TRUE(what.ends_with("threw: dropped")) << what;
}

TEST(Replications, HaveSeedsThatDoNotWrap) {
  Config config;
  config.seed = ~std::uint64_t{0};
  EXPECT_NO_THROW(detail::plan_replications(1, config, 1));
  try {
    detail::plan_replications(2, config, 1);
    ADD_FAILURE();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "--seed: '18446744073709551615' is not valid: expected at most 18446744073709551614 with "
                 "--replications 2, which takes the seeds from it on");
  }
  config.seed -= 1;
  EXPECT_NO_THROW(detail::plan_replications(2, config, 1));
}

TEST(Replications, EndWhenAsked) {
  Simulation<Juggler> simulation = jugglers();
  simulation.config.until = kForever;
  const Replications found = simulation.replicate(4, {}, [] { return true; });
  EXPECT_TRUE(found.is_interrupted());
  EXPECT_TRUE(found.reports.empty());
  EXPECT_TRUE(found.estimates().empty());
}

TEST(Replications, ShareCoresAndMemory) {
  constexpr std::uint64_t kMemory = 1 << 30;
  const auto plan = [](unsigned n, const Config& config, unsigned cores) {
    return detail::plan_replications(n, config, n, cores, kMemory);
  };
  Config config;
  EXPECT_EQ(plan(10, config, 4).side_by_side, 4u);
  EXPECT_EQ(plan(10, config, 4).config.sync, Sync::sequential);
  EXPECT_EQ(plan(10, config, 4).config.bind, Bind::none);
  EXPECT_EQ(plan(10, config, 4).config.memory, kMemory / 5 * 4 / (1 << 20) * (1 << 20) / 4);
  EXPECT_EQ(plan(2, config, 8).side_by_side, 2u);
  EXPECT_EQ(plan(2, config, 8).config.workers, 4u);
  EXPECT_EQ(plan(10, config, 1).side_by_side, 1u);
  config.workers = 3;
  EXPECT_EQ(plan(10, config, 8).side_by_side, 2u);
  EXPECT_EQ(plan(10, config, 2).side_by_side, 1u);
  EXPECT_EQ(detail::plan_replications(10, Config(), 1, 4, kMemory).side_by_side, 1u);
  EXPECT_THROW(plan(0, config, 2), InputError);
}

// The command line.

Report some_report(const FakeModel& model, const Config& config) {
  Report report = model.report(config);
  report.digest = config.seed;
  report.results.tally("stay", static_cast<double>(config.seed));
  report.results.complete();
  return report;
}

TEST(ReplicationsOption, WritesEstimatesAndRuns) {
  FakeModel model;
  model.action = [&](const Config& config, const auto&, const auto&) { return some_report(model, config); };
  const TemporaryFolder folder;
  const Outcome done = run_fake(model, {"--replications", "3", "--seed", "5", "--report",
                                        folder.file("r.json"), "--out", folder.file("tables")});
  ASSERT_EQ(done.status, 0) << done.err;
  EXPECT_NE(done.out.find("\nstay.mean       6 +- 2.48414, sd 1, min 5, max 7\n"), std::string::npos)
      << done.out;
  const auto json = nlohmann::json::parse(read_all(folder.file("r.json")));
  EXPECT_EQ(json.at("schema"), "anachron-replications/1");
  EXPECT_EQ(json.at("estimates").at("stay.mean").at("mean"), 6);
  ASSERT_EQ(json.at("runs").size(), 3u);
  EXPECT_EQ(json.at("runs")[2].at("seed"), 7);
  EXPECT_EQ(json.at("runs")[2].at("digest"), "0000000000000007");
  EXPECT_EQ(json.at("runs")[2].at("model").at("stay").at("mean"), 7);
  EXPECT_EQ(read_all(folder.file("tables/seed-6/links.csv")), "id,flow\n1,2.5\n");
  EXPECT_TRUE(read_all(folder.file("tables/replications.csv"))
                  .starts_with("seed,digest,committed,arrived,stay.count"));
}

TEST(ReplicationsOption, OneIsAnOrdinaryRun) {
  FakeModel model;
  const Outcome done = run_fake(model, {"--replications", "1"});
  EXPECT_EQ(done.status, 0);
  EXPECT_NE(done.out.find("digest"), std::string::npos);
}

TEST(ReplicationsOption, RefusesNone) {
  FakeModel model;
  const Outcome done = run_fake(model, {"--replications", "0"});
  EXPECT_EQ(done.status, 2);
  EXPECT_EQ(done.err, "prog: --replications: '0' is not valid: expected at least 1\n");
}

TEST(ReplicationsOption, AFailureLeavesAReportOfThoseBefore) {
  FakeModel model;
  model.action = [&](const Config& config, const auto&, const auto&) -> Report {
    if (config.seed == 7) throw SimulationError("Hub 3", "Ball", 1.5, "threw: no");
    return some_report(model, config);
  };
  const TemporaryFolder folder;
  const Outcome done = run_fake(model, {"--replications", "4", "--seed", "5", "--report",
                                        folder.file("r.json"), "--out", folder.file("t")});
  EXPECT_EQ(done.status, 1);
  EXPECT_EQ(done.err, "prog: replication 3 (seed 7): Hub 3: event Ball at time 1.5: threw: no\n");
  EXPECT_NE(done.out.find("; FAILED, 2 before had ended"), std::string::npos) << done.out;
  const auto json = nlohmann::json::parse(read_all(folder.file("r.json")));
  EXPECT_EQ(json.at("failure"), "replication 3 (seed 7): Hub 3: event Ball at time 1.5: threw: no");
  EXPECT_EQ(json.at("interrupted"), false);
  EXPECT_EQ(json.at("ended"), 2);
  EXPECT_EQ(json.at("runs")[1].at("seed"), 6);
  EXPECT_EQ(json.at("estimates").at("stay.mean").at("mean"), 5.5);
  EXPECT_TRUE(read_all(folder.file("t/replications.csv")).starts_with("seed,digest,committed"));
}

TEST(ReplicationsOption, WhatWasWrongBeforeLeavesNoReport) {
  FakeModel model;
  model.action = [&](const Config&, const auto&, const auto&) -> Report { throw InputError("--lps: no"); };
  const TemporaryFolder folder;
  EXPECT_EQ(run_fake(model, {"--replications", "4", "--report", folder.file("r.json")}).status, 2);
  EXPECT_TRUE(folder.names().empty());
}

TEST(ReplicationsOption, AFailureHasStatusOne) {
  FakeModel model;
  model.action = [&](const Config& config, const auto&, const auto&) -> Report {
    if (config.seed == 2) throw SimulationError("Hub 3", "Ball", 1.5, "threw: no");
    return model.report(config);
  };
  const Outcome done = run_fake(model, {"--replications", "3"});
  EXPECT_EQ(done.status, 1);
  EXPECT_EQ(done.err, "prog: replication 2 (seed 2): Hub 3: event Ball at time 1.5: threw: no\n");
}

}  // namespace
}  // namespace anachron::test
