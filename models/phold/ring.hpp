// Distances on a ring of players.
#pragma once

#include <cmath>
#include <cstdint>

namespace anachron::models::phold {

/// Where one gets from `self` by `distance`, rounded to whole steps (halves away from 0), on a ring of `n`.
/// What std::round, std::fmod and % would give, bit for bit, but without divisions where `distance` is less
/// than once round. Preconditions: self < n; finite.
inline std::uint32_t moved_on_ring(std::uint32_t self, double distance, std::uint32_t n) {
  constexpr double kAllWhole = 0x1p52;  // from here on
  std::int64_t steps = 0;
  if (std::abs(distance) < kAllWhole) [[likely]] {
    steps = static_cast<std::int64_t>(distance);
    const double rest = distance - static_cast<double>(steps);
    steps += (rest >= 0.5) - (rest <= -0.5);
    if (steps >= n || -steps >= n) steps %= n;
  } else {
    steps = static_cast<std::int64_t>(std::fmod(distance, n));
  }
  const std::int64_t moved = self + steps;
  return static_cast<std::uint32_t>(moved < 0 ? moved + n : moved >= n ? moved - n : moved);
}

}  // namespace anachron::models::phold
