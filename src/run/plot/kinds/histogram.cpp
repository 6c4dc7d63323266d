#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "run/plot/colours.hpp"
#include "run/plot/columns.hpp"
#include "run/plot/frame.hpp"
#include "run/plot/kinds/draw.hpp"

namespace anachron::plot {

namespace {

/// Values between `low` and `high`, as many as `count`.
struct Piece {
  double low, high, count;
};

struct Values {
  std::vector<Piece> pieces;
  double count = 0, least = 0, greatest = 0;
  double most_of_all = 0;  ///< 999 of 1000 are not above it
};

Values values_of(const Distribution& distribution) {
  const Tally& tally = distribution.tally();
  if (tally.count() == 0) throw Undrawable("nothing was observed");
  Values values{
      {}, static_cast<double>(tally.count()), tally.min(), tally.max(), distribution.quantile(0.999)};
  const auto& bins = distribution.bins();
  const auto lower_end = [&](std::int32_t bin) {
    const double end =
        std::bit_cast<double>(static_cast<std::uint64_t>(bin) << (52 - distribution.precision()));
    return std::clamp(end, values.least, values.greatest);
  };
  if (bins.below > 0)
    values.pieces.push_back(
        {values.least, lower_end(std::max(bins.lowest(), 0)), static_cast<double>(bins.below)});
  for (std::int32_t bin = std::max(bins.lowest(), 0); bin <= bins.highest; ++bin)
    if (const std::uint64_t count = bins.counts[bins.at(bin)])
      values.pieces.push_back({lower_end(bin), lower_end(bin + 1), static_cast<double>(count)});
  return values;
}

Values values_of(const std::vector<double>& numbers) {
  const Range range = range_of(numbers);
  if (range.is_empty()) throw Undrawable("there is no number to draw");
  Values values{{}, 0, range.low, range.high, covered_range(numbers, 0.998).high};
  for (const double number : numbers) {
    if (std::isnan(number)) continue;
    values.pieces.push_back({number, number, 1});
    ++values.count;
  }
  return values;
}

Values values_of(const HistogramPlot& plot, const Results& results) {
  if (!plot.table.empty()) return values_of(Columns(results, plot.table).numbers(plot.value.column));
  for (const auto& [name, figure] : results.figures())
    if (name == plot.value.column)
      if (const auto* const distribution = std::get_if<Distribution>(&figure))
        return values_of(*distribution);
  throw Undrawable(fmt::format("the results have no histogram '{}'", plot.value.column));
}

/// Bars of the same width, whose ends are round numbers.
struct Bars {
  double from = 0, width = 1;
  std::vector<double> counts;

  Bars(const Values& values, double to) {
    constexpr int kBars = 40;
    const Range range = Range{values.least, to}.from_zero();
    if (!(range.high > range.low)) {  // all values are the same
      width = range.low != 0 ? std::abs(range.low) / 10 : 1;
      from = range.low - width / 2;
      counts.assign(1, 0);
    } else {
      const Ticks ends(range, kBars);
      width = ends.at().size() > 1 ? ends.at()[1] - ends.at()[0] : range.high - range.low;
      const double first = std::floor(range.low / width + 1e-9);
      from = first * width;
      counts.assign(static_cast<std::size_t>(std::floor(range.high / width + 1e-9) - first) + 1, 0);
    }
    for (const Piece& piece : values.pieces) add(piece);
  }

  double end(std::size_t k) const { return from + static_cast<double>(k) * width; }

 private:
  /// Spread evenly over its length; what is beyond the last bar is left out.
  void add(const Piece& piece) {
    const auto place = [this](double x) { return (x - from) / width; };
    const double low = place(piece.low), high = place(piece.high);
    if (!(high > low)) {
      if (low >= 0 && low < static_cast<double>(counts.size()))
        counts[static_cast<std::size_t>(low)] += piece.count;
      return;
    }
    const auto last = std::min(static_cast<std::size_t>(high), counts.size() - 1);
    for (auto k = static_cast<std::size_t>(std::max(low, 0.0)); k <= last; ++k) {
      const double begin = static_cast<double>(k);
      const double overlap = std::min(high, begin + 1) - std::max(low, begin);
      if (overlap > 0) counts[k] += piece.count * overlap / (high - low);
    }
  }
};

}  // namespace

std::string draw(const HistogramPlot& plot, const Results& results) {
  const Values values = values_of(plot, results);
  // A few values far from all others would leave no room for these.
  const bool is_cut = values.greatest > 2 * values.most_of_all && values.most_of_all > values.least;
  const Bars bars(values, is_cut ? values.most_of_all : values.greatest);
  Range counts{0, 0};
  for (const double count : bars.counts) counts.add(count);

  FrameOptions options{.title = title_of(plot),
                       .x = plot.value,
                       .y = {{}, "values", {}},
                       .x_range = Range{bars.end(0), bars.end(bars.counts.size())},
                       .y_range = counts.padded(0.05)};
  options.note = fmt::format("{} values", values.count);
  if (is_cut)
    options.note += fmt::format("; of 1000 one is above {} and not shown, the greatest is {}",
                                short_number(bars.end(bars.counts.size())), short_number(values.greatest));
  Frame frame(std::move(options));
  for (std::size_t k = 0; k < bars.counts.size(); ++k) {
    if (bars.counts[k] <= 0) continue;
    const Point top = frame.at(bars.end(k), bars.counts[k]), bottom = frame.at(bars.end(k + 1), 0);
    frame.svg().rect({top.x + 0.5, top.y, bottom.x - top.x - 1, bottom.y - top.y}, line_colour(0));
  }
  return std::move(frame).finish();
}

}  // namespace anachron::plot
