// Pe, conservative: execution up to a horizon before which nothing can change any more.
// src/sync/conservative.hpp says why.

namespace anachron::exec {

/// Without history: executes and commits. What another LP can still influence is never executed, but if the
/// run fails, events up to a window after the failing one may have committed.
template <queue::PendingSet Pending>
unsigned Pe<Pending>::execute_window(unsigned limit) {
  unsigned count = 0;
  while (count < limit && !allowance_.is_short()) {
    event::EventHeader* const e = pop_certain();
    if (!e) break;
    if (e->status != event::Status::pending) [[unlikely]] {
      set_aside(*e);
      continue;
    }
    if (first_halt_ && first_halt_->key < e->key()) [[unlikely]] {
      pending_.insert(e);
      break;
    }
    prefetch_ahead();
    const lp::LpRef lp = lps_.at(e->receiver);
    if (e->time > latest_) latest_ = e->time;
    execute_and_commit(*e, lp, [&] { check_lookahead(*e, lp, nullptr); });
    ++count;
  }
  return count;
}

/// The first event before the horizon or, where that does not lie beyond GVT, the one at the bound.
template <queue::PendingSet Pending>
event::EventHeader* Pe<Pending>::pop_certain() {
  if (event::EventHeader* const e = pending_.pop_below(horizon_)) return e;
  if (!certain_ || horizon_ > certain_->time) return nullptr;
  event::EventHeader* const first = pending_.top();
  if (!first || !(first->key() == *certain_)) return nullptr;
  pending_.pop();
  return first;
}

/// The first LP other than the sender that an event or the carrier of a broadcast is for; the sender if there
/// is none.
inline LpId first_other(const event::EventHeader& sent, LpId sender) {
  if (!sent.ops->carries) return sent.receiver;
  const event::Recipients& to = event::carrier_of(sent).to;
  return to[0] == sender && to.count > 1 ? to[1] : to[0];
}

/// Makes the event just executed fail if it sent too early to another LP. Then it has sent nothing: what is
/// too early might be late already.
template <queue::PendingSet Pending>
void Pe<Pending>::check_lookahead(const event::EventHeader& e, const lp::LpRef& lp, lp::Record* record) {
  if (first_halt_ && first_halt_->key == e.key()) return;  // it has failed already, or nothing comes after it
  const Time lookahead = lookaheads_[lp.type];
  const Time earliest = e.time + lookahead;
  const event::EventHeader* early = nullptr;
  for (const event::EventHeader* sent = frame_.sent; sent; sent = sent->next)
    if (sent->time < earliest && first_other(*sent, e.receiver) != e.receiver)
      early = sent;  // the one sent first counts
  if (!early) [[likely]]
    return;
  frame_.fail(
      fmt::format("sends event {} to {} with delay {}, which is below the lookahead {} of LP type {} (--sync "
                  "conservative)",
                  early->ops->event_name, lps_.name(first_other(*early, e.receiver)), early->time - e.time,
                  lookahead, lp.ops.name));
  for (event::EventHeader* sent = frame_.sent; sent;) {
    event::EventHeader* const next = sent->next;
    drop(*sent);
    sent = next;
  }
  frame_.sent = nullptr;
  if (record) {
    record->sent = nullptr;
    record->halts = true;
  }
  note_halt(e, e.receiver);
}

/// For types that do not declare that they stop the run no history is kept, so it may be too late to end the
/// run at this very event. An error at every stop, so that it does not depend on luck.
template <queue::PendingSet Pending>
void Pe<Pending>::refuse_undeclared_stop(const event::EventHeader& e) {
  if (frame_.halt->kind != event::Halt::Kind::stop) return;
  const event::LpTypeEntry& type = lps_.type_of(e.receiver);
  if (sync::may_stop(type)) return;
  frame_.halt.reset();
  frame_.fail(
      fmt::format("stops the run, which other LPs may have passed: --sync conservative needs a `static bool "
                  "may_stop(const "
                  "Params&)` in LP type {} that returns true",
                  type.ops->name));
}

}  // namespace anachron::exec
