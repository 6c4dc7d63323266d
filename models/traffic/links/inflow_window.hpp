// Counts what has entered a link during the last minutes.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace anachron::models::traffic {

/// The inflow of a sliding window of fixed length, in 64 bytes. The window is parted into 7 intervals, and 8
/// slots hold the vehicles of the current interval and of the 7 before it. Of the oldest interval the part
/// that is still inside the window is counted, as if its vehicles had come evenly spread.
///
/// A slot knows its interval, so nothing has to be cleared as time goes on and an arrival changes one slot
/// only: undoing it takes that slot's former content.
class InflowWindow {
 public:
  /// Intervals in a window: the unit of time here.
  static constexpr std::uint32_t kIntervals = 7;

  struct Undo {
    std::uint32_t slot = 0, interval = 0, vehicles = 0;
  };
  struct Entry {
    double vehicles = 0;  ///< that entered during the window that ends now, this one included
    Undo undo;
  };

  /// A vehicle enters at `now`, in intervals since the start, not before the one before it.
  Entry enter(double now) {
    now = std::min(now, kLatest);
    const auto whole = static_cast<std::uint64_t>(now);
    const auto interval = static_cast<std::uint32_t>(whole);
    const double elapsed = now - static_cast<double>(whole);

    // Counted before the slot is written: a read of all slots would wait for that to reach the cache.
    Entry entry;
    entry.vehicles = count(interval, elapsed, 1);
    entry.undo.slot = interval % kSlots;
    entry.undo.interval = interval_[entry.undo.slot];
    entry.undo.vehicles = vehicles_[entry.undo.slot];
    if (entry.undo.interval != interval) {
      interval_[entry.undo.slot] = interval;
      vehicles_[entry.undo.slot] = 0;
    }
    ++vehicles_[entry.undo.slot];
    return entry;
  }

  /// Vehicles that have entered during the window that ends now. Precondition as for enter().
  double vehicles(double now) const {
    now = std::min(now, kLatest);
    const auto whole = static_cast<std::uint64_t>(now);
    return count(static_cast<std::uint32_t>(whole), now - static_cast<double>(whole), 0);
  }

  void undo(const Undo& undo) {
    interval_[undo.slot] = undo.interval;
    vehicles_[undo.slot] = undo.vehicles;
  }

  /// Both count the same from `now` on. What has left the window does not matter.
  bool counts_like(const InflowWindow& other, double now) const {
    const auto interval = static_cast<std::uint32_t>(static_cast<std::uint64_t>(std::min(now, kLatest)));
    const auto inside = [interval](const InflowWindow& window, std::uint32_t k) {
      return interval - window.interval_[k] <= kIntervals ? window.vehicles_[k] : 0;
    };
    for (std::uint32_t k = 0; k < kSlots; ++k)
      if (inside(*this, k) != inside(other, k) || (inside(*this, k) && interval_[k] != other.interval_[k]))
        return false;
    return true;
  }

  /// What `now` is, where that has changed since `then`; its own, where it has not. Precondition: it counted
  /// like `then`.
  void follow(const InflowWindow& then, const InflowWindow& now) {
    for (std::uint32_t k = 0; k < kSlots; ++k) {
      if (now.interval_[k] == then.interval_[k] && now.vehicles_[k] == then.vehicles_[k]) continue;
      interval_[k] = now.interval_[k];
      vehicles_[k] = now.vehicles_[k];
    }
  }

  template <class Archive>
  void serialize(Archive& ar) {
    ar(interval_, vehicles_);
  }
  friend bool operator==(const InflowWindow&, const InflowWindow&) = default;

 private:
  static constexpr std::uint32_t kSlots = kIntervals + 1;
  // Beyond 2^32 intervals the number wraps: only a slot left alone for exactly that long could be mistaken.
  static constexpr double kLatest = 0x1p63;

  /// In an interval of which so much has elapsed, from 0 to 1. `entering`: now, on top of those noted.
  double count(std::uint32_t interval, double elapsed, std::uint32_t entering) const {
    std::uint32_t inside = entering;
    for (std::uint32_t k = 0; k < kSlots; ++k)
      inside += interval - interval_[k] < kIntervals ? vehicles_[k] : 0;
    const std::uint32_t oldest = (interval + 1) % kSlots;
    const std::uint32_t partly = interval - interval_[oldest] == kIntervals ? vehicles_[oldest] : 0;
    return inside + partly * (1 - elapsed);
  }

  std::array<std::uint32_t, kSlots> interval_{}, vehicles_{};
};

}  // namespace anachron::models::traffic
