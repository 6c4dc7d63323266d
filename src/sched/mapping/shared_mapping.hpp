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

/// How workers share PEs.
struct SharedMappingSettings {
  std::optional<anachron::Detector> detector{};  ///< none: all workers stay active
  double apte_threshold = Config{}.apte_threshold;
  Reactivation reactivation = Config{}.reactivation;
  PeChoice pe_choice = PeChoice::round_robin;
  unsigned orphan_turns = Config{}.orphan_turns;

  /// As the options say.
  static SharedMappingSettings of(const Config& config);
};

/// What both mappings below have: PEs that are held, workers that sleep, where they may.
///
/// By the lowest LVT a worker takes the PE that is furthest behind. Left to itself that starves others: a GVT
/// round needs a turn of each PE, and one that is idle is not behind. So every second choice is for those
/// that were idle, and every eighth for the next in turn, whatever its LVT.
class SharedMapping : public Mapping {
 public:
  void begin_term(unsigned workers, unsigned pes) override {
    activity_.begin_term(workers);
    holders_.reset(pes);
    if (local_times_) local_times_->begin_term();
  }
  void release(unsigned, PeId pe, bool) override { holders_.give_back(pe); }
  unsigned pes_of(unsigned) const override { return holders_.size(); }
  unsigned active_workers() const override { return activity_.count(); }
  bool is_disturbed() const override { return activity_.asleep() > 0; }
  LocalTimes* local_times() override { return local_times_ ? &*local_times_ : nullptr; }
  Activity* activity() override { return detectors_ ? &activity_ : nullptr; }
  std::unique_ptr<Detector> make_detector(unsigned worker) override {
    return detectors_ ? detectors_->make(worker) : nullptr;
  }

 protected:
  SharedMapping(unsigned workers, unsigned pes, const SharedMappingSettings& settings);

  /// Among which PEs a worker chooses.
  enum class Among : std::uint8_t { all, idle, behind };
  /// For its n-th choice.
  static Among among(unsigned choice) {
    return choice % 8 == 0 ? Among::all : choice % 2 == 0 ? Among::behind : Among::idle;
  }

  Holders holders_;
  Activity activity_;
  std::optional<LocalTimes> local_times_;  // none: PEs are chosen in turn

 private:
  std::optional<Detectors> detectors_;
};

/// Dynamic, and with a detector adaptive: each worker goes round all PEs and takes the next that is free, or
/// the free one with the lowest LVT.
class DynamicMapping : public SharedMapping {
 public:
  DynamicMapping(unsigned workers, unsigned pes, const SharedMappingSettings& settings)
      : SharedMapping(workers, pes, settings), places_(workers) {}
  PeId try_acquire(unsigned worker) override;

 private:
  struct alignas(kNoSharing) Place {   // used by its worker only
    unsigned next = 0, next_idle = 0;  // PEs
    unsigned choices = 0;
  };

  PeId try_in_turn(unsigned& next, Among among);
  PeId try_furthest_behind();

  std::vector<Place> places_;  // by worker
};

/// Locality-aware adaptive: each worker runs its own PEs as in the fixed mapping. While other workers sleep,
/// it runs theirs in turn: next comes the PE that has waited longest, or the one with the lowest LVT, for a
/// stretch of some turns. A worker keeps its own PEs between its turns, until it sleeps. To take them each
/// time would have it wait each time until all that it has written has reached its cache.
class LocalityMapping : public SharedMapping {
 public:
  LocalityMapping(unsigned workers, unsigned pes, const SharedMappingSettings& settings);
  void begin_term(unsigned workers, unsigned pes) override;
  PeId try_acquire(unsigned worker) override;
  void release(unsigned worker, PeId pe, bool had_work) override;
  void release_kept(unsigned worker) override;
  unsigned active_workers() const override;

 private:
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
    unsigned choices = 0;
  };

  unsigned worker_of(unsigned pe) const { return pe % workers_; }
  bool nobody_sleeps() const { return activity_.count() >= workers_; }
  Nanoseconds waits_since(unsigned pe) const { return pes_[pe].turn_ended.load(std::memory_order_relaxed); }
  PeId try_orphan(unsigned worker, Place& place);
  std::optional<unsigned> next_by_lvt(unsigned worker, Place& place) const;
  std::optional<unsigned> longest_waiting(unsigned worker, Among among) const;
  std::optional<unsigned> furthest_behind(unsigned worker) const;
  bool is_free_orphan(unsigned pe, unsigned worker) const;
  bool has_idle(const Place& place) const {
    return place.own < holders_.size() && local_times_->is_idle(place.own);
  }

  const unsigned turns_at_a_stretch_;  // N_batch, section 6.4
  unsigned workers_ = 0;               // of the term
  std::vector<PerPe> pes_;
  std::vector<Place> places_;  // by worker
};

std::unique_ptr<Mapping> make_mapping(const Config& config);

}  // namespace anachron::sched
