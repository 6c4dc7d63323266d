// MUSE's adaptive time window (Rao 2018, section 3.3, Algorithm 1). Each PE has its own and uses only what it
// sees itself. That is how far beyond GVT rollbacks reached on average, and how far beyond it the events were
// that had to wait.
//
// As printed: `rollback` averages a Δt that it does not define. It is the distance that the line before
// computes and nothing else uses. While the window is not set, every event may run. A rollback sets it when
// it finds more than 100 samples. Then it grows with each attempt to schedule an event beyond it.
//
// Repaired:
// 1. The average forgets. With all samples since the start in it, it stops moving after a while, which the
//    paper notes.
// 2. A waiting event counts once per GVT round. As printed it counts each time that the scheduler looks at
//    it, and the window grows with the speed of an idle loop.
// 3. A window of 0 stays a window. Taken for "not set", it would lift the bound just when rollbacks reach
//    down to GVT.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include <anachron/base/config.hpp>
#include <anachron/base/time.hpp>

namespace anachron::throttle {

class AdaptiveTimeWindow {
 public:
  enum class Variant : std::uint8_t { as_printed, repaired };

  explicit AdaptiveTimeWindow(Variant variant) : variant_(variant) {}

  void adopt(Time gvt) {
    gvt_ = gvt;
    has_waited_ = false;
  }
  /// The run goes back to an earlier time: begins anew.
  void restart() { *this = AdaptiveTimeWindow(variant_); }
  /// The PE rolls back to this time, at or after GVT.
  void rolled_back(Time to);
  /// The next event, at this time, is at or beyond the horizon.
  void waits(Time next);

  /// Events at or after it wait. Not before GVT.
  Time horizon() const;

 private:
  static constexpr std::uint64_t kSamples = 100;
  static constexpr std::uint64_t kMemory = 1000;  // samples, of the repaired average

  void add(Time distance);

  Variant variant_;
  Time gvt_ = 0;
  Time mean_ = 0;
  std::uint64_t samples_ = 0;
  std::optional<Time> window_;
  bool has_waited_ = false;  // in this round
};

/// Null when the run is not optimistic or has another throttle.
std::unique_ptr<AdaptiveTimeWindow> make_adaptive_time_window(const Config& config);

}  // namespace anachron::throttle
