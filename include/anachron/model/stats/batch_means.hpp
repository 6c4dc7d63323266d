// A mean and its confidence interval from a single long run.
//
// Observations of one run depend on each other, so their variance says little about the error of their mean.
// The means of long enough batches hardly do (Law, Simulation Modeling and Analysis, 2015, section 9.5.3).
// Batches are intervals of simulated time, the same for all LPs, so that what LPs have in common counts, too.
// Each has another number of observations, so the mean is a ratio of sums (Law, section 9.5.1).
#pragma once

#include <cstdint>
#include <optional>

#include <anachron/model/logged.hpp>
#include <anachron/model/stats/intervals.hpp>
#include <anachron/model/stats/tally.hpp>

namespace anachron {

/// A mean and its confidence interval from one long run. It has 32 to 63 batches, whatever the length of the
/// run, from the end of the warm-up on. 1 KiB, trivially copyable. The interval is right when a batch is much
/// longer than what happens in it is correlated for: look at `Estimate::correlation`.
class BatchMeans {
 public:
  using Undo = detail::Intervals::Undo;

  /// What the batches tell of the mean.
  struct Estimate {
    std::uint64_t count = 0;  ///< of observations in complete batches
    double mean = 0;          ///< NaN without any
    std::optional<double>
        half_width;             ///< of the confidence interval; none: under two batches, or most are empty
    std::uint64_t batches = 0;  ///< complete ones
    std::uint64_t empty = 0;    ///< of the batches, those without an observation
    double correlation = 0;     ///< of each batch with the next one; should be near 0

    /// So few batches say something that their spread is no measure of the error of the mean.
    bool is_mostly_empty() const { return 2 * empty > batches; }
  };

  /// Takes an observation, unless the run is still warming up. Throws InputError for NaN and infinity.
  template <Observer Cx>
  void add(const Cx& cx, double x) {
    if (!is_warm(cx)) return;
    detail::check_observation("an::BatchMeans", x);
    sums_.add(cx.now() - cx.warm_up(), x);
  }
  /// The same, for a handler that returns what undoes it: with `undo` of the same batches.
  template <Observer Cx>
  [[nodiscard]] Undo add_undoable(const Cx& cx, double x) {
    if (!is_warm(cx)) return {};
    detail::check_observation("an::BatchMeans", x);
    return sums_.add_undoable(cx.now() - cx.warm_up(), x);
  }
  /// Takes back the observation that `undo` is of, which must be the last one.
  void undo(const Undo& undo) { sums_.undo(undo); }
  /// The same, for a handler that logs what it writes: saves one batch.
  template <class Lp, Observer Cx>
  void add(Logged<Lp>& log, const Cx& cx, double x) const {
    if (!is_warm(cx)) return;
    const Time time = cx.now() - cx.warm_up();
    if (!sums_.covers(time)) return log.write(*this).add(cx, x);
    log.write(sums_.intervals()[sums_.at(time)]);
    const_cast<BatchMeans&>(*this).add(cx, x);  // the LP itself is never const
  }
  /// Takes what another one has observed.
  void merge(const BatchMeans& other) { sums_.merge(other.sums_); }

  /// What the batches tell that are complete `duration` after the warm-up. Throws InputError unless
  /// 0 < confidence < 1.
  Estimate estimate(Time duration, double confidence = 0.95) const;

  template <class Archive>
  void serialize(Archive& ar) {
    sums_.serialize(ar);  // not a value of its own: it cannot be made from nothing
  }
  friend bool operator==(const BatchMeans&, const BatchMeans&) = default;

 private:
  static constexpr Time kShortest = 0x1p-40;

  detail::Intervals sums_{kShortest};
};

}  // namespace anachron
