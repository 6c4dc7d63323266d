// A sum of travel times that is exact, so that a part of it can be taken out again.
#pragma once

#include <algorithm>
#include <cstdint>

namespace anachron::models::traffic {

/// In units of 2^-24 minutes, 3.6 microseconds, to which each time is rounded; no sum of times is above 2^40
/// minutes. Sums wrap beyond, as those of 64 bits do.
class Minutes {
 public:
  void add(double minutes) { units_ += units_of(minutes); }
  double value() const { return static_cast<double>(units_) / kUnits; }
  /// Adds what is between two sums.
  void add(const Minutes& until, const Minutes& from) { units_ += until.units_ - from.units_; }

  friend bool operator==(const Minutes&, const Minutes&) = default;

 private:
  static constexpr double kUnits = 0x1p24, kMost = 0x1p38;
  static std::uint64_t units_of(double minutes) {
    return static_cast<std::uint64_t>(std::min(minutes, kMost) * kUnits + 0.5);
  }

  std::uint64_t units_ = 0;
};

}  // namespace anachron::models::traffic
