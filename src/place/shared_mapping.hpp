// Mappings in which any worker may run any PE, one at a time (Wang et al. 2015, sections 5 and 6).
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <anachron/base/config.hpp>
#include <anachron/base/platform.hpp>

#include "place/activity.hpp"
#include "place/detector.hpp"
#include "place/mapping.hpp"

namespace anachron::place {

/// Who has a PE in its hands.
class Holders {
 public:
  explicit Holders(unsigned pes) : pes_(pes), count_(pes) {}

  /// From now on there are the first so many. When none is taken.
  void resize(unsigned pes) { count_ = pes; }
  unsigned size() const { return count_; }
  bool try_take(unsigned pe) {
    std::atomic<bool>& is_taken = pes_[pe].is_taken;
    // First a look, which costs the holder nothing. Acquire: pairs with `give_back`.
    return !is_taken.load(std::memory_order_relaxed) && !is_taken.exchange(true, std::memory_order_acquire);
  }
  void give_back(unsigned pe) { pes_[pe].is_taken.store(false, std::memory_order_release); }

 private:
  struct alignas(kNoSharing) PerPe {  // written by whoever takes it, read by all who look for one
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
    holders_.resize(pes);
  }
  void release(unsigned, PeId pe) override { holders_.give_back(pe); }
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
  std::optional<PeId> try_acquire(unsigned worker) override;

 private:
  struct alignas(kNoSharing) Cursor {  // used by its worker only
    unsigned pe = 0;
  };
  std::vector<Cursor> cursors_;
};

/// Locality-aware adaptive: each worker runs its own PEs as in the fixed mapping and, now and then, those of
/// workers that sleep, where they lag behind.
class LocalityMapping : public SharedMapping {
 public:
  LocalityMapping(unsigned workers, unsigned pes, anachron::Detector detector, Reactivation reactivation);
  void begin_term(unsigned workers, unsigned pes) override;
  std::optional<PeId> try_acquire(unsigned worker) override;
  void release(unsigned worker, PeId pe) override;
  unsigned active_workers() const override;

 private:
  static constexpr unsigned kTurnsOfOrphan = 10;   // at a stretch (N_batch, section 6.4)
  static constexpr std::uint64_t kMostLag = 1000;  // turns: what was missed long ago is not made up for

  struct alignas(kNoSharing) Turns {  // written by whoever holds the PE, read by all who look for an orphan
    std::atomic<std::uint64_t> count{0};
  };
  struct alignas(kNoSharing) Place {  // used by its worker only
    unsigned own = 0;                 // the PE of its own that is next
    unsigned orphan = 0;              // and of others
    unsigned turns_left = 0;          // of the orphan
    bool is_orphan_next = false;
  };

  unsigned worker_of(unsigned pe) const { return pe % workers_; }
  std::optional<PeId> take_orphan(Place& place);

  unsigned workers_ = 0;       // of the term
  std::vector<Turns> turns_;   // by PE
  std::vector<Place> places_;  // by worker
};

std::unique_ptr<Mapping> make_mapping(const Config& config);

}  // namespace anachron::place
