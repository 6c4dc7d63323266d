// Axes: which part of the numbers is shown, where ticks are and what is written at them.
#pragma once

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include <anachron/model/plots.hpp>

namespace anachron::plot {

/// The least and the greatest of numbers.
struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();

  bool is_empty() const { return !(low <= high); }
  void add(double x) {
    low = std::min(low, x);
    high = std::max(high, x);
  }
  /// From 0 on, if that is not far from there and nothing is below.
  Range from_zero() const;
  /// Longer by the share at both ends, and not of length 0.
  Range wider(double share) const;
  /// The same, but where it ends at 0 it goes on doing so.
  Range padded(double share) const;
  /// Where x lies in it: 0 at `low`, 1 at `high`.
  double share(double x) const { return high > low ? (x - low) / (high - low) : 0.5; }
};

/// Ticks at multiples of 1, 2 or 5 times a power of ten, about `wanted` of them.
class Ticks {
 public:
  /// `numbers`: those that decide on the exponent; `range` if there are no others on axes of the same scale.
  Ticks(const Range& range, int wanted, const Range& numbers);
  Ticks(const Range& range, int wanted) : Ticks(range, wanted, range) {}

  const std::vector<double>& at() const& { return at_; }
  const std::vector<double>& at() const&& = delete;  // of something that is gone
  /// As written at the axis, in units of 10 to the power of `exponent()`.
  std::string label(double tick) const;
  /// A multiple of 3; 0 where numbers are neither large nor small.
  int exponent() const { return exponent_; }

 private:
  std::vector<double> at_;
  double unit_ = 1;
  int exponent_ = 0, decimals_ = 0;
};

/// What is written along an axis: "mean travel time [min]", "field [10^-3 V]" (with a raised exponent).
std::string axis_title(const PlotAxis& axis, int exponent);

/// "0.0123" with three significant digits.
std::string short_number(double value);

}  // namespace anachron::plot
