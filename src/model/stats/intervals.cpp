#include <anachron/model/stats/intervals.hpp>

#include <cmath>

#include <fmt/format.h>
#include <anachron/base/error.hpp>
#include <anachron/base/parse.hpp>

namespace anachron::detail {

Intervals::Intervals(Time length) : length_(length) { check_length(); }

void Intervals::check_length() const {
  if (!(length_ > 0 && std::isfinite(length_)))
    throw InputError(fmt::format("an::Series: intervals cannot be {} long: expected a finite time above 0",
                                 format_real(length_)));
}

void Intervals::cover(Time time) {
  while (!covers(time)) lengthen();
}

void Intervals::lengthen() {
  for (std::size_t k = 0; k < kIntervals / 2; ++k) {
    const Interval &first = intervals_[2 * k], &second = intervals_[2 * k + 1];
    intervals_[k] = {first.sum + second.sum, first.count + second.count};
  }
  for (std::size_t k = kIntervals / 2; k < kIntervals; ++k) intervals_[k] = {};
  length_ *= 2;
}

void Intervals::merge(const Intervals& other) {
  Intervals others = other;
  while (length_ < others.length_) lengthen();
  while (others.length_ < length_) others.lengthen();
  if (length_ != others.length_)
    throw InputError(fmt::format(
        "an::Series: intervals that are {} and {} long cannot be merged: give all the same length",
        format_real(length_), format_real(other.length_)));
  for (std::size_t k = 0; k < kIntervals; ++k) {
    intervals_[k].sum += others.intervals_[k].sum;
    intervals_[k].count += others.intervals_[k].count;
  }
}

}  // namespace anachron::detail
