#include <anachron/model/stats/student.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <anachron/base/error.hpp>
#include <anachron/base/parse.hpp>

namespace anachron {
namespace detail {
namespace {

/// The continued fraction of the incomplete beta function (DLMF 8.17.22) by Lentz's method in the form of
/// Thompson and Barnett, J. Comp. Phys. 64, 1986. Converges fast for x < (a + 1) / (a + b + 2).
double beta_fraction(double a, double b, double x) {
  constexpr double kTiny = 1e-300, kEnough = 1e-16;
  constexpr int kMostSteps = 10'000;
  const auto not_zero = [](double y) { return std::abs(y) < kTiny ? kTiny : y; };
  double c = 1, d = 1 / not_zero(1 - (a + b) * x / (a + 1)), fraction = d;
  for (int m = 1; m < kMostSteps; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / not_zero(1 + even * d);
    c = not_zero(1 + even / c);
    fraction *= d * c;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / not_zero(1 + odd * d);
    c = not_zero(1 + odd / c);
    fraction *= d * c;
    if (std::abs(d * c - 1) < kEnough) break;
  }
  return fraction;
}

double log_beta(double a, double b) {
  const double large = std::max(a, b);
  constexpr double kDigitsCancel = 1e3;  // between logarithms of gammas of large numbers
  if (large < kDigitsCancel || std::min(a, b) != 0.5)
    return std::lgamma(a) + std::lgamma(b) - std::lgamma(a + b);
  // Gamma(a + 1/2) / Gamma(a), DLMF 5.11.13.
  const double r = 1 / large;
  const double ratio = std::sqrt(large) * (1 - r / 8 * (1 - r / 16 * (1 + r * 5 / 8)));
  return std::lgamma(0.5) - std::log(ratio);
}

}  // namespace

double incomplete_beta(double a, double b, double x) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const double front = std::exp(a * std::log(x) + b * std::log1p(-x) - log_beta(a, b));
  if (x < (a + 1) / (a + b + 2)) return front * beta_fraction(a, b, x) / a;
  return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

void check_confidence(double confidence) {
  if (!(confidence > 0 && confidence < 1))
    throw bad_value("confidence", format_real(confidence), "a number above 0 and below 1, such as 0.95");
}

}  // namespace detail

double student_t(double confidence, double freedom) {
  detail::check_confidence(confidence);
  if (!(freedom > 0))
    throw InputError(
        fmt::format("student_t: {} degrees of freedom: expected more than 0", format_real(freedom)));
  // P(|T| <= t), from the side that is exact for small t and large freedom.
  const auto within = [freedom](double t) {
    return detail::incomplete_beta(0.5, freedom / 2, t * t / (freedom + t * t));
  };
  const auto beyond = [freedom](double t) {
    return detail::incomplete_beta(freedom / 2, 0.5, freedom / (freedom + t * t));
  };
  const auto is_low = [&](double t) {
    return confidence < 0.5 ? within(t) < confidence : beyond(t) > 1 - confidence;
  };
  double low = 0, high = 1;
  while (is_low(high) && high < 1e150) high *= 2;
  for (double middle = high / 2; low < middle && middle < high; middle = low + (high - low) / 2)
    (is_low(middle) ? low : high) = middle;
  return high;
}

std::optional<double> half_width(const Tally& tally, double confidence) {
  detail::check_confidence(confidence);
  if (tally.count() < 2) return std::nullopt;
  const auto n = static_cast<double>(tally.count());
  return student_t(confidence, n - 1) * std::sqrt(tally.variance() / n);
}

}  // namespace anachron
