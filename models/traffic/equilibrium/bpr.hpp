// The BPR function: how a road's travel time grows with its traffic (US Bureau of Public Roads, Traffic
// Assignment Manual, 1964).
#pragma once

namespace anachron::models::traffic {

/// base^exponent for base >= 0: by multiplication for small whole exponents, which is quick and the same on
/// every machine; by std::pow for others.
double power(double base, double exponent);

/// power(), without a call for the exponent that most networks have.
inline double bpr_power(double ratio, double exponent) {
  const double square = ratio * ratio;
  return exponent == 4 ? square * square : power(ratio, exponent);
}

/// The travel time at a volume/capacity ratio, in the unit of `free_time`.
inline double bpr_time(double free_time, double b, double exponent, double ratio) {
  return free_time * (1 + b * bpr_power(ratio, exponent));
}

}  // namespace anachron::models::traffic
