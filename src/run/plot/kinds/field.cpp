#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "run/plot/colours.hpp"
#include "run/plot/columns.hpp"
#include "run/plot/frame.hpp"
#include "run/plot/kinds/draw.hpp"

namespace anachron::plot {

namespace {

/// Places at equal distances on an axis.
class Raster {
 public:
  explicit Raster(const std::vector<double>& places) : range_(range_of(places)) {
    if (range_.is_empty()) throw Undrawable("there is no number to draw");
    std::vector<double> sorted;
    std::copy_if(places.begin(), places.end(), std::back_inserter(sorted),
                 [](double place) { return !std::isnan(place); });
    std::sort(sorted.begin(), sorted.end());
    const double length = range_.high - range_.low;
    for (std::size_t i = 1; i < sorted.size(); ++i)
      if (const double step = sorted[i] - sorted[i - 1]; step > 1e-9 * length)
        step_ = step_ == 0 ? step : std::min(step_, step);
    if (step_ > 0) count_ = std::floor(length / step_ + 0.5) + 1;
  }

  double count() const { return count_; }
  /// Half a step beyond the first and the last place.
  Range range(double step) const {
    const Range range{range_.low - step / 2, range_.high + step / 2};
    return range.high > range.low ? range : range.wider(0);  // numbers so large that a step is nothing
  }
  double step() const { return step_; }  ///< 0: there is a single place
  std::size_t index(double place) const {
    return step_ > 0 ? static_cast<std::size_t>(std::lround((place - range_.low) / step_)) : 0;
  }

 private:
  Range range_;
  double step_ = 0, count_ = 1;
};

}  // namespace

std::string draw(const FieldPlot& plot, const Results& results) {
  const Columns columns(results, plot.table);
  const std::vector<double> xs = columns.numbers(plot.x.column), ys = columns.numbers(plot.y.column),
                            values = columns.numbers(plot.value.column);
  const Raster across(xs), up(ys);
  constexpr double kMost = 1e7;  // pixels
  if (across.count() * up.count() > kMost)
    throw Undrawable(
        fmt::format("a grid of {:.0f} x {:.0f} places is too large", across.count(), up.count()));
  const bool diverges = plot.colours == FieldPlot::Colours::diverging;
  const Range all = range_of(values);
  Range range = covered_range(values, plot.covered);
  if (diverges) {
    const double most = std::max(std::abs(range.low), std::abs(range.high));
    range = {-most, most};
  } else {
    range = range.from_zero();
  }
  if (!(range.high > range.low)) range = range.padded(0);

  const auto width = static_cast<std::uint32_t>(across.count()),
             height = static_cast<std::uint32_t>(up.count());
  std::vector<Pixel> pixels(std::size_t{width} * height);
  for (std::size_t row = 0; row < values.size(); ++row) {
    if (std::isnan(xs[row]) || std::isnan(ys[row]) || std::isnan(values[row])) continue;
    const double share = range.share(values[row]);
    pixels[(height - 1 - up.index(ys[row])) * width + across.index(xs[row])] =
        diverges ? diverging(share) : sequential(share);
  }

  const bool same_scale = plot.x.unit == plot.y.unit;
  double x_step = across.step(), y_step = up.step();
  if (x_step == 0) x_step = same_scale && y_step > 0 ? y_step : 1;
  if (y_step == 0) y_step = same_scale ? x_step : 1;
  FrameOptions options{.title = title_of(plot),
                       .x = plot.x,
                       .y = plot.y,
                       .x_range = across.range(x_step),
                       .y_range = up.range(y_step),
                       .same_scale = same_scale,
                       .grid = false,
                       .background = "#b9b3a8"};
  options.bar = ColourBar{.value = plot.value,
                          .range = range,
                          .colour = diverges ? diverging : sequential,
                          .is_cut_low = all.low<range.low, .is_cut_high = all.high> range.high};
  Frame frame(std::move(options));
  frame.svg().image(frame.area(), png(width, height, pixels));
  return std::move(frame).finish();
}

}  // namespace anachron::plot
