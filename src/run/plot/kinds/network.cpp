#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "run/plot/colours.hpp"
#include "run/plot/columns.hpp"
#include "run/plot/frame.hpp"
#include "run/plot/kinds/draw.hpp"

namespace anachron::plot {

namespace {

constexpr std::size_t kLevels = 48;  // of colour and width: one path each keeps the file small
constexpr double kThinnest = 0.7, kWidest = 3.6;

double width_of(double share) { return kThinnest + (kWidest - kThinnest) * std::clamp(share, 0.0, 1.0); }

/// A line a little to the right of the straight way, so that the way back is beside it.
void append_link(std::string& path, Point from, Point to, double aside) {
  const double dx = to.x - from.x, dy = to.y - from.y, length = std::hypot(dx, dy);
  if (!(length > 0)) return;
  const double right_x = -dy / length * aside, right_y = dx / length * aside;  // pixels: y goes down
  move_to(path, {from.x + right_x, from.y + right_y});
  line_to(path, {to.x + right_x, to.y + right_y});
}

}  // namespace

std::string draw(const NetworkPlot& plot, const Results& results) {
  const Columns columns(results, plot.table);
  const std::vector<double> x = columns.numbers(plot.x.column), y = columns.numbers(plot.y.column),
                            to_x = columns.numbers(plot.to_x), to_y = columns.numbers(plot.to_y),
                            values = columns.numbers(plot.value.column);
  Range across, up;
  for (const auto* const places : {&x, &to_x})
    for (const double place : *places)
      if (!std::isnan(place)) across.add(place);
  for (const auto* const places : {&y, &to_y})
    for (const double place : *places)
      if (!std::isnan(place)) up.add(place);
  if (across.is_empty() || up.is_empty()) throw Undrawable("there is no number to draw");
  const Range all = range_of(values);
  Range range = covered_range(values, plot.covered).from_zero();
  if (!(range.high > range.low)) range = range.padded(0);

  FrameOptions options{.title = title_of(plot),
                       .x = plot.x,
                       .y = plot.y,
                       .x_range = across.wider(0.03),
                       .y_range = up.wider(0.03),
                       .same_scale = true,
                       .grid = false,
                       .background = "#f4f4f4"};
  options.bar = ColourBar{.value = plot.value,
                          .range = range,
                          .colour = sequential,
                          .is_cut_low = all.low<range.low, .is_cut_high = all.high> range.high};
  Frame frame(std::move(options));
  std::string unknown;
  std::array<std::string, kLevels> paths;
  for (std::size_t row = 0; row < values.size(); ++row) {
    if (std::isnan(x[row]) || std::isnan(y[row]) || std::isnan(to_x[row]) || std::isnan(to_y[row])) continue;
    const Point from = frame.at(x[row], y[row]), to = frame.at(to_x[row], to_y[row]);
    if (std::isnan(values[row])) {
      append_link(unknown, from, to, 0);
      continue;
    }
    const double share = std::clamp(range.share(values[row]), 0.0, 1.0);
    const auto level = std::min(static_cast<std::size_t>(share * kLevels), kLevels - 1);
    append_link(paths[level], from, to, 0.55 * width_of(share));
  }
  frame.svg().path(unknown, "#c8c8c8", 0.6);
  for (std::size_t level = 0; level < kLevels; ++level) {  // what matters most is on top
    const double share = (static_cast<double>(level) + 0.5) / kLevels;
    frame.svg().path(paths[level], hex(sequential(share)), width_of(share));
  }
  return std::move(frame).finish();
}

}  // namespace anachron::plot
