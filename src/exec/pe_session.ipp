// Pe, sessions: what comes from outside the model, and stretches of a run that can be taken back (Bachan et
// al. 2024, section 2.2.2). While a stretch is held, what GVT passes counts as committed but stays in the
// history, its actions at commit undone: going back is the rollback of all that was executed since.

namespace anachron::exec {

template <queue::PendingSet Pending>
event::EventHeader& Pe<Pending>::make_outside(const event::EventOps& ops, LpId receiver, Time time,
                                              event::LpCounters& outside) {
  constexpr Time kBeforeAll = -1;  // so that no event from outside is one without delay
  frame_.begin(kBeforeAll, 0, lps_.size(), outside);
  event::EventHeader* const e = frame_.make_event(ops, receiver, time + 0.0);  // not -0.0
  if (e) return *e;
  const event::Halt why = *std::exchange(frame_.halt, std::nullopt);
  if (why.kind == event::Halt::Kind::no_memory) throw std::bad_alloc();
  throw std::length_error(why.cause);
}

template <queue::PendingSet Pending>
void Pe<Pending>::insert_outside(event::EventHeader& e) {
  ++figures_.sent;
  pending_.insert(&e);  // no straggler: nothing at or after its time has been executed
}

template <queue::PendingSet Pending>
void Pe<Pending>::hold() {
  is_holding_ = true;
  keep_history(true);
  committed_before_hold_ = figures_.committed;
  last_held_ = history_.newest();
  held_index_ = history_.newest_index();
}

template <queue::PendingSet Pending>
void Pe<Pending>::hold_below(const std::optional<event::EventKey>& bound) {
  for (lp::Record* record = first_uncertain(); record; record = record->next) {
    if (record->event) {
      if (!is_below(*record->event, bound)) return;
      ++figures_.committed;
      last_committed_ = std::max(last_committed_, record->event->time);
    }
    last_held_ = record;
    ++held_index_;
  }
}

template <queue::PendingSet Pending>
void Pe<Pending>::commit_held() {
  is_holding_ = false;
  figures_.committed = committed_before_hold_;  // commit counts them again
  commit_below(std::nullopt, checkpoints_.lag());
  keep_history(keeps_history_always_);
  if (!keeps_history_) release_carriers({});
}

template <queue::PendingSet Pending>
void Pe<Pending>::keep_history(bool wanted) {
  if (keeps_history_ && !wanted) {
    release_committed(history_.committed_index());
    retention_.dropped(history_.committed_index());
  }
  keeps_history_ = wanted;
  frame_.keep_undo = wanted && !copies_always_;
}

template <queue::PendingSet Pending>
auto Pe<Pending>::mark() const -> Mark {
  return {.newest = history_.newest(),
          .newest_index = history_.newest_index(),
          .arena = arena_.mark(),
          .retention = retention_,
          .committed = figures_.committed,
          .last_committed = last_committed_,
          .latest = latest_};
}

template <queue::PendingSet Pending>
void Pe<Pending>::undo_since(const Mark& mark) {
  constexpr event::EventKey kFirst{};
  take_back(mark.newest ? mark.newest->next : history_.oldest(), kFirst);
  throw_if_blamed(std::nullopt);
  // What is executed next may be something else, and without history nobody would compare.
  cancel_all_unconfirmed();
  router_.publish();
}

template <queue::PendingSet Pending>
void Pe<Pending>::forget_since(const Mark& mark) {
  receive_all();                          // the cancellations of what others have undone
  if (cancelled_ > 0) purge_cancelled();  // without history nobody looks for them
  std::erase_if(carriers_, [this](event::EventHeader* carrier) {
    if (carrier->status != event::Status::cancelled) return false;
    drop(*carrier);
    return true;
  });
  history_.forget_after(mark.newest, mark.newest_index);
  arena_.release_since(mark.arena);
  retention_ = mark.retention;
  last_held_ = mark.newest;
  held_index_ = mark.newest_index;
  figures_.committed = mark.committed;
  last_committed_ = mark.last_committed;
  latest_ = mark.latest;
}

/// Undoes the events from `record` on that are not below the bound nor before `from`, and cancels what they
/// sent.
template <queue::PendingSet Pending>
void Pe<Pending>::take_back(const lp::Record* record, const std::optional<event::EventKey>& bound,
                            Time from) {
  for (; record; record = record->next) {
    if (!record->event || record->event->time < from || is_below(*record->event, bound)) continue;
    if (record->event->ops->irrevocable) continue;  // it is the one that failed
    roll_back(*lps_.cell(record->event->receiver).leader, *record->event);
    annihilate_local();
  }
}

/// An irrevocable event is due while nothing may commit for good.
template <queue::PendingSet Pending>
void Pe<Pending>::refuse_irrevocable(event::EventHeader& e, const lp::LpRef& lp) {
  lp::Record& record = open_record(e, lp, false);
  record.halts = true;
  e.status = event::Status::executed;
  frame_.begin(e.time, event::step_of(e.order), e.receiver, lp.cell.counters);
  frame_.fail("is irrevocable and due after a mark: accept the mark or go back to it before");
  note_halt(e, e.receiver);
}

/// When the state of an LP was brought back by executing certain events again, and one of them did something
/// else.
template <queue::PendingSet Pending>
void Pe<Pending>::throw_if_blamed(const std::optional<event::EventKey>& bound) const {
  for (const sync::HaltAt& at : halts_)
    if (at.halt.kind == event::Halt::Kind::fault && (!bound || at.key < *bound))
      throw SimulationError(lps_.name(at.lp), std::string(at.event->event_name), at.key.time, at.halt.cause);
}

}  // namespace anachron::exec
