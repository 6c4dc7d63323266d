// How far each PE is in simulated time, as the worker that ran it last has told. That is its local virtual
// time (LVT), the time of the first event that it has not executed. For mappings that give turns to the PE
// that is furthest behind. Source: Wang et al. 2015, an alternative named in sections 5 and 6.4.
#pragma once

#include <atomic>
#include <vector>

#include <anachron/base/ids.hpp>
#include <anachron/base/platform.hpp>
#include <anachron/base/time.hpp>

namespace anachron::sched {

class LocalTimes {
 public:
  /// Of a PE whose last turn did nothing: it has no event, or none that may be executed yet. It is not
  /// behind, however small the time of its first event is.
  static constexpr Time kIdle = kForever;

  explicit LocalTimes(unsigned pes) : of_(pes) {}

  /// When no worker has a PE.
  void begin_term() {
    for (PerPe& pe : of_) pe.time.store(0, std::memory_order_relaxed);
  }
  void tell(PeId pe, Time time) { of_[pe].time.store(time, std::memory_order_relaxed); }
  Time of(unsigned pe) const { return of_[pe].time.load(std::memory_order_relaxed); }
  bool is_idle(unsigned pe) const { return of(pe) == kIdle; }

 private:
  // Written by the worker that has the PE, read by all that choose one. Relaxed: a hint, which orders
  // nothing.
  struct alignas(kNoSharing) PerPe {
    std::atomic<Time> time{0};
  };
  std::vector<PerPe> of_;
};

}  // namespace anachron::sched
