#include "partition/graph/sample.hpp"

#include <algorithm>
#include <cstdint>

#include <anachron/base/hash.hpp>

namespace anachron::partition {
namespace {

constexpr std::size_t kDraws = 8;  // for an LP

bool is_everywhere(const Spread& spread, std::size_t lps) { return spread.count == lps; }

/// What one LP sends to ranges that are not all LPs.
struct Total {
  std::size_t receivers = 0;
  double weight = 0;

  Total(std::span<const Spread> of_one_lp, std::size_t lps) {
    for (const Spread& spread : of_one_lp) {
      if (is_everywhere(spread, lps)) continue;
      receivers += spread.count;
      weight += spread.weight;
    }
  }
};

/// Appends every receiver of the ranges.
void take_all(std::vector<Sent>& sent, std::span<const Spread> of_one_lp, std::size_t lps) {
  for (const Spread& spread : of_one_lp)
    if (!is_everywhere(spread, lps))
      for (std::uint32_t k = 0; k < spread.count; ++k)
        sent.push_back({spread.from, spread.first + k, spread.weight / spread.count});
}

/// Appends receivers of the same weight, each from another part of all that the LP sends.
void draw(std::vector<Sent>& sent, std::span<const Spread> of_one_lp, std::size_t lps, double weight) {
  const double share = weight / kDraws;
  std::uint64_t state = mix64(of_one_lp.front().from + std::uint64_t{1});
  std::size_t drawn = 0;
  const auto next = [&] {
    state += 0x9e3779b97f4a7c15ull;
    return (static_cast<double>(drawn) + static_cast<double>(mix64(state) >> 11) * 0x1p-53) * share;
  };
  double before = 0, at = next();  // positions in the row of all that is sent
  for (const Spread& spread : of_one_lp) {
    if (is_everywhere(spread, lps)) continue;
    for (; drawn < kDraws && at < before + spread.weight; at = next()) {
      const auto k = static_cast<std::uint32_t>((at - before) / spread.weight * spread.count);
      sent.push_back({spread.from, spread.first + std::min(k, spread.count - 1), share});
      ++drawn;
    }
    before += spread.weight;
  }
}

}  // namespace

std::size_t draws_of(std::span<const Spread> of_one_lp, std::size_t lps) {
  return std::min(Total(of_one_lp, lps).receivers, kDraws);
}

Profile sampled(Profile profile) {
  const std::size_t lps = profile.work.size();
  const std::span<const Spread> all = profile.spread;
  for (std::size_t begin = 0, end = 0; begin < all.size(); begin = end) {
    while (end < all.size() && all[end].from == all[begin].from) ++end;
    const auto of_one_lp = all.subspan(begin, end - begin);
    const Total total(of_one_lp, lps);
    if (total.receivers <= kDraws)
      take_all(profile.sent, of_one_lp, lps);
    else
      draw(profile.sent, of_one_lp, lps, total.weight);
  }
  profile.spread.clear();
  return profile;
}

}  // namespace anachron::partition
