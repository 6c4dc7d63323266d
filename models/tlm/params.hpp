// The options of the TLM model.
#pragma once

#include <cstdint>
#include <string>

#include <anachron/model/params.hpp>

namespace anachron::models::tlm {

enum class Waveform {
  impulse,  ///< a single step of the mesh
  pulse,    ///< smooth, one period long
  sine,     ///< a wave that does not end
};

/// Lengths are in metres, times in nanoseconds, frequencies in MHz.
struct Params {
  std::string grid = "64x64x8";
  double cell = 1;
  std::uint32_t transmitters = 1;
  std::string transmit_at;
  double antenna = 2;
  std::string receive_at;
  Waveform waveform = Waveform::pulse;
  double frequency = 15;
  double volts = 1;
  double threshold = 1e-6;
  std::string terrain = "flat";
  double hill_height = 0;
  double ground_reflection = -0.8;
  double border_reflection = -0.2679491924311227;  // (1 - sqrt 3) / (1 + sqrt 3)
  double slice = -1;
  std::uint64_t place_seed = 1;

  static void describe(Describe<Params>& d) {
    d(&Params::grid, "Cells along x, y and z (up)").hint("XxYxZ");
    d(&Params::cell, "Length of a cell's edges in metres").at_least(1e-9).at_most(1e9);
    d(&Params::transmitters, "Transmitters at random places; a single one is in the middle").at_least(1);
    d(&Params::transmit_at, "Where transmitters are, in metres, and their volts; instead of --transmitters")
        .hint("X,Y,Z[,V];...");
    d(&Params::antenna, "Metres of the --transmitters above the ground").at_least(0);
    d(&Params::receive_at, "Where receivers are, in metres: their signals are reported").hint("X,Y,Z;...");
    d(&Params::waveform, "What is transmitted: one step, one period, or a wave without end")
        .choices({{"impulse", Waveform::impulse}, {"pulse", Waveform::pulse}, {"sine", Waveform::sine}});
    d(&Params::frequency, "Of the wave in MHz; the pulse is one period long").at_least(1e-9).at_most(1e12);
    d(&Params::volts, "Amplitude of a transmitter").at_least(-1e9).at_most(1e9);
    d(&Params::threshold, "Pulses of at most so many volts die").at_least(0);
    d(&Params::terrain, "The ground: none, flat, generated hills, or a file of heights (ESRI ASCII grid)")
        .hint("none|flat|hills|FILE.asc");
    d(&Params::hill_height, "Metres of the highest generated hill; 0: half of the grid's height").at_least(0);
    d(&Params::ground_reflection, "Share of a pulse's voltage that the ground sends back; -1: a conductor")
        .at_least(-1)
        .at_most(1);
    d(&Params::border_reflection,
      "The same of the grid's borders; as it is, a wave that meets them head-on "
      "leaves")
        .at_least(-1)
        .at_most(1);
    d(&Params::slice,
      "Height of the horizontal cut of which the field is reported, in metres; below 0: of "
      "the first transmitter")
        .at_most(1e18);
    d(&Params::place_seed, "Another seed, other hills and places of transmitters");
  }
};

}  // namespace anachron::models::tlm
