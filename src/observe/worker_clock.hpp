// What a worker does with its time when it does not execute events.
#pragma once

#include <atomic>

#include <anachron/base/platform.hpp>

namespace anachron::observe {

/// Written by its worker, read by whoever concludes a round: relaxed, because each value on its own may be a
/// little old.
class alignas(kNoSharing) WorkerClock {
 public:
  void add_waiting(double seconds) { add(waiting_s_, seconds); }
  void add_gvt(double seconds) { add(gvt_s_, seconds); }
  void add_away(double seconds) { add(away_s_, seconds); }

  /// Without an event to execute.
  double waiting_s() const { return waiting_s_.load(std::memory_order_relaxed); }
  /// In GVT rounds.
  double gvt_s() const { return gvt_s_.load(std::memory_order_relaxed); }
  /// In which it had given its core to others, because there was nothing to do.
  double away_s() const { return away_s_.load(std::memory_order_relaxed); }

 private:
  static void add(std::atomic<double>& sum, double seconds) {
    sum.store(sum.load(std::memory_order_relaxed) + seconds, std::memory_order_relaxed);
  }
  std::atomic<double> waiting_s_{0}, gvt_s_{0}, away_s_{0};
};

}  // namespace anachron::observe
