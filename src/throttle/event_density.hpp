// How much simulated time an event takes: what turns a number of events into a window of time.
#pragma once

#include "throttle/throttle.hpp"

namespace anachron::throttle {

class EventDensity {
 public:
  /// Takes in the progress since the last call.
  void add(const RoundFacts& facts) {
    recent_time_ = kMemory * recent_time_ + (facts.gvt - last_gvt_);
    recent_events_ = kMemory * recent_events_ + static_cast<double>(facts.committed - last_committed_);
    last_gvt_ = facts.gvt;
    last_committed_ = facts.committed;
  }

  /// The end of a window of about so many events from `gvt` on; kForever as long as nothing is known of the
  /// model.
  Time after(Time gvt, double events) const;

 private:
  static constexpr double kMemory = 0.875;  // weight of the past: about 8 rounds

  Time last_gvt_ = 0;
  std::uint64_t last_committed_ = 0;
  double recent_time_ = 0, recent_events_ = 0;
};

}  // namespace anachron::throttle
