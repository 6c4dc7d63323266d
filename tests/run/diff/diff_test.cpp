// `anachron diff`: what it says of reports and traces.
#include "run/diff/diff.hpp"

#include <gtest/gtest.h>

#include <string>

#include <anachron/base/error.hpp>
#include <anachron/run/report_json.hpp>

namespace anachron {
namespace {

json::Json report(std::uint64_t seed, std::uint64_t digest, double wait) {
  Report report;
  report.model = "shop";
  report.config.seed = seed;
  report.digest = digest;
  report.committed = 100;
  report.results.add("wait", wait);
  report.results.row("shops", {"shop", "wait"}, {std::int64_t{1}, wait});
  return json::Json::parse(report_json(report, {}));
}

TEST(ReportDiff, EqualReportsHaveNoDifferences) {
  const Differences found = diff_reports(report(1, 5, 2), report(1, 5, 2));
  EXPECT_TRUE(found.are_same);
  EXPECT_EQ(found.text,
            "The digests are equal: the same events were committed.\nNo figure and no table differs.\n");
}

TEST(ReportDiff, NamesOptionsFiguresAndTables) {
  const Differences found = diff_reports(report(1, 5, 2), report(7, 6, 2.5));
  EXPECT_FALSE(found.are_same);
  EXPECT_EQ(
      found.text,
      "Not the same was asked for:\n  --seed 1 and 7\n"
      "The digests differ: 0000000000000005 and 0000000000000006; 100 and 100 (+0%) events.\n"
      "Results that differ:\n  wait: 2 and 2.50000 (+25%)\n  table shops: 1 of 1 rows, the first is row 1\n");
}

TEST(ReportDiff, EqualDigestsWithOtherResultsAreSaidToBeOdd) {
  const Differences found = diff_reports(report(1, 5, 2), report(1, 5, 3));
  EXPECT_FALSE(found.are_same);
  EXPECT_NE(found.text.find("depends on more than their events"), std::string::npos);
}

const std::string kHead = "time,lp_type,lp,event,sender_type,sender,payload\n";

TEST(TraceDiff, EqualTraces) {
  const std::string text = kHead + "1,Shop,0,Visit,Shop,1,{}\n";
  EXPECT_TRUE(diff_traces(text, text).are_same);
}

TEST(TraceDiff, NamesTheFirstEventInTimeAndTheLps) {
  const std::string a =
      kHead + "1,Shop,0,Visit,Shop,1,{}\n2,Shop,3,Visit,Shop,0,{}\n3,Shop,0,Leave,Shop,0,{}\n";
  const std::string b = kHead + "1,Shop,0,Visit,Shop,1,{}\n3,Shop,0,Leave,Shop,0,\"{\"\"x\"\"}\"\n";
  const Differences found = diff_traces(a, b);
  EXPECT_FALSE(found.are_same);
  EXPECT_EQ(
      found.text,
      "The first difference is at time 2, at Shop 3:\n  a has Visit,Shop,0,{} at 2\n  b has no more event\n\n"
      "2 of 2 LPs differ, first at:\n  2  Shop 3\n  3  Shop 0\n");
}

TEST(TraceDiff, RefusesWhatIsNoTrace) {
  EXPECT_THROW(diff_traces("x\n", kHead), InputError);
  EXPECT_THROW(diff_traces(kHead, kHead + "soon,Shop,0,Visit,Shop,1,{}\n"), InputError);
}

TEST(Diff, NeedsTwoFilesOfAKind) {
  const std::vector<std::string> one{"a.json"}, mixed{"a.json", "b.csv"},
      none{"/no/such.json", "/no/such.json"};
  EXPECT_THROW(diff(one), InputError);
  EXPECT_THROW(diff(mixed), InputError);
  EXPECT_THROW(diff(none), InputError);
}

}  // namespace
}  // namespace anachron
