// The TLM model against an implementation with plain arrays, against theory, and the same in every mode.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include <anachron/anachron.hpp>
#include <anachron/base/parse.hpp>

#include "tlm/model.hpp"

namespace anachron::test {
namespace {

using models::tlm::Cell;
using models::tlm::Grid;
using models::tlm::Mesh;
using models::tlm::Params;
using models::tlm::Place;
using models::tlm::Receiver;
using models::tlm::Waveform;

/// Johns' algorithm as a textbook has it: all cells of all steps, on arrays.
class PlainTlm {
 public:
  struct State {
    std::array<double, 6> in{};
    bool is_reached = false;  // there is something in `in`, or a transmitter sends
    double field = 0, highest = 0;
    std::uint32_t scatterings = 0;
  };

  PlainTlm(const Params& params, const Mesh& mesh)
      : params_(params), mesh_(mesh), cells_(mesh.grid().cells()) {}

  void run(Time until) {
    std::uint32_t step = 0;
    for (Time now = 0; now < until; now += mesh_.step()) run_step(step++);
  }
  const State& at(std::uint32_t cell) const { return cells_[cell]; }

 private:
  void run_step(std::uint32_t step) {
    std::vector<std::array<double, 6>> next(cells_.size());
    std::vector<bool> reached(cells_.size());
    const auto sends = [&](const Mesh::Transmitter& one) {
      return step == 0 || mesh_.signal().goes_on(step - 1) ? one.volts * mesh_.signal().at(step) : 0;
    };
    for (const auto& one : mesh_.transmitters()) {
      if (step > 0 && !mesh_.signal().goes_on(step - 1)) continue;
      cells_[one.cell].is_reached = true;
      for (double& volts : cells_[one.cell].in) volts += sends(one) / 2;
    }
    const int nx = static_cast<int>(mesh_.grid().columns()), ny = static_cast<int>(mesh_.grid().rows()),
              nz = static_cast<int>(mesh_.grid().layers());
    constexpr int kDx[] = {-1, 1, 0, 0, 0, 0}, kDy[] = {0, 0, -1, 1, 0, 0}, kDz[] = {0, 0, 0, 0, -1, 1};
    for (int x = 0; x < nx; ++x)
      for (int y = 0; y < ny; ++y)
        for (int z = 0; z < nz; ++z) {
          State& cell = cells_[number(x, y, z)];
          if (!cell.is_reached) continue;
          const auto& in = cell.in;
          cell.field = (in[0] + in[1] + (in[2] + in[3]) + (in[4] + in[5])) / 3;
          cell.highest = std::max(cell.highest, std::abs(cell.field));
          ++cell.scatterings;
          for (std::size_t port = 0; port < 6; ++port) {
            const int to_x = x + kDx[port], to_y = y + kDy[port], to_z = z + kDz[port];
            double out = cell.field - in[port];
            std::size_t to = number(x, y, z), enters = port;
            const bool is_outside = to_x < 0 || to_x >= nx || to_y < 0 || to_y >= ny || to_z >= nz ||
                                    (to_z < 0 && params_.terrain == "none");
            if (is_outside) {
              out *= params_.border_reflection;
            } else if (to_z < 0 || !is_air(to_x, to_y, to_z)) {
              out *= params_.ground_reflection;
            } else {
              to = number(to_x, to_y, to_z);
              enters = port ^ 1;
            }
            if (std::abs(out) <= params_.threshold) continue;
            next[to][enters] = out;
            reached[to] = true;
          }
        }
    for (std::size_t k = 0; k < cells_.size(); ++k) {
      cells_[k].in = next[k];
      cells_[k].is_reached = reached[k];
    }
  }
  std::size_t number(int x, int y, int z) const {
    return mesh_.grid().index(
        {static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y), static_cast<std::uint32_t>(z)});
  }
  bool is_air(int x, int y, int z) const {
    return mesh_.is_air(
        {static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y), static_cast<std::uint32_t>(z)});
  }

  Params params_;
  const Mesh& mesh_;
  std::vector<State> cells_;
};

using Space = Simulation<Cell>;

Report run_space(Space& simulation, const Params& params, Time until,
                 const std::function<void(Config&)>& mode = {}) {
  simulation.params<Cell>() = params;
  simulation.config = {};
  simulation.config.sync = Sync::sequential;
  simulation.config.until = until;
  if (mode) mode(simulation.config);
  return simulation.run();
}

void expect_as_plain(const Params& params, Time until, const std::function<void(Config&)>& mode) {
  Space simulation;
  const Report report = run_space(simulation, params, until, mode);
  const Mesh mesh(params);
  PlainTlm plain(params, mesh);
  plain.run(until);
  std::uint64_t reached = 0;
  for (std::uint32_t k = 0; k < mesh.grid().cells(); ++k) {
    const Cell& cell = simulation.lp<Cell>(k);
    const auto& expected = plain.at(k);
    ASSERT_EQ(cell.scatterings, expected.scatterings) << k;
    ASSERT_EQ(cell.field, expected.field) << k;  // to the last bit
    ASSERT_EQ(cell.highest, expected.highest) << k;
    reached += cell.scatterings > 0;
  }
  EXPECT_EQ(report.results.value("cells_reached"), static_cast<double>(reached));
  EXPECT_GT(reached, mesh.grid().cells() / 3);
}

Params hilly() {
  Params params;
  params.grid = "14x11x8";
  params.terrain = "hills";
  params.transmitters = 3;
  params.frequency = 25;
  params.threshold = 1e-4;
  return params;
}

TEST(Tlm, IsAsWithPlainArrays) {
  expect_as_plain(hilly(), 50, {});
  expect_as_plain(hilly(), 50, [](Config& config) {
    config.sync = Sync::optimistic;
    config.workers = 2;
    config.pes = 3;
    config.mapping = Mapping::fixed;
    config.test_chaos = 3;
  });
}

TEST(Tlm, IsAsWithPlainArraysForEachWaveform) {
  for (const auto waveform : {Waveform::impulse, Waveform::pulse, Waveform::sine}) {
    Params params;
    params.grid = "9x10x6";
    params.terrain = "none";
    params.transmit_at = "1.5,2.5,3.5,2;7,8,1;1.2,2.2,3.2,-0.5";  // two in a cell
    params.waveform = waveform;
    params.border_reflection = 0.5;
    expect_as_plain(params, 30, {});
  }
}

/// Nothing is lost: walls that send everything back, of either sign, and no threshold.
TEST(Tlm, KeepsTheEnergyWhereNothingIsLost) {
  Params params = hilly();
  params.threshold = 0;
  params.ground_reflection = -1;
  params.border_reflection = 1;
  Space simulation;
  const Report report = run_space(simulation, params, 120);
  const double transmitted = report.results.value("energy_transmitted");
  EXPECT_GT(transmitted, 0);
  for (const char* loss : {"energy_absorbed", "energy_left", "energy_cut"})
    EXPECT_EQ(report.results.value(loss), 0) << loss;
  EXPECT_NEAR(report.results.value("energy_under_way") / transmitted, 1, 1e-13);
  RecordProperty("relative_error", format_real(report.results.value("energy_under_way") / transmitted - 1));
}

TEST(Tlm, AccountsForAllEnergy) {
  Params params = hilly();
  for (const auto waveform : {Waveform::impulse, Waveform::pulse, Waveform::sine}) {
    params.waveform = waveform;
    Space simulation;
    const Report report = run_space(simulation, params, 60);
    for (const char* name :
         {"energy_transmitted", "energy_under_way", "energy_absorbed", "energy_left", "energy_cut"})
      EXPECT_GT(report.results.value(name), 0) << name;
    RecordProperty("missing", format_real(report.results.value("energy_missing") /
                                          report.results.value("energy_transmitted")));
    EXPECT_NEAR(report.results.value("energy_missing"), 0,
                1e-13 * report.results.value("energy_transmitted"));
  }
}

/// A mode of a box whose walls reflect with +1 is cos(kx (x + 1/2)) cos(ky (y + 1/2)) cos(kz (z + 1/2)). The
/// dispersion relation of the mesh is cos(omega step) = (cos kx + cos ky + cos kz) / 3: from one step to the
/// next the node's field is the mean of those beside it, less what it was before. So a mode that all cells
/// transmit at once oscillates as cos(n omega step).
TEST(Tlm, WavesHaveTheFrequencyOfTheDispersionRelation) {
  struct Mode {
    std::uint32_t x, y, z;
  };
  double most = 0;
  constexpr std::uint32_t kColumns = 12, kRows = 5, kLayers = 4, kSteps = 40;
  for (const Mode mode : {Mode{1, 0, 0}, Mode{3, 0, 0}, Mode{0, 2, 0}, Mode{2, 1, 3}, Mode{11, 4, 3}}) {
    const auto wave = [](std::uint32_t m, std::uint32_t n) { return m * std::numbers::pi / n; };
    const double kx = wave(mode.x, kColumns), ky = wave(mode.y, kRows), kz = wave(mode.z, kLayers);
    const auto shape = [&](const Place& at) {
      return std::cos(kx * (at.x + 0.5)) * std::cos(ky * (at.y + 0.5)) * std::cos(kz * (at.z + 0.5));
    };
    Params params;
    params.grid = std::to_string(kColumns) + "x" + std::to_string(kRows) + "x" + std::to_string(kLayers);
    params.terrain = "none";
    params.border_reflection = 1;
    params.threshold = 0;
    params.waveform = Waveform::impulse;
    const Grid grid(params.grid);
    for (std::uint32_t k = 0; k < grid.cells(); ++k) {
      const Place at = grid.place(k);
      params.transmit_at += std::to_string(at.x) + ".5," + std::to_string(at.y) + ".5," +
                            std::to_string(at.z) + ".5," + format_real(shape(at)) + ";";
    }
    const double omega = std::acos((std::cos(kx) + std::cos(ky) + std::cos(kz)) / 3);  // per step
    for (const std::uint32_t steps : {1u, kSteps - 1, kSteps}) {
      Space simulation;
      run_space(simulation, params, (steps + 0.5) * Mesh(params).step());
      for (std::uint32_t k = 0; k < grid.cells(); ++k) {
        most = std::max(
            most, std::abs(simulation.lp<Cell>(k).field - shape(grid.place(k)) * std::cos(omega * steps)));
        ASSERT_LE(most, 1e-12) << steps << " steps, cell " << k;
      }
    }
  }
  RecordProperty("difference", format_real(most));
}

/// The time at which the signal is highest, between samples by a parabola.
double time_of_peak(const std::vector<Receiver::Heard>& signal, Time step) {
  const auto peak = std::max_element(signal.begin() + 1, signal.end() - 1,
                                     [](const auto& a, const auto& b) { return a.volts < b.volts; });
  const double before = (peak - 1)->volts, at = peak->volts, after = (peak + 1)->volts;
  return (peak->step + 0.5 * (before - after) / (before - 2 * at + after)) * step;
}

Report run_plane(Simulation<Cell, Receiver>& simulation, const Params& params, Time until) {
  simulation.params<Cell>() = params;
  simulation.config.sync = Sync::sequential;
  simulation.config.until = until;
  return simulation.run();
}

/// Between walls that reflect with +1 a column of cells carries plane waves along an axis. They travel with
/// the speed of light, though pulses are sqrt(3) times as fast.
TEST(Tlm, WavesHaveTheSpeedOfLight) {
  for (const char* grid : {"240x1x1", "1x240x1", "1x1x240"}) {
    Params params;
    params.grid = grid;
    const bool is_x = std::string(grid).starts_with("240"), is_y = std::string(grid).ends_with("240x1");
    const auto at = [&](int n) {
      const std::string metres = std::to_string(n) + ".5";
      return is_x ? metres + ",0.5,0.5" : is_y ? "0.5," + metres + ",0.5" : "0.5,0.5," + metres;
    };
    params.terrain = "none";
    params.border_reflection = 1;
    params.threshold = 0;
    params.frequency = Mesh::kLight * 1e3 / 60;  // 60 m long
    params.transmit_at = at(0);
    params.receive_at = at(50) + ";" + at(200);
    Simulation<Cell, Receiver> simulation;
    run_plane(simulation, params, 850);
    const Time step = Mesh(params).step();
    const double speed = 150 / (time_of_peak(simulation.lp<Receiver>(1).signal, step) -
                                time_of_peak(simulation.lp<Receiver>(0).signal, step));
    EXPECT_NEAR(speed / Mesh::kLight, 1, 2e-3) << grid;
    RecordProperty(grid, format_real(speed / Mesh::kLight));
  }
}

/// The default reflection of borders is that of a line which continues the mesh, for waves that come head-on.
TEST(Tlm, WhatMeetsAnOpenBorderHeadOnLeaves) {
  Params params;
  params.grid = "1x1x150";
  params.terrain = "flat";
  params.ground_reflection = params.border_reflection;  // the lowest cell's floor is the border under test
  params.border_reflection = 1;                         // the others are mirrors
  params.threshold = 0;
  params.frequency = Mesh::kLight * 1e3 / 60;
  params.transmit_at = "0.5,0.5,149.5";
  Space simulation;
  const Report report = run_space(simulation, params, 900);  // the wave has been there at 500 to 700
  const double left = report.results.value("energy_absorbed"),
               sent = report.results.value("energy_transmitted");
  const double back = report.results.value("energy_under_way");
  EXPECT_NEAR((left + back) / sent, 1, 1e-12);
  EXPECT_LT(back / sent, 1e-3);
  RecordProperty("came_back", format_real(back / sent));
}

/// Who comes first among simultaneous pulses is drawn by chance, and must not matter.
TEST(Tlm, DoesNotDependOnTheOrderOfTies) {
  Space simulation;
  const Report expected = run_space(simulation, hilly(), 40);
  for (const std::uint64_t seed : {2u, 3u}) {
    const Report report =
        run_space(simulation, hilly(), 40, [seed](Config& config) { config.tie_seed = seed; });
    EXPECT_NE(report.digest, expected.digest);  // it is another order
    EXPECT_EQ(report.committed, expected.committed);
    for (const auto& [name, figure] : expected.results.figures())
      EXPECT_EQ(report.results.value(name), expected.results.value(name)) << name;
    EXPECT_EQ(report.results.tables().at("field").rows, expected.results.tables().at("field").rows);
  }
}

TEST(Tlm, ConservativeRunsAreTheSame) {
  Space simulation;
  const Report expected = run_space(simulation, hilly(), 50);
  for (const unsigned workers : {1u, 2u, 3u}) {
    const Report report = run_space(simulation, hilly(), 50, [workers](Config& config) {
      config.sync = Sync::conservative;
      config.workers = workers;
      config.mapping = Mapping::fixed;
    });
    EXPECT_EQ(report.digest, expected.digest);
    EXPECT_EQ(report.executed, report.committed);
    EXPECT_EQ(report.results.value("energy_missing"), expected.results.value("energy_missing"));
  }
}

}  // namespace
}  // namespace anachron::test
