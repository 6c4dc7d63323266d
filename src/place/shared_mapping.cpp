#include "place/shared_mapping.hpp"

#include <algorithm>

namespace anachron::place {

SharedMapping::SharedMapping(unsigned workers, unsigned pes, std::optional<anachron::Detector> detector,
                             Reactivation reactivation)
    : holders_(pes), activity_(workers, reactivation) {
  if (detector) detectors_.emplace(*detector, workers, activity_);
}

std::optional<PeId> DynamicMapping::try_acquire(unsigned worker) {
  unsigned& next = cursors_[worker].pe;
  for (unsigned tried = 0; tried < holders_.size(); ++tried) {
    const unsigned pe = next < holders_.size() ? next : 0;
    next = pe + 1 < holders_.size() ? pe + 1 : 0;
    if (holders_.try_take(pe)) return static_cast<PeId>(pe);
  }
  return std::nullopt;
}

LocalityMapping::LocalityMapping(unsigned workers, unsigned pes, anachron::Detector detector,
                                 Reactivation reactivation)
    : SharedMapping(workers, pes, detector, reactivation), turns_(pes), places_(workers) {
  begin_term(workers, pes);
}

void LocalityMapping::begin_term(unsigned workers, unsigned pes) {
  SharedMapping::begin_term(workers, pes);
  workers_ = workers;
  for (Turns& turns : turns_) turns.count.store(0, std::memory_order_relaxed);
  for (unsigned worker = 0; worker < workers; ++worker) {
    places_[worker] = {};
    places_[worker].own = places_[worker].orphan = worker;
  }
}

unsigned LocalityMapping::active_workers() const { return std::min(activity_.count(), holders_.size()); }

std::optional<PeId> LocalityMapping::try_acquire(unsigned worker) {
  Place& place = places_[worker];
  if (place.turns_left > 0 && !activity_.is_active(worker_of(place.orphan)) &&
      holders_.try_take(place.orphan)) {
    --place.turns_left;
    return static_cast<PeId>(place.orphan);
  }
  place.turns_left = 0;
  if (place.is_orphan_next && activity_.count() < workers_) {
    place.is_orphan_next = false;
    if (const auto orphan = take_orphan(place)) return orphan;
  }
  place.is_orphan_next = true;
  if (place.own >= holders_.size() || !holders_.try_take(place.own)) return std::nullopt;
  return static_cast<PeId>(place.own);
}

/// One that has had fewer turns than the worker's own PE.
std::optional<PeId> LocalityMapping::take_orphan(Place& place) {
  const unsigned pes = holders_.size();
  const std::uint64_t own = place.own < pes ? turns_[place.own].count.load(std::memory_order_relaxed) : 0;
  for (unsigned tried = 0; tried < pes; ++tried) {
    place.orphan = place.orphan + 1 < pes ? place.orphan + 1 : 0;
    if (activity_.is_active(worker_of(place.orphan))) continue;
    std::atomic<std::uint64_t>& turns = turns_[place.orphan].count;
    const std::uint64_t had = turns.load(std::memory_order_relaxed);
    if (place.own < pes && had >= own) continue;
    if (!holders_.try_take(place.orphan)) continue;
    turns.store(std::max(had, own - std::min(own, kMostLag)), std::memory_order_relaxed);
    place.turns_left = kTurnsOfOrphan - 1;
    return static_cast<PeId>(place.orphan);
  }
  return std::nullopt;
}

void LocalityMapping::release(unsigned worker, PeId pe) {
  std::atomic<std::uint64_t>& turns = turns_[pe].count;
  turns.store(turns.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  Place& place = places_[worker];
  if (worker_of(pe) == worker) place.own = pe + workers_ < holders_.size() ? pe + workers_ : worker;
  holders_.give_back(pe);
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

}  // namespace anachron::place
