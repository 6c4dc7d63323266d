// To whom a player throws: the groups of hierarchical PHOLD, and what a partition is told of receivers.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "phold/params.hpp"

namespace anachron::models::phold {

/// The players of [low, high) without those of [hole_low, hole_high), which lies inside.
struct Players {
  std::uint32_t low, high, hole_low, hole_high;

  std::uint32_t size() const { return high - low - (hole_high - hole_low); }
  /// Precondition: k < size().
  std::uint32_t operator[](std::uint32_t k) const {
    return low + k < hole_low ? low + k : low + k + (hole_high - hole_low);
  }

  /// Of `n` players: the block of `self`, with itself.
  static Players local(const Params& params, std::uint32_t self, std::uint32_t n) {
    const std::uint32_t low = self / params.local_size * params.local_size;
    return {low, std::min(low + params.local_size, n), low, low};
  }
  /// The other blocks of its region.
  static Players regional(const Params& params, std::uint32_t self, std::uint32_t n) {
    const Players block = local(params, self, n);
    const std::uint32_t low = self / params.region_size * params.region_size;
    return {low, std::min(low + params.region_size, n), block.low, block.high};
  }
  /// The other regions.
  static Players remote(const Params& params, std::uint32_t self, std::uint32_t n) {
    const Players region = regional(params, self, n);
    return {0, n, region.low, region.high};
  }
};

/// Calls `add(first, count, weight)` for ranges that together are `count` players of a ring of `n`, from
/// `self + step` on; once for each range, not for each time round.
template <class Add>
void add_on_ring(std::uint32_t self, std::int64_t step, std::uint64_t count, std::uint32_t n, double weight,
                 const Add& add) {
  const double each = weight / static_cast<double>(count);
  if (const std::uint64_t rounds = count / n) add(0, n, each * static_cast<double>(rounds) * n);
  const auto rest = static_cast<std::uint32_t>(count % n);
  const auto first = static_cast<std::uint32_t>((self + step % n + n) % n);
  const std::uint32_t straight = std::min(rest, n - first);
  if (straight > 0) add(first, straight, each * straight);
  if (rest > straight) add(0, rest - straight, each * (rest - straight));
}

/// The standard normal distribution function, 3e-7 off at most: M. Abramowitz, I. A. Stegun, "Handbook of
/// Mathematical Functions", 7.1.28. Unlike std::erf it is the same on every machine.
inline double normal_below(double z) {
  const double x = std::abs(z) * 0.70710678118654752440;
  const double sum =
      1 + x * (0.0705230784 +
               x * (0.0422820123 +
                    x * (0.0092705272 + x * (0.0001520143 + x * (0.0002765672 + x * 0.0000430638)))));
  double power = sum;
  for (int doubled = 0; doubled < 4; ++doubled) power *= power;
  return z < 0 ? 0.5 / power : 1 - 0.5 / power;
}

/// The receivers of a normally distributed throw: strips of the ring, a third of sigma wide, within which all
/// count alike.
template <class Add>
void name_normal_receivers(std::uint32_t self, double sigma, std::uint32_t n, const Add& add) {
  if (sigma >= n) return add(0, n, 1);                      // once round and more: uniform, but for 1e-8
  constexpr double kWidth = 1.0 / 3, kFarthest = 10.0 / 3;  // in sigmas
  const auto width = static_cast<std::int64_t>(std::max(std::round(sigma * kWidth), 1.0));
  const std::int64_t strips =
      static_cast<std::int64_t>(std::ceil(sigma * kFarthest / static_cast<double>(width)));
  double below = 0;
  for (std::int64_t strip = -strips; strip < strips; ++strip) {
    const std::int64_t first = strip * width, end = first + width;
    const double next = strip + 1 == strips ? 1 : normal_below((static_cast<double>(end) - 0.5) / sigma);
    add_on_ring(self, first, static_cast<std::uint64_t>(width), n, next - below, add);
    below = next;
  }
}

/// Calls `add(first, count, weight)`: the shares of the throws of player `self`, by ranges of players, all of
/// which get the same. But for those that remain at oneself by `--remote`.
template <class Add>
void name_receivers(const Params& params, std::uint32_t self, const Add& add) {
  const std::uint32_t n = params.lps;
  switch (params.receiver) {
    case Receiver::uniform:
      return add(0, n, params.remote);
    case Receiver::torus: {
      const std::int64_t reach = (params.range - 1) / 2;
      return add_on_ring(self, -reach, static_cast<std::uint64_t>(2 * reach + 1), n, 1, add);
    }
    case Receiver::gaussian:
      return name_normal_receivers(self, params.sigma, n, add);
    case Receiver::hierarchical: {
      const auto of = [&](const Players& players, double weight) {
        if (weight <= 0) return;
        const std::uint32_t before = players.hole_low - players.low,
                            behind = players.high - players.hole_high;
        if (before > 0) add(players.low, before, weight * before / players.size());
        if (behind > 0) add(players.hole_high, behind, weight * behind / players.size());
      };
      of(Players::local(params, self, n), 1 - params.remote - params.regional);
      of(Players::regional(params, self, n), params.regional);
      of(Players::remote(params, self, n), params.remote);
      return;
    }
  }
}

}  // namespace anachron::models::phold
