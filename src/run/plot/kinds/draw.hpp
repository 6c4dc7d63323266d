// Each kind of plot, drawn.
#pragma once

#include <stdexcept>
#include <string>

#include <anachron/model/plots.hpp>
#include <anachron/model/results.hpp>

namespace anachron::plot {

/// There is nothing to draw, or the plot is declared wrong. The message says which, without the plot's name.
class Undrawable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An SVG document. Throws Undrawable.
std::string draw(const LinePlot& plot, const Results& results);
std::string draw(const HistogramPlot& plot, const Results& results);
std::string draw(const FieldPlot& plot, const Results& results);
std::string draw(const NetworkPlot& plot, const Results& results);

}  // namespace anachron::plot
