#include "traffic/routes/lengths.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace anachron::models::traffic {

LinkLengths::LinkLengths(const Network& network, std::span<const double> costs)
    : link_bits_(static_cast<int>(std::bit_width(network.nodes()))) {
  constexpr double kMost = 1e300;  // so that all nodes' still add up
  double most = 0;
  for (NodeIndex node = 0; node < network.nodes(); ++node) {
    double dearest = 0;
    for (LinkIndex k = network.first_out(node); k < network.first_out(node + 1); ++k)
      dearest = std::max(dearest, std::min(costs[k], kMost));
    most += dearest;
  }
  // Rounding adds half a unit for each node. So there is a bit more in a Length than in this.
  constexpr int kBits = 61, kFinest = 1000;
  int exponent = 0;
  if (most > 0) std::frexp(most, &exponent);
  exponent = std::min(kBits - link_bits_ - exponent, kFinest);
  unit_ = std::ldexp(1.0, -exponent);

  const double units = std::ldexp(1.0, exponent);
  lengths_.reserve(costs.size());
  for (const double cost : costs)
    lengths_.push_back((static_cast<Length>(std::min(cost, kMost) * units + 0.5) << link_bits_) + 1);
}

double LinkLengths::cost(Length length) const {
  if (length == kNoRoute) return std::numeric_limits<double>::infinity();
  return static_cast<double>(length >> link_bits_) * unit_;
}

}  // namespace anachron::models::traffic
