// Pe, the rollback check: execute, undo, compare, execute again, compare.

namespace anachron::exec {

namespace detail {

/// A copy of an LP's state beside its history.
class StateCopy {
 public:
  StateCopy(const event::LpOps& ops, const void* state)
      : ops_(ops), at_(::operator new(ops.bytes, std::align_val_t{ops.alignment})) {
    ops_.copy(at_, state);
  }
  StateCopy(const StateCopy&) = delete;
  StateCopy& operator=(const StateCopy&) = delete;
  ~StateCopy() {
    ops_.destroy(at_);
    ::operator delete(at_, ops_.bytes, std::align_val_t{ops_.alignment});
  }
  bool equals(const void* state) const { return ops_.equal(at_, state); }

 private:
  const event::LpOps& ops_;
  void* at_;
};

/// Both lists of sent events hold the same keys, receivers, types and payloads.
inline bool same_sends(const event::EventHeader* a, const event::EventHeader* b) {
  for (; a && b; a = a->next, b = b->next) {
    if (!(a->key() == b->key()) || a->receiver != b->receiver || a->ops != b->ops) return false;
    if (a->ops->equal && !a->ops->equal(*a, *b)) return false;
  }
  return !a && !b;
}

}  // namespace detail

template <queue::PendingSet Pending>
void Pe<Pending>::execute_checked(event::EventHeader& e, lp::LpCell& cell, const event::LpOps& ops) {
  if (!ops.copy || !ops.equal) {
    if (std::find(unchecked_.begin(), unchecked_.end(), &ops) == unchecked_.end()) unchecked_.push_back(&ops);
    run_handler(e, cell, &open_record(e, cell));
    return route_sent();
  }
  void* const state = lps_.state(e.receiver);
  const event::LpCounters counters_before = cell.counters;
  const detail::StateCopy before(ops, state);

  lp::Record& first = open_record(e, cell);
  run_handler(e, cell, &first);
  if (first.halts) return route_sent();  // it failed or stopped the run: no second time
  const event::LpCounters counters_after = cell.counters;
  const detail::StateCopy after(ops, state);
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
                        !detail::same_sends(first_sent, frame_.sent)))
    wrong = "rollback check: executed again, the event changes the state or sends in another way: "
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
