// Pictures of results: what is in them, what happens when there is nothing to draw, and the files.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <anachron/base/error.hpp>
#include <anachron/model/plots.hpp>
#include <anachron/run/pictures.hpp>

#include "run/fake_model.hpp"
#include "run/plot/colours.hpp"
#include "run/plot/formats/png.hpp"

namespace anachron::test {
namespace {

std::size_t count(std::string_view text, std::string_view what) {
  std::size_t n = 0;
  for (auto at = text.find(what); at != std::string_view::npos; at = text.find(what, at + 1)) ++n;
  return n;
}

/// Elements are closed and nested, attributes quoted, and no `<` or `&` stands alone.
void expect_well_formed(const std::string& svg) {
  std::vector<std::string> open;
  for (std::size_t at = 0; at < svg.size();) {
    if (svg[at] == '&') {
      const std::string entity = svg.substr(at, svg.find(';', at) + 1 - at);
      ASSERT_TRUE(entity == "&amp;" || entity == "&lt;" || entity == "&gt;" || entity == "&quot;") << entity;
    }
    if (svg[at] != '<') {
      ++at;
      continue;
    }
    const std::size_t end = svg.find('>', at);
    ASSERT_NE(end, std::string::npos);
    const std::string tag = svg.substr(at + 1, end - at - 1);
    ASSERT_EQ(count(tag, "\"") % 2, 0u) << tag;
    ASSERT_EQ(tag.find('<'), std::string::npos) << tag;
    const std::string name =
        tag.substr(tag.front() == '/', tag.find_first_of(" /", 1) - (tag.front() == '/'));
    if (tag.front() == '/') {
      ASSERT_FALSE(open.empty());
      ASSERT_EQ(open.back(), tag.substr(1));
      open.pop_back();
    } else if (tag.back() != '/') {
      open.push_back(name);
    }
    at = end + 1;
  }
  EXPECT_TRUE(open.empty());
  for (const char* bad : {"nan", "inf"}) EXPECT_EQ(svg.find(bad), std::string::npos) << bad;
}

Report with_tables() {
  Report report;
  const std::vector<std::string> places{"x", "y", "v"};
  // A corner is missing, and one has no number.
  report.results.row("field", places, {0.5, 0.5, -2.0});
  report.results.row("field", places, {1.5, 0.5, 0.0});
  report.results.row("field", places, {0.5, 1.5, 2.0});
  report.results.row("field", places, {2.5, 1.5, std::string()});
  const std::vector<std::string> links{"x", "y", "x2", "y2", "load"};
  report.results.row("links", links, {0.0, 0.0, 100.0, 0.0, 0.25});
  report.results.row("links", links, {100.0, 0.0, 0.0, 0.0, 1.0});
  report.results.row("links", links, {100.0, 0.0, 100.0, 50.0, std::string()});
  const std::vector<std::string> signal{"who", "t", "v"};
  for (const char* who : {"a<b", "c&d"})
    for (int t = 0; t < 4; ++t) {
      Results::Cell value = 1.5 * t;
      if (t == 2) value = std::string();
      report.results.row("signal", signal, {std::string(who), std::int64_t{t}, value});
    }
  return report;
}

Picture picture(const Pictures& pictures, const std::string& name) {
  const auto found = std::find_if(pictures.all.begin(), pictures.all.end(),
                                  [&](const Picture& one) { return one.name == name; });
  if (found == pictures.all.end()) throw std::runtime_error("no picture " + name);
  return *found;
}

TEST(Pictures, AFieldHasAPixelForEachPlace) {
  Report report = with_tables();
  report.plots = {FieldPlot{.name = "f",
                            .title = "The \"field\" <now>",
                            .table = "field",
                            .x = {.column = "x", .unit = "m"},
                            .y = {.column = "y", .unit = "m"},
                            .value = {.column = "v", .label = "field", .unit = "V"},
                            .colours = FieldPlot::Colours::diverging}};
  const Pictures pictures = draw_pictures(report);
  ASSERT_TRUE(pictures.notes.empty()) << pictures.notes[0];
  const std::string svg = picture(pictures, "f").svg;
  expect_well_formed(svg);
  EXPECT_NE(svg.find(">The &quot;field&quot; &lt;now&gt;<"), std::string::npos);
  EXPECT_NE(svg.find(">x [m]<"), std::string::npos);
  EXPECT_NE(svg.find(">field [V]<"), std::string::npos);
  // 3 x 2 places, the row of the greatest y first.
  std::vector<plot::Pixel> pixels(6);
  pixels[0] = plot::diverging(1);
  pixels[3] = plot::diverging(0);
  pixels[4] = plot::diverging(0.5);
  EXPECT_NE(svg.find(plot::base64(plot::png(3, 2, pixels))), std::string::npos);
}

TEST(Pictures, ALineForEachValueOfAColumn) {
  Report report = with_tables();
  report.plots = {LinePlot{
      .name = "s", .table = "signal", .x = {.column = "t", .unit = "s"}, .y = {.column = "v"}, .by = "who"}};
  const std::string svg = picture(draw_pictures(report), "s").svg;
  expect_well_formed(svg);
  EXPECT_EQ(count(svg, "<path"), 2u);
  EXPECT_EQ(count(svg, "who a&lt;b"), 1u);
  EXPECT_EQ(count(svg, "who c&amp;d"), 1u);
  const std::string path = svg.substr(svg.find("<path d=\"") + 9,
                                      svg.find('"', svg.find("<path d=\"") + 9) - svg.find("<path d=\"") - 9);
  EXPECT_EQ(count(path, "M"), 2u) << "a gap where there is no number: " << path;
  EXPECT_EQ(count(path, "L"), 1u) << path;
}

TEST(Pictures, StepsGoFromTheBeginningToTheEndOfAnInterval) {
  Report report;
  const std::vector<std::string> columns{"from", "to", "v"};
  report.results.row("t", columns, {0.0, 10.0, 1.0});
  report.results.row("t", columns, {10.0, 20.0, 3.0});
  report.results.row("t", columns, {30.0, 40.0, 2.0});
  report.plots = {
      LinePlot{.name = "s", .table = "t", .x = {.column = "from"}, .y = {.column = "v"}, .until = "to"}};
  const std::string svg = picture(draw_pictures(report), "s").svg;
  const auto begin = svg.find("<path d=\"") + 9;
  const std::string path = svg.substr(begin, svg.find('"', begin) - begin);
  EXPECT_EQ(count(path, "M"), 2u) << "nothing between 20 and 30: " << path;
  EXPECT_EQ(count(path, "L"), 4u) << path;
}

TEST(Pictures, ANetworkHasTheHighestValuesOnTop) {
  Report report = with_tables();
  report.plots = {NetworkPlot{.name = "n",
                              .table = "links",
                              .x = {.column = "x", .unit = "m"},
                              .y = {.column = "y", .unit = "m"},
                              .to_x = "x2",
                              .to_y = "y2",
                              .value = {.column = "load"}}};
  const std::string svg = picture(draw_pictures(report), "n").svg;
  expect_well_formed(svg);
  ASSERT_EQ(count(svg, "<path"), 3u);
  const auto unknown = svg.find("stroke=\"#c8c8c8\""), widest = svg.rfind("<path");
  EXPECT_LT(unknown, widest);
  EXPECT_NE(svg.find(plot::hex(plot::sequential(47.5 / 48)), widest), std::string::npos);
}

TEST(Pictures, HistogramsAndSeriesNeedNoDeclaration) {
  Report report;
  Histogram histogram;
  for (int i = 0; i < 1000; ++i) histogram.add(0.5 + i % 10);
  struct Now {
    Time at;
    Time now() const { return at; }
  };
  Series series(10);
  for (int t = 0; t < 100; ++t) series.add(Now{double(t)}, 2.0);
  report.results = Results({0, 100, 0.95});
  report.results.add("waiting time", histogram);
  report.results.add("by time", series);
  report.results.complete();
  const Pictures pictures = draw_pictures(report);
  ASSERT_TRUE(pictures.notes.empty()) << pictures.notes[0];
  ASSERT_EQ(pictures.all.size(), 2u);
  EXPECT_EQ(pictures.all[0].name, "waiting_time");
  EXPECT_EQ(pictures.all[1].name, "by_time");
  for (const Picture& one : pictures.all) expect_well_formed(one.svg);
  EXPECT_NE(pictures.all[0].svg.find(">1000 values<"), std::string::npos);

  // What counts events shows how many, not their mean, which is 1.
  Series arrivals(10);
  for (int t = 0; t < 100; ++t)
    for (int i = 0; i < (t < 50 ? 2 : 1); ++i) arrivals.add(Now{double(t)});
  Report counted;
  counted.results = Results({0, 100, 0.95});
  counted.results.add("arrivals", arrivals);
  counted.results.complete();
  EXPECT_NE(draw_pictures(counted).all.at(0).svg.find(">20<"), std::string::npos);

  // One that is declared takes the place of the one that is not.
  report.plots = {
      HistogramPlot{.name = "w", .title = "Waiting", .value = {.column = "waiting time", .unit = "min"}}};
  const Pictures declared = draw_pictures(report);
  ASSERT_EQ(declared.all.size(), 2u);
  EXPECT_EQ(declared.all[0].name, "w");
  EXPECT_NE(declared.all[0].svg.find(">waiting time [min]<"), std::string::npos);
}

// The areas of the bars are the numbers of values, also where the bins of the statistic are of other widths.
TEST(Pictures, TheBarsOfAHistogramHaveAllValues) {
  Report report;
  for (int i = 0; i < 600; ++i) report.results.row("t", {"v"}, {i % 3 * 10.0});
  report.plots = {HistogramPlot{.name = "h", .table = "t", .value = {.column = "v"}}};
  const std::string svg = picture(draw_pictures(report), "h").svg;
  expect_well_formed(svg);
  EXPECT_EQ(count(svg, plot::line_colour(0)), 3u);
}

TEST(Pictures, WhatCannotBeDrawnIsNoted) {
  Report report = with_tables();
  report.plots = {LinePlot{.name = "none", .table = "missing", .x = {.column = "t"}, .y = {.column = "v"}},
                  LinePlot{.name = "wrong", .table = "signal", .x = {.column = "t"}, .y = {.column = "w"}},
                  LinePlot{.name = "text", .table = "signal", .x = {.column = "t"}, .y = {.column = "who"}},
                  HistogramPlot{.name = "unknown", .value = {.column = "nothing"}},
                  FieldPlot{.name = "good",
                            .table = "field",
                            .x = {.column = "x"},
                            .y = {.column = "y"},
                            .value = {.column = "v"}}};
  const Pictures pictures = draw_pictures(report);
  EXPECT_EQ(pictures.notes,
            (std::vector<std::string>{
                "plot 'none' is not drawn: the results have no table 'missing'",
                "plot 'wrong' is not drawn: table 'signal' has no column 'w'; it has who, t, v",
                "plot 'text' is not drawn: there is no number to draw",
                "plot 'unknown' is not drawn: the results have no histogram 'nothing'"}));
  ASSERT_EQ(pictures.all.size(), 1u);
  EXPECT_EQ(pictures.all[0].name, "good");
}

TEST(Pictures, OddNumbersMakeNoOddPicture) {
  for (const double value : {0.0, 1e-300, 1e300, -5.0}) {
    Report report;
    report.results.row("t", {"x", "y", "v"}, {value, value, value});
    const PlotAxis x{.column = "x"}, y{.column = "y"}, v{.column = "v"};
    report.plots = {
        LinePlot{.name = "l", .table = "t", .x = x, .y = v},
        HistogramPlot{.name = "h", .table = "t", .value = v},
        FieldPlot{.name = "f", .table = "t", .x = x, .y = y, .value = v},
        NetworkPlot{.name = "n", .table = "t", .x = x, .y = y, .to_x = "x", .to_y = "y", .value = v}};
    const Pictures pictures = draw_pictures(report);
    EXPECT_TRUE(pictures.notes.empty());
    ASSERT_EQ(pictures.all.size(), 4u);
    for (const Picture& one : pictures.all) {
      SCOPED_TRACE(one.name + " of " + std::to_string(value));
      expect_well_formed(one.svg);
      EXPECT_LT(one.svg.size(), 100'000u);
    }
  }
}

TEST(Plots, HaveDifferentNames) {
  Plots plots;
  plots.add(LinePlot{.name = "a"});
  EXPECT_EQ(message_of<InputError>([&] { plots.add(FieldPlot{.name = "a"}); }), "plot 'a' is declared twice");
  EXPECT_EQ(message_of<InputError>([&] { plots.add(FieldPlot{}); }), "a plot has no name");
  // Of which files have names, too.
  Report report = with_tables();
  const PlotAxis x{.column = "x"}, y{.column = "y"}, v{.column = "v"};
  report.plots = {FieldPlot{.name = "a b", .table = "field", .x = x, .y = y, .value = v},
                  FieldPlot{.name = "a_b", .table = "field", .x = x, .y = y, .value = v}};
  const Pictures pictures = draw_pictures(report);
  EXPECT_EQ(pictures.all.at(0).name, "a_b");
  EXPECT_EQ(pictures.all.at(1).name, "a_b_2");
}

/// A program whose model declares a plot of its table.
class Drawing : public FakeModel {
 public:
  Drawing() {
    action = [this](const Config& config, const ProgressCallback&, const std::function<bool()>&) {
      Report report = this->report(config);
      report.results.row("links", {"id", "flow"}, {std::int64_t{2}, 3.5});
      report.plots = {
          LinePlot{.name = "flow", .table = "links", .x = {.column = "id"}, .y = {.column = "flow"}}};
      return report;
    };
  }
};

TEST(Program, PlotWritesPictures) {
  const TemporaryFolder folder;
  Drawing model;
  const Outcome outcome = run_fake(model, {"--quiet", "--plot", folder.file("a/b")});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.out + outcome.err, "");
  const std::string svg = read_all(folder.file("a/b/flow.svg"));
  EXPECT_TRUE(svg.starts_with("<svg ")) << svg.substr(0, 40);
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.file("a/b")), {}), 1) << "no other file";

  EXPECT_EQ(
      run_fake(model, {"--quiet", "--replications", "2", "--seed", "5", "--plot", folder.file("c")}).status,
      0);
  EXPECT_EQ(read_all(folder.file("c/seed-5/flow.svg")), svg);
  EXPECT_EQ(read_all(folder.file("c/seed-6/flow.svg")), svg);
}

TEST(Program, PlotSaysWhenThereIsNothingToDraw) {
  const TemporaryFolder folder;
  FakeModel model;
  const Outcome outcome = run_fake(model, {"--plot", folder.file("p")});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.err,
            "prog: --plot has no effect in a model that declares no plot and has no histogram or series\n");
  EXPECT_NE(outcome.out.find("--plot has no effect"), std::string::npos) << "in the report, too";
}

TEST(Program, PlotsThatCannotBeWrittenAreAnError) {
  const TemporaryFolder folder;
  folder.write("plain", "x");
  for (const std::string& path :
       {folder.file("plain"), folder.file("plain/deeper"), std::string("/proc/none")}) {
    Drawing model;
    const Outcome outcome = run_fake(model, {"--plot", path});
    EXPECT_EQ(outcome.status, 2) << path;
    EXPECT_EQ(outcome.err.rfind("prog: --plot: cannot write '" + path + "': ", 0), 0u) << outcome.err;
    EXPECT_FALSE(model.seen) << path;
  }
  // The folder goes while the model runs: no picture, but the table.
  Drawing model;
  const std::string inner = folder.file("inner");
  model.action = [&, draw = model.action](const Config& config, const ProgressCallback& progress,
                                          const std::function<bool()>& interrupted) {
    std::filesystem::remove_all(inner);
    return draw(config, progress, interrupted);
  };
  const Outcome outcome = run_fake(model, {"--plot", inner});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.out.find("digest"), std::string::npos);
  EXPECT_NE(outcome.err.find("--plot: cannot write"), std::string::npos) << outcome.err;
}

TEST(Program, AFullDiskIsToldForPlots) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
  const TemporaryFolder folder;
  std::filesystem::create_symlink("/dev/full", folder.file("flow.svg"));
  Drawing model;
  const Outcome outcome = run_fake(model, {"--plot", folder.file("")});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.err.find("No space left on device"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace anachron::test
