// PeOf, retractions: events that take back others, see event/retraction.hpp.

namespace anachron::exec {

/// Executes a retraction and takes the event after it out, if that is still there. Returns false when it must
/// not be executed yet, nor what comes after it.
template <queue::PendingSet Pending>
bool PeOf<Pending>::execute_retraction(event::EventHeader& retraction) {
  if (!halts_.empty() && halts_.forbid(retraction.key())) {
    pending_.insert(&retraction);
    return false;
  }
  if (keeps_history() && !gate_.empty() && puts_aside(retraction)) return true;
  event::EventHeader* const target = find_target(retraction);
  if (target) {
    if (target->status == event::Status::aside) {
      let_go(*target);
    } else {
      pending_.pop();
    }
    if (!lazy_.empty()) cancel_sent(lazy_.take(*target));
    target->status = event::Status::retracted;
  }
  event::payload<event::Retraction>(retraction).target = target;
  if (watch_.is_on())
    execute_event<true>(retraction);
  else
    execute_event<false>(retraction);
  return true;
}

/// What a retraction that was just taken from the pending set takes back: the next in order, in the pending
/// set or aside.
template <queue::PendingSet Pending>
event::EventHeader* PeOf<Pending>::find_target(event::EventHeader& retraction) {
  const event::EventKey key = retraction.key().successor();
  if (event::EventHeader* const e = top(); e && e->key() == key) return e;
  event::EventHeader* const aside = gate_.after(group_of(retraction), retraction);
  return aside && aside->key() == key ? aside : nullptr;
}

/// The retraction is undone.
template <queue::PendingSet Pending>
void PeOf<Pending>::give_back(event::EventHeader& retraction) {
  event::EventHeader* const target =
      std::exchange(event::payload<event::Retraction>(retraction).target, nullptr);
  if (!target) return;
  target->status = target->waiting_status();
  pending_.insert(target);
}

/// A retracted event is cancelled by its sender. With lazy cancellation another one with the same key may be
/// there by now, which the retraction was sent for.
template <queue::PendingSet Pending>
void PeOf<Pending>::undo_retraction_of(const event::EventHeader& e) {
  event::EventHeader retraction = e;
  retraction.set_place(event::place_of_retraction(e.place()));
  roll_back(*group_of(e), retraction, Cause::message);
}

/// The retraction ends, and with it what it has taken back.
template <queue::PendingSet Pending>
void PeOf<Pending>::drop_target(event::EventHeader& retraction) {
  if (event::EventHeader* const target =
          std::exchange(event::payload<event::Retraction>(retraction).target, nullptr))
    drop(*target);
}

}  // namespace anachron::exec
