#include "sched/mapping/shared_mapping.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <utility>

namespace anachron::sched {

SharedMappingSettings SharedMappingSettings::of(const Config& config) {
  SharedMappingSettings settings{.apte_threshold = config.apte_threshold,
                                 .reactivation = config.reactivation,
                                 .pe_choice = config.pe_choice,
                                 .orphan_turns = config.orphan_turns};
  if (config.mapping != anachron::Mapping::dynamic) settings.detector = config.detector;
  return settings;
}

SharedMapping::SharedMapping(unsigned workers, unsigned pes, const SharedMappingSettings& settings)
    : holders_(pes), activity_(workers, settings.reactivation) {
  if (settings.pe_choice == PeChoice::lowest_lvt) local_times_.emplace(pes);
  if (settings.detector) detectors_.emplace(*settings.detector, settings.apte_threshold, workers, activity_);
}

PeId DynamicMapping::try_acquire(unsigned worker) {
  Place& place = places_[worker];
  if (local_times_) {
    const Among wanted = among(++place.choices);
    PeId pe = wanted == Among::idle ? try_in_turn(place.next_idle, Among::idle) : kNoPe;
    if (pe == kNoPe && wanted != Among::all) pe = try_furthest_behind();
    if (pe != kNoPe) return pe;
  }
  return try_in_turn(place.next, Among::all);
}

PeId DynamicMapping::try_in_turn(unsigned& next, Among among) {
  for (unsigned tried = 0; tried < holders_.size(); ++tried) {
    const unsigned pe = next < holders_.size() ? next : 0;
    next = pe + 1 < holders_.size() ? pe + 1 : 0;
    if (among == Among::idle && !local_times_->is_idle(pe)) continue;
    if (holders_.try_take(pe)) return static_cast<PeId>(pe);
  }
  return kNoPe;
}

/// Looks again when another worker was quicker, but not for ever.
PeId DynamicMapping::try_furthest_behind() {
  for (unsigned tried = 0; tried < holders_.size(); ++tried) {
    std::optional<unsigned> furthest;
    Time least = LocalTimes::kIdle;
    for (unsigned pe = 0; pe < holders_.size(); ++pe) {
      if (holders_.is_taken(pe) || local_times_->of(pe) >= least) continue;
      furthest = pe;
      least = local_times_->of(pe);
    }
    if (!furthest) return kNoPe;
    if (holders_.try_take(*furthest)) return static_cast<PeId>(*furthest);
  }
  return kNoPe;
}

LocalityMapping::LocalityMapping(unsigned workers, unsigned pes, const SharedMappingSettings& settings)
    : SharedMapping(workers, pes, settings),
      turns_at_a_stretch_(settings.orphan_turns),
      pes_(pes),
      places_(workers) {
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
    place.orphan = local_times_ ? next_by_lvt(worker, place) : longest_waiting(worker, Among::all);
    place.turns_left = turns_at_a_stretch_;
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
std::optional<unsigned> LocalityMapping::longest_waiting(unsigned worker, Among among) const {
  std::optional<unsigned> next;
  const Place& place = places_[worker];
  const bool is_own_among = place.own < holders_.size() && (among == Among::all || has_idle(place));
  Nanoseconds longest = is_own_among ? waits_since(place.own) : std::numeric_limits<Nanoseconds>::max();
  for (unsigned pe = 0; pe < holders_.size(); ++pe) {
    if (!is_free_orphan(pe, worker) || waits_since(pe) >= longest) continue;
    if (among == Among::idle && !local_times_->is_idle(pe)) continue;
    next = pe;
    longest = waits_since(pe);
  }
  return next;
}

bool LocalityMapping::is_free_orphan(unsigned pe, unsigned worker) const {
  return worker_of(pe) != worker && !activity_.is_active(worker_of(pe)) && !holders_.is_taken(pe);
}

/// The free orphan with the lowest LVT, if that is below the LVT of the worker's own; none: its own is next.
std::optional<unsigned> LocalityMapping::furthest_behind(unsigned worker) const {
  std::optional<unsigned> next;
  const unsigned own = places_[worker].own;
  Time least = own < holders_.size() ? local_times_->of(own) : LocalTimes::kIdle;
  for (unsigned pe = 0; pe < holders_.size(); ++pe) {
    if (!is_free_orphan(pe, worker) || local_times_->of(pe) >= least) continue;
    next = pe;
    least = local_times_->of(pe);
  }
  return next;
}

std::optional<unsigned> LocalityMapping::next_by_lvt(unsigned worker, Place& place) const {
  const Among wanted = among(++place.choices);
  if (wanted == Among::all) return longest_waiting(worker, wanted);
  if (wanted == Among::idle)
    if (const auto idle = longest_waiting(worker, wanted); idle || has_idle(place)) return idle;
  return furthest_behind(worker);
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
    case anachron::Mapping::adaptive:
      return std::make_unique<DynamicMapping>(workers, pes, SharedMappingSettings::of(config));
    case anachron::Mapping::automatic:
    case anachron::Mapping::ladm:
      return std::make_unique<LocalityMapping>(workers, pes, SharedMappingSettings::of(config));
  }
  return std::make_unique<FixedMapping>(workers, pes);
}

}  // namespace anachron::sched
