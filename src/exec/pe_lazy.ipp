// Pe, lazy cancellation: undoing an event does not cancel what it sent. Only when the event is executed again
// and does not send the same, or when it is cancelled itself, that is cancelled (A. Gafni, "Rollback
// mechanisms for optimistic distributed simulation systems", SCS Multiconference on Distributed Simulation,
// 1988).
//
// GVT need not know of it. An undone event is pending, so no bound passes it, and all that it sent sorts
// after it: none of that commits, and its memory stays. A cancellation leaves the PE where a send would,
// after the event was executed again, or where one always did, when the event itself is cancelled; so it is
// counted like these.
//
// An event whose sender may do something else is executed meanwhile, beside one that replaces it: for a while
// two events, even of one LP, may have the same key. They are undone together, since a rollback goes back to
// a key.

namespace anachron::exec {

/// Takes over what an undone event has sent.
template <queue::PendingSet Pending>
void Pe<Pending>::keep_sent(lp::Record& record) {
  if (!record.sent) return;
  unconfirmed_.emplace(record.event, Unconfirmed{record.sent, record.first_match});
  record.sent = nullptr;
}

/// Compares what an event that was executed again sends with what it sent before. What is the same stays
/// where it is, the rest is cancelled, and only what is new is sent.
template <queue::PendingSet Pending>
void Pe<Pending>::confirm_sent(event::EventHeader& e, lp::Record& record) {
  const auto found = unconfirmed_.find(&e);
  if (found == unconfirmed_.end()) return;
  const Unconfirmed before = found->second;
  unconfirmed_.erase(found);

  event::EventHeader* kept = before.newest;
  const auto cancel_next = [&] {
    event::EventHeader& wrong = *kept;
    kept = kept->next;
    cancel(wrong, before.first_match);
  };
  // Both lists are newest first, so their sequence numbers fall.
  event::EventHeader** link = &record.sent;
  while (event::EventHeader* const sent = *link) {
    while (kept && kept->seq() > sent->seq()) cancel_next();
    if (kept && rollback::is_same_send(*kept, *sent)) {
      event::EventHeader* const older = kept->next;
      kept->next = sent->next;
      *link = kept;
      drop(*sent);
      link = &kept->next;
      kept = older;
      ++figures_.lazy_hits;
    } else {
      unsent_.push_back(sent);
      link = &sent->next;
    }
  }
  while (kept) cancel_next();
  record.first_match = before.first_match;  // older than what was sent now
  frame_.sent = nullptr;

  annihilate_local();
  for (event::EventHeader* sent : unsent_) route(*sent);
  unsent_.clear();
}

/// An event that may have been undone is cancelled: so is what it sent.
template <queue::PendingSet Pending>
void Pe<Pending>::cancel_unconfirmed(const event::EventHeader& e) {
  const auto found = unconfirmed_.find(&e);
  if (found == unconfirmed_.end()) return;
  for (event::EventHeader* sent = found->second.newest; sent;) {
    event::EventHeader* const next = sent->next;
    cancel(*sent, found->second.first_match);
    sent = next;
  }
  unconfirmed_.erase(found);
}

/// Nothing that was undone keeps what it sent.
template <queue::PendingSet Pending>
void Pe<Pending>::cancel_all_unconfirmed() {
  while (!unconfirmed_.empty()) {
    cancel_unconfirmed(*unconfirmed_.begin()->first);
    annihilate_local();
  }
}

template <queue::PendingSet Pending>
std::size_t Pe<Pending>::unconfirmed_bytes() const {
  constexpr std::size_t kNode = sizeof(void*) + sizeof(typename decltype(unconfirmed_)::value_type);
  return unconfirmed_.empty() ? 0 : unconfirmed_.size() * kNode + unconfirmed_.bucket_count() * sizeof(void*);
}

}  // namespace anachron::exec
