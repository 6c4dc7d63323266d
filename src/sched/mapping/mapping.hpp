// Which worker runs which PE. A worker asks for a PE before each batch and gives it back after it.
#pragma once

#include <limits>
#include <memory>
#include <vector>

#include <anachron/base/ids.hpp>
#include <anachron/base/platform.hpp>

#include "sched/mapping/activity.hpp"
#include "sched/mapping/detector.hpp"
#include "sched/mapping/local_times.hpp"

namespace anachron::sched {

/// Instead of a PE: none. Not std::optional, which the compiler returns by way of memory, in two stores and a
/// load. That load waits until all that the worker has written before has left for the cache.
inline constexpr PeId kNoPe = std::numeric_limits<PeId>::max();

class Mapping {
 public:
  virtual ~Mapping() = default;

  /// From now on only the first so many workers run PEs, and only so many of these. When no worker has a PE.
  virtual void begin_term(unsigned workers, unsigned pes) = 0;

  /// A PE that the worker is to run now, and nobody else until it is released; kNoPe: it should rest. What
  /// was done to the PE before its last release happens before (acquire).
  virtual PeId try_acquire(unsigned worker) = 0;
  /// `had_work`: something was done to it. Precondition: the worker has acquired it. Release: what the worker
  /// did to it is visible to the next one.
  virtual void release(unsigned worker, PeId pe, bool had_work) = 0;

  /// The worker is about to sleep: any worker may take the PEs that it has kept between its turns.
  virtual void release_kept(unsigned worker) { (void)worker; }

  /// How many PEs the worker may run, one after the other: so many turns without work, and there is nothing
  /// to do.
  virtual unsigned pes_of(unsigned worker) const = 0;
  /// How many workers are given PEs now. Any thread.
  virtual unsigned active_workers() const = 0;

  /// Some worker was put to sleep, because others use its core. Any thread.
  virtual bool is_disturbed() const { return false; }

  /// Where a worker tells after each turn how far the PE is; null: nowhere. Before it releases the PE.
  virtual LocalTimes* local_times() { return nullptr; }

  /// Where workers may be put to sleep; null: nowhere.
  virtual Activity* activity() { return nullptr; }
  /// And what finds out when, for the calling thread; null: nothing.
  virtual std::unique_ptr<Detector> make_detector(unsigned worker) {
    (void)worker;
    return nullptr;
  }
};

/// Fixed: worker i runs the PEs i, i + W, i + 2W, ... one after the other, and nobody else does, so that no
/// lock is taken.
class FixedMapping final : public Mapping {
 public:
  FixedMapping(unsigned workers, unsigned pes) : next_(workers) { begin_term(workers, pes); }

  void begin_term(unsigned workers, unsigned pes) override {
    workers_ = workers;
    pes_ = pes;
    for (unsigned worker = 0; worker < workers; ++worker) next_[worker].pe = worker;
  }

  PeId try_acquire(unsigned worker) override {
    return worker < pes_ ? static_cast<PeId>(next_[worker].pe) : kNoPe;
  }
  void release(unsigned worker, PeId pe, bool) override {
    next_[worker].pe = pe + workers_ < pes_ ? pe + workers_ : worker;
  }
  unsigned pes_of(unsigned worker) const override {
    return worker < pes_ ? (pes_ - worker + workers_ - 1) / workers_ : 0;
  }
  unsigned active_workers() const override { return workers_ < pes_ ? workers_ : pes_; }

 private:
  struct alignas(kNoSharing) Next {  // used by its worker only
    unsigned pe;
  };
  unsigned workers_ = 0, pes_ = 0;
  std::vector<Next> next_;
};

}  // namespace anachron::sched
