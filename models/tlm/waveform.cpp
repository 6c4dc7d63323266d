#include "tlm/waveform.hpp"

#include <cmath>
#include <numbers>

namespace anachron::models::tlm {

double sine_of_turns(double turns) {
  double part = turns - std::round(turns);  // -1/2 .. 1/2
  if (part > 0.25) part = 0.5 - part;
  if (part < -0.25) part = -0.5 - part;
  const double x = 2 * std::numbers::pi * part, square = x * x;
  double term = x, sum = x;  // Taylor's series; the last term is below 1e-17
  for (int n = 2; n <= 22; n += 2) {
    term *= -square / (n * (n + 1));
    sum += term;
  }
  return sum;
}

double Signal::at(std::uint32_t step) const {
  const double turns = step * turns_per_step_;
  switch (waveform_) {
    case Waveform::impulse:
      return step == 0 ? 1 : 0;
    case Waveform::pulse: {
      const double u = 2 * turns - 1, inside = 1 - u * u;
      return turns < 1 ? inside * inside * inside : 0;
    }
    case Waveform::sine:
      return sine_of_turns(turns);
  }
  return 0;
}

}  // namespace anachron::models::tlm
