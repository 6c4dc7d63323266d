#include "tlm/mesh.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include <anachron/base/error.hpp>
#include <anachron/base/parse.hpp>
#include <anachron/model/rng.hpp>

#include "tlm/input/places.hpp"

namespace anachron::models::tlm {

Mesh::Mesh(const Params& params)
    : grid_(params.grid),
      cell_(params.cell),
      step_(params.cell / (kLight * std::sqrt(3.0))),
      threshold_(params.threshold),
      ground_(params.ground_reflection),
      border_(params.border_reflection),
      terrain_(params, grid_),
      signal_(params, step_) {
  // Waves of less than two cells do not exist on the mesh.
  if (params.waveform != Waveform::impulse && params.frequency * 1e-3 * step_ >= 0.5)
    throw bad_value("frequency", format_value(params.frequency),
                    "below " + format_value(0.5e3 / step_) + " MHz with --cell " + format_value(params.cell) +
                        ": a wave is longer than a few cells");
  const std::vector<Place> places = place_transmitters(params);
  row_ = places.front().y;
  layer_ = places.front().z;
  if (params.slice >= 0) {
    if (params.slice >= grid_.layers() * cell_)
      throw bad_value("slice", format_value(params.slice),
                      "below " + format_value(grid_.layers() * cell_) + " m, the height of the grid");
    layer_ = std::min(static_cast<std::uint32_t>(params.slice / cell_), grid_.layers() - 1);
  }
  for (const Antenna& receiver : parse_antennas("receive-at", params.receive_at, grid_, cell_, Volts::none)) {
    require_air("receive-at", receiver.place);
    by_cell_.emplace_back(grid_.index(receiver.place), static_cast<std::uint32_t>(receivers_.size()));
    receivers_.push_back(grid_.index(receiver.place));
  }
  std::sort(by_cell_.begin(), by_cell_.end());
}

std::vector<Place> Mesh::place_transmitters(const Params& params) {
  std::vector<Place> places;
  std::vector<Transmitter> all;
  const auto add = [&](const Place& at, double volts) {
    places.push_back(at);
    all.push_back({grid_.index(at), volts});
  };
  if (!params.transmit_at.empty()) {
    for (const Antenna& one :
         parse_antennas("transmit-at", params.transmit_at, grid_, cell_, Volts::optional)) {
      require_air("transmit-at", one.place);
      add(one.place, one.volts.value_or(params.volts));
    }
  } else {
    const auto above_ground = [&](std::uint32_t x, std::uint32_t y) {
      const double z = terrain_.filled(grid_.stack({x, y, 0})) + std::floor(params.antenna / cell_);
      return Place{x, y, static_cast<std::uint32_t>(std::min<double>(z, grid_.layers() - 1))};
    };
    std::uint64_t draws = 0;
    Rng rng(params.place_seed, 1, draws, RngStream::shared);
    if (params.transmitters == 1) add(above_ground(grid_.columns() / 2, grid_.rows() / 2), params.volts);
    while (places.size() < params.transmitters) {
      const std::uint32_t x = rng.below(grid_.columns());
      add(above_ground(x, rng.below(grid_.rows())), params.volts);
    }
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const Transmitter& a, const Transmitter& b) { return a.cell < b.cell; });
  for (const Transmitter& one : all) {
    if (!transmitters_.empty() && transmitters_.back().cell == one.cell)
      transmitters_.back().volts += one.volts;
    else
      transmitters_.push_back(one);
  }
  return places;
}

void Mesh::require_air(const char* option, const Place& at) const {
  if (is_air(at)) return;
  throw InputError("--" + std::string(option) + ": " + format_value((at.x + 0.5) * cell_) + "," +
                   format_value((at.y + 0.5) * cell_) + "," + format_value((at.z + 0.5) * cell_) +
                   " m is in the ground, which reaches up to " +
                   format_value(terrain_.filled(grid_.stack(at)) * cell_) + " m there");
}

Mesh::Beside Mesh::beside(const Place& at, Port port) const {
  Place next = at;
  bool is_inside = true;
  switch (port) {
    case Port::west:
      is_inside = next.x-- > 0;
      break;
    case Port::east:
      is_inside = ++next.x < grid_.columns();
      break;
    case Port::south:
      is_inside = next.y-- > 0;
      break;
    case Port::north:
      is_inside = ++next.y < grid_.rows();
      break;
    case Port::down:
      if (next.z-- == 0) return {kNone, terrain_.has_floor() ? ground_ : border_, terrain_.has_floor()};
      break;
    case Port::up:
      is_inside = ++next.z < grid_.layers();
      break;
  }
  if (!is_inside) return {kNone, border_, false};
  if (!is_air(next)) return {kNone, ground_, true};
  return {grid_.index(next), 0, false};
}

double Mesh::transmits(std::uint32_t cell) const {
  const auto found = std::lower_bound(transmitters_.begin(), transmitters_.end(), cell,
                                      [](const Transmitter& one, std::uint32_t c) { return one.cell < c; });
  return found != transmitters_.end() && found->cell == cell ? found->volts : 0;
}

}  // namespace anachron::models::tlm
