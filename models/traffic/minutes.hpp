// A sum of travel times that is exact, so that a part of it can be taken out again.
#pragma once

namespace anachron::models::traffic {

/// Each time is rounded to a multiple of 2^-24 minutes, 4 microseconds. Doubles add such numbers without
/// error up to `kMostExact`.
class Minutes {
 public:
  void add(double minutes) { sum_ += (minutes + kRounding) - kRounding; }
  double value() const { return sum_; }
  /// What is between two sums can be added without error.
  bool is_exact() const { return sum_ < kMostExact; }
  /// Adds what is between two sums. Precondition: all are exact.
  void add(const Minutes& until, const Minutes& from) { sum_ += until.sum_ - from.sum_; }

  template <class Archive>
  void serialize(Archive& ar) {
    ar(sum_);
  }
  friend bool operator==(const Minutes&, const Minutes&) = default;

 private:
  static constexpr double kMostExact = 0x1p28;  // of 2^29, beyond which a double has no such bits
  static constexpr double kRounding = 0x1.8p28;

  double sum_ = 0;
};

}  // namespace anachron::models::traffic
