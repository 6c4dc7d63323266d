// Pe, commit: its part in GVT, fossil collection, the end of the run.

namespace anachron::exec {

template <queue::PendingSet Pending>
void Pe<Pending>::begin_cut() {
  router_.publish();
  router_.forget_earliest();
  executed_at_cut_ = figures_.executed;
}

template <queue::PendingSet Pending>
sync::Summary Pe<Pending>::summary() {
  receive_all();
  chaos_.forbid_rollback();
  sync::Summary summary;
  summary.earliest = router_.earliest();
  if (const event::EventHeader* e = top())
    if (!summary.earliest || e->key() < *summary.earliest) summary.earliest = e->key();
  summary.halt = first_halt_;
  summary.committed = figures_.committed;
  summary.executed = figures_.executed;
  summary.pending = pending();
  channel_bytes_ = router_.bytes();
  summary.shortage = shortage();
  summary.furthest = history_.uncommitted() > 0 ? latest_ : 0;
  router_.publish();
  pool_.flush();
  return summary;
}

/// The first pending event that is not cancelled.
template <queue::PendingSet Pending>
event::EventHeader* Pe<Pending>::top() {
  while (event::EventHeader* e = pending_.top()) {
    if (e->status != event::Status::cancelled) return e;
    pending_.pop();
    --cancelled_;
    drop(*e);
  }
  return nullptr;
}

template <queue::PendingSet Pending>
void Pe<Pending>::adopt(const sync::Round& round) {
  horizon_ = round.horizon;
  if (round.memory.retreat) [[unlikely]]
    retreat(round);
  chaos_.allow_rollback_from(round.bound);
  checkpoints_.adapt(figures_.executed, lp_rollbacks_);
  const std::uint64_t lag = round.memory.is_tight ? 0 : checkpoints_.lag();
  // Without sparse state saving nothing relies on what has committed: it goes at once.
  const bool keeps_committed = lag > 0 || !retention_.is_free(history_.committed_index());
  if (!keeps_committed) release_committed(history_.committed_index());
  const lp::Record* ahead = history_.first_uncommitted();
  for (std::size_t i = 0; ahead && i < kPrefetchDistance; ++i) ahead = ahead->next;
  while (lp::Record* record = history_.first_uncommitted()) {
    if (ahead) {
      prefetch(ahead->event);
      ahead = ahead->next;
    }
    if (record->event) {
      if (!is_below(*record->event, round.bound)) break;
      commit(*record);
    }
    history_.commit_first();
    if (!keeps_committed) release_oldest();
  }
  if (keeps_committed)
    release_committed(retention_.droppable(history_.committed_index(), lag));
  else
    retention_.dropped(history_.committed_index());
  if (round.memory.is_tight || allowance_.is_short() || pool_.shares()) [[unlikely]]
    obey(round.memory, round.bound);
}

/// What an event does when it is certain. Its record stays.
template <queue::PendingSet Pending>
void Pe<Pending>::commit(lp::Record& record) {
  commit_event(*record.event, record.effects);
  if (record.effects) rollback::drop_effects(record);
}

/// Drops the committed records up to this index.
template <queue::PendingSet Pending>
void Pe<Pending>::release_committed(std::uint64_t up_to) {
  while (history_.dropped_index() < up_to) {
    if (const lp::Record* next = history_.oldest()->next) prefetch(next->event);
    release_oldest();
  }
}

template <queue::PendingSet Pending>
void Pe<Pending>::release_oldest() {
  lp::Record& record = *history_.oldest();
  if (event::EventHeader* const e = record.event) {
    if (record.has_state_copy) rollback::drop_state_copy(record, *lps_.type_of(e->receiver).ops);
    drop(*e);
  }
  history_.drop_oldest();
}

template <queue::PendingSet Pending>
ANACHRON_INLINE void Pe<Pending>::commit_event(const event::EventHeader& e, event::Effect* effects) {
  ++figures_.committed;
  if (e.time > last_committed_) last_committed_ = e.time;
  if (e.ops->commit || effects) [[unlikely]]
    run_commit_actions(e, effects);
}

template <queue::PendingSet Pending>
void Pe<Pending>::run_commit_actions(const event::EventHeader& e, event::Effect* effects) {
  try {
    rollback::commit_effects(effects);
    if (e.ops->commit) {
      frame_.begin(e.time, event::step_of(e.order), e.receiver, lps_.cell(e.receiver).counters);
      e.ops->commit(frame_, e);
    }
  } catch (const std::exception& error) {
    throw SimulationError(lps_.name(e.receiver), std::string(e.ops->event_name), e.time,
                          std::string("threw at commit: ") + error.what());
  } catch (...) {
    throw SimulationError(lps_.name(e.receiver), std::string(e.ops->event_name), e.time,
                          "threw at commit an exception that is not a std::exception");
  }
}

template <queue::PendingSet Pending>
void Pe<Pending>::settle(const sync::Round& round) {
  // Records are in order of execution, which is not that of keys: look at all of them.
  for (lp::Record* record = history_.first_uncommitted(); record; record = record->next)
    if (record->event && is_below(*record->event, round.bound)) commit(*record);
  take_back_the_rest(round);
}

/// Restores the LPs to what they were at the bound. The events stay: another PE that has not seen the last
/// round yet may be cancelling them. So do the records of committed events, which may have to be executed
/// again for that.
template <queue::PendingSet Pending>
void Pe<Pending>::take_back_the_rest(const sync::Round& round) {
  const std::size_t blamed_before = halts_.size();
  for (lp::Record* record = history_.first_uncommitted(); record; record = record->next)
    if (record->event && !is_below(*record->event, round.bound))
      undo_back_to(*lps_.cell(record->event->receiver).leader, *record->event, [](lp::Record&) {});
  if (halts_.size() == blamed_before) return;  // no event did something else when executed again
  const sync::HaltAt& blamed = halts_[blamed_before];
  throw SimulationError(lps_.name(blamed.lp), std::string(blamed.event->event_name), blamed.key.time,
                        blamed.halt.cause);
}

template <queue::PendingSet Pending>
PeReport Pe<Pending>::figures() const {
  PeReport figures = figures_;
  figures.pool_bytes = pool_.bytes();
  figures.event_bytes = pool_.used_bytes();
  figures.queue_bytes = pending_.bytes();
  figures.history_bytes = arena_.bytes();
  figures.checkpoint_interval = checkpoints_.largest_interval();
  return figures;
}

template <queue::PendingSet Pending>
void Pe<Pending>::discard() {
  for (lp::Record* record = history_.oldest(); record; record = record->next)
    if (record->event) {
      rollback::release(*record, *lps_.type_of(record->event->receiver).ops);
      drop(*record->event);
    }
  pending_.remove_if([this](event::EventHeader* e) {
    drop(*e);
    return true;
  });
  inbox_.drain([this](Message message) {
    if (!message.cancels()) drop(*message.target());
  });
}

}  // namespace anachron::exec
