// Mappings in which any worker may run any PE, one at a time (Wang et al. 2015, sections 5 and 6).
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <anachron/base/config.hpp>
#include <anachron/base/platform.hpp>

#include "sched/mapping/activity.hpp"
#include "sched/mapping/detector.hpp"
#include "sched/mapping/mapping.hpp"

namespace anachron::sched {

/// Who has a PE in its hands.
class Holders {
 public:
  explicit Holders(unsigned pes) : pes_(pes), count_(pes) {}

  /// From now on there are the first so many, and none is taken. When nobody uses them.
  void reset(unsigned pes) {
    count_ = pes;
    for (PerPe& pe : pes_) pe.is_taken.store(false, std::memory_order_relaxed);
  }
  unsigned size() const { return count_; }
  bool is_taken(unsigned pe) const { return pes_[pe].is_taken.load(std::memory_order_relaxed); }
  bool try_take(unsigned pe) {
    // First a look, which costs the holder nothing. Acquire: pairs with `give_back`.
    return !is_taken(pe) && !pes_[pe].is_taken.exchange(true, std::memory_order_acquire);
  }
  void give_back(unsigned pe) { pes_[pe].is_taken.store(false, std::memory_order_release); }

 private:
  struct alignas(kNoSharing) PerPe {  // written by the worker that takes it, read by all that look for one
    std::atomic<bool> is_taken{false};
  };
  std::vector<PerPe> pes_;
  unsigned count_;
};

/// What both mappings below have: PEs that are held, workers that sleep, where they may.
class SharedMapping : public Mapping {
 public:
  void begin_term(unsigned workers, unsigned pes) override {
    activity_.begin_term(workers);
    holders_.reset(pes);
  }
  void release(unsigned, PeId pe, bool) override { holders_.give_back(pe); }
  unsigned turns(unsigned) const override { return holders_.size(); }
  unsigned active_workers() const override { return activity_.count(); }
  bool is_disturbed() const override { return activity_.asleep() > 0; }
  Activity* activity() override { return detectors_ ? &activity_ : nullptr; }
  std::unique_ptr<Detector> make_detector(unsigned worker) override {
    return detectors_ ? detectors_->make(worker) : nullptr;
  }

 protected:
  /// Without a detector all workers stay active.
  SharedMapping(unsigned workers, unsigned pes, std::optional<anachron::Detector> detector,
                Reactivation reactivation);

  Holders holders_;
  Activity activity_;

 private:
  std::optional<Detectors> detectors_;
};

/// Dynamic, and with a detector adaptive: each worker goes round all PEs and takes the next that is free.
class DynamicMapping : public SharedMapping {
 public:
  DynamicMapping(unsigned workers, unsigned pes, std::optional<anachron::Detector> detector,
                 Reactivation reactivation)
      : SharedMapping(workers, pes, detector, reactivation), cursors_(workers) {}
  PeId try_acquire(unsigned worker) override;

 private:
  struct alignas(kNoSharing) Cursor {  // used by its worker only
    unsigned pe = 0;
  };
  std::vector<Cursor> cursors_;
};

/// Locality-aware adaptive: each worker runs its own PEs as in the fixed mapping. While other workers sleep,
/// it runs theirs in turn: next comes the PE that has waited longest, for a stretch of some turns. A worker
/// keeps its own PEs between its turns, until it sleeps. To take them each time would have it wait each time
/// until all that it has written has reached its cache.
class LocalityMapping : public SharedMapping {
 public:
  LocalityMapping(unsigned workers, unsigned pes, anachron::Detector detector, Reactivation reactivation);
  void begin_term(unsigned workers, unsigned pes) override;
  PeId try_acquire(unsigned worker) override;
  void release(unsigned worker, PeId pe, bool had_work) override;
  void release_kept(unsigned worker) override;
  unsigned active_workers() const override;

 private:
  static constexpr unsigned kTurnsAtAStretch = 10;  // N_batch, section 6.4

  using Nanoseconds = std::int64_t;
  struct alignas(kNoSharing) PerPe {
    // Its last turn while a worker slept. Written by the worker that holds it, read by all that look for an
    // orphan.
    std::atomic<Nanoseconds> turn_ended{0};
    bool is_kept = false;  // used by its worker only
  };
  struct alignas(kNoSharing) Place {  // used by its worker only
    unsigned own = 0;                 // the PE of its own that is next
    std::optional<unsigned> orphan;   // whose stretch it is; none: that of its own
    unsigned turns_left = 0;          // of the stretch
  };

  unsigned worker_of(unsigned pe) const { return pe % workers_; }
  bool nobody_sleeps() const { return activity_.count() >= workers_; }
  Nanoseconds waits_since(unsigned pe) const { return pes_[pe].turn_ended.load(std::memory_order_relaxed); }
  PeId try_orphan(unsigned worker, Place& place);
  std::optional<unsigned> who_is_next(unsigned worker) const;

  unsigned workers_ = 0;  // of the term
  std::vector<PerPe> pes_;
  std::vector<Place> places_;  // by worker
};

std::unique_ptr<Mapping> make_mapping(const Config& config);

}  // namespace anachron::sched
