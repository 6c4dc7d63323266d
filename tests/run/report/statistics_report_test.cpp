// How statistics look in the report.
#include <anachron/model/results.hpp>
#include <anachron/run/report_json.hpp>
#include <anachron/run/report_text.hpp>

#include <nlohmann/json.hpp>

#include "run/fake_model.hpp"

namespace anachron::test {
namespace {

struct At {
  Time time;
  Time now() const { return time; }
  Time warm_up() const { return 0; }
};

Report report_with_statistics() {
  Report report = FakeModel().report(Config());
  report.results = Results({0, 40, 0.9});
  Histogram histogram;
  BatchMeans batches;
  for (int i = 0; i < 40; ++i) {
    histogram.add(At{0}, 1 + i % 2);
    batches.add(At{i * 1.0}, i % 2);
  }
  report.results.add("stay", histogram);
  report.results.add("level", TimeAverage(2));
  report.results.add("mean stay", batches);
  report.results.add("none", Tally());
  report.results.complete();
  return report;
}

TEST(ReportJson, HasStatisticsAsObjects) {
  const auto json = nlohmann::json::parse(report_json(report_with_statistics(), Machine()));
  const auto& model = json.at("model");
  EXPECT_EQ(model.at("stay").at("count"), 40);
  EXPECT_EQ(model.at("stay").at("mean"), 1.5);
  EXPECT_NEAR(model.at("stay").at("p99").get<double>(), 2, 0.04);
  EXPECT_EQ(model.at("level"), nlohmann::json({{"mean", 2}, {"sd", 0}, {"min", 2}, {"max", 2}}));
  EXPECT_EQ(model.at("mean stay").at("batches"), 40);
  EXPECT_LT(model.at("mean stay").at("correlation"), -0.9);
  EXPECT_TRUE(model.at("none").at("mean").is_null());
  EXPECT_EQ(json.at("tables").at("statistics").at("row_count"), 4);
  EXPECT_EQ(json.at("config").at("confidence"), 0.95);
  EXPECT_EQ(json.at("config").at("warm-up"), 0);
}

TEST(ReportText, HasALineForEachStatistic) {
  const std::string text = report_text(report_with_statistics(), Machine());
  for (const char* line :
       {"\nlevel           mean 2, sd 0, min 2, max 2\n",
        "\nnone            mean none, sd none, min none, max none (0 values)\n",
        " (90.0%, 40 batches, 40 values)\n", "\nstay            mean 1.50000, sd 0.506370, min 1, p50 "})
    EXPECT_NE(text.find(line), std::string::npos) << line << "in\n" << text;
}

TEST(ReportText, SaysWhyBatchMeansHaveNoInterval) {
  Report report = FakeModel().report(Config());
  report.results = Results({0, 40, 0.9});
  BatchMeans early;  // all in 3 of 40 batches
  for (const Time time : {0.5, 0.7, 1.5, 2.5}) early.add(At{time}, 8);
  report.results.add("mean stay", early);
  BatchMeans single;
  single.add(At{7.5}, 2.5);
  report.results.add("single stay", single);
  report.results.complete();
  const std::string text = report_text(report, Machine());
  EXPECT_NE(text.find("\nmean stay       8 (4 values); no interval, as 37 of 40 batches are empty\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("\nsingle stay     2.50000 (1 value); no interval, as "), std::string::npos) << text;
}

TEST(StatisticsOptions, AreChecked) {
  FakeModel model;
  EXPECT_EQ(run_fake(model, {"--warm-up", "-1"}).err,
            "prog: --warm-up: '-1' is not valid: expected a finite time >= 0\n");
  EXPECT_EQ(run_fake(model, {"--confidence", "95"}).err,
            "prog: --confidence: '95' is not valid: expected a number above 0 and below 1, such as 0.95\n");
  EXPECT_EQ(run_fake(model, {"--warm-up", "3", "--confidence", "0.9", "--quiet"}).status, 0);
  EXPECT_EQ(model.seen->warm_up, 3);
  EXPECT_EQ(model.seen->confidence, 0.9);
}

}  // namespace
}  // namespace anachron::test
