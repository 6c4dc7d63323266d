// Pe, the rollback check: execute, undo, compare, execute again, compare.

namespace anachron::exec {

template <queue::PendingSet Pending>
void Pe<Pending>::execute_checked(event::EventHeader& e, lp::LpCell& cell, const event::LpOps& ops) {
  if (!ops.copy || !ops.equal) {
    if (std::find(unchecked_.begin(), unchecked_.end(), &ops) == unchecked_.end()) unchecked_.push_back(&ops);
    run_handler(e, cell, &open_record(e, cell));
    return route_sent();
  }
  void* const state = lps_.state(e.receiver);
  const event::LpCounters counters_before = cell.counters;
  const rollback::StateCopy before(ops, state);

  lp::Record& first = open_record(e, cell);
  run_handler(e, cell, &first);
  if (first.halts) return route_sent();  // it failed or stopped the run: no second time
  const event::LpCounters counters_after = cell.counters;
  const rollback::StateCopy after(ops, state);
  event::EventHeader* const first_sent = first.sent;

  rollback::undo(first, cell, ops, state);
  cell.leader->newest = first.older;
  cell.leader->newest_index = first.older_index;
  first.event = nullptr;
  --figures_.executed;
  std::string wrong;
  if (!before.equals(state) || cell.counters != counters_before)
    wrong = "rollback check: undoing the event does not restore the state that was before it";

  run_handler(e, cell, &open_record(e, cell));
  if (wrong.empty() && (!after.equals(state) || cell.counters != counters_after ||
                        !rollback::same_sends(first_sent, frame_.sent)))
    wrong =
        "rollback check: executed again, the event changes the state or sends in another way: "
        "the handler uses something that is not part of the state";
  for (event::EventHeader* sent = first_sent; sent;) {
    event::EventHeader* const next = sent->next;
    drop(*sent);
    sent = next;
  }
  if (!wrong.empty() && cell.leader->newest->halts == false) {
    frame_.fail(std::move(wrong));
    cell.leader->newest->halts = true;
    note_halt(e);
  }
  route_sent();
}

}  // namespace anachron::exec
