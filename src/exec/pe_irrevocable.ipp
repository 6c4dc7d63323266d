// Pe, irrevocable events: they wait until nothing that can still happen sorts before them, and are then
// executed once.
//
// When is that? The bound of a GVT round is the smallest key of all that is pending or under way. So nothing
// that sorts before the event with that very key can happen any more, and nothing can undo it or cancel it,
// but for what was under way when the round was concluded. That was made visible before the round was, so it
// is in the inbox: `execute_certain` empties that first. An event that failed or stopped the run with a
// smaller key would have ended it.

namespace anachron::exec {

/// Puts the event aside if it is not to be executed now. Precondition: it was popped, and it is irrevocable
/// or some events are held.
template <queue::PendingSet Pending>
bool Pe<Pending>::put_aside(event::EventHeader& e) {
  if (is_alone_) return false;  // what is pending sorts after this event, and nothing is under way
  const lp::LpCell* const group = lps_.cell(e.receiver).leader;
  if (!e.ops->irrevocable && !held_.block(group, e)) return false;
  held_.hold(group, e);
  return true;
}

/// Executes the held event that has become certain, if there is one. Returns how many.
template <queue::PendingSet Pending>
unsigned Pe<Pending>::execute_certain() {
  const auto is_certain = [this](const event::EventHeader* e) {
    return e && certain_ && e->key() == *certain_;
  };
  if (!is_certain(held_.first())) return 0;
  receive_all();
  event::EventHeader* const e = held_.first();
  if (!is_certain(e)) return 0;
  unhold(*e);
  execute_irrevocable(*e);
  return 1;
}

/// Takes an event out of those held, and makes pending what had to wait for it only.
template <queue::PendingSet Pending>
void Pe<Pending>::unhold(event::EventHeader& e) {
  held_.remove(lps_.cell(e.receiver).leader, e,
               [this](event::EventHeader& waiting) { pending_.insert(&waiting); });
}

/// Its record is there for the commit, which comes in the order of execution; it is never undone.
template <queue::PendingSet Pending>
void Pe<Pending>::execute_irrevocable(event::EventHeader& e) {
  const lp::LpRef lp = lps_.at(e.receiver);
  if (e.time > latest_) latest_ = e.time;
  if (is_holding_) return refuse_irrevocable(e, lp);
  lp::Record& record = open_record(e, lp, false);
  // No older copy of the state can bring back what comes after: that would execute this event again.
  lp.cell.checkpoint.copy_index = 0;
  run_handler(e, lp, &record);
  route_with_care(e, lp, record);
  after_irrevocable_ = e.key().successor();
  chaos_.spare(after_irrevocable_);
}

/// The last round may have been concluded before the last irrevocable event was executed, which its bound
/// then does not include. It is committed all the same, with what the PE executed before it: with several PEs
/// it was at the bound, and a single one executes in order. Unless it failed: then it ended the run.
template <queue::PendingSet Pending>
std::optional<event::EventKey> Pe<Pending>::final_bound(const sync::Round& round) const {
  if (!round.bound || !after_irrevocable_ || !(*round.bound < *after_irrevocable_)) return round.bound;
  if (has_failed() && first_halt_->key.successor() == *after_irrevocable_) return round.bound;
  return after_irrevocable_;
}

}  // namespace anachron::exec
