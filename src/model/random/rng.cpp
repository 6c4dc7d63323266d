#include <anachron/model/rng.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <string>
#include <string_view>

#include <anachron/base/parse.hpp>
#include <anachron/base/philox.hpp>

#include "model/random/cosine.hpp"
#include "model/random/logarithm.hpp"

namespace anachron {

namespace {

constexpr double kHighest = std::numeric_limits<double>::max();
constexpr double kMostTrials = 0x1p52;  // whole numbers up to here, and the sums made of them, are exact

[[noreturn]] void refuse(std::string_view function, std::string_view argument, const std::string& value,
                         std::string_view expected) {
  throw std::invalid_argument(std::string("Rng::")
                                  .append(function)
                                  .append(": ")
                                  .append(argument)
                                  .append(" is ")
                                  .append(value)
                                  .append(", expected ")
                                  .append(expected));
}

[[noreturn, gnu::cold]] void refuse(std::string_view function, std::string_view argument, double value,
                                    std::string_view expected) {
  refuse(function, argument, format_real(value), expected);
}

void need_finite(std::string_view function, std::string_view argument, double x) {
  if (!(x >= -kHighest && x <= kHighest)) refuse(function, argument, x, "a finite number");
}

void need_not_negative(std::string_view function, std::string_view argument, double x) {
  if (!(x >= 0 && x <= kHighest)) refuse(function, argument, x, "a finite number >= 0");
}

void need_positive(std::string_view function, std::string_view argument, double x) {
  if (!(x > 0 && x <= kHighest)) refuse(function, argument, x, "a finite number > 0");
}

// log(k!) minus Stirling's formula (k + 1/2) log(k) - k + log(2 pi)/2, for whole k > 0.
double stirling_error(double k) {
  if (k < 16) {
    double factorial = 1;
    for (double i = 2; i <= k; ++i) factorial *= i;
    return std::log(factorial) - (k + 0.5) * std::log(k) + k - 0.5 * std::log(2 * std::numbers::pi);
  }
  const double k2 = k * k;
  return (1 / 12. - (1 / 360. - (1 / 1260. - 1 / 1680. / k2) / k2) / k2) / k;
}

// x log(x/m) + m - x, without the cancellation of its terms near x = m.
double deviance(double x, double m) {
  const double e = (x - m) / m;
  return m * ((1 + e) * std::log1p(e) - e);
}

// Logarithms of probabilities in the form of C. Loader, "Fast and accurate computation of binomial
// probabilities", 2000, which stays accurate for large means.
double log_poisson(double k, double mean) {
  if (k == 0) return -mean;
  return -stirling_error(k) - deviance(k, mean) - 0.5 * std::log(2 * std::numbers::pi * k);
}

double log_binomial(double k, double n, double p) {
  if (k == 0) return n * std::log1p(-p);
  if (k == n) return n * std::log(p);
  return stirling_error(n) - stirling_error(k) - stirling_error(n - k) - deviance(k, n * p) -
         deviance(n - k, n * (1 - p)) + 0.5 * std::log(n / (2 * std::numbers::pi * k * (n - k)));
}

}  // namespace

// Not inlined. When it is and another function of this file is called behind it, GCC 12 forgets to clear the
// upper halves of its vector registers. Functions of libm that know no AVX take 100 ns each after that.
[[gnu::noinline]] void Rng::refill() {
  const std::uint64_t n = *draws_;
  philox::two_blocks(n / 2, number_, seed_, lanes_);
  lane_ = static_cast<std::uint32_t>(n % 2);
}

double Rng::minus_log_of_complement(std::uint64_t random_bits) noexcept {
  const std::uint64_t u = random_bits >> 11;
  const double x = static_cast<double>(static_cast<std::int64_t>((std::uint64_t{1} << 53) - u)) * 0x1p-53;
  const auto x_bits = std::bit_cast<std::uint64_t>(x);
  const std::uint64_t from_origin = x_bits - kLogOrigin;
  const auto exponent = static_cast<std::int64_t>(from_origin) >> 52;  // -e
  const auto z = std::bit_cast<double>(x_bits - (static_cast<std::uint64_t>(exponent) << 52));
  const LogPart& part = kLogTable[(from_origin >> kLogShift) % kLogParts];
  const double r = z * part.c - 1, r2 = r * r;
  const double series =
      r - r2 * ((1 / 2. - r * (1 / 3.)) + r2 * ((1 / 4. - r * (1 / 5.)) + r2 * (1 / 6. - r * (1 / 7.))));
  return (static_cast<double>(-exponent) * std::numbers::ln2 + part.log_c) - series;
}

double Rng::uniform(double a, double b) {
  if (!(a <= b)) refuse("uniform", "b", b, "at least a, which is " + format_real(a));
  const double width = b - a;
  if (!(width <= kHighest)) refuse("uniform", "b - a", width, "a finite number");
  const double x = a + width * uniform();
  if (x < b || a == b) return x;
  return std::nextafter(b, a);  // the sum was rounded up
}

std::uint64_t Rng::below_rest(std::uint64_t n, std::uint64_t low, std::uint64_t high) {
  for (const std::uint64_t threshold = -n % n; low < threshold;) {  // 2^64 mod n
    const auto product = static_cast<unsigned __int128>(bits()) * n;
    low = static_cast<std::uint64_t>(product);
    high = static_cast<std::uint64_t>(product >> 64);
  }
  return high;
}

double Rng::standard_normal() {
  const double radius = std::sqrt(2 * standard_exponential());
  return radius * cosine_of_turns(bits() >> 11);
}

double Rng::normal(double mean, double sigma) {
  need_finite("normal", "mean", mean);
  need_not_negative("normal", "sigma", sigma);
  return mean + sigma * standard_normal();
}

double Rng::lognormal(double mu, double sigma) {
  need_finite("lognormal", "mu", mu);
  need_not_negative("lognormal", "sigma", sigma);
  return std::exp(mu + sigma * standard_normal());
}

std::uint64_t Rng::poisson(double mean) {
  if (!(mean >= 0 && mean <= kMostTrials)) refuse("poisson", "mean", mean, "a number from 0 to 2^52");
  if (mean >= 10) return poisson_by_rejection(mean);
  double u = uniform();
  double probability = std::exp(-mean);
  std::uint64_t k = 0;
  // Beyond 100 the probability is below 2^-200, far less than uniform() can tell; rounding may leave some of
  // u.
  while (u >= probability && k < 100) {
    u -= probability;
    ++k;
    probability *= mean / static_cast<double>(k);
  }
  return k;
}

std::uint64_t Rng::poisson_by_rejection(double mean) {
  const double b = 0.931 + 2.53 * std::sqrt(mean);
  const double a = -0.059 + 0.02483 * b;
  const double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4);
  const double squeeze = 0.9277 - 3.6224 / (b - 2);
  for (;;) {
    const double u = uniform() - 0.5;
    const double v = 1 - uniform();
    const double us = 0.5 - std::abs(u);
    if (us == 0) continue;
    const double k = std::floor((2 * a / us + b) * u + mean + 0.43);
    if (us >= 0.07 && v <= squeeze) return static_cast<std::uint64_t>(k);
    if (k < 0 || k > 2 * kMostTrials || (us < 0.013 && v > us)) continue;
    if (std::log(v * inverse_alpha / (a / (us * us) + b)) <= log_poisson(k, mean))
      return static_cast<std::uint64_t>(k);
  }
}

std::uint64_t Rng::geometric(double p) {
  if (!(p > 0 && p <= 1)) refuse("geometric", "p", p, "a probability > 0 and <= 1");
  const double failures = standard_exponential() / -std::log1p(-p);
  return failures < 0x1p64 ? static_cast<std::uint64_t>(failures) : std::numeric_limits<std::uint64_t>::max();
}

std::uint64_t Rng::binomial(std::uint64_t n, double p) {
  if (!(static_cast<double>(n) <= kMostTrials)) refuse("binomial", "n", std::to_string(n), "at most 2^52");
  if (!(p >= 0 && p <= 1)) refuse("binomial", "p", p, "a probability from 0 to 1");
  if (p > 0.5) return n - binomial(n, 1 - p);
  if (p == 0) return 0;
  if (static_cast<double>(n) * p >= 10) return binomial_by_rejection(static_cast<double>(n), p);
  std::uint64_t successes = 0;
  for (std::uint64_t left = n;; ++successes) {
    const std::uint64_t failures = geometric(p);
    if (failures >= left) return successes;
    left -= failures + 1;
  }
}

std::uint64_t Rng::binomial_by_rejection(double n, double p) {
  const double sigma = std::sqrt(n * p * (1 - p));
  const double b = 1.15 + 2.53 * sigma;
  const double a = -0.0873 + 0.0248 * b + 0.01 * p;
  const double c = n * p + 0.5;
  const double alpha = (2.83 + 5.1 / b) * sigma;
  const double squeeze = 0.92 - 4.2 / b;
  const double log_mode = log_binomial(std::floor((n + 1) * p), n, p);
  for (;;) {
    const double u = uniform() - 0.5;
    const double v = 1 - uniform();
    const double us = 0.5 - std::abs(u);
    if (us == 0) continue;
    const double k = std::floor((2 * a / us + b) * u + c);
    if (!(k >= 0 && k <= n)) continue;
    if (us >= 0.07 && v <= squeeze) return static_cast<std::uint64_t>(k);
    if (std::log(v * alpha / (a / (us * us) + b)) <= log_binomial(k, n, p) - log_mode)
      return static_cast<std::uint64_t>(k);
  }
}

double Rng::erlang(unsigned k, double mean) {
  if (k == 0) refuse("erlang", "k", "0", "at least 1");
  need_not_negative("erlang", "mean", mean);
  if (k > 16) return standard_gamma(k) * (mean / k);
  double product = 1;  // at least 2^(-53*16), a normal number
  for (unsigned i = 0; i < k; ++i) product *= 1 - uniform();
  return (0.0 - std::log(product)) * (mean / k);  // not -log: it gives -0 for 1
}

double Rng::gamma(double shape, double scale) {
  need_positive("gamma", "shape", shape);
  need_not_negative("gamma", "scale", scale);
  return std::min(standard_gamma(shape) * scale, kHighest);
}

double Rng::standard_gamma(double shape) {
  if (shape < 1) {
    const double larger = standard_gamma(shape + 1);
    return larger * std::exp(-standard_exponential() / shape);
  }
  const double d = shape - 1 / 3.;
  const double c = 1 / std::sqrt(9 * d);
  for (;;) {
    const double x = standard_normal();
    const double root = 1 + c * x;
    if (root <= 0) continue;
    const double v = root * root * root;
    const double u = 1 - uniform();
    const double x2 = x * x;
    if (u < 1 - 0.0331 * x2 * x2 || std::log(u) < 0.5 * x2 + d * (1 - v + std::log(v))) return d * v;
  }
}

double Rng::beta(double a, double b) {
  if (!(a >= 1e-300 && a <= kHighest)) refuse("beta", "a", a, "a finite number >= 1e-300");
  if (!(b >= 1e-300 && b <= kHighest)) refuse("beta", "b", b, "a finite number >= 1e-300");
  if (a <= 1 && b <= 1) return beta_of_small(a, b);
  const double x = standard_gamma(a);
  const double y = standard_gamma(b);
  return x / (x + y);
}

// In logarithms, because powers of 1/a with a small a underflow.
double Rng::beta_of_small(double a, double b) {
  for (;;) {
    const double log_x = -standard_exponential() / a;
    const double log_y = -standard_exponential() / b;
    if (std::exp(log_x) + std::exp(log_y) > 1) continue;
    return 1 / (1 + std::exp(log_y - log_x));
  }
}

double Rng::weibull(double shape, double scale) {
  need_positive("weibull", "shape", shape);
  need_not_negative("weibull", "scale", scale);
  const double x = std::min(std::pow(standard_exponential(), 1 / shape), kHighest);
  return std::min(scale * x, kHighest);
}

double Rng::pareto(double shape, double scale) {
  need_positive("pareto", "shape", shape);
  need_not_negative("pareto", "scale", scale);
  const double x = std::min(std::exp(standard_exponential() / shape), kHighest);
  return std::min(scale * x, kHighest);
}

double Rng::triangular(double lo, double mode, double hi) {
  need_finite("triangular", "lo", lo);
  need_finite("triangular", "hi", hi);
  if (!(lo <= mode && mode <= hi))
    refuse("triangular", "mode", mode,
           "a number from lo, " + format_real(lo) + ", to hi, " + format_real(hi));
  const double width = hi - lo;
  if (!(width <= kHighest)) refuse("triangular", "hi - lo", width, "a finite number");
  const double u = uniform();
  if (width == 0) return lo;
  const double rise = mode - lo, fall = hi - mode;
  if (u < rise / width) return lo + std::sqrt(u * width) * std::sqrt(rise);
  return hi - std::sqrt((1 - u) * width) * std::sqrt(fall);
}

std::size_t Rng::choose(std::span<const double> weights) {
  double sum = 0;
  for (const double w : weights) {
    need_not_negative("choose", "a weight", w);
    sum += w;
  }
  need_positive("choose", "the sum of weights", sum);
  double rest = sum * uniform();
  std::size_t last = 0;  // rounding may leave some of `rest`
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] == 0) continue;
    if (rest < weights[i]) return i;
    rest -= weights[i];
    last = i;
  }
  return last;
}

void Rng::refuse_below(std::int64_t n) { refuse("below", "n", std::to_string(n), "at least 1"); }

void Rng::refuse_between(std::int64_t lo, std::int64_t hi) {
  refuse("between", "hi", std::to_string(hi), "at least lo, which is " + std::to_string(lo));
}

void Rng::refuse_between(std::uint64_t lo, std::uint64_t hi) {
  refuse("between", "hi", std::to_string(hi), "at least lo, which is " + std::to_string(lo));
}

void Rng::refuse_bernoulli(double p) { refuse("bernoulli", "p", p, "a probability from 0 to 1"); }

void Rng::refuse_exponential(double mean) { refuse("exponential", "mean", mean, "a number from 0 to 1e306"); }

}  // namespace anachron
