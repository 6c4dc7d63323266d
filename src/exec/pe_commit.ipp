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
  chaos_.allow_rollback_from(round.bound);
  while (lp::Record* record = history_.oldest()) {
    if (record->next) prefetch(record->next->event);
    if (record->event) {
      if (!is_below(*record->event, round.bound)) break;
      commit(*record);
    }
    history_.drop_oldest();
  }
}

template <queue::PendingSet Pending>
void Pe<Pending>::commit(lp::Record& record) {
  event::EventHeader& e = *record.event;
  commit_event(e, record.effects);
  if (record.effects || record.has_state_copy) rollback::release(record, *lps_.type_of(e.receiver).ops);
  drop(e);
}

template <queue::PendingSet Pending>
void Pe<Pending>::commit_event(const event::EventHeader& e, event::Effect* effects) {
  ++figures_.committed;
  if (e.time > last_committed_) last_committed_ = e.time;
  if (!e.ops->commit && !effects) [[likely]]
    return;
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
  // Entries are in order of execution, which is not that of keys: look at all of them.
  for (lp::Record* record = history_.oldest(); record; record = record->next)
    if (record->event && is_below(*record->event, round.bound)) {
      commit(*record);
      record->event = nullptr;
    }
  take_back_the_rest();
}

/// Restores the LPs to what they were at the bound. The events stay: another PE that has not seen the last
/// round yet may be cancelling them.
template <queue::PendingSet Pending>
void Pe<Pending>::take_back_the_rest() {
  std::vector<lp::Record*> rest;
  for (lp::Record* record = history_.oldest(); record; record = record->next)
    if (record->event) rest.push_back(record);
  for (auto at = rest.rbegin(); at != rest.rend(); ++at) {
    lp::Record& record = **at;
    const event::EventHeader& e = *record.event;
    rollback::undo(record, lps_.cell(e.receiver), *lps_.type_of(e.receiver).ops, lps_.state(e.receiver));
    ++figures_.rolled_back;
  }
}

template <queue::PendingSet Pending>
PeReport Pe<Pending>::figures() const {
  PeReport figures = figures_;
  figures.pool_bytes = pool_.bytes();
  figures.history_bytes = arena_.bytes();
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
