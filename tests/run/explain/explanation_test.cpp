#include "run/explain/explanation.hpp"

#include <functional>
#include <string>

#include <gtest/gtest.h>

#include <anachron/run/report_json.hpp>

#include "run/report/made_up_report.hpp"

namespace anachron::test {
namespace {

std::string explained(const std::function<void(Report&)>& change = [](Report&) {}) {
  Report report = optimistic();
  report.workers.resize(2);
  change(report);
  return explanation(json::Json::parse(report_json(report, machine())));
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Explanation, SaysWhatRanAndHowFast) {
  const std::string text = explained();
  EXPECT_EQ(
      text.rfind("16 LPs of the model fake were simulated to time 100, which took 9,000,000 events.\n", 0),
      0u)
      << text;
  EXPECT_TRUE(has(text, "4.50 M events per second.")) << text;
  EXPECT_TRUE(has(text, "2 workers executed events side by side, and took back what turned out"));
  EXPECT_TRUE(has(text, "Of 9.50 M events executed, 500 k were taken back and executed again (5.3%)."));
  EXPECT_TRUE(has(text, "Events of other workers' parts caused 75.0% of that.")) << text;
  EXPECT_TRUE(has(text, "\nNothing held the run back.\n")) << text;
}

TEST(Explanation, SaysWhatNoNumberOfCoresCanChange) {
  EXPECT_TRUE(has(explained(),
                  "The longest chain of causes has 90,000 events: if each takes the same time, no "
                  "number of cores makes the run more than 100.0 times as fast as one.\n"))
      << explained();
  EXPECT_FALSE(has(explained([](Report& report) { report.critical_path.reset(); }), "longest chain"));
  const std::string timed = explained([](Report& report) {
    report.critical_path.reset();
    report.event_times = {.critical_path_s = 0.018, .handlers_s = 1.9};
  });
  EXPECT_TRUE(has(timed,
                  "The longest chain of causes takes 18.0 ms in handlers: no number of cores makes the run "
                  "more than 100.0 times as fast as one.\n"))
      << timed;
}

TEST(Explanation, HasWhatTheHintSays) {
  const std::string text = explained([](Report& report) { report.executed = 20'000'000; });
  EXPECT_TRUE(has(text, "What held it back: 55.0% of the executed events were rolled back")) << text;
}

TEST(Explanation, SaysWhereTheTimeWent) {
  const std::string text = explained([](Report& report) {
    report.spent.execution_s = 3;
    report.spent.idle_s = 1;
  });
  EXPECT_TRUE(has(text, "The workers spent their time so: 75.0% executing events, 25.0% waiting.\n")) << text;
}

TEST(Explanation, OfASequentialRunHasNothingOfWorkers) {
  const std::string text = explained([](Report& report) {
    report.config.sync = Sync::sequential;
    report.workers.resize(1);
  });
  EXPECT_TRUE(has(text, "One worker executed the events one after the other")) << text;
  EXPECT_FALSE(has(text, "taken back")) << text;
  EXPECT_TRUE(has(text, "This machine has 4 cores: --workers 4 may be faster.")) << text;
}

TEST(Explanation, TellsOfTheNumbersOfWorkersThatWereTried) {
  const std::string text = explained([](Report& report) {
    report.workers_tried = {{.workers = 2, .rate = 3e6, .wall_s = 1},
                            {.workers = 1, .rate = 2e6, .wall_s = 1}};
  });
  EXPECT_TRUE(has(text,
                  "The engine measured 3.00 M events per second with 2 workers, 2.00 M events per "
                  "second with 1 worker, and went on"))
      << text;
}

TEST(Explanation, OfWhatIsNoReportThrows) {
  EXPECT_THROW(explanation(json::Json{{"schema", "anachron-report/3"}}), json::Json::exception);
}

}  // namespace
}  // namespace anachron::test
