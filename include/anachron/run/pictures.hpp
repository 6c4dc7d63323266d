// A report's results as pictures: what its LP types declare (model/plots.hpp), and every an::Histogram and
// an::Series beside that.
#pragma once

#include <string>
#include <vector>

#include <anachron/run/report.hpp>

namespace anachron {

/// A drawing of a result.
struct Picture {
  std::string name;  ///< for a file: letters, digits, '-', '_' and '.'; each picture has another one
  std::string svg;   ///< a whole document
};

/// All drawings of a report.
struct Pictures {
  std::vector<Picture> all;        ///< in the order in which they were declared
  std::vector<std::string> notes;  ///< which ones could not be drawn, and why
};

/// The same for equal results, in every mode. Time and memory are linear in the tables that are drawn.
Pictures draw_pictures(const Report& report);

}  // namespace anachron
