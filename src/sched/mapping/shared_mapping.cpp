#include "sched/mapping/shared_mapping.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <utility>

namespace anachron::sched {

SharedMapping::SharedMapping(unsigned workers, unsigned pes, std::optional<anachron::Detector> detector,
                             Reactivation reactivation)
    : holders_(pes), activity_(workers, reactivation) {
  if (detector) detectors_.emplace(*detector, workers, activity_);
}

PeId DynamicMapping::try_acquire(unsigned worker) {
  unsigned& next = cursors_[worker].pe;
  for (unsigned tried = 0; tried < holders_.size(); ++tried) {
    const unsigned pe = next < holders_.size() ? next : 0;
    next = pe + 1 < holders_.size() ? pe + 1 : 0;
    if (holders_.try_take(pe)) return static_cast<PeId>(pe);
  }
  return kNoPe;
}

LocalityMapping::LocalityMapping(unsigned workers, unsigned pes, anachron::Detector detector,
                                 Reactivation reactivation)
    : SharedMapping(workers, pes, detector, reactivation), pes_(pes), places_(workers) {
  begin_term(workers, pes);
}

void LocalityMapping::begin_term(unsigned workers, unsigned pes) {
  SharedMapping::begin_term(workers, pes);
  workers_ = workers;
  for (PerPe& pe : pes_) pe.is_kept = false;
  for (unsigned worker = 0; worker < workers; ++worker) {
    places_[worker] = {};
    places_[worker].own = worker;
  }
}

unsigned LocalityMapping::active_workers() const { return std::min(activity_.count(), holders_.size()); }

PeId LocalityMapping::try_acquire(unsigned worker) {
  Place& place = places_[worker];
  if (nobody_sleeps()) {
    place.orphan.reset();
    place.turns_left = 0;
  } else if (const PeId orphan = try_orphan(worker, place); orphan != kNoPe) {
    return orphan;
  }
  if (place.own >= holders_.size()) return kNoPe;
  bool& is_kept = pes_[place.own].is_kept;
  is_kept = is_kept || holders_.try_take(place.own);
  return is_kept ? static_cast<PeId>(place.own) : kNoPe;
}

PeId LocalityMapping::try_orphan(unsigned worker, Place& place) {
  if (place.turns_left == 0) {
    place.orphan = who_is_next(worker);
    place.turns_left = kTurnsAtAStretch;
  }
  --place.turns_left;
  if (place.orphan && !activity_.is_active(worker_of(*place.orphan)) && holders_.try_take(*place.orphan))
    return static_cast<PeId>(*place.orphan);
  if (place.orphan) place.turns_left = 0;  // its worker is back, or another one serves it
  return kNoPe;
}

/// The free orphan that has waited longest, and longer than the worker's own; none: its own is next. Section
/// 6.4 takes the one that has had the fewest turns. But a PE without events has many in a short time, and
/// would then wait until others have had as many. A worker's own PEs are no orphans, even if another worker
/// puts it to sleep just now.
std::optional<unsigned> LocalityMapping::who_is_next(unsigned worker) const {
  std::optional<unsigned> next;
  const unsigned own = places_[worker].own;
  Nanoseconds longest = own < holders_.size() ? waits_since(own) : std::numeric_limits<Nanoseconds>::max();
  for (unsigned pe = 0; pe < holders_.size(); ++pe) {
    if (worker_of(pe) == worker || activity_.is_active(worker_of(pe))) continue;
    if (holders_.is_taken(pe) || waits_since(pe) >= longest) continue;
    next = pe;
    longest = waits_since(pe);
  }
  return next;
}

void LocalityMapping::release(unsigned worker, PeId pe, bool had_work) {
  using Clock = std::chrono::steady_clock;
  if (!nobody_sleeps())
    pes_[pe].turn_ended.store(std::chrono::nanoseconds(Clock::now().time_since_epoch()).count(),
                              std::memory_order_relaxed);
  Place& place = places_[worker];
  if (!had_work) place.turns_left = 0;
  if (worker_of(pe) == worker)
    place.own = pe + workers_ < holders_.size() ? pe + workers_ : worker;
  else
    holders_.give_back(pe);
}

void LocalityMapping::release_kept(unsigned worker) {
  if (worker >= workers_) return;  // out of this term
  for (unsigned pe = worker; pe < holders_.size(); pe += workers_)
    if (std::exchange(pes_[pe].is_kept, false)) holders_.give_back(pe);
}

std::unique_ptr<Mapping> make_mapping(const Config& config) {
  const unsigned workers = *config.workers, pes = *config.pes;
  switch (config.mapping) {
    case anachron::Mapping::fixed:
      break;
    case anachron::Mapping::dynamic:
      return std::make_unique<DynamicMapping>(workers, pes, std::nullopt, config.reactivation);
    case anachron::Mapping::adaptive:
      return std::make_unique<DynamicMapping>(workers, pes, config.detector, config.reactivation);
    case anachron::Mapping::automatic:
    case anachron::Mapping::ladm:
      return std::make_unique<LocalityMapping>(workers, pes, config.detector, config.reactivation);
  }
  return std::make_unique<FixedMapping>(workers, pes);
}

}  // namespace anachron::sched
