#include <anachron/model/stats/histogram.hpp>

#include <anachron/base/error.hpp>
#include <anachron/base/parse.hpp>

namespace anachron {
namespace detail {

double value_of(std::int32_t bin, unsigned precision) {
  const auto lowest = [precision](std::int32_t b) {
    return std::bit_cast<double>(static_cast<std::uint64_t>(b) << (52 - precision));
  };
  const double low = lowest(bin);
  const double high = std::min(lowest(bin + 1), std::numeric_limits<double>::max());  // not infinity
  // The harmonic mean is equally far, in relation, from both ends.
  return low > 0 ? low * (2 / (1 + low / high)) : low;
}

std::uint64_t rank_of(double q, std::uint64_t count) {
  if (!(q >= 0 && q <= 1))
    throw InputError("quantile: '" + format_real(q) + "' is not valid: expected a number from 0 to 1");
  const auto rank = static_cast<std::uint64_t>(std::ceil(q * static_cast<double>(count)));
  return std::clamp(rank, std::min(std::uint64_t{1}, count), count);
}

}  // namespace detail

void Distribution::merge(const Distribution& other) {
  if (precision_ != other.precision_ || bins_.counts.size() != other.bins_.counts.size())
    throw InputError(
        "histograms with different bins cannot be merged: give them the same precision and octaves");
  tally_.merge(other.tally_);
  bins_.merge(other.bins_);
}

}  // namespace anachron
