// What all cells share: the grid, the ground, where transmitters and receivers are.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include <anachron/base/time.hpp>

#include "tlm/grid.hpp"
#include "tlm/params.hpp"
#include "tlm/terrain.hpp"
#include "tlm/waveform.hpp"

namespace anachron::models::tlm {

class Mesh {
 public:
  /// Metres that a wave travels in a nanosecond.
  static constexpr double kLight = 0.299792458;
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  struct Transmitter {
    std::uint32_t cell;
    double volts;
  };
  /// What is at the other end of a line.
  struct Beside {
    std::uint32_t cell;  ///< kNone: a wall
    double reflection;   ///< the wall's
    bool is_ground;
  };

  explicit Mesh(const Params& params);

  const Grid& grid() const { return grid_; }
  const Signal& signal() const { return signal_; }
  /// Nanoseconds that a pulse takes from a cell to the next. Pulses are sqrt(3) times as fast as waves.
  Time step() const { return step_; }
  double threshold() const { return threshold_; }

  bool is_air(const Place& at) const { return at.z >= terrain_.filled(grid_.stack(at)); }
  /// Precondition: `at` is air.
  Beside beside(const Place& at, Port port) const;

  /// In ascending order of cells, each cell once.
  const std::vector<Transmitter>& transmitters() const { return transmitters_; }
  /// Cells, in the order in which they were given.
  const std::vector<std::uint32_t>& receivers() const { return receivers_; }
  /// Calls with the number of each receiver in the cell.
  template <class Call>
  void for_each_receiver_in(std::uint32_t cell, Call&& call) const {
    for (auto one = std::lower_bound(by_cell_.begin(), by_cell_.end(), std::pair(cell, std::uint32_t{0}));
         one != by_cell_.end() && one->first == cell; ++one)
      call(one->second);
  }
  /// The volts of a cell's transmitter; 0: there is none.
  double transmits(std::uint32_t cell) const;
  /// The layer and the row of cells of which the field is reported.
  std::uint32_t layer() const { return layer_; }
  std::uint32_t row() const { return row_; }

 private:
  /// The places of transmitters in the order in which they were given.
  std::vector<Place> place_transmitters(const Params& params);
  void require_air(const char* option, const Place& at) const;

  Grid grid_;
  double cell_;  // metres
  Time step_;
  double threshold_, ground_, border_;
  Terrain terrain_;
  Signal signal_;
  std::vector<Transmitter> transmitters_;
  std::vector<std::uint32_t> receivers_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> by_cell_;  // cell and number of each receiver, sorted
  std::uint32_t layer_ = 0, row_ = 0;
};

}  // namespace anachron::models::tlm
