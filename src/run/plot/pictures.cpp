#include <anachron/run/pictures.hpp>

#include <algorithm>
#include <exception>
#include <set>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "run/plot/kinds/draw.hpp"
#include "run/report/table_csv.hpp"

namespace anachron {

namespace {

/// Statistics that a plot shows, so that they need none of their own.
bool shows(const Plot& plot, const std::string& statistic) {
  if (const auto* const lines = std::get_if<LinePlot>(&plot)) return lines->table == statistic;
  if (const auto* const histogram = std::get_if<HistogramPlot>(&plot))
    return histogram->table.empty() && histogram->value.column == statistic;
  return false;
}

bool is_series(const Results::Table& table) {
  return table.columns == std::vector<std::string>{"from", "to", "count", "sum", "mean"};
}

/// Of a series that counts events: each observation is a 1, and so is each mean.
bool only_counts(const Results::Table& series) {
  return std::all_of(series.rows.begin(), series.rows.end(), [](const auto& row) {
    const auto* const count = std::get_if<std::int64_t>(&row[2]);
    const auto* const sum = std::get_if<double>(&row[3]);
    return count && sum && static_cast<double>(*count) == *sum;
  });
}

/// Those that the model declares, then one for each other histogram and series.
std::vector<Plot> plots_of(const Report& report) {
  std::vector<Plot> plots = report.plots;
  const auto add = [&](const std::string& statistic, Plot plot) {
    if (std::none_of(report.plots.begin(), report.plots.end(),
                     [&](const Plot& declared) { return shows(declared, statistic); }))
      plots.push_back(std::move(plot));
  };
  for (const auto& [name, figure] : report.results.figures()) {
    const auto* const distribution = std::get_if<Distribution>(&figure);
    if (distribution && distribution->tally().count() > 0)
      add(name, HistogramPlot{.name = name, .value = {.column = name}});
  }
  for (const auto& [name, table] : report.results.tables())
    if (is_series(table))
      add(name, LinePlot{.name = name,
                         .table = name,
                         .x = {.column = "from", .label = "time"},
                         .y = {.column = only_counts(table) ? "count" : "mean", .label = name},
                         .until = "to"});
  return plots;
}

}  // namespace

Pictures draw_pictures(const Report& report) {
  Pictures pictures;
  std::set<std::string> taken;
  for (const Plot& plot : plots_of(report)) {
    std::string name = file_stem(name_of(plot));
    for (int n = 2; !taken.insert(name).second; ++n) name = fmt::format("{}_{}", file_stem(name_of(plot)), n);
    try {
      pictures.all.push_back(
          {name, std::visit([&](const auto& one) { return plot::draw(one, report.results); }, plot)});
    } catch (const plot::Undrawable& error) {
      pictures.notes.push_back(fmt::format("plot '{}' is not drawn: {}", name_of(plot), error.what()));
    }
  }
  return pictures;
}

}  // namespace anachron
