#include <algorithm>
#include <cmath>
#include <utility>

#include "run/plot/colours.hpp"
#include "run/plot/columns.hpp"
#include "run/plot/frame.hpp"
#include "run/plot/kinds/draw.hpp"

namespace anachron::plot {

namespace {

struct Line {
  std::string label;
  std::vector<Point> from;    // in units of the axes
  std::vector<double> until;  // where a step ends; empty: no steps
};

std::string spaced(std::string text) {
  std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}

/// The lines in the order of their first rows.
std::vector<Line> lines_of(const LinePlot& plot, const Columns& columns) {
  const std::vector<double> x = columns.numbers(plot.x.column);
  const std::vector<double> until = plot.until.empty() ? std::vector<double>() : columns.numbers(plot.until);
  const std::vector<std::string> by =
      plot.by.empty() ? std::vector<std::string>(columns.rows()) : columns.texts(plot.by);
  std::vector<const PlotAxis*> axes{&plot.y};
  for (const PlotAxis& axis : plot.more) axes.push_back(&axis);

  std::vector<Line> lines;
  for (const PlotAxis* const axis : axes) {
    const std::vector<double> y = columns.numbers(axis->column);
    const std::string label = axes.size() > 1 ? axis_title({axis->column, axis->label, {}}, 0) : "";
    std::vector<std::pair<std::string, std::size_t>> known;  // the line of each value of `by`
    for (std::size_t row = 0; row < columns.rows(); ++row) {
      auto found =
          std::find_if(known.begin(), known.end(), [&](const auto& one) { return one.first == by[row]; });
      if (found == known.end()) {
        found = known.insert(known.end(), {by[row], lines.size()});
        const std::string group = plot.by.empty() ? "" : spaced(plot.by) + " " + by[row];
        lines.push_back({label + (label.empty() || group.empty() ? "" : ", ") + group, {}, {}});
      }
      Line& line = lines[found->second];
      line.from.push_back({x[row], y[row]});
      if (!until.empty()) line.until.push_back(until[row]);
    }
  }
  return lines;
}

bool is_known(const Point& point) { return !std::isnan(point.x) && !std::isnan(point.y); }

/// With gaps where something is not known.
std::string path_of(const Line& line, const Frame& frame) {
  std::string path;
  bool goes_on = false;
  double end = 0;
  for (std::size_t i = 0; i < line.from.size(); ++i) {
    const Point& point = line.from[i];
    if (!is_known(point) || (!line.until.empty() && std::isnan(line.until[i]))) {
      goes_on = false;
      continue;
    }
    if (!line.until.empty() && goes_on && point.x != end) goes_on = false;
    (goes_on ? line_to : move_to)(path, frame.at(point.x, point.y));
    goes_on = true;
    if (!line.until.empty()) {
      end = line.until[i];
      line_to(path, frame.at(end, point.y));
    }
  }
  return path;
}

}  // namespace

std::string draw(const LinePlot& plot, const Results& results) {
  const Columns columns(results, plot.table);
  const std::vector<Line> lines = lines_of(plot, columns);
  Range x, y;
  for (const Line& line : lines)
    for (std::size_t i = 0; i < line.from.size(); ++i) {
      if (!is_known(line.from[i])) continue;
      x.add(line.from[i].x);
      y.add(line.from[i].y);
      if (!line.until.empty() && !std::isnan(line.until[i])) x.add(line.until[i]);
    }
  if (y.is_empty()) throw Undrawable("there is no number to draw");

  FrameOptions options{.title = title_of(plot),
                       .x = plot.x,
                       .y = plot.y,
                       .x_range = x.padded(0),
                       .y_range = y.from_zero().padded(0.05)};
  for (std::size_t k = 0; k < lines.size(); ++k)
    options.legend.push_back({lines[k].label, std::string(line_colour(k))});
  Frame frame(std::move(options));
  for (std::size_t k = 0; k < lines.size(); ++k)
    frame.svg().path(path_of(lines[k], frame), line_colour(k), 1.8);
  return std::move(frame).finish();
}

}  // namespace anachron::plot
