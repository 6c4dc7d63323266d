// How far a PE has executed: what sorts after all of it is no straggler, whichever LP it is for.
#pragma once

#include <cstdint>
#include <limits>

#include <anachron/base/platform.hpp>
#include <anachron/base/time.hpp>
#include <anachron/event/header.hpp>

namespace anachron::pe {

/// Of a PE. Invariant: no event that stands executed sorts after it.
class Frontier {
 public:
  /// No event that stands executed is later.
  Time time() const { return time_; }

  /// The event is executed.
  ANACHRON_INLINE void pass(const event::EventHeader& e) {
    if (e.time < time_) return;
    order_ = e.time > time_ || e.order > order_ ? e.order : order_;
    time_ = e.time;
  }
  /// The event may sort before one that was executed. An event that is sent without delay has a later step
  /// than its cause, so it sorts after that. It may sort before others of its time.
  ANACHRON_INLINE bool may_precede(const event::EventHeader& e) const {
    return (e.time < time_) | ((e.time == time_) & (e.order <= order_));
  }

  /// All that was executed after that time was undone, or forgotten.
  void go_back_to(Time time) {
    time_ = time;
    order_ = std::numeric_limits<std::uint64_t>::max();
  }

 private:
  Time time_ = 0;
  std::uint64_t order_ = std::numeric_limits<std::uint64_t>::max();  // the greatest at that time
};

}  // namespace anachron::pe
