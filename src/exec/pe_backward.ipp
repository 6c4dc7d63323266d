// Pe, backward: stragglers, rollback, cancellation.

namespace anachron::exec {

template <queue::PendingSet Pending>
std::uint64_t Pe<Pending>::receive() {
  if (keeps_history_ && chaos_.strikes(2)) return 0;  // the mail is late
  return receive_all();
}

template <queue::PendingSet Pending>
std::uint64_t Pe<Pending>::receive_all() {
  const std::uint64_t count = inbox_.drain([this](Message message) {
    if (message.cancels())
      annihilate(*message.target());
    else
      accept(*message.target());
    annihilate_local();
  });
  return count;
}

/// Takes an event into the pending set. A straggler, one that sorts before something its group has executed,
/// first takes the group back.
template <queue::PendingSet Pending>
ANACHRON_INLINE void Pe<Pending>::accept(event::EventHeader& e) {
  if (e.time <= latest_ && keeps_history_) [[unlikely]]
    roll_back(*lps_.cell(e.receiver).leader, e);
  pending_.insert(&e);
}

/// Undoes the group's events that do not sort before `to`, newest first, and makes them pending again.
template <queue::PendingSet Pending>
void Pe<Pending>::roll_back(lp::LpCell& leader, const event::EventHeader& to) {
  const bool any = undo_back_to(leader, to, [this](lp::Record& record) {
    cancels_lazily_ ? keep_sent(record) : cancel_sent(record);
    if (record.halts) forget_halt(*record.event, record.event->receiver);
  });
  if (!any) return;
  ++figures_.rollbacks;
  if (own_window_) own_window_->rolled_back(to.time);
}

/// Calls `then(record)` for each record that it has undone. Returns whether there was any.
template <queue::PendingSet Pending>
template <class Then>
bool Pe<Pending>::undo_back_to(lp::LpCell& leader, const event::EventHeader& to, Then&& then) {
  bool any = false;
  std::size_t lost = 0;  // LPs
  while (history_.may_undo(leader.newest_index)) {
    lp::Record& record = *leader.newest;
    event::EventHeader& e = *record.event;
    if (before(e, to)) break;
    any = true;
    lp::LpCell& cell = lps_.cell(e.receiver);
    const bool was_lost = cell.checkpoint.is_lost;
    rollback::undo(record, cell, undo_kind(e), *lps_.type_of(e.receiver).ops, lps_.state(e.receiver));
    lost += std::size_t{cell.checkpoint.is_lost} - was_lost;
    then(record);
    leader.newest = record.older;
    leader.newest_index = record.older_index;
    record.event = nullptr;
    ++figures_.rolled_back;
    e.status = event::Status::pending;
    pending_.insert(&e);
  }
  if (lost > 0) coast_forward(leader, lost);
  lp_rollbacks_ += std::max<std::size_t>(lost, any);
  return any;
}

/// Cancels what an undone event sent.
template <queue::PendingSet Pending>
void Pe<Pending>::cancel_sent(lp::Record& record) {
  for (event::EventHeader* sent = record.sent; sent;) {
    event::EventHeader* const next = sent->next;
    cancel(*sent, record.first_match);
    sent = next;
  }
  record.sent = nullptr;
}

/// Cancels an event. One that is for this PE is only put on a list: annihilating it may roll back another
/// group.
template <queue::PendingSet Pending>
void Pe<Pending>::cancel(event::EventHeader& sent, event::MatchId at_least) {
  // Match ids are never reused: another id here would be another event in the same memory.
  if (sent.match.pe() != self_ || sent.match.value < at_least.value)
    throw std::logic_error("anachron: internal error: a cancellation does not match its event");
  const PeId owner = lps_.owner(sent.receiver);
  if (owner == self_) {
    sent.next = to_annihilate_;
    to_annihilate_ = &sent;
  } else {
    ++figures_.anti_messages;
    router_.cancel(owner, &sent);
  }
}

/// Removes an event that its sender took back, undoing it first if it was executed.
template <queue::PendingSet Pending>
void Pe<Pending>::annihilate(event::EventHeader& e) {
  if (e.status == event::Status::executed) {
    roll_back(*lps_.cell(e.receiver).leader, e);
  } else if (e.status == event::Status::expanded) [[unlikely]] {
    return recall(e);
  } else if (e.status == event::Status::held) [[unlikely]] {
    unhold(e);
    pending_.insert(&e);
  }
  if (!unconfirmed_.empty()) [[unlikely]]
    cancel_unconfirmed(e);
  e.status = event::Status::cancelled;
  ++cancelled_;
  if (cancelled_ > kFewCancelled && cancelled_ > pending_.size() / 2) purge_cancelled();
}

template <queue::PendingSet Pending>
void Pe<Pending>::annihilate_local() {
  while (event::EventHeader* e = to_annihilate_) {
    to_annihilate_ = e->next;
    annihilate(*e);
  }
}

template <queue::PendingSet Pending>
void Pe<Pending>::purge_cancelled() {
  pending_.remove_if([this](event::EventHeader* e) {
    if (e->status != event::Status::cancelled) return false;
    drop(*e);
    return true;
  });
  cancelled_ = 0;
}

/// The end of an event: its payload is destroyed, its memory is what the PE uses next.
template <queue::PendingSet Pending>
ANACHRON_INLINE void Pe<Pending>::drop(event::EventHeader& e) {
  const std::size_t bytes = e.ops->bytes;
  if (e.ops->destroy) e.ops->destroy(e);
  pool_.release(&e, bytes);
}

template <queue::PendingSet Pending>
void Pe<Pending>::forget_halt(const event::EventHeader& e, LpId lp) {
  // With lazy cancellation another LP may have an event with the same key for a while.
  std::erase_if(halts_, [&](const sync::HaltAt& halt) { return halt.key == e.key() && halt.lp == lp; });
  first_halt_.reset();
  for (const auto& halt : halts_)
    if (!first_halt_ || halt.key < first_halt_->key) first_halt_ = halt;
}

}  // namespace anachron::exec
