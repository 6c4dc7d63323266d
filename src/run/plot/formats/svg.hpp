// SVG 1.1, as much of it as plots need. Coordinates are pixels from the upper left corner.
#pragma once

#include <string>
#include <string_view>

namespace anachron::plot {

struct Point {
  double x = 0, y = 0;
};

/// A rectangle: its upper left corner and its size.
struct Box {
  double x = 0, y = 0, width = 0, height = 0;
  double right() const { return x + width; }
  double bottom() const { return y + height; }
};

enum class Anchor { start, middle, end };

struct TextStyle {
  double size = 12;  ///< of letters, in pixels
  Anchor anchor = Anchor::start;
  bool bold = false, upwards = false;
  std::string_view colour = "#222222";
};

class Svg {
 public:
  Svg(double width, double height);

  void text(Point at, std::string_view text, const TextStyle& style);
  void line(Point from, Point to, std::string_view colour, double width);
  void rect(const Box& box, std::string_view fill, std::string_view stroke = {});
  /// `commands`: what an SVG path consists of, made by `move_to` and `line_to`.
  void path(std::string_view commands, std::string_view colour, double width);
  /// A PNG file that fills the box; its pixels stay squares.
  void image(const Box& box, std::string_view png);
  /// A rectangle whose colour goes from the lower end (0) to the upper (1) as `colour(share)`.
  template <class Colour>
  void bar(const Box& box, int parts, Colour&& colour) {
    for (int part = 0; part < parts; ++part) {
      const double height = box.height / parts;
      // Each is a little higher than its part, so that no gaps show.
      rect({box.x, box.bottom() - (part + 1) * height, box.width, part == 0 ? height : height + 0.5},
           colour((part + 0.5) / parts));
    }
  }

  /// The whole document. Nothing may be drawn any more.
  std::string finish() &&;

 private:
  std::string out_;
};

void move_to(std::string& path, Point to);
void line_to(std::string& path, Point to);

/// Pixels that a text takes, about: nobody knows the font of the reader.
double text_width(std::string_view text, double size);

}  // namespace anachron::plot
