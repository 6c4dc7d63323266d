// Count, mean, variance and extremes of observations, in 40 bytes of an LP's state.
//
// Welford, Technometrics 4(3), 1962, for one observation more; Chan, Golub, LeVeque, Technical Report
// STAN-CS-79-773, 1979, for two tallies. Neither subtracts large sums of squares, so that a small variance
// beside a large mean keeps its digits.
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstdint>

#include <anachron/base/time.hpp>

namespace anachron {

/// Something that tells the time of an observation and the run's warm-up: an::Context.
template <class T>
concept Observer = requires(const T& cx) {
  { cx.now() } -> std::convertible_to<Time>;
  { cx.warm_up() } -> std::convertible_to<Time>;
};

/// Whether what is observed now counts: the warm-up is over.
template <Observer Cx>
bool is_warm(const Cx& cx) {
  return cx.now() >= cx.warm_up();
}

namespace detail {
[[noreturn]] void fail_not_finite(const char* what, double x);
[[noreturn]] void fail_negative(const char* what, double x);
[[noreturn]] void fail_too_many(const char* what);

/// Throws InputError unless x is finite; `what` names the statistic.
inline void check_observation(const char* what, double x) {
  if (!std::isfinite(x)) [[unlikely]]
    fail_not_finite(what, x);
}
}  // namespace detail

/// Count, mean, variance, least and greatest of observations, in their unit. It takes 40 bytes and is
/// trivially copyable: a handler that is reversed keeps a copy, one that logs writes `log.write(waits)`.
/// Without observations `mean`, `min` and so on are NaN.
///
///     waits.add(cx, cx.now() - customer.arrived);  // an an::Tally of the state
///     r.add("waiting time", waits);                // in `finish`
class Tally {
 public:
  /// Takes an observation, unless the run is still warming up. Throws InputError for NaN and infinity.
  template <Observer Cx>
  void add(const Cx& cx, double x) {
    if (is_warm(cx)) add(x);
  }
  /// The same, whatever the time.
  void add(double x) {
    detail::check_observation("an::Tally", x);
    min_ = count_ ? std::min(min_, x) : x;
    max_ = count_ ? std::max(max_, x) : x;
    ++count_;
    const double from_mean = x - mean_;
    mean_ += from_mean / static_cast<double>(count_);
    squares_ += from_mean * (x - mean_);
  }
  /// Takes what another one has observed. The bits of the result depend on the order of merges.
  void merge(const Tally& other);

  /// Number of observations.
  std::uint64_t count() const { return count_; }
  /// Sum of the observations; 0 without any.
  double sum() const { return mean_ * static_cast<double>(count_); }
  /// Arithmetic mean.
  double mean() const;
  /// Of the sample, with the divisor count - 1; NaN for less than two.
  double variance() const;
  /// Standard deviation: the root of `variance`.
  double sd() const { return std::sqrt(variance()); }
  /// The least observation.
  double min() const;
  /// The greatest observation.
  double max() const;

  template <class Archive>
  void serialize(Archive& ar) {
    ar(count_, mean_, squares_, min_, max_);
  }
  friend bool operator==(const Tally&, const Tally&) = default;

 private:
  std::uint64_t count_ = 0;
  double mean_ = 0, squares_ = 0;  // the sum of squared distances from the mean
  double min_ = 0, max_ = 0;
};

/// The same of values that have weights, such as the time that a level lasted (West, Communications of the
/// ACM 22(9), 1979).
class WeightedTally {
 public:
  /// Preconditions: x is finite, the weight above 0.
  void add(double x, double weight);
  /// Takes what another one has observed.
  void merge(const WeightedTally& other);

  /// Sum of the weights.
  double weight() const { return weight_; }
  /// Weighted mean.
  double mean() const;
  /// Of the population, with the weight as divisor.
  double variance() const;
  /// Standard deviation: the root of `variance`.
  double sd() const { return std::sqrt(variance()); }
  /// The least value.
  double min() const;
  /// The greatest value.
  double max() const;

  template <class Archive>
  void serialize(Archive& ar) {
    ar(weight_, mean_, squares_, min_, max_);
  }
  friend bool operator==(const WeightedTally&, const WeightedTally&) = default;

 private:
  double weight_ = 0, mean_ = 0, squares_ = 0, min_ = 0, max_ = 0;
};

}  // namespace anachron
