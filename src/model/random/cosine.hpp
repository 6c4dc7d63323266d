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

/// A cosine and what it lacks to 64 bits of precision.
struct Cosine {
  double rounded, rest;
};

/// Of the multiples of 1/kDirections turns from 0 to a quarter. The numbers are written out, as `long double`
/// is not the same on every processor, nor pi of that type in every library.
inline constexpr std::array kCosines{Cosine{0x1p+0, 0x0p+0},
                                     Cosine{0x1.ff621e3796d7ep-1, -0x1.c2p-57},
                                     Cosine{0x1.fd88da3d12526p-1, -0x1.88p-55},
                                     Cosine{0x1.fa7557f08a517p-1, -0x1.7ap-55},
                                     Cosine{0x1.f6297cff75cbp-1, 0x1.55p-56},
                                     Cosine{0x1.f0a7efb9230d7p-1, 0x1.52p-56},
                                     Cosine{0x1.e9f4156c62ddap-1, 0x1.758p-55},
                                     Cosine{0x1.e212104f686e5p-1, -0x1.02p-55},
                                     Cosine{0x1.d906bcf328d46p-1, 0x1.45p-56},
                                     Cosine{0x1.ced7af43cc773p-1, -0x1.e8p-58},
                                     Cosine{0x1.c38b2f180bdb1p-1, -0x1.6dp-56},
                                     Cosine{0x1.b728345196e3ep-1, -0x1.bb8p-55},
                                     Cosine{0x1.a9b66290ea1a3p-1, 0x1.9p-60},
                                     Cosine{0x1.9b3e047f38741p-1, -0x1.3p-55},
                                     Cosine{0x1.8bc806b151741p-1, -0x1.2b8p-55},
                                     Cosine{0x1.7b5df226aafafp-1, -0x1.11p-56},
                                     Cosine{0x1.6a09e667f3bcdp-1, -0x1.bep-55},
                                     Cosine{0x1.57d69348cecap-1, -0x1.75p-55},
                                     Cosine{0x1.44cf325091dd6p-1, 0x1.8p-57},
                                     Cosine{0x1.30ff7fce17035p-1, -0x1.fp-57},
                                     Cosine{0x1.1c73b39ae68c8p-1, 0x1.b28p-55},
                                     Cosine{0x1.073879922ffeep-1, -0x1.a6p-55},
                                     Cosine{0x1.e2b5d3806f63bp-2, 0x1.e4p-58},
                                     Cosine{0x1.b5d1009e15ccp-2, 0x1.5cp-57},
                                     Cosine{0x1.87de2a6aea963p-2, -0x1.73p-57},
                                     Cosine{0x1.58f9a75ab1fddp-2, -0x1.ep-62},
                                     Cosine{0x1.294062ed59f06p-2, -0x1.5c8p-56},
                                     Cosine{0x1.f19f97b215f1bp-3, -0x1.428p-57},
                                     Cosine{0x1.8f8b83c69a60bp-3, -0x1.268p-57},
                                     Cosine{0x1.2c8106e8e613ap-3, 0x1.12p-58},
                                     Cosine{0x1.917a6bc29b42cp-4, -0x1.e2p-60},
                                     Cosine{0x1.91f65f10dd814p-5, -0x1.92p-61},
                                     Cosine{0x0p+0, 0x0p+0}};
static_assert(kCosines.size() == kDirections / 4 + 1);

/// cos(2 pi i / kDirections), for any i.
constexpr Cosine cosine_of_direction(std::size_t i) {
  i %= kDirections;
  if (i > kDirections / 2) i = kDirections - i;
  if (i <= kDirections / 4) return kCosines[i];
  const Cosine& mirrored = kCosines[kDirections / 2 - i];
  return {-mirrored.rounded, -mirrored.rest};
}

constexpr std::array<Direction, kDirections> make_directions() {
  std::array<Direction, kDirections> directions{};
  for (std::size_t i = 0; i < kDirections; ++i) {
    const Cosine cosine = cosine_of_direction(i);
    directions[i] = {cosine.rounded, cosine.rest,
                     cosine_of_direction(i + kDirections - kDirections / 4).rounded};
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
