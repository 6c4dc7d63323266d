// What random numbers of each distribution are like: against the distribution function, and moments.
#include <anachron/model/rng.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <string>
#include <type_traits>
#include <vector>

namespace {

using anachron::Rng;

constexpr int kMany = 200'000;

// Draws kMany values as a model does: a new view for every event, of one LP, with a few draws each.
template <class Draw>
auto sample(const Draw& draw, std::uint64_t seed = 7, int count = kMany) {
  std::vector<std::invoke_result_t<Draw, Rng&>> values;
  values.reserve(static_cast<std::size_t>(count));
  std::uint64_t draws = 0;
  while (values.size() < static_cast<std::size_t>(count)) {
    Rng rng(seed, 3, draws);
    for (std::size_t i = 0; i <= values.size() % 5; ++i) values.push_back(draw(rng));
  }
  return values;
}

// Kolmogorov-Smirnov: the greatest distance of the sample from the distribution is plausible (0.1% level).
void expect_distribution(std::vector<double> values, const std::function<double(double)>& cdf) {
  std::sort(values.begin(), values.end());
  const auto n = static_cast<double>(values.size());
  double distance = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double p = cdf(values[i]);
    distance = std::max({distance, static_cast<double>(i + 1) / n - p, p - static_cast<double>(i) / n});
  }
  EXPECT_LT(distance * std::sqrt(n), 1.95);
}

// Chi-square at the 0.1% level; outcomes expected less than 10 times are taken together.
template <class T>
void expect_frequencies(const std::vector<T>& values, const std::function<double(std::uint64_t)>& probability,
                        std::uint64_t outcomes) {
  std::vector<double> seen(outcomes + 1);
  for (const T value : values) ++seen[std::min(static_cast<std::uint64_t>(value), outcomes)];
  const auto n = static_cast<double>(values.size());
  double chi2 = 0, cells = 0, rest_expected = n, rest_seen = n;
  for (std::uint64_t k = 0; k < outcomes; ++k) {
    const double expected = n * probability(k);
    if (expected < 10) continue;
    chi2 += (seen[k] - expected) * (seen[k] - expected) / expected;
    rest_expected -= expected;
    rest_seen -= seen[k];
    ++cells;
  }
  if (rest_expected >= 10) {
    chi2 += (rest_seen - rest_expected) * (rest_seen - rest_expected) / rest_expected;
    ++cells;
  } else {
    EXPECT_LT(rest_seen, rest_expected + 5 * std::sqrt(std::max(rest_expected, 0.0)) + 5);
  }
  ASSERT_GT(cells, 1);
  const double freedom = cells - 1, f = 2 / (9 * freedom);  // Wilson and Hilferty's approximation
  EXPECT_LT(chi2, freedom * std::pow(1 - f + 3.09 * std::sqrt(f), 3)) << cells << " cells";
}

// Mean and variance within 4.5 standard errors; `kurtosis` is E(x-m)^4 / var^2 of the distribution.
template <class T>
void expect_moments(const std::vector<T>& values, double mean, double variance, double kurtosis = 3) {
  const auto n = static_cast<double>(values.size());
  double sum = 0, squares = 0;
  for (const T value : values) sum += static_cast<double>(value) - mean;
  for (const T value : values) squares += std::pow(static_cast<double>(value) - mean, 2);
  EXPECT_NEAR(sum / n, 0, 4.5 * std::sqrt(variance / n));
  EXPECT_NEAR(squares / n / variance, 1, 4.5 * std::sqrt((kurtosis - 1) / n));
}

TEST(RngUniform, IsUniformInTheHalfOpenInterval) {
  const auto values = sample([](Rng& r) { return r.uniform(); });
  EXPECT_GE(*std::min_element(values.begin(), values.end()), 0);
  EXPECT_LT(*std::max_element(values.begin(), values.end()), 1);
  expect_distribution(values, [](double x) { return x; });
  expect_moments(values, 0.5, 1 / 12., 1.8);
}

TEST(RngUniform, StaysWithinBounds) {
  const double a = 1, b = std::nextafter(1, 2);  // only one value fits
  for (const double x : sample([&](Rng& r) { return r.uniform(a, b); }, 7, 1000)) ASSERT_EQ(x, a);
  for (const double x : sample([&](Rng& r) { return r.uniform(-3, -3); }, 7, 10)) ASSERT_EQ(x, -3);
  expect_distribution(sample([](Rng& r) { return r.uniform(-2, 6); }), [](double x) { return (x + 2) / 8; });
}

TEST(RngBelow, IsUniform) {
  expect_frequencies(sample([](Rng& r) { return r.below(10); }), [](std::uint64_t) { return 0.1; }, 10);
  expect_frequencies(sample([](Rng& r) { return r.below(1000u); }), [](std::uint64_t) { return 1e-3; }, 1000);
  for (const auto x : sample([](Rng& r) { return r.below(std::uint8_t{1}); }, 7, 100)) ASSERT_EQ(x, 0);
}

// The thirds of 0 .. 3/4 2^64 - 1 would get 2/4, 1/4 and 1/4 from a remainder.
TEST(RngBelow, HasNoModuloBias) {
  constexpr std::uint64_t kN = 3ull << 62;
  std::uint64_t draws = 0;
  std::vector<std::uint64_t> thirds;
  for (int i = 0; i < kMany; ++i) {
    Rng rng(1, 1, draws);
    const std::uint64_t x = rng.below(kN);
    ASSERT_LT(x, kN);
    thirds.push_back(x >> 62);
  }
  expect_frequencies(thirds, [](std::uint64_t) { return 1 / 3.; }, 3);
  EXPECT_NEAR(static_cast<double>(draws) / kMany, 4 / 3., 0.01);  // a quarter of all draws is rejected
}

TEST(RngBetween, IncludesBothEnds) {
  const auto values = sample([](Rng& r) { return r.between(-3, 4) + 3; });
  expect_frequencies(values, [](std::uint64_t) { return 1 / 8.; }, 8);
  EXPECT_EQ(*std::max_element(values.begin(), values.end()), 7);
}

TEST(RngBetween, TakesTheWholeRangeOfAType) {
  using Limits = std::numeric_limits<std::int64_t>;
  int negative = 0;
  for (const auto x : sample([](Rng& r) { return r.between(Limits::min(), Limits::max()); }))
    negative += x < 0;
  EXPECT_NEAR(negative, kMany / 2, 4.5 * std::sqrt(kMany) / 2);
  for (const auto x : sample([](Rng& r) { return r.between<std::int8_t>(-128, 127); }, 7, 1000))
    ASSERT_TRUE(x >= -128 && x <= 127);
  for (const auto x : sample([](Rng& r) { return r.between(Limits::max(), Limits::max()); }, 7, 10))
    ASSERT_EQ(x, Limits::max());
}

TEST(RngBernoulli, HasItsProbability) {
  for (const double p : {0.0, 0.1, 0.5, 0.9, 1.0}) {
    const auto values = sample([p](Rng& r) { return static_cast<int>(r.bernoulli(p)); });
    const auto hits = static_cast<double>(std::count(values.begin(), values.end(), 1));
    EXPECT_NEAR(hits / kMany, p, 4.5 * std::sqrt(p * (1 - p) / kMany));
  }
}

TEST(RngExponential, HasItsDistribution) {
  const auto values = sample([](Rng& r) { return r.exponential(3); });
  expect_distribution(values, [](double x) { return -std::expm1(-x / 3); });
  expect_moments(values, 3, 9, 9);
  for (const double x : sample([](Rng& r) { return r.exponential(0); }, 7, 100)) {
    ASSERT_EQ(x, 0);
    ASSERT_FALSE(std::signbit(x));
  }
}

TEST(RngExponential, IsTheLogarithmOfUniform) {
  std::uint64_t a = 0, b = 0;
  Rng exponential(1, 1, a), uniform(1, 1, b);
  for (int i = 0; i < 1'000'000; ++i) {
    const double x = exponential.exponential(1), expected = -std::log1p(-uniform.uniform());
    ASSERT_NEAR(x, expected, 4e-14 * expected) << i;
  }
}

TEST(RngNormal, HasItsDistribution) {
  const auto values = sample([](Rng& r) { return r.normal(2, 3); });
  expect_distribution(values, [](double x) { return std::erfc(-(x - 2) / 3 / std::numbers::sqrt2) / 2; });
  expect_moments(values, 2, 9);
  EXPECT_EQ(sample([](Rng& r) { return r.normal(2, 0); }, 7, 1)[0], 2);
}

TEST(RngLognormal, HasItsDistribution) {
  expect_distribution(sample([](Rng& r) { return r.lognormal(1, 0.5); }),
                      [](double x) { return std::erfc(-(std::log(x) - 1) / 0.5 / std::numbers::sqrt2) / 2; });
}

double poisson_probability(double mean, std::uint64_t k) {
  const auto x = static_cast<double>(k);
  return std::exp(x * std::log(mean) - mean - std::lgamma(x + 1));
}

TEST(RngPoisson, HasItsDistribution) {
  for (const double mean : {0.01, 1.0, 9.99, 10.0, 11.5, 40.0, 1000.0}) {
    SCOPED_TRACE(mean);
    const auto values = sample([mean](Rng& r) { return r.poisson(mean); });
    expect_frequencies(values, [mean](std::uint64_t k) { return poisson_probability(mean, k); }, 1500);
    expect_moments(values, mean, mean, 3 + 1 / mean);
  }
  EXPECT_EQ(sample([](Rng& r) { return r.poisson(0); }, 7, 1)[0], 0u);
}

TEST(RngPoisson, HoldsForHugeMeans) {
  for (const double mean : {1e6, 1e12, 0x1p52}) {
    SCOPED_TRACE(mean);
    std::vector<double> values;
    for (const auto k : sample([mean](Rng& r) { return r.poisson(mean); }))
      values.push_back(static_cast<double>(k));
    expect_moments(values, mean, mean);
    // The normal distribution is less than 0.4/sqrt(mean) away.
    expect_distribution(values,
                        [mean](double x) { return std::erfc(-(x + 0.5 - mean) / std::sqrt(2 * mean)) / 2; });
  }
}

TEST(RngGeometric, CountsFailures) {
  for (const double p : {0.05, 0.5, 0.99}) {
    SCOPED_TRACE(p);
    expect_frequencies(
        sample([p](Rng& r) { return r.geometric(p); }),
        [p](std::uint64_t k) { return p * std::pow(1 - p, static_cast<double>(k)); }, 1000);
  }
  for (const auto k : sample([](Rng& r) { return r.geometric(1); }, 7, 100)) ASSERT_EQ(k, 0u);
  for (const auto k : sample([](Rng& r) { return r.geometric(1e-300); }, 7, 100))
    ASSERT_EQ(k, std::numeric_limits<std::uint64_t>::max());
}

TEST(RngBinomial, HasItsDistribution) {
  struct Case {
    std::uint64_t n;
    double p;
  };
  for (const auto& [n, p] : {Case{1, 0.3}, Case{20, 0.1}, Case{20, 0.5}, Case{25, 0.6}, Case{30, 0.95},
                             Case{1000, 0.3}, Case{1000, 0.999}, Case{100'000, 1e-4}, Case{500, 0.02}}) {
    SCOPED_TRACE(std::to_string(n) + " " + std::to_string(p));
    const auto values = sample([n = n, p = p](Rng& r) { return r.binomial(n, p); });
    ASSERT_LE(*std::max_element(values.begin(), values.end()), n);
    const auto trials = static_cast<double>(n);
    expect_frequencies(
        values,
        [trials, p = p](std::uint64_t k) {
          const auto x = static_cast<double>(k);
          if (x > trials) return 0.0;
          return std::exp(std::lgamma(trials + 1) - std::lgamma(x + 1) - std::lgamma(trials - x + 1) +
                          x * std::log(p) + (trials - x) * std::log1p(-p));
        },
        1001);
    const double variance = trials * p * (1 - p);
    expect_moments(values, trials * p, variance, 3 + (1 - 6 * p * (1 - p)) / variance);
  }
  EXPECT_EQ(sample([](Rng& r) { return r.binomial(10, 0); }, 7, 1)[0], 0u);
  EXPECT_EQ(sample([](Rng& r) { return r.binomial(10, 1); }, 7, 1)[0], 10u);
  EXPECT_EQ(sample([](Rng& r) { return r.binomial(0, 0.5); }, 7, 1)[0], 0u);
}

// P(X > x) of a sum of k exponentials of mean 1.
double erlang_tail(unsigned k, double x) {
  double term = std::exp(-x), sum = 0;
  for (unsigned i = 0; i < k; ++i) {
    sum += term;
    term *= x / (i + 1);
  }
  return sum;
}

TEST(RngErlang, HasItsDistribution) {
  for (const unsigned k : {1u, 3u, 16u, 17u, 40u}) {
    SCOPED_TRACE(k);
    const auto values = sample([k](Rng& r) { return r.erlang(k, 5); });
    expect_distribution(values, [k](double x) { return 1 - erlang_tail(k, x * k / 5); });
    expect_moments(values, 5, 25. / k, 3 + 6. / k);
  }
}

TEST(RngGamma, HasItsDistribution) {
  for (const unsigned shape : {1u, 2u, 7u}) {
    SCOPED_TRACE(shape);
    expect_distribution(sample([shape](Rng& r) { return r.gamma(shape, 2); }),
                        [shape](double x) { return 1 - erlang_tail(shape, x / 2); });
  }
  expect_distribution(sample([](Rng& r) { return r.gamma(0.5, 1); }),
                      [](double x) { return std::erf(std::sqrt(x)); });
  for (const double shape : {0.1, 1.5, 1000.25})
    expect_moments(sample([shape](Rng& r) { return r.gamma(shape, 1); }), shape, shape, 3 + 6 / shape);
}

TEST(RngBeta, HasItsDistribution) {
  expect_distribution(sample([](Rng& r) { return r.beta(0.5, 0.5); }),
                      [](double x) { return 2 / std::numbers::pi * std::asin(std::sqrt(x)); });
  expect_distribution(sample([](Rng& r) { return r.beta(1, 1); }), [](double x) { return x; });
  expect_distribution(sample([](Rng& r) { return r.beta(2, 3); }),
                      [](double x) { return x * x * (6 - 8 * x + 3 * x * x); });
  expect_distribution(sample([](Rng& r) { return r.beta(0.5, 2); }),
                      [](double x) { return std::sqrt(x) * (3 - x) / 2; });
  for (const double x : sample([](Rng& r) { return r.beta(1e-300, 1e-300); }, 7, 1000))
    ASSERT_TRUE(x == 0 || x == 1);
}

TEST(RngWeibull, HasItsDistribution) {
  for (const double shape : {0.5, 1.0, 3.0}) {
    SCOPED_TRACE(shape);
    expect_distribution(sample([shape](Rng& r) { return r.weibull(shape, 2); }),
                        [shape](double x) { return -std::expm1(-std::pow(x / 2, shape)); });
  }
}

TEST(RngPareto, HasItsDistribution) {
  expect_distribution(sample([](Rng& r) { return r.pareto(2.5, 3); }),
                      [](double x) { return 1 - std::pow(3 / x, 2.5); });
}

TEST(RngWeibull, IsFiniteForTinyShapes) {
  for (const double shape : {1e-3, 1e-300, 5e-324}) {
    for (const double x :
         sample([shape](Rng& r) { return r.weibull(shape, 2) + r.pareto(shape, 1) / 2; }, 7, 1000))
      ASSERT_FALSE(std::isnan(x));
    for (const double x : sample([shape](Rng& r) { return r.pareto(shape, 2); }, 7, 1000))
      ASSERT_TRUE(std::isfinite(x));
    for (const double x : sample([shape](Rng& r) { return r.weibull(shape, 0); }, 7, 1000)) ASSERT_EQ(x, 0);
  }
}

TEST(RngTriangular, HasItsDistribution) {
  struct Case {
    double lo, mode, hi;
  };
  for (const auto& c : {Case{0, 1, 4}, Case{-1, -1, 2}, Case{-1, 2, 2}}) {
    SCOPED_TRACE(c.mode);
    expect_distribution(sample([c](Rng& r) { return r.triangular(c.lo, c.mode, c.hi); }), [c](double x) {
      if (x < c.mode) return (x - c.lo) * (x - c.lo) / (c.hi - c.lo) / (c.mode - c.lo);
      return 1 - (c.hi - x) * (c.hi - x) / (c.hi - c.lo) / (c.hi - c.mode);
    });
  }
  EXPECT_EQ(sample([](Rng& r) { return r.triangular(2, 2, 2); }, 7, 1)[0], 2);
}

TEST(RngChoose, FollowsTheWeights) {
  const std::vector<double> weights{0, 1, 2, 0, 4, 0};
  const auto values = sample([&](Rng& r) { return r.choose(weights); });
  expect_frequencies(values, [&](std::uint64_t i) { return weights[i] / 7; }, weights.size());
  for (const auto i : values) ASSERT_GT(weights[i], 0);
}

TEST(RngShuffle, MakesAllPermutationsEquallyLikely) {
  const auto values = sample([](Rng& r) {
    std::array<std::uint64_t, 4> order{0, 1, 2, 3};
    r.shuffle(order);
    std::uint64_t rank = 0;  // in the factorial number system
    for (std::size_t i = 0; i < 4; ++i) {
      std::uint64_t smaller = 0;
      for (std::size_t j = i + 1; j < 4; ++j) smaller += order[j] < order[i];
      rank = rank * (4 - i) + smaller;
    }
    return rank;
  });
  expect_frequencies(values, [](std::uint64_t) { return 1 / 24.; }, 24);
}

}  // namespace
