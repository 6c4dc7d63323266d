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
  if (const event::EventHeader* e = first_waiting())
    if (!summary.earliest || e->key() < *summary.earliest) summary.earliest = e->key();
  summary.halt = first_halt_;
  summary.committed = figures_.committed;
  summary.executed = figures_.executed;
  summary.rolled_back = figures_.rolled_back;
  summary.waiting_s = figures_.waiting_s;
  summary.gvt_s = figures_.gvt_s;
  summary.pending = pending();
  channel_bytes_ = router_.bytes();
  summary.shortage = shortage();
  summary.furthest = uncertain() > 0 ? latest_ : 0;
  router_.publish();
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

/// The first event that waits, in the pending set or held.
template <queue::PendingSet Pending>
const event::EventHeader* Pe<Pending>::first_waiting() {
  const event::EventHeader* const pending = top();
  const event::EventHeader* const held = held_.first();
  return !pending || (held && before(*held, *pending)) ? held : pending;
}

template <queue::PendingSet Pending>
void Pe<Pending>::adopt(const sync::Round& round) {
  batch_ = round.batch;
  gvt_interval_ = round.gvt_interval;
  certain_ = round.bound;
  horizon_ = round_horizon_ = round.horizon;
  if (own_window_) [[unlikely]] {
    own_window_->adopt(round.bound ? round.bound->time : round.horizon);
    horizon_ = std::min(round_horizon_, own_window_->horizon());
  }
  // A lookahead that is lost in rounding: an event may be too early then, but it can be undone.
  if (keeps_history_ && round.bound && horizon_ <= round.bound->time)
    horizon_ = std::nextafter(round.bound->time, kForever);
  if (round.memory.retreat) [[unlikely]]
    retreat(round);
  if (!is_holding_) release_carriers(round);
  chaos_.allow_rollback_from(round.bound);
  chaos_.spare(after_irrevocable_);
  checkpoints_.adapt(figures_.executed, lp_rollbacks_);
  const std::uint64_t lag = round.memory.is_tight ? 0 : checkpoints_.lag();
  if (is_holding_) [[unlikely]]
    hold_below(round.bound);
  else
    commit_below(round.bound, lag);
  if (round.memory.is_tight || allowance_.is_short() || pool_.shares()) [[unlikely]]
    obey(round.memory, round.bound);
}

/// Keeps committed records of which copies of states that are `lag` events old may need some.
template <queue::PendingSet Pending>
void Pe<Pending>::commit_below(const std::optional<event::EventKey>& bound, std::uint64_t lag) {
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
      if (!is_below(*record->event, bound)) break;
      commit(*record);
    }
    history_.commit_first();
    if (!keeps_committed) release_oldest();
  }
  if (keeps_committed)
    release_committed(retention_.droppable(history_.committed_index(), lag));
  else
    retention_.dropped(history_.committed_index());
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
  run_at_commit(e.receiver, e.ops->event_name, e.time, [&] {
    rollback::commit_effects(effects);
    if (e.ops->commit) {
      frame_.begin(e.time, event::step_of(e.order), e.receiver, lps_.cell(e.receiver).counters);
      e.ops->commit(frame_, e);
    }
  });
}

/// Calls `actions` of the model. Their exception is the error of that LP's event.
template <queue::PendingSet Pending>
template <class Actions>
void Pe<Pending>::run_at_commit(LpId lp, std::string_view event, Time time, const Actions& actions) {
  try {
    actions();
  } catch (const std::exception& error) {
    throw SimulationError(lps_.name(lp), std::string(event), time,
                          std::string("threw at commit: ") + error.what());
  } catch (...) {
    throw SimulationError(lps_.name(lp), std::string(event), time,
                          "threw at commit an exception that is not a std::exception");
  }
}

template <queue::PendingSet Pending>
void Pe<Pending>::settle(const sync::Round& round) {
  const std::optional<event::EventKey> bound = final_bound(round);
  // Records are in order of execution, which is not that of keys: look at all of them.
  take_back(first_uncertain(), bound);
  throw_if_blamed(bound);
  sync::Round last = round;
  last.bound = bound;
  adopt(last);
  router_.publish();
  // If the run goes on, nothing is to be executed before its next round.
  horizon_ = round_horizon_ = 0;
  certain_.reset();
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
  held_.clear([this](event::EventHeader& e) { drop(e); });
  for (event::EventHeader* carrier : carriers_) drop(*carrier);
  carriers_.clear();
  inbox_.drain([this](Message message) {
    if (!message.cancels()) drop(*message.target());
  });
}

}  // namespace anachron::exec
