// PeCore, commit: what is certain takes effect and leaves memory (fossil collection).
#include <algorithm>

#include "pe/phases/one_event.hpp"

namespace anachron::pe {

/// Keeps committed records of which copies of states that are `lag` events old may need some.
void PeCore::commit_below(const std::optional<event::EventKey>& bound, std::uint64_t lag) {
  watch_.is_on() ? commit_below_as<true>(bound, lag) : commit_below_as<false>(bound, lag);
}

template <bool kWatched>
void PeCore::commit_below_as(const std::optional<event::EventKey>& bound, std::uint64_t lag) {
  lp::Retention& retention = saving_.retention();
  // Without sparse state saving nothing relies on what has committed: it goes at once.
  if (lag == 0 && retention.is_free(history_.committed_index())) {
    release_committed(history_.committed_index());
    commit_and_release_below<kWatched>(bound);
    return retention.dropped(history_.committed_index());
  }
  while (lp::Record* record = history_.first_uncommitted()) {
    if (record->event) {
      if (!is_below(*record, bound)) break;
      commit<kWatched>(*record);
    }
    history_.commit_first();
  }
  release_committed(retention.droppable(history_.committed_index(), lag));
}

template <bool kWatched>
void PeCore::commit_and_release_below(const std::optional<event::EventKey>& bound) {
  lp::History::Passage passage(history_);  // ends well also when an action at commit throws
  while (lp::Record* record = passage.next()) {
    if (record->event) {
      if (!is_below(*record, bound)) break;
      if (!kWatched && record->at_commit == lp::AtCommit::only_frees) {
        free_event(*record);
      } else {
        commit<kWatched>(*record);
        release(*record);
      }
    }
    passage.pass();
  }
}

/// All below it has committed, once `bound` has been adopted. The log is in the order of execution: behind a
/// record that is not below the bound there may be some that are, and these wait.
std::optional<event::EventKey> PeCore::committed_below(std::optional<event::EventKey> bound) const {
  for (const lp::Record* record = history_.first_uncommitted(); record && bound; record = record->next)
    if (record->event && is_below(*record, bound)) bound = record->event->key();
  return bound;
}

/// Of what is kept in case that its sender takes it back: nothing sent below the bound will be.
void PeCore::release_below(const std::optional<event::EventKey>& bound) {
  multicast_.release(bound, [this](event::EventHeader& multicast) { drop(multicast); });
  if (outbox_.has_far()) [[unlikely]]
    outbox_.release_before(bound ? bound->time : kForever);
}

/// What an event does when it is certain. Its record stays. Effects that would only have undone it are in
/// memory that has long left the cache, and left alone.
template <bool kWatched>
ANACHRON_INLINE void PeCore::commit(lp::Record& record) {
  if (record.event->retracts()) [[unlikely]] {
    if constexpr (kWatched)
      watch_.committed(*record.event, event::payload<event::Retraction>(*record.event).target);
    return;
  }
  const bool settles = record.at_commit == lp::AtCommit::settles;
  commit_event<kWatched>(*record.event, settles ? record.effects : nullptr);
  if (settles) [[unlikely]]
    rollback::destroy_effects(record.effects);
  record.effects = nullptr;
}

/// Drops the committed records up to this index.
void PeCore::release_committed(std::uint64_t up_to) {
  while (history_.dropped_index() < up_to) {
    if (const lp::Record* next = history_.oldest()->next) prefetch(next->event);
    release_oldest();
  }
}

void PeCore::release_oldest() {
  lp::Record& record = *history_.oldest();
  if (record.event) release(record);
  history_.drop_oldest();
}

/// Lets a committed event go.
ANACHRON_INLINE void PeCore::release(lp::Record& record) {
  event::EventHeader& e = *record.event;
  if (record.copy == lp::StateCopy::object) [[unlikely]]
    rollback::drop_state_copy(record, *lps_->type_of(e.receiver).ops);
  drop(e);
}

/// Commits an event whose commit only frees its block, without a look at it.
ANACHRON_INLINE void PeCore::free_event(lp::Record& record) {
  ++figures_.committed;
  progress_.committed = std::max(progress_.committed, record.time);
  pool_.release(record.event, record.block_bytes);
}

void PeCore::run_commit_actions(const event::EventHeader& e, event::Effect* effects) {
  watch_.begin(e.key(), e.receiver, e.ops->event_name);
  const event::Frame::Showing showing(frame_, Activity::commit, *e.ops, e.receiver, e.time);
  run_at_commit(e.receiver, e.ops->event_name, e.time, [&] {
    rollback::commit_effects(effects);
    if (e.ops->commit) {
      frame_.begin(e.time, event::step_of(e.order), e.receiver, lps_->cell(e.receiver).counters);
      e.ops->commit(frame_, e);
    }
  });
}

}  // namespace anachron::pe
