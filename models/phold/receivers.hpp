// To whom a player throws: the groups of hierarchical PHOLD, and what a partition is told of receivers.
#pragma once

#include <algorithm>
#include <cstdint>

#include <anachron/base/hash.hpp>

#include "phold/params.hpp"
#include "phold/ring.hpp"

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

/// A few of many receivers stand for all, so that the graph of a large model stays small. Which, looks random
/// and is always the same: neighbours that were chosen by a rule would let a partition seem better than it
/// is.
class Sample {
 public:
  static constexpr std::uint32_t kMost = 8;

  explicit Sample(std::uint32_t self) : state_(mix64(self + 1ull)) {}

  /// Calls `add(k, weight)` for numbers k < n, each from another part of them; all weights add up to
  /// `weight`.
  template <class Add>
  void of(std::uint32_t n, double weight, const Add& add) {
    const std::uint32_t picks = std::min(n, kMost);
    for (std::uint32_t i = 0; i < picks; ++i) {
      const double at = n <= kMost ? i : (i + uniform()) / picks * n;
      add(std::min(static_cast<std::uint32_t>(at), n - 1), weight / picks);
    }
  }
  /// Roughly normal: a sum of twelve, without functions that differ from machine to machine.
  double normal() {
    double sum = -6;
    for (int i = 0; i < 12; ++i) sum += uniform();
    return sum;
  }

 private:
  double uniform() {
    state_ += 0x9e3779b97f4a7c15ull;
    return static_cast<double>(mix64(state_) >> 11) * 0x1p-53;
  }

  std::uint64_t state_;
};

/// Calls `add(receiver, weight)`: the shares of the throws of player `self`, but for those that go anywhere.
template <class Add>
void name_receivers(const Params& params, std::uint32_t self, const Add& add) {
  const std::uint32_t n = params.lps;
  Sample sample(self);
  switch (params.receiver) {
    case Receiver::uniform:
      return add(self, 1 - params.remote);
    case Receiver::torus: {
      const std::uint32_t reach = (params.range - 1) / 2;
      return sample.of(2 * reach + 1, 1, [&](std::uint32_t step, double weight) {
        add(static_cast<std::uint32_t>((std::uint64_t{self} + n - reach % n + step) % n), weight);
      });
    }
    case Receiver::gaussian:
      for (std::uint32_t i = 0; i < Sample::kMost; ++i)
        add(moved_on_ring(self, params.sigma * sample.normal(), n), 1.0 / Sample::kMost);
      return;
    case Receiver::hierarchical: {
      const auto of = [&](const Players& players, double weight) {
        if (weight > 0)
          sample.of(players.size(), weight, [&](std::uint32_t k, double w) { add(players[k], w); });
      };
      of(Players::local(params, self, n), 1 - params.remote - params.regional);
      of(Players::regional(params, self, n), params.regional);
      of(Players::remote(params, self, n), params.remote);
      return;
    }
  }
}

}  // namespace anachron::models::phold
