// The distribution of observations: quantiles with a bounded relative error, in fixed memory.
//
// As in HDR histograms and DDSketch (Masson, Rim, Lee, VLDB 12(12), 2019), bins grow with the values: a bin
// is what the leading bits of a double tell. So the bin of a value is found without a logarithm and is the
// same on every machine. Of all bins those of the uppermost octaves are kept, below the greatest value seen;
// what lies below them is only counted. That makes a histogram a function of what was observed, whatever the
// order: merging is exact.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <type_traits>
#include <vector>

#include <anachron/model/logged.hpp>
#include <anachron/model/stats/tally.hpp>

namespace anachron {
namespace detail {

/// The bins of a histogram, of which there are as many as `Counts` has elements, a power of two.
template <class Counts>
struct Bins {
  using Count = typename Counts::value_type;

  Counts counts{};           ///< that of bin b at b modulo their number
  Count below = 0;           ///< of values below the lowest bin
  std::int32_t highest = 0;  ///< the number of the highest bin

  std::int32_t size() const { return static_cast<std::int32_t>(counts.size()); }
  std::int32_t lowest() const { return highest - size() + 1; }
  std::size_t at(std::int32_t bin) const { return static_cast<std::size_t>(bin) & (counts.size() - 1); }

  void add(std::int32_t bin, Count n) {
    if (bin > highest) raise(bin);
    (bin < lowest() ? below : counts[at(bin)]) += n;
  }
  template <class Others>
  void merge(const Bins<Others>& other) {
    raise(std::max(highest, other.highest));
    below += other.below;
    for (std::int32_t bin = other.lowest(); bin <= other.highest; ++bin)
      if (const auto n = other.counts[other.at(bin)]) add(bin, n);
  }
  /// The bin of the observation with this number, from 1 in ascending order; below `lowest` if it has none.
  std::int32_t find(std::uint64_t rank) const {
    std::uint64_t seen = below;
    std::int32_t bin = lowest() - 1;
    while (seen < rank && bin < highest) seen += counts[at(++bin)];
    return bin;
  }

  friend bool operator==(const Bins&, const Bins&) = default;

 private:
  void raise(std::int32_t to) {
    const std::int32_t leaving = std::min(to - highest, size());
    for (std::int32_t bin = lowest(), end = bin + leaving; bin < end; ++bin) {
      below += counts[at(bin)];
      counts[at(bin)] = 0;
    }
    highest = to;
  }
};

/// The number of the bin that x >= 0 is in, with 2^precision bins to an octave.
inline std::int32_t bin_of(double x, unsigned precision) {
  return static_cast<std::int32_t>(std::bit_cast<std::uint64_t>(x + 0.0) >> (52 - precision));  // not -0.0
}
/// The value from which no other one in the bin differs by more than the relative error.
double value_of(std::int32_t bin, unsigned precision);
/// The number of the observation that is the quantile `q` of `count`. Throws InputError unless 0 <= q <= 1.
std::uint64_t rank_of(double q, std::uint64_t count);

template <class Counts>
double quantile(const Bins<Counts>& bins, unsigned precision, const Tally& tally, double q) {
  const std::uint64_t rank = rank_of(q, tally.count());
  if (rank == 0) return std::numeric_limits<double>::quiet_NaN();
  const std::int32_t bin = bins.find(rank);
  const double value = bin < bins.lowest() ? tally.min() : value_of(bin, precision);
  return std::clamp(value, tally.min(), tally.max());
}

}  // namespace detail

/// Histograms of LPs, merged: what the results of a run hold. Counts have 64 bits.
class Distribution {
 public:
  template <class Counts>
  Distribution(const Tally& tally, const detail::Bins<Counts>& bins, unsigned precision)
      : tally_(tally), precision_(precision) {
    bins_.counts.resize(bins.counts.size());
    bins_.merge(bins);
  }
  /// Throws InputError when the other one has bins of another kind.
  void merge(const Distribution& other);

  /// Count, mean, variance and extremes, all exact.
  const Tally& tally() const { return tally_; }
  /// As BasicHistogram::quantile.
  double quantile(double q) const { return detail::quantile(bins_, precision_, tally_, q); }
  /// The counts of its bins.
  const detail::Bins<std::vector<std::uint64_t>>& bins() const { return bins_; }
  /// There are 2^precision bins to an octave.
  unsigned precision() const { return precision_; }

  friend bool operator==(const Distribution&, const Distribution&) = default;

 private:
  Tally tally_;
  unsigned precision_;
  detail::Bins<std::vector<std::uint64_t>> bins_;
};

/// 2^kPrecision bins to an octave, and bins for kOctaves octaves. A quantile that is above (1 +
/// 2^-kPrecision) * 2^-kOctaves of the greatest observation has a relative error of at most
/// 1/(2^(kPrecision+1) + 1); one below it is known to be below. Takes 4 * 2^kPrecision * kOctaves bytes:
/// where states are copied before events, think of
/// --checkpoint-interval, or undo in a way that saves one bin only (`Undo`, `add(log, ...)`).
template <unsigned kPrecision, unsigned kOctaves>
class BasicHistogram {
  static_assert(kPrecision <= 16 && kOctaves <= 1024 && std::has_single_bit(kOctaves),
                "anachron: a histogram has at most 2^16 bins to an octave, and a power of two octaves");
  using Bins = detail::Bins<std::array<std::uint32_t, (std::size_t{1} << kPrecision) * kOctaves>>;

 public:
  static constexpr double kRelativeError = 1.0 / ((2u << kPrecision) + 1);

  /// What takes an observation back, exactly: give it to `undo` of the same histogram.
  class Undo {
   public:
    Undo() = default;

   private:
    friend BasicHistogram;
    Tally tally_;
    std::int32_t bin_ = -1;                        // none: nothing was observed
    std::unique_ptr<const BasicHistogram> whole_;  // where the bins have moved
  };

  /// Takes an observation, unless the run is still warming up. Throws InputError for what is not finite or
  /// below 0.
  template <Observer Cx>
  void add(const Cx& cx, double x) {
    if (is_warm(cx)) add(x);
  }
  /// The same, whatever the time.
  void add(double x) {
    const std::int32_t bin = checked_bin(x);
    tally_.add(x);
    bins_.add(bin, 1);
  }
  /// The same, for a handler that returns what undoes it.
  template <Observer Cx>
  [[nodiscard]] Undo add_undoable(const Cx& cx, double x) {
    Undo undo;
    if (!is_warm(cx)) return undo;
    undo.bin_ = checked_bin(x);
    undo.tally_ = tally_;
    if (undo.bin_ > bins_.highest) undo.whole_ = std::make_unique<const BasicHistogram>(*this);
    add(x);
    return undo;
  }
  /// Takes back the observation that `undo` is of, which must be the last one.
  void undo(const Undo& undo) {
    if (undo.bin_ < 0) return;
    if (undo.whole_) {
      *this = *undo.whole_;
      return;
    }
    tally_ = undo.tally_;
    --(undo.bin_ < bins_.lowest() ? bins_.below : bins_.counts[bins_.at(undo.bin_)]);
  }
  /// The same, for a handler that logs what it writes.
  template <class Lp, Observer Cx>
  void add(Logged<Lp>& log, const Cx& cx, double x) const {
    if (!is_warm(cx)) return;
    const std::int32_t bin = checked_bin(x);
    if (bin > bins_.highest) return log.write(*this).add(x);
    log.write(tally_).add(x);
    ++log.write(bin < bins_.lowest() ? bins_.below : bins_.counts[bins_.at(bin)]);
  }
  /// Takes what another one has observed.
  void merge(const BasicHistogram& other) {
    if (tally_.count() + other.tally_.count() > kMost) detail::fail_too_many("an::Histogram");
    tally_.merge(other.tally_);
    bins_.merge(other.bins_);
  }

  /// Count, mean, variance and extremes, all exact.
  const Tally& tally() const { return tally_; }
  /// The least value that at least the fraction `q` of the observations does not exceed; NaN without any.
  /// Throws InputError unless 0 <= q <= 1.
  double quantile(double q) const { return detail::quantile(bins_, kPrecision, tally_, q); }
  /// The same with counts of 64 bits, as results have it.
  Distribution distribution() const { return {tally_, bins_, kPrecision}; }

  template <class Archive>
  void serialize(Archive& ar) {
    ar(tally_, bins_.counts, bins_.below, bins_.highest);
  }
  friend bool operator==(const BasicHistogram&, const BasicHistogram&) = default;

 private:
  static constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();

  std::int32_t checked_bin(double x) const {
    if (!(x >= 0 && x <= std::numeric_limits<double>::max())) [[unlikely]] {
      detail::check_observation("an::Histogram", x);
      detail::fail_negative("an::Histogram", x);
    }
    if (tally_.count() == kMost) [[unlikely]]
      detail::fail_too_many("an::Histogram");
    return detail::bin_of(x, kPrecision);
  }

  Tally tally_;
  Bins bins_;
};

/// Quantiles to 1.6% in 2 KiB, over the uppermost factor of 60,000 of what was observed.
using Histogram = BasicHistogram<5, 16>;

}  // namespace anachron
