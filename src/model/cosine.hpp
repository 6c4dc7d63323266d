// The cosine of a random angle. It is own code and not std::cos for two reasons. The angle is a fraction of a
// turn with 53 bits, of which the nearest 128th of a turn can be taken off exactly and without branches. So
// it takes a fraction of the time. And normal variates are the same with every C library.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <numbers>

namespace anachron {
namespace detail {

inline constexpr std::size_t kDirections = 128;

/// Of a multiple of 1/kDirections turns; the cosine is the sum of its two parts, to twice the precision.
struct Direction {
  double cosine, cosine_rest, sine;
};

/// Power series of the cosine (from 1) and the sine (from x), for 0 <= x <= pi/4.
constexpr long double circular_series(long double x, long double term, int n) {
  long double sum = 0;
  for (; n < 40; n += 2, term *= -x * x / ((n - 1) * n)) sum += term;
  return sum;
}
constexpr long double series_of_cosine(long double x) { return circular_series(x, 1, 0); }
constexpr long double series_of_sine(long double x) { return circular_series(x, x, 1); }

/// cos(2 pi i / kDirections), for any i. Exact where it is 0 or 1.
constexpr long double cosine_of_direction(std::size_t i) {
  constexpr std::size_t kTurn = kDirections, kHalf = kTurn / 2, kQuarter = kTurn / 4;
  i %= kTurn;
  if (i > kHalf) i = kTurn - i;
  if (i > kQuarter) return -cosine_of_direction(kHalf - i);
  constexpr long double kStep = 2 * std::numbers::pi_v<long double> / kTurn;
  return i <= kQuarter / 2 ? series_of_cosine(kStep * static_cast<long double>(i))
                           : series_of_sine(kStep * static_cast<long double>(kQuarter - i));
}

constexpr std::array<Direction, kDirections> make_directions() {
  std::array<Direction, kDirections> directions{};
  for (std::size_t i = 0; i < kDirections; ++i) {
    const long double cosine = cosine_of_direction(i);
    const auto rounded = static_cast<double>(cosine);
    directions[i] = {rounded, static_cast<double>(cosine - rounded),
                     static_cast<double>(cosine_of_direction(i + kDirections - kDirections / 4))};
  }
  return directions;
}

inline constexpr std::array<Direction, kDirections> kDirectionTable = make_directions();

}  // namespace detail

/// cos(2 pi u) for u = k 2^-53, 0 <= k < 2^53, with an error below 1.2 units in the last place.
inline double cosine_of_turns(std::uint64_t k) noexcept {
  constexpr int kShift = 53 - 7;
  static_assert(detail::kDirections == 1u << 7);
  // The angle is that of the nearest direction and x, at most half a step: the cosine of the sum.
  const std::uint64_t nearest = (k + (std::uint64_t{1} << (kShift - 1))) >> kShift;
  const auto beyond = static_cast<std::int64_t>(k - (nearest << kShift));
  // x in two parts, the first of which is exact: 2 pi is 6.25 and a bit.
  const double turns = static_cast<double>(beyond) * 0x1p-53;
  const double x_most = turns * 6.25, x_rest = turns * (2 * std::numbers::pi - 6.25);
  const double x = x_most + x_rest, x2 = x * x;
  const double cosine_less_1 = x2 * (-1 / 2. + x2 * (1 / 24. - x2 * (1 / 720.)));
  const double sine_less_most = x_rest - x * (x2 * (1 / 6. - x2 * (1 / 120. - x2 * (1 / 5040.))));
  const auto& [cosine, cosine_rest, sine] = detail::kDirectionTable[nearest % detail::kDirections];
  return cosine + ((cosine_rest + (cosine * cosine_less_1 - sine * sine_less_most)) - sine * x_most);
}

}  // namespace anachron
