// PeOf, conservative: execution up to a horizon before which nothing can change any more.
// src/throttle/conservative.hpp says why.

namespace anachron::pe {

/// Without history: executes and commits. What another LP can still influence is never executed, but if the
/// run fails, events up to a window after the failing one may have committed.
template <queue::PendingSet Pending>
template <bool kWatched>
unsigned PeOf<Pending>::execute_window(unsigned limit) {
  unsigned count = 0;
  while (count < limit && !memory_.is_short()) {
    event::EventHeader* const e = pop_certain();
    if (!e) break;
    if (e->status != event::Status::pending) [[unlikely]] {
      if (!pass_over(*e)) break;
      continue;
    }
    if (!fault_log_.empty() && fault_log_.forbid(e->key())) [[unlikely]] {
      pending_.insert(e);
      break;
    }
    prefetch_ahead();
    const lp::LpRef lp = lps_->at(e->receiver);
    progress_.frontier.pass(*e);
    execute_and_commit<kWatched>(*e, lp, [&] { check_lookahead(*e, lp, nullptr); });
    ++count;
  }
  return count;
}

/// The first event before the horizon or, where that does not lie beyond GVT, the one at the bound.
template <queue::PendingSet Pending>
event::EventHeader* PeOf<Pending>::pop_certain() {
  if (event::EventHeader* const e = pending_.pop_below(horizon_.time())) return e;
  if (!gate_.certain() || horizon_.time() > gate_.certain()->time) return nullptr;
  event::EventHeader* const first = pending_.top();
  if (!gate_.is_certain(first)) return nullptr;
  pending_.pop();
  return first;
}

/// Makes the event just executed fail if it sent too early to another LP. Then it has sent nothing: what is
/// too early might be late already.
template <queue::PendingSet Pending>
void PeOf<Pending>::check_lookahead(const event::EventHeader& e, const lp::LpRef& lp, lp::Record* record) {
  if (fault_log_.has(e.key())) return;  // it has failed already, or nothing comes after it
  auto wrong = execution_.rules->too_early(e, lp, frame_.sent);
  if (!wrong) [[likely]]
    return;
  frame_.fail(*std::move(wrong));
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

}  // namespace anachron::pe
