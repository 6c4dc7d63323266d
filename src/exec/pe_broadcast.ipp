// Pe, broadcasts: carriers arrive, wait in the pending set and are expanded when they are reached, so that a
// broadcast far ahead takes the room of one event. Expanding does not depend on any state and is never
// undone; it is taken back when the sender cancels the carrier, for which the carrier knows what came of it.
// It is kept until GVT has passed it: then its sender, which sorts before it, is certain, and what came of it
// cannot have been dropped earlier, since it does not sort before it.

namespace anachron::exec {

/// Takes care of what was popped and is not to be executed: cancelled events, carriers.
template <queue::PendingSet Pending>
void Pe<Pending>::set_aside(event::EventHeader& e) {
  if (e.status == event::Status::carrier) return expand(e);
  --cancelled_;
  drop(e);
}

/// Puts an event into the pending set for each recipient that the PE owns.
template <queue::PendingSet Pending>
void Pe<Pending>::expand(event::EventHeader& carrier) {
  carrier.status = event::Status::expanded;
  event::Carrier& what = event::carrier_of(carrier);
  bool failed = false;
  --figures_.sent;  // the carrier; what comes of it counts instead
  directory_.for_each_own(what.to, [&](std::uint32_t k) {
    if (failed) return;
    event::EventHeader* const e = event::make_expanded(frame_, carrier, k);
    if (!e || !carrier.ops->unpack(frame_, *e, carrier)) {
      failed = true;
      if (e) pool_.release(e, e->ops->bytes);
      return;
    }
    e->next = what.expanded;
    what.expanded = e;
    ++figures_.sent;
    accept(*e);
  });
  if (failed) note_halt(carrier, carrier.sender);
  annihilate_local();
  if (keeps_history_)
    carriers_.push_back(&carrier);
  else
    drop(carrier);
}

/// The sender has taken back a carrier that was expanded.
template <queue::PendingSet Pending>
void Pe<Pending>::recall(event::EventHeader& carrier) {
  carrier.status = event::Status::cancelled;
  for (event::EventHeader* e = event::carrier_of(carrier).expanded; e;) {
    event::EventHeader* const next = e->next;
    e->next = to_annihilate_;
    to_annihilate_ = e;
    e = next;
  }
  if (!halts_.empty()) forget_halt(carrier, carrier.sender);
}

/// Makes carriers again of what came of them, where all at or after `from` has been undone.
template <queue::PendingSet Pending>
void Pe<Pending>::fold_carriers(const std::optional<event::EventKey>& bound, Time from) {
  std::erase_if(carriers_, [&](event::EventHeader* carrier) {
    if (carrier->status != event::Status::expanded) return false;
    if (carrier->time < from || is_below(*carrier, bound)) return false;
    recall(*carrier);
    annihilate_local();
    event::carrier_of(*carrier).expanded = nullptr;
    carrier->status = event::Status::carrier;
    pending_.insert(carrier);
    ++figures_.sent;  // expanding will take it off
    return true;
  });
}

/// Drops expanded carriers that cannot be cancelled any more, or were. They are in order of expansion, so
/// like the history's records they go up to the first that is not below the bound.
template <queue::PendingSet Pending>
void Pe<Pending>::release_carriers(const sync::Round& round) {
  while (!carriers_.empty()) {
    event::EventHeader& carrier = *carriers_.front();
    if (carrier.status != event::Status::cancelled && !is_below(carrier, round.bound)) break;
    carriers_.pop_front();
    drop(carrier);
  }
}

}  // namespace anachron::exec
