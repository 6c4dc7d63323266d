// What is around the lines and colours of a plot: title, axes with ticks and labels, legend, colour bar.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <anachron/model/plots.hpp>

#include "run/plot/formats/png.hpp"
#include "run/plot/formats/svg.hpp"
#include "run/plot/scale.hpp"

namespace anachron::plot {

/// A scale of colours beside the plot.
struct ColourBar {
  PlotAxis value{};
  Range range{};
  std::function<Pixel(double share)> colour{};
  bool is_cut_low = false, is_cut_high = false;  ///< there are values beyond its ends
};

struct LegendLine {
  std::string label;
  std::string colour;
};

struct FrameOptions {
  std::string title{};
  std::string note{};  ///< a smaller line below the title
  PlotAxis x{}, y{};
  Range x_range{}, y_range{};
  bool same_scale = false;  ///< a unit of x is as long as one of y
  bool grid = true;
  std::string_view background = "#ffffff";
  std::optional<ColourBar> bar{};
  std::vector<LegendLine> legend{};
};

/// The frame of a plot, and where its numbers lie.
class Frame {
 public:
  explicit Frame(FrameOptions options);

  Svg& svg() { return svg_; }
  const Box& area() const { return area_; }
  Point at(double x, double y) const {
    return {area_.x + options_.x_range.share(x) * area_.width,
            area_.bottom() - options_.y_range.share(y) * area_.height};
  }
  /// Axes and labels come above what was drawn.
  std::string finish() &&;

 private:
  struct Layout {
    Box area;
    double width = 0, height = 0;  // of the picture
    Box bar;
  };
  static Layout lay_out(const FrameOptions& options);
  Frame(FrameOptions options, const Layout& layout);
  void draw_axes();
  void draw_bar();
  void draw_legend();

  FrameOptions options_;
  Box area_, bar_;
  Svg svg_;
};

}  // namespace anachron::plot
