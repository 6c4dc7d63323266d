// The average of a level over time, such as the length of a queue.
#pragma once

#include <algorithm>
#include <cmath>

#include <anachron/base/time.hpp>
#include <anachron/model/stats/tally.hpp>

namespace anachron {

/// A level that changes now and then, weighted by how long it lasted. It begins at time 0; what was before
/// the end of the warm-up does not count. A level that lasts no time has no weight and is no extreme either.
/// 56 bytes, trivially copyable.
///
///     length.change(cx, +1);     // an an::TimeAverage of the state: a customer joins the line
///     r.add("length", length);  // in `finish`
class TimeAverage {
 public:
  TimeAverage() = default;
  /// The level at time 0.
  explicit TimeAverage(double level) : level_(level) {}

  /// From now on the level is this. Throws InputError for NaN and infinity.
  template <Observer Cx>
  void set(const Cx& cx, double level) {
    detail::check_observation("an::TimeAverage", level);
    advance(cx.now(), cx.warm_up());
    level_ = level;
  }
  /// From now on the level is so much higher.
  template <Observer Cx>
  void change(const Cx& cx, double by) {
    set(cx, level_ + by);
  }

  /// The present level.
  double level() const { return level_; }
  /// The levels up to `end`, weighted by their time, without those before `warm_up`.
  WeightedTally until(Time end, Time warm_up = 0) const {
    TimeAverage closed = *this;
    closed.advance(end, warm_up);
    return closed.past_;
  }

  template <class Archive>
  void serialize(Archive& ar) {
    ar(level_, since_, past_);
  }
  friend bool operator==(const TimeAverage&, const TimeAverage&) = default;

 private:
  void advance(Time now, Time warm_up) {
    const Time from = std::max(since_, warm_up);
    if (now > from) past_.add(level_, now - from);
    since_ = std::max(since_, now);
  }

  double level_ = 0;
  Time since_ = 0;
  WeightedTally past_;
};

}  // namespace anachron
