#include "model/random/cosine.hpp"

#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include <anachron/base/hash.hpp>
#include <anachron/model/rng.hpp>

#include "scale.hpp"

namespace anachron {
namespace {

constexpr std::uint64_t kTurn = std::uint64_t{1} << 53, kQuarter = kTurn / 4;

/// By the C library, in more digits, after the nearest quarter was taken off exactly.
long double reference(std::uint64_t k) {
  const std::uint64_t nearest = (k + kQuarter / 2) / kQuarter;
  const auto beyond = static_cast<std::int64_t>(k - nearest * kQuarter);
  const long double x = 2 * std::numbers::pi_v<long double> * static_cast<long double>(beyond) * 0x1p-53L;
  switch (nearest % 4) {
    case 0:
      return std::cos(x);
    case 1:
      return -std::sin(x);
    case 2:
      return -std::cos(x);
    default:
      return std::sin(x);
  }
}

/// How far off the cosine is, in units in the last place.
double error(std::uint64_t k) {
  const long double expected = reference(k);
  const double cosine = cosine_of_turns(k);
  if (expected == 0) return cosine == 0 ? 0 : HUGE_VAL;
  int exponent = 0;
  std::frexp(static_cast<double>(expected), &exponent);
  return static_cast<double>(std::abs(cosine - expected) / std::ldexp(1.0L, exponent - 53));
}

TEST(Cosine, IsAccurateForRandomAngles) {
  std::uint64_t draws = 0;
  Rng rng(3, 1, draws);
  for (int i = 0; i < test::scaled(2'000'000); ++i) {
    const std::uint64_t k = rng.bits() >> 11;
    ASSERT_LT(error(k), 1.2) << k;
  }
}

TEST(Cosine, IsAccurateAroundAndBetweenTheDirectionsOfItsTable) {
  std::uint64_t draws = 0;
  Rng rng(3, 2, draws);
  for (std::uint64_t at = 0; at < kTurn; at += kTurn / 256)
    for (int i = 0; i < test::scaled(2000); ++i) {
      const std::uint64_t off = i < 100 ? static_cast<std::uint64_t>(i) : rng.bits() >> rng.between(20, 63);
      ASSERT_LT(error((at + off) % kTurn), 1.2) << at << " + " << off;
      ASSERT_LT(error((at - off) % kTurn), 1.2) << at << " - " << off;
    }
}

TEST(Cosine, IsExactAtQuarters) {
  EXPECT_EQ(cosine_of_turns(0), 1);
  EXPECT_EQ(cosine_of_turns(kQuarter), 0);
  EXPECT_EQ(cosine_of_turns(2 * kQuarter), -1);
  EXPECT_EQ(cosine_of_turns(3 * kQuarter), 0);
}

TEST(Cosine, IsSymmetric) {
  std::uint64_t draws = 0;
  Rng rng(3, 3, draws);
  for (int i = 0; i < 10'000; ++i) {
    const std::uint64_t k = rng.below(kTurn - 1) + 1;
    ASSERT_EQ(cosine_of_turns(k), cosine_of_turns(kTurn - k));
  }
}

TEST(RngNormal, IsTheRadiusTimesTheCosine) {
  std::uint64_t a = 0, b = 0;
  Rng normal(1, 1, a), parts(1, 1, b);
  for (int i = 0; i < 100'000; ++i) {
    const double radius = std::sqrt(2 * parts.exponential(1));
    const auto k = static_cast<std::uint64_t>(parts.uniform() * 0x1p53);
    const double x = normal.normal();
    ASSERT_EQ(x, radius * cosine_of_turns(k)) << i;
    ASSERT_NEAR(x, radius * static_cast<double>(reference(k)), 5e-16 * std::abs(x)) << i;
  }
}

}  // namespace
}  // namespace anachron
