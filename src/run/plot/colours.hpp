// Colours of plots. They can be told apart by those who see colours in other ways than most.
#pragma once

#include <cstddef>
#include <string>

#include "run/plot/formats/png.hpp"

namespace anachron::plot {

/// From dark blue over green to yellow: viridis (S. van der Walt, N. Smith, 2015). `share` from 0 to 1; what
/// is outside is taken for the nearest.
Pixel sequential(double share);
/// From blue (0) over white (1/2) to red (1): RdBu of ColorBrewer (C. Brewer).
Pixel diverging(double share);
/// Of the k-th line: Okabe and Ito's colours, over and over.
std::string_view line_colour(std::size_t k);

/// "#rrggbb"
std::string hex(const Pixel& colour);

}  // namespace anachron::plot
