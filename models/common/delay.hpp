// A random time, of one of the distributions that bundled models share: given by a mean and, where the
// distribution has one, a shape. Written "gamma:2", "exponential", "erlang:4".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <anachron/model/rng.hpp>

namespace anachron::models {

/// | text               | shape                                                                          |
/// |--------------------|--------------------------------------------------------------------------------|
/// | exponential        |                                                                                |
/// | deterministic      |                                                                                |
/// | erlang:K           | phases, 1 to 1000                                                              |
/// | hyperexponential:C | squared coefficient of variation, 1 to 10,000; two phases with balanced means  |
/// | lognormal:S        | standard deviation of the logarithm, above 0, at most 5                        |
/// | uniform:W          | half the width by the mean: from mean (1 - W) to mean (1 + W), above 0 to 1    |
/// | gamma:K, weibull:K | shape, 0.05 to 1000                                                            |
class Delay {
 public:
  enum class Kind : std::uint8_t {
    exponential,
    deterministic,
    erlang,
    hyperexponential,
    lognormal,
    uniform,
    gamma,
    weibull
  };
  /// The texts above, for messages.
  static constexpr std::string_view kValid =
      "exponential, deterministic, erlang:PHASES, hyperexponential:SCV, lognormal:SIGMA, uniform:HALF-WIDTH, "
      "gamma:SHAPE or weibull:SHAPE, e.g. erlang:4";
  static constexpr double kLongest = 1e9;  ///< mean

  /// 0, always.
  Delay() = default;
  /// Throws InputError that says what is valid, without a place or an option in front of it. Needs a mean
  /// from 0 to kLongest.
  Delay(std::string_view text, double mean);

  /// Draws: one or two, of gammas a varying number.
  double draw(Rng& rng) const;

  double mean() const { return mean_; }
  /// Squared coefficient of variation: variance by mean squared.
  double scv() const { return scv_; }
  /// No draw is below it.
  double least() const { return least_; }
  Kind kind() const { return kind_; }

  friend bool operator==(const Delay&, const Delay&) = default;

 private:
  Kind kind_ = Kind::deterministic;
  double mean_ = 0, scv_ = 0, least_ = 0;
  double a_ = 0, b_ = 0, c_ = 0;  // what `draw` needs, by kind
};

}  // namespace anachron::models
