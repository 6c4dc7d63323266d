#include "traffic/input/demand.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <anachron/base/error.hpp>
#include <anachron/base/parse.hpp>

namespace anachron::models::traffic {
namespace {

/// The number next to the golden section of `n` that has no factor in common with it.
std::uint32_t golden_stride(std::uint32_t n) {
  constexpr double kGoldenSection = 0.6180339887498949;
  auto stride = std::max<std::uint32_t>(1, static_cast<std::uint32_t>(n * kGoldenSection));
  while (std::gcd(stride, n) > 1) ++stride;
  return stride;
}

}  // namespace

Demand::Demand(const TripTable& table, double factor) : origins_(table.zones + 1) {
  double running = 0;
  std::uint64_t rounded = 0;
  auto pair = table.pairs.begin();
  for (ZoneIndex origin = 0; origin < table.zones; ++origin) {
    const std::uint64_t before = rounded;
    origins_[origin].first = flows_.size();
    for (; pair != table.pairs.end() && pair->origin == origin; ++pair) {
      running += pair->trips * factor;
      if (!(running < std::numeric_limits<std::uint32_t>::max()))
        throw InputError("demand of " + format_real(running) + " trips or more: at most " +
                         std::to_string(std::numeric_limits<std::uint32_t>::max()) + " can be simulated");
      const auto next = static_cast<std::uint64_t>(std::llround(running));
      if (next > rounded) flows_.push_back({pair->destination, static_cast<std::uint32_t>(next - before)});
      rounded = next;
    }
    origins_[origin].trips = static_cast<std::uint32_t>(rounded - before);
    origins_[origin].stride = golden_stride(origins_[origin].trips);
  }
  origins_.back().first = flows_.size();
  total_ = rounded;
}

ZoneIndex Demand::destination(ZoneIndex origin, std::uint32_t k) const {
  const auto all = flows(origin);
  return std::upper_bound(all.begin(), all.end(), place(origin, k),
                          [](std::uint32_t at, const Flow& flow) { return at < flow.up_to; })
      ->destination;
}

}  // namespace anachron::models::traffic
