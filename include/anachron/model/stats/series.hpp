// How something develops: observations summed up over intervals of simulated time.
#pragma once

#include <anachron/model/logged.hpp>
#include <anachron/model/stats/intervals.hpp>
#include <anachron/model/stats/tally.hpp>

namespace anachron {

/// Count and sum of the observations in each of at most 64 equal intervals from time 0 on. When a run goes on
/// beyond the 64th, the intervals become twice as long. The warm-up is in it, too, so that one sees how long
/// it takes. 1 KiB, trivially copyable.
class Series {
 public:
  using Undo = detail::Intervals::Undo;

  /// Intervals that begin as short as one may ever want: the table has 32 to 64 rows, their length is a
  /// power of two.
  Series() : Series(kShortest) {}
  /// The length of the intervals, as long as 64 of them cover the run; above 0. Throws InputError otherwise.
  explicit Series(Time interval) : sums_(interval) {}

  /// Takes an observation. Throws InputError for NaN and infinity.
  template <class Cx>
  void add(const Cx& cx, double x = 1) {
    detail::check_observation("an::Series", x);
    sums_.add(cx.now(), x);
  }
  /// The same, for a handler that returns what undoes it: with `undo` of the same series.
  template <class Cx>
  [[nodiscard]] Undo add_undoable(const Cx& cx, double x = 1) {
    detail::check_observation("an::Series", x);
    return sums_.add_undoable(cx.now(), x);
  }
  /// Takes back the observation that `undo` is of, which must be the last one.
  void undo(const Undo& undo) { sums_.undo(undo); }
  /// The same, for a handler that logs what it writes: saves one interval.
  template <class Lp, class Cx>
  void add(Logged<Lp>& log, const Cx& cx, double x) const {
    if (!sums_.covers(cx.now())) return log.write(*this).add(cx, x);
    log.write(sums_.intervals()[sums_.at(cx.now())]);
    const_cast<Series&>(*this).add(cx, x);  // the LP itself is never const
  }
  /// Takes what another one has observed.
  void merge(const Series& other) { sums_.merge(other.sums_); }

  /// The present length of the intervals, in the model's unit of time.
  Time interval() const { return sums_.length(); }
  /// Count and sum of each interval.
  const detail::Intervals& sums() const { return sums_; }

  template <class Archive>
  void serialize(Archive& ar) {
    sums_.serialize(ar);  // not a value of its own: it cannot be made from nothing
  }
  friend bool operator==(const Series&, const Series&) = default;

 private:
  static constexpr Time kShortest = 0x1p-40;

  detail::Intervals sums_;
};

}  // namespace anachron
