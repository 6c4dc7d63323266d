// The options of the PCS model.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include <anachron/model/params.hpp>

namespace anachron::models::pcs {

enum class Undo { copy, reverse };

/// Of `Params::dwell`: nobody moves.
inline constexpr double kNever = std::numeric_limits<double>::infinity();

/// Times are in minutes.
struct Params {
  std::string grid = "192x192";
  std::uint32_t channels = 10;
  double arrivals = 2;
  double holding = 3;
  double dwell = 75;
  double hand_off = 0;
  Undo undo = Undo::copy;

  static void describe(Describe<Params>& d) {
    d(&Params::grid, "Cells; their grid is joined at its ends").hint("COLSxROWS");
    d(&Params::channels, "Channels of each cell").at_least(1);
    d(&Params::arrivals, "New calls per minute in each cell").at_least(1e-9).at_most(1e9);
    d(&Params::holding, "Mean length of a call in minutes").at_least(1e-9).at_most(1e9);
    d(&Params::dwell, "Mean minutes that a caller stays in a cell; none: nobody moves")
        .at_least(1e-9)
        .hint("X|none");
    d(&Params::hand_off, "Minutes that a call takes from one cell to the next").at_least(0).at_most(1e9);
    d(&Params::undo, "How an event is rolled back")
        .choices({{"copy", Undo::copy}, {"reverse", Undo::reverse}});
  }
};

}  // namespace anachron::models::pcs
