// What a transmitter sends, step by step.
#pragma once

#include <cstdint>

#include "tlm/params.hpp"

namespace anachron::models::tlm {

/// sin(2 pi turns), from additions and multiplications alone: so it has the same bits on every machine, which
/// functions of the C library have not. Off by at most 1e-15 for |turns| < 1e3.
double sine_of_turns(double turns);

/// The source's voltage, as a share of its amplitude, at a step of the mesh.
class Signal {
 public:
  /// `step`: nanoseconds.
  Signal(const Params& params, double step)
      : waveform_(params.waveform), turns_per_step_(params.frequency * 1e-3 * step) {}

  double at(std::uint32_t step) const;
  /// There is something at a later step.
  bool goes_on(std::uint32_t step) const {
    return waveform_ == Waveform::sine || (waveform_ == Waveform::pulse && (step + 1) * turns_per_step_ < 1);
  }

 private:
  Waveform waveform_;
  double turns_per_step_;
};

}  // namespace anachron::models::tlm
