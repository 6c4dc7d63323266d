// The ground below the air: how many cells of each stack it fills.
#pragma once

#include <cstdint>
#include <vector>

#include "tlm/grid.hpp"
#include "tlm/params.hpp"

namespace anachron::models::tlm {

class Terrain {
 public:
  /// Reads or generates what `params.terrain` names. A cell is ground if its centre is. Throws InputError for
  /// a name or a file that is none, and where the ground reaches the top of the grid.
  Terrain(const Params& params, const Grid& grid);

  /// There is ground below the lowest cells.
  bool has_floor() const { return has_floor_; }
  /// Cells of the stack that are ground, from the lowest on.
  std::uint32_t filled(std::uint32_t stack) const { return filled_.empty() ? 0 : filled_[stack]; }

 private:
  /// `height(x, y)` in metres for each stack's centre in metres.
  template <class Height>
  void fill(const Params& params, const Grid& grid, Height&& height);

  bool has_floor_ = true;
  std::vector<std::uint16_t> filled_;  // empty: none anywhere
};

}  // namespace anachron::models::tlm
