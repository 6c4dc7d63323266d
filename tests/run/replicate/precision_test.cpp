// Replications end when the means are precise, after as many on any number of cores.
#include <chrono>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <anachron/anachron.hpp>
#include <anachron/model/stats/student.hpp>
#include <nlohmann/json.hpp>

#include "run/fake_model.hpp"
#include "run/replicate/precision_rule.hpp"

namespace anachron::test {
namespace {

/// Something that scatters, and depends on the seed alone.
double value_of(std::uint64_t seed) {
  std::mt19937_64 bits(seed);
  return 10 + static_cast<double>(bits() % 1000) / 100;
}

Results results_of(std::uint64_t seed) {
  Results results;
  results.count("arrived", 100);
  results.tally("stay", value_of(seed));
  results.tally("stay", value_of(seed) + 1);
  results.complete();
  return results;
}

/// By the definition.
unsigned needed(double precision, unsigned most, double plus = 0.5) {
  Tally values;
  for (unsigned n = 1; n <= most; ++n) {
    values.add(value_of(n) + plus);
    if (n >= Precision::kFirst && *half_width(values, 0.95) <= precision * values.mean()) return n;
  }
  return most;
}

TEST(PrecisionRule, EndsWithTheFirstThatIsEnough) {
  for (const double precision : {0.2, 0.1, 0.05}) {
    PrecisionRule rule({precision, "stay"}, 0.95), of_all({precision, ""}, 0.95);
    for (unsigned n = 1; n <= needed(precision, 1000); ++n) {
      EXPECT_EQ(rule.add(results_of(n)), n == needed(precision, 1000)) << n;
      EXPECT_EQ(of_all.add(results_of(n)), n == needed(precision, 1000)) << n;  // arrived does not scatter
    }
    EXPECT_TRUE(rule.missed().empty());
  }
  EXPECT_GT(needed(0.05, 1000), needed(0.1, 1000));
}

TEST(PrecisionRule, TakesPartsOfStatisticsByName) {
  PrecisionRule rule({0.1, "stay.max"}, 0.95), of_sd({0.1, "stay.sd"}, 0.95);
  for (unsigned n = 1; n <= needed(0.1, 1000, 1); ++n) {
    EXPECT_EQ(rule.add(results_of(n)), n == needed(0.1, 1000, 1)) << n;
    EXPECT_EQ(of_sd.add(results_of(n)), n >= Precision::kFirst);  // always the same
  }
}

TEST(PrecisionRule, TellsHowFarTheMeansAreKnown) {
  PrecisionRule rule({0.001, "stay"}, 0.95);
  Tally values;
  for (unsigned n = 1; n <= 12; ++n) {
    EXPECT_FALSE(rule.add(results_of(n)));
    values.add(value_of(n) + 0.5);
  }
  ASSERT_EQ(rule.missed().size(), 1u);
  EXPECT_EQ(rule.missed()[0].figure, "stay.mean");
  EXPECT_NEAR(rule.missed()[0].reached, *half_width(values, 0.95) / values.mean(), 1e-12);
}

TEST(PrecisionRule, NamesAFigureThatThereIsNot) {
  PrecisionRule rule({0.1, "stya"}, 0.95);
  const std::string what = message_of<InputError>([&] {
    for (unsigned n = 1; n <= Precision::kFirst; ++n) rule.add(results_of(n));
  });
  EXPECT_TRUE(what.starts_with("--precision-of: 'stya' is not valid: expected one of arrived, stay.count"))
      << what;
}

/// With runs that end in any order.
Report some_report(const FakeModel& model, const Config& config) {
  std::this_thread::sleep_for(std::chrono::microseconds(std::random_device()() % 3000));
  Report report = model.report(config);
  report.results = results_of(config.seed);
  report.digest = config.seed;
  return report;
}

/// A model of which replications run side by side.
class CopiedModel : public FakeModel {
 public:
  std::unique_ptr<AnyModel> copy() override { return std::make_unique<CopiedModel>(*this); }
};

CopiedModel noisy() {
  CopiedModel model;
  model.action = [](const Config& config, const auto&, const auto&) {
    return some_report(FakeModel(), config);
  };
  return model;
}

TEST(PrecisionOption, MakesAsManyReplicationsOnAnyNumberOfCores) {
  const unsigned expected = needed(0.05, 1000);
  ASSERT_GT(expected, Precision::kFirst);
  CopiedModel model = noisy();
  for (const unsigned side_by_side : {1u, 2u, 7u}) {
    std::vector<detail::ReplicationRun> runs;
    for (unsigned i = 0; i < side_by_side; ++i)
      runs.push_back([&model](const Config& config, const auto&) { return some_report(model, config); });
    detail::ReplicationPlan plan{side_by_side, {}, Precision{0.05, "stay"}};
    const Replications found = detail::run_replications(1000, plan, std::move(runs), {}, {});
    EXPECT_EQ(found.wanted, expected);
    ASSERT_EQ(found.reports.size(), expected);
    for (unsigned k = 0; k < expected; ++k) EXPECT_EQ(found.reports[k].digest, 1 + k);
    EXPECT_FALSE(found.is_interrupted());
    EXPECT_TRUE(found.imprecise.empty());
  }
}

TEST(PrecisionOption, IsToldInTheReport) {
  CopiedModel model = noisy();
  const TemporaryFolder folder;
  const unsigned expected = needed(0.05, 1000);
  const Outcome done = run_fake(model, {"--replications", "1000", "--precision", "0.05", "--precision-of",
                                        "stay", "--report", folder.file("r.json")});
  ASSERT_EQ(done.status, 0) << done.err;
  EXPECT_EQ(done.err, "");
  EXPECT_NE(done.out.find(fmt::format("{0} replications, seeds 1 to {0}\n", expected)), std::string::npos)
      << done.out;
  EXPECT_NE(done.out.find("\nprecision       5.0% of the mean of stay; reached\n"), std::string::npos)
      << done.out;
  const auto json = nlohmann::json::parse(read_all(folder.file("r.json")));
  EXPECT_EQ(json.at("replications"), expected);
  EXPECT_EQ(json.at("ended"), expected);
  EXPECT_EQ(json.at("precision").at("of"), "stay");
  EXPECT_TRUE(json.at("precision").at("missed").empty());
  EXPECT_TRUE(json.at("notes").empty());
}

TEST(PrecisionOption, SaysWhatMissedIt) {
  CopiedModel model = noisy();
  const TemporaryFolder folder;
  const Outcome done =
      run_fake(model, {"--replications", "12", "--precision", "0.001", "--report", folder.file("r.json")});
  EXPECT_EQ(done.status, 0);
  EXPECT_TRUE(done.err.starts_with("prog: --precision 0.001 was missed with 12 replications: stay.mean has "))
      << done.err;
  EXPECT_NE(done.out.find("0.1% of every mean; MISSED\n"), std::string::npos) << done.out;
  const auto json = nlohmann::json::parse(read_all(folder.file("r.json")));
  EXPECT_GT(json.at("precision").at("missed").at("stay.mean"), 0.001);
  EXPECT_EQ(json.at("notes").size(), 1u);
}

TEST(PrecisionOption, NeedsNoNumberOfReplications) {
  CopiedModel model = noisy();
  const Outcome done = run_fake(model, {"--precision", "0.05", "--precision-of", "stay"});
  EXPECT_EQ(done.status, 0);
  EXPECT_EQ(done.err, "");
  const std::string ended = fmt::format("{0} replications, seeds 1 to {0}\n", needed(0.05, Precision::kMost));
  EXPECT_NE(done.out.find(ended), std::string::npos) << done.out;

  const Outcome missed = run_fake(model, {"--precision", "0.0001"});
  EXPECT_EQ(missed.status, 0);
  EXPECT_TRUE(
      missed.err.starts_with("prog: --precision 1e-04 was missed with 1000 replications: stay.mean has "))
      << missed.err;
  EXPECT_TRUE(missed.err.ends_with("; --replications allows more\n")) << missed.err;
}

TEST(PrecisionOption, RefusesWhatIsNotValid) {
  FakeModel model;
  const auto refused = [&](const std::vector<std::string>& words) {
    const Outcome done = run_fake(model, words);
    EXPECT_EQ(done.status, 2);
    return done.err;
  };
  EXPECT_EQ(refused({"--replications", "20", "--precision", "1"}),
            "prog: --precision: '1' is not valid: expected a number above 0 and below 1, such as 0.01 for "
            "1%\n");
  EXPECT_EQ(refused({"--replications", "20", "--precision", "0"}).substr(0, 24), "prog: --precision: '0' i");
  EXPECT_EQ(refused({"--replications", "1", "--precision", "0.1"}),
            "prog: --replications: '1' is not valid: expected at least 10 with --precision, the most that "
            "there may be\n");
  EXPECT_EQ(refused({"--precision-of", "stay"}),
            "prog: --precision-of: 'stay' is not valid: expected a figure with --precision only\n");
  EXPECT_FALSE(model.seen);
}

TEST(PrecisionOption, RefusesAFigureThatThereIsNot) {
  CopiedModel model = noisy();
  const TemporaryFolder folder;
  const Outcome done = run_fake(model, {"--replications", "50", "--precision", "0.1", "--precision-of",
                                        "stya", "--report", folder.file("r.json")});
  EXPECT_EQ(done.status, 2);
  EXPECT_TRUE(done.err.starts_with("prog: --precision-of: 'stya' is not valid: expected one of arrived,"))
      << done.err;
  EXPECT_TRUE(folder.names().empty());
}

TEST(PrecisionOption, AFailureBehindTheLastThatCountsIsNone) {
  const unsigned expected = needed(0.05, 1000);
  CopiedModel model = noisy();
  for (const bool counts : {false, true}) {
    model.action = [=](const Config& config, const auto&, const auto&) -> Report {
      if (config.seed == expected + (counts ? 0 : 1))
        throw SimulationError("Hub 3", "Ball", 1.5, "threw: no");
      return some_report(FakeModel(), config);
    };
    const Outcome done =
        run_fake(model, {"--replications", "1000", "--precision", "0.05", "--precision-of", "stay"});
    EXPECT_EQ(done.status, counts ? 1 : 0) << done.err;
  }
}

struct Ball {};
struct Juggler {
  Tally delays;
  void start(Context<Juggler>& cx) { throw_ball(cx); }
  void on(Context<Juggler>& cx, const Ball&) { throw_ball(cx); }
  void finish(Results& results) const { results.add("delay", delays); }

 private:
  void throw_ball(Context<Juggler>& cx) {
    const double delay = cx.rng().exponential(1);
    delays.add(cx, delay);
    cx.send(cx.self(), delay, Ball{});
  }
};

TEST(ReplicateUntil, IsTheBeginningOfReplicate) {
  Simulation<Juggler> simulation;
  simulation.lps<Juggler>(4);
  simulation.config.until = 20;
  const Replications found = simulation.replicate_until({0.03, "delay"}, 500);
  const auto n = static_cast<unsigned>(found.reports.size());
  ASSERT_GT(n, Precision::kFirst);
  ASSERT_LT(n, 500u);
  const Replications all = simulation.replicate(n);
  for (unsigned k = 0; k < n; ++k) EXPECT_EQ(found.reports[k].digest, all.reports[k].digest);
  const Estimate delay = found.estimates()[1];
  EXPECT_EQ(delay.name, "delay.mean");
  EXPECT_LE(*delay.half_width, 0.03 * delay.values.mean());
  const auto before = simulation.replicate(n - 1).estimates()[1];
  EXPECT_GT(*before.half_width, 0.03 * before.values.mean());
  EXPECT_THROW(simulation.replicate_until({0.03, {}}, 9), InputError);
  EXPECT_THROW(simulation.replicate_until({0, {}}, 90), InputError);
}

}  // namespace
}  // namespace anachron::test
