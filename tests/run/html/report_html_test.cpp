#include <anachron/run/report_html.hpp>

#include <cstddef>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "run/html/page.hpp"
#include "run/report/made_up_report.hpp"

namespace anachron::test {
namespace {

std::size_t count(std::string_view text, std::string_view part) {
  std::size_t n = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string_view::npos; at += part.size()) ++n;
  return n;
}
bool has(std::string_view text, std::string_view part) { return count(text, part) > 0; }

std::string page_of(const Report& report) { return report_html(report, machine(), draw_pictures(report)); }

TEST(ReportHtml, HasWhatWasFoundWhyItWasFastAndHowToRepeatIt) {
  const std::string page = page_of(optimistic());
  EXPECT_TRUE(has(page, "<h1>A run of fake</h1>")) << page;
  EXPECT_TRUE(has(page, "<tr><th scope=\"row\">arrived</th><td>12,345</td></tr>")) << page;
  EXPECT_TRUE(has(page, "<li>Nothing held the run back.</li>")) << page;
  EXPECT_TRUE(has(page, "<pre>--lps 16 --mean 1.5 --until 100.0 --seed 1 ")) << page;
  EXPECT_TRUE(has(page, "0000000000abcdef")) << page;
  EXPECT_TRUE(has(page, "aria-label=\"time\"")) << "virtual time over wall time";
}

TEST(ReportHtml, ShowsWhereEachPeSpentItsTime) {
  Report report = optimistic();
  report.pes[1].spent = report.spent = {.execution_s = 3, .idle_s = 1};
  const std::string page = page_of(report);
  EXPECT_TRUE(has(page, "<th scope=\"row\">PE 1</th>")) << page;
  EXPECT_TRUE(has(page, "<td>75.0%</td>") && has(page, "width:25.00%")) << page;
  report.pes.resize(100);
  EXPECT_TRUE(has(page_of(report), "The JSON report has the other 36 PEs."));
}

TEST(ReportHtml, NamesTheLpsThatCausedRollbacksWhereSomeStandOut) {
  Report report = optimistic();
  report.rollback_pairs = {{"Hub", 3, "Door", 4, 1}};
  EXPECT_TRUE(has(page_of(report), "No two LPs stand out")) << page_of(report);
  report.rollback_pairs.front().rollbacks = 5;
  EXPECT_TRUE(has(page_of(report), "<th scope=\"row\">Hub 3 to Door 4</th><td>5 rollbacks</td>"))
      << page_of(report);
}

TEST(ReportHtml, NeedsNothingButABrowser) {
  const std::string page = page_of(optimistic());
  EXPECT_FALSE(has(page, "<script") || has(page, "<link") || has(page, "src=\"") || has(page, "url("))
      << page;
  for (const std::string_view tag : {"table", "figure", "svg", "ul", "details", "div", "body", "html"})
    EXPECT_EQ(count(page, "<" + std::string(tag) + ">") + count(page, "<" + std::string(tag) + " "),
              count(page, "</" + std::string(tag) + ">"))
        << tag;
}

TEST(ReportHtml, LeavesOutPicturesThatAreTooLarge) {
  const Pictures pictures{.all = {{.name = "city", .svg = std::string(5 << 20, ' ')}}, .notes = {}};
  const std::string page = report_html(optimistic(), machine(), pictures);
  EXPECT_TRUE(has(page, "The picture city takes 5.00 MiB, too much for a page: --plot DIR writes it."))
      << page;
  EXPECT_LT(page.size(), std::size_t{1} << 20);
}

TEST(ReportHtml, WhatModelsAreCalledIsNoHtml) {
  Report report = optimistic();
  report.model = "<b>&\"";
  report.model_options = {{"file", "it's <here>"}};
  report.results.count("<i>", 1);
  const std::string page = page_of(report);
  EXPECT_FALSE(has(page, "<b>") || has(page, "<i>")) << page;
  EXPECT_TRUE(has(page, "A run of &lt;b&gt;&amp;&quot;")) << page;
  EXPECT_TRUE(has(page, "--file 'it'\\''s &lt;here&gt;'")) << page;
}

}  // namespace
}  // namespace anachron::test
