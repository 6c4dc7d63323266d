#include "run/plot/formats/svg.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "run/plot/formats/escaped.hpp"
#include "run/plot/formats/png.hpp"

namespace anachron::plot {

namespace {

/// A coordinate to a hundredth of a pixel, without what is superfluous.
std::string number(double value) {
  std::string text = fmt::format("{:.2f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

}  // namespace

Svg::Svg(double width, double height)
    : out_(fmt::format(
          "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" "
          "width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" font-family=\"DejaVu Sans, Helvetica, Arial, "
          "sans-serif\">\n",
          number(width), number(height))) {
  rect({0, 0, width, height}, "#ffffff");
}

void Svg::text(Point at, std::string_view text, const TextStyle& style) {
  constexpr std::string_view kAnchors[] = {"start", "middle", "end"};
  out_ +=
      fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"{}\" text-anchor=\"{}\" fill=\"{}\"{}{}>{}</text>\n",
                  number(at.x), number(at.y), number(style.size), kAnchors[static_cast<int>(style.anchor)],
                  style.colour, style.bold ? " font-weight=\"bold\"" : "",
                  style.upwards ? fmt::format(" transform=\"rotate(-90 {} {})\"", number(at.x), number(at.y))
                                : std::string(),
                  escaped(text));
}

void Svg::line(Point from, Point to, std::string_view colour, double width) {
  out_ += fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"{}\" stroke-width=\"{}\"/>\n",
                      number(from.x), number(from.y), number(to.x), number(to.y), colour, number(width));
}

void Svg::rect(const Box& box, std::string_view fill, std::string_view stroke) {
  out_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"{}/>\n", number(box.x),
                      number(box.y), number(box.width), number(box.height), fill,
                      stroke.empty() ? std::string() : fmt::format(" stroke=\"{}\"", stroke));
}

void Svg::path(std::string_view commands, std::string_view colour, double width) {
  if (commands.empty()) return;
  out_ += fmt::format(
      "<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" stroke-linejoin=\"round\" "
      "stroke-linecap=\"round\"/>\n",
      commands, colour, number(width));
}

void Svg::image(const Box& box, std::string_view png) {
  // All readers know this name of the reference, old ones no other.
  const std::string data = "data:image/png;base64," + base64(png);
  out_ += fmt::format(
      "<image x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" preserveAspectRatio=\"none\" "
      "style=\"image-rendering:pixelated\" xlink:href=\"{}\"/>\n",
      number(box.x), number(box.y), number(box.width), number(box.height), data);
}

std::string Svg::finish() && {
  out_ += "</svg>\n";
  return std::move(out_);
}

void move_to(std::string& path, Point to) { path += "M" + number(to.x) + " " + number(to.y); }
void line_to(std::string& path, Point to) { path += "L" + number(to.x) + " " + number(to.y); }

double text_width(std::string_view text, double size) {
  const auto letters = std::count_if(text.begin(), text.end(),
                                     [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; });
  return 0.6 * size * static_cast<double>(letters);
}

}  // namespace anachron::plot
