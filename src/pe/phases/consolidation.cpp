// PeCore, consolidation: some PEs execute the events of all, see engine/migration/pe_consolidation.hpp.
#include <new>
#include <vector>

#include "pe/phases/one_event.hpp"

namespace anachron::pe {

void PeCore::forget_undone() {
  cancel_all_unconfirmed();
  gate_.clear([this](event::EventHeader& e) { pending_.insert(&e); });
}

/// Where one PE stands in for all it keeps no history: nothing comes too late. Nor does it in windows.
void PeCore::set_mode(SyncMode mode) {
  forget_committed();
  lps_.look_again();
  enter(mode);
  execution_.sorts_later = can_sort_later();
  pool_.share(lps_.is_idle());  // others will need its memory
  keep(usual_keeping());
  foresee_misses();
  release_below(std::nullopt);
  watch_.count_loads(false);
  // What its LPs' starts have said, whose turn may come while others stand in for it.
  if (watch_.has_ordered_output()) watch_.hand_over(index(), event::EventKey{});
}

void PeCore::give_away(const std::function<bool(event::EventHeader&)>& to) {
  pending_.remove_if([&](event::EventHeader* e) {
    if (e->status == event::Status::cancelled) {
      drop(*e);
      return true;
    }
    if (lps_.own(e->receiver) || !to(*e)) return false;
    if (outbox_.must_forget(*e)) outbox_.port().forget(*e);
    return true;
  });
  cancelled_.waiting = 0;
  if (pending_.size() == 0) pending_.release_memory();
  memory_.settle(taken_bytes());
}

bool PeCore::import_event(event::EventHeader& e) {
  try {
    pending_.insert(&e);
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

void PeCore::expand_waiting() {
  std::vector<event::EventHeader*> multicasts;
  pending_.remove_if([&](event::EventHeader* e) {
    if (e->status != event::Status::multicast) return false;
    multicasts.push_back(e);
    return true;
  });
  for (event::EventHeader* multicast : multicasts) expand(*multicast);
}

std::uint64_t PeCore::bytes_to_expand() {
  std::uint64_t bytes = 0;
  pending_.remove_if([&](event::EventHeader* e) {
    if (e->status == event::Status::multicast)
      multicast_.directory().for_each_of(lps_->owner(e->receiver), event::multicast_header(*e).to,
                                         [&](std::uint32_t) { bytes += e->ops->expands_into->bytes; });
    return false;
  });
  return bytes;
}

void PeCore::number_history_from(std::uint64_t index) {
  history_.skip_to(index);
  saving_.retention().dropped(index);
}

void PeCore::enter(SyncMode mode) {
  execution_.mode = mode;
  execution_.rules =
      mode == SyncMode::in_windows || settings_.mode == SyncMode::in_windows ? settings_.rules : nullptr;
  execution_.needs_care = settings_.checks_rollback || execution_.rules;
}

Keeping PeCore::usual_keeping() const {
  return execution_.mode == settings_.mode ? settings_.keeping : Keeping::nothing;
}

/// Where all that is sent stays on this PE, nobody has to guess. What is cancelled lazily is looked for among
/// what is pending.
bool PeCore::can_sort_later() const {
  return !settings_.is_alone && !settings_.cancels_lazily && execution_.mode != SyncMode::in_order;
}

}  // namespace anachron::pe
