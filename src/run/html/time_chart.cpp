#include "run/html/time_chart.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "run/report/format.hpp"

namespace anachron::html {

namespace {

constexpr std::size_t kMostRows = 400;  // of a chart
constexpr std::size_t kMostPes = 64;

struct Part {
  std::string_view name, colour;
  double TimeSplit::* seconds;
};
constexpr std::array kParts{Part{"execution", "#2a78b0", &TimeSplit::execution_s},
                            Part{"routing", "#59a14f", &TimeSplit::routing_s},
                            Part{"rollback", "#d1495b", &TimeSplit::rollback_s},
                            Part{"GVT rounds", "#edae49", &TimeSplit::rounds_s},
                            Part{"commit", "#8d6a9f", &TimeSplit::commit_s},
                            Part{"waiting", "#9aa5ad", &TimeSplit::idle_s}};

LinePlot line(std::string name, std::string title, std::string unit, std::vector<PlotAxis> lines) {
  LinePlot plot{.name = std::move(name),
                .title = std::move(title),
                .table = "rounds",
                .x = {.column = "wall", .label = "wall time", .unit = "s"},
                .y = lines.front()};
  plot.y.unit = std::move(unit);
  plot.more.assign(lines.begin() + 1, lines.end());
  return plot;
}

std::string legend() {
  std::string out = "<ul class=\"legend\">\n";
  for (const Part& part : kParts)
    out += fmt::format("<li><i style=\"background:{}\"></i>{}</li>\n", part.colour, part.name);
  return out + "</ul>\n";
}

std::string row_of(std::size_t pe, const PeReport& figures) {
  const double all = figures.spent.sum();
  std::string bar, cells;
  for (const Part& part : kParts) {
    const double share = all > 0 ? figures.spent.*part.seconds / all : 0;
    bar += fmt::format("<span style=\"width:{:.2f}%;background:{}\"></span>", 100 * share, part.colour);
    cells += fmt::format("<td>{}</td>", percent(share));
  }
  return fmt::format(
      "<tr><th scope=\"row\">PE {}</th><td class=\"bar\" aria-hidden=\"true\"><div "
      "class=\"bar\">{}</div></td>{}</tr>\n",
      pe, bar, cells);
}

}  // namespace

Pictures charts_over_time(const Report& report) {
  if (report.rounds.size() < 2) return {};
  Report charts;
  const std::size_t step = (report.rounds.size() + kMostRows - 1) / kMostRows;
  const RoundSample* before = nullptr;
  for (std::size_t i = 0; i < report.rounds.size(); i += step) {
    const RoundSample& round = report.rounds[i];
    const double seconds = before ? round.wall_s - before->wall_s : round.wall_s;
    const double committed = double(round.committed) - (before ? double(before->committed) : 0);
    charts.results.row("rounds", {"wall", "gvt", "horizon", "rate", "efficiency", "workers", "memory"},
                       {round.wall_s, round.gvt, round.horizon, seconds > 0 ? committed / seconds / 1e6 : 0.0,
                        round.executed ? 100 * double(round.committed) / double(round.executed) : 100.0,
                        static_cast<std::int64_t>(round.active_workers), double(round.memory) / (1 << 20)});
    before = &round;
  }
  charts.plots = {
      line("time", "Simulated time: committed up to GVT, executed up to the horizon", "",
           {{.column = "gvt", .label = "GVT"}, {.column = "horizon", .label = "horizon"}}),
      line("rate", "Speed", "M events/s", {{.column = "rate", .label = "committed events"}}),
      line("efficiency", "Efficiency so far", "%", {{.column = "efficiency", .label = "efficiency"}}),
      line("workers", "Active workers", "", {{.column = "workers", .label = "workers"}}),
      line("memory", "Memory of events, LPs and histories", "MiB",
           {{.column = "memory", .label = "memory"}})};
  return draw_pictures(charts);
}

std::string time_by_pe(const Report& report) {
  if (report.pes.empty() || report.spent.sum() <= 0) return {};
  std::string out = legend() + "<div class=\"scroll\">\n<table class=\"wide\">\n<tr><td></td><td></td>";
  for (const Part& part : kParts) out += fmt::format("<th scope=\"col\">{}</th>", part.name);
  out += "</tr>\n";
  for (std::size_t pe = 0; pe < std::min(report.pes.size(), kMostPes); ++pe)
    out += row_of(pe, report.pes[pe]);
  out += "</table>\n</div>\n";
  if (report.pes.size() > kMostPes)
    out += fmt::format("<p>The JSON report has the other {} PEs.</p>\n", report.pes.size() - kMostPes);
  return out;
}

}  // namespace anachron::html
