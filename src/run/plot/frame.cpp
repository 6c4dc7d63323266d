#include "run/plot/frame.hpp"

#include <algorithm>
#include <utility>

#include "run/plot/colours.hpp"

namespace anachron::plot {

namespace {

constexpr double kText = 13, kTitle = 16, kNote = 11.5;
constexpr std::string_view kInk = "#222222", kGrid = "#e4e4e4", kAxis = "#555555";
constexpr int kTicks = 6;

double widest_label(const Ticks& ticks) {
  double widest = 0;
  for (const double tick : ticks.at()) widest = std::max(widest, text_width(ticks.label(tick), kText));
  return widest;
}

/// So many ticks that their labels have room.
Ticks ticks_along(const Range& range, double pixels, double per_tick, const Range& numbers) {
  return Ticks(range, std::clamp(static_cast<int>(pixels / per_tick), 1, kTicks), numbers);
}

constexpr double kPerTickX = 75, kPerTickY = 40;

/// Where both axes have the same scale their numbers have the same exponent.
Range numbers_of(const FrameOptions& options, Range range) {
  if (options.same_scale)
    for (const Range& one : {options.x_range, options.y_range}) {
      range.add(one.low);
      range.add(one.high);
    }
  return range;
}
Ticks x_ticks(const FrameOptions& options, double pixels) {
  return ticks_along(options.x_range, pixels, kPerTickX, numbers_of(options, options.x_range));
}
Ticks y_ticks(const FrameOptions& options, double pixels) {
  return ticks_along(options.y_range, pixels, kPerTickY, numbers_of(options, options.y_range));
}
Ticks bar_ticks(const ColourBar& bar, double pixels) {
  return ticks_along(bar.range, pixels, kPerTickY, bar.range);
}

std::string bar_title(const ColourBar& bar, const Ticks& ticks) {
  const std::string title = axis_title(bar.value, ticks.exponent());
  if (!bar.is_cut_low && !bar.is_cut_high) return title;
  return title + (bar.is_cut_low && bar.is_cut_high ? ", and beyond"
                  : bar.is_cut_high                 ? ", and above"
                                                    : ", and below");
}

}  // namespace

Frame::Layout Frame::lay_out(const FrameOptions& options) {
  Layout layout;
  double width = 640, height = 400;
  if (options.same_scale) {
    height = 560;
    const double across = options.x_range.high - options.x_range.low;
    const double up = options.y_range.high - options.y_range.low;
    if (across / up > width / height)
      height = std::max(width * up / across, 20.0);
    else
      width = std::max(height * across / up, 20.0);
  }
  const Ticks y = y_ticks(options, height);
  const double left = 14 + kText + 10 + widest_label(y) + 9;
  const double top = 16 + kTitle + (options.note.empty() ? 0 : kNote + 6) + 14;
  layout.area = {left, top, width, height};
  double right = 24;
  double bar_height = height;
  if (options.bar) {
    // As long as its title, too, where the plot is flat.
    const std::string title = bar_title(*options.bar, bar_ticks(*options.bar, height));
    bar_height = std::max({height, 160.0, text_width(title, kText) + 10});
    const double labels = widest_label(bar_ticks(*options.bar, bar_height)) + kText;
    layout.bar = {layout.area.right() + 24, top, 16, bar_height};
    right = 24 + 16 + 8 + labels + 10 + kText + 8;
  }
  layout.width = layout.area.right() + right;
  const double title = text_width(options.title, kTitle) * 1.05, note = text_width(options.note, kNote);
  layout.width = std::max({layout.width, left + title + 10, left + note + 10});
  double bottom = 5 + kText + 8 + kText + 14;
  // Lines of the legend stand below the axis, as many in a row as there is room for.
  if (options.legend.size() > 1) bottom += 22.0 * static_cast<double>((options.legend.size() + 3) / 4) + 4;
  layout.height = top + std::max(height + bottom, options.bar ? bar_height + 20 : 0.0);
  return layout;
}

Frame::Frame(FrameOptions options) : Frame(options, lay_out(options)) {}

Frame::Frame(FrameOptions options, const Layout& layout)
    : options_(std::move(options)), area_(layout.area), bar_(layout.bar), svg_(layout.width, layout.height) {
  svg_.text({area_.x, 16 + kTitle - 2}, options_.title, {.size = kTitle, .bold = true});
  if (!options_.note.empty())
    svg_.text({area_.x, 16 + kTitle + kNote + 4}, options_.note, {.size = kNote, .colour = kAxis});
  svg_.rect(area_, options_.background);
  if (!options_.grid) return;
  const Ticks across = x_ticks(options_, area_.width), up = y_ticks(options_, area_.height);
  for (const double x : across.at()) svg_.line({at(x, 0).x, area_.y}, {at(x, 0).x, area_.bottom()}, kGrid, 1);
  for (const double y : up.at()) svg_.line({area_.x, at(0, y).y}, {area_.right(), at(0, y).y}, kGrid, 1);
}

void Frame::draw_axes() {
  svg_.rect(area_, "none", kAxis);
  const Ticks x = x_ticks(options_, area_.width);
  for (const double tick : x.at()) {
    const double across = at(tick, 0).x;
    svg_.line({across, area_.bottom()}, {across, area_.bottom() + 5}, kAxis, 1);
    svg_.text({across, area_.bottom() + 5 + kText + 2}, x.label(tick),
              {.size = kText, .anchor = Anchor::middle});
  }
  svg_.text({area_.x + area_.width / 2, area_.bottom() + 5 + 2 * kText + 10},
            axis_title(options_.x, x.exponent()), {.size = kText, .anchor = Anchor::middle});
  const Ticks y = y_ticks(options_, area_.height);
  for (const double tick : y.at()) {
    const double up = at(0, tick).y;
    svg_.line({area_.x - 5, up}, {area_.x, up}, kAxis, 1);
    svg_.text({area_.x - 9, up + 0.36 * kText}, y.label(tick), {.size = kText, .anchor = Anchor::end});
  }
  svg_.text({14 + kText - 3, area_.y + area_.height / 2}, axis_title(options_.y, y.exponent()),
            {.size = kText, .anchor = Anchor::middle, .upwards = true});
}

void Frame::draw_bar() {
  const ColourBar& bar = *options_.bar;
  svg_.bar(bar_, 128, [&bar](double share) { return hex(bar.colour(share)); });
  svg_.rect(bar_, "none", kAxis);
  const Ticks ticks = bar_ticks(bar, bar_.height);
  for (const double tick : ticks.at()) {
    const double up = bar_.bottom() - bar.range.share(tick) * bar_.height;
    svg_.line({bar_.right(), up}, {bar_.right() + 5, up}, kAxis, 1);
    svg_.text({bar_.right() + 8, up + 0.36 * kText}, ticks.label(tick), {.size = kText});
  }
  svg_.text({bar_.right() + 8 + widest_label(ticks) + 10 + kText, bar_.y + bar_.height / 2},
            bar_title(bar, ticks), {.size = kText, .anchor = Anchor::middle, .upwards = true});
}

void Frame::draw_legend() {
  const double column = area_.width / 4;
  for (std::size_t k = 0; k < options_.legend.size(); ++k) {
    const double x = area_.x + static_cast<double>(k % 4) * column;
    const double y = area_.bottom() + 5 + 2 * kText + 10 + 22 * static_cast<double>(k / 4 + 1);
    svg_.line({x, y - 4}, {x + 22, y - 4}, options_.legend[k].colour, 3);
    svg_.text({x + 28, y}, options_.legend[k].label, {.size = kText, .colour = kInk});
  }
}

std::string Frame::finish() && {
  draw_axes();
  if (options_.bar) draw_bar();
  if (options_.legend.size() > 1) draw_legend();
  return std::move(svg_).finish();
}

}  // namespace anachron::plot
