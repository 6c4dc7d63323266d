// What a model has drawn of its results: an LP type's `static void plots(const Params&, Plots&)` declares
// pictures of the tables and statistics that `finish` reports. `--plot DIR` writes them.
#pragma once

#include <string>
#include <variant>
#include <vector>

namespace anachron {

/// Numbers of a table, and what is written beside them.
struct PlotAxis {
  std::string column{};  ///< of the table
  std::string label{};   ///< empty: the column's name
  std::string unit{};    ///< "min", "V"; empty: it has none
};

/// Lines over a horizontal axis, from row to row of a table. Where a cell is no number a line has a gap.
struct LinePlot {
  std::string name{};   ///< of the file, without ".svg"
  std::string title{};  ///< empty: the name
  std::string table{};
  PlotAxis x{};
  PlotAxis y{};                  ///< its label and unit are those of the vertical axis
  std::vector<PlotAxis> more{};  ///< further lines, with `y`'s unit
  std::string by{};              ///< column: one line for each of its values
  std::string until{};           ///< column: a row holds from x to here, and lines are steps
};

/// How often which values come.
struct HistogramPlot {
  std::string name{}, title{};
  std::string table{};  ///< empty: `value.column` is the name of a statistic, added as an an::Histogram
  PlotAxis value{};
};

/// Colours on a regular grid; places of which the table has no row, or no number, stay empty.
struct FieldPlot {
  /// Which colours the values get.
  enum class Colours {
    sequential,  ///< from the least to the greatest value
    diverging,   ///< two, with 0 in the middle
  };
  std::string name{}, title{};
  std::string table{};
  PlotAxis x{}, y{}, value{};
  Colours colours = Colours::sequential;
  double covered = 1;  ///< share of the values that the scale of colours covers; a few may be far beyond it
};

/// Lines from place to place, coloured by a value and so much the wider: a row of the table for each.
struct NetworkPlot {
  std::string name{}, title{};
  std::string table{};
  PlotAxis x{}, y{};           ///< of the beginning
  std::string to_x{}, to_y{};  ///< columns, of the end
  PlotAxis value{};
  double covered = 1;  ///< as of a FieldPlot
};

/// A picture that an LP type declares.
using Plot = std::variant<LinePlot, HistogramPlot, FieldPlot, NetworkPlot>;

/// Collects what is to be drawn.
///
///     static void plots(const Params&, an::Plots& to) {
///       to.add(an::LinePlot{.name = "ill", .table = "days", .x = {.column = "day"}, .y = {.column =
///       "ill"}});
///     }
class Plots {
 public:
  /// Throws InputError when there is one of that name already, or none.
  void add(Plot plot);
  /// What was added, in that order.
  const std::vector<Plot>& all() const { return all_; }

 private:
  std::vector<Plot> all_;
};

/// The name of a picture.
const std::string& name_of(const Plot& plot);
/// The title of a picture; its name where it has no title.
const std::string& title_of(const Plot& plot);

}  // namespace anachron
