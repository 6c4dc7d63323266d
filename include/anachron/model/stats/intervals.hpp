// Sums over equal intervals of simulated time: what series and batch means are made of.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include <anachron/base/time.hpp>

namespace anachron::detail {

/// At most kIntervals intervals from time 0 on. When time goes beyond the last one, each two become one of
/// twice the length.
class Intervals {
 public:
  static constexpr std::size_t kIntervals = 64;

  struct Interval {
    double sum = 0;
    std::uint64_t count = 0;

    friend bool operator==(const Interval&, const Interval&) = default;
  };
  /// What takes an observation back, exactly.
  class Undo {
    friend Intervals;
    std::optional<std::size_t> at_;  // none: nothing was observed, or
    Interval interval_;
    std::unique_ptr<const Intervals> whole_;  // intervals became longer
  };

  /// Throws InputError unless `length` is finite and above 0.
  explicit Intervals(Time length);

  /// Whether an observation at `time` changes one interval only.
  bool covers(Time time) const { return time < length_ * kIntervals; }
  /// Where `time` lies. Precondition: covers(time), time >= 0.
  std::size_t at(Time time) const {
    const auto k = static_cast<std::size_t>(time / length_);
    return k < kIntervals ? k : kIntervals - 1;  // the division may round up
  }
  /// Makes intervals longer until they cover `time`.
  void cover(Time time);
  /// Takes an observation. Preconditions: time >= 0, x is finite.
  void add(Time time, double x) {
    if (!covers(time)) cover(time);
    Interval& interval = intervals_[at(time)];
    interval.sum += x;
    ++interval.count;
  }
  /// The same, to be undone.
  Undo add_undoable(Time time, double x) {
    Undo undo;
    if (covers(time)) {
      undo.at_ = at(time);
      undo.interval_ = intervals_[*undo.at_];
    } else {
      undo.whole_ = std::make_unique<const Intervals>(*this);
    }
    add(time, x);
    return undo;
  }
  void undo(const Undo& undo) {
    if (undo.whole_)
      *this = *undo.whole_;
    else if (undo.at_)
      intervals_[*undo.at_] = undo.interval_;
  }
  /// The bits of sums depend on the order of merges. Throws InputError when the lengths of the first
  /// intervals do not go with one another.
  void merge(const Intervals& other);

  Time length() const { return length_; }
  const std::array<Interval, kIntervals>& intervals() const { return intervals_; }

  /// Throws InputError when what is read has no length.
  template <class Archive>
  void serialize(Archive& ar) {
    ar(length_, intervals_);
    check_length();
  }
  friend bool operator==(const Intervals&, const Intervals&) = default;

 private:
  void check_length() const;
  void lengthen();

  Time length_;
  std::array<Interval, kIntervals> intervals_{};
};

}  // namespace anachron::detail
