// Pe, sparse state saving: which events get a copy of the state, how a state between two copies is brought
// back, and what that costs. docs/decisions/0008-sparse-state-saving.md says why.

namespace anachron::exec {

/// Whether the event's record is to hold a copy of the state. Without one it relies on an older record.
template <queue::PendingSet Pending>
ANACHRON_INLINE bool Pe<Pending>::plan_copy(const event::EventHeader& e, const lp::LpRef& lp) {
  const bool is_by_copy = undo_kind(e) == event::UndoKind::copy;
  const unsigned interval = checkpoints_.interval(lp.type);
  if (interval == 1) [[likely]]
    return is_by_copy;
  lp::Checkpoint& checkpoint = lp.cell.checkpoint;
  const std::uint64_t index = history_.newest_index() + 1;  // of the record to be
  if (is_by_copy && (checkpoint.copy_index <= retention_.floor() || checkpoint.since_copy >= interval)) {
    checkpoint.note_copy(index);
    return true;
  }
  checkpoint.note_event_without_copy();
  if (is_by_copy) retention_.add_dependent(index);
  return false;
}

/// Brings back the states of the group's lost LPs, of which there are `lost`: from the newest copy that each
/// has left, by executing again what came after it ("coast forward", D. R. Jefferson, "Virtual time", ACM
/// TOPLAS 7(3), 1985, section 4.1). What those events sent, and will do at commit, stays as it is.
template <queue::PendingSet Pending>
void Pe<Pending>::coast_forward(const lp::LpCell& leader, std::size_t lost) {
  to_coast_.clear();
  std::uint64_t index = leader.newest_index;
  for (lp::Record* record = leader.newest; lost > 0; index = record->older_index, record = record->older) {
    if (!history_.holds(index))
      throw std::logic_error("anachron: internal error: a lost state without a copy");
    lp::LpCell& cell = lps_.cell(record->event->receiver);
    if (!cell.checkpoint.is_lost) continue;
    to_coast_.push_back(record);
    if (!record->has_state_copy) continue;
    cell.checkpoint.note_copy(index);
    cell.checkpoint.is_lost = 0;
    --lost;
  }
  std::sort(to_coast_.begin(), to_coast_.end(), [](const lp::Record* a, const lp::Record* b) {
    // Not by key: with lazy cancellation two events may have the same for a while.
    const LpId lp_a = a->event->receiver, lp_b = b->event->receiver;
    return lp_a != lp_b ? lp_a < lp_b : a->older_index < b->older_index;
  });
  for (std::size_t i = 0; i < to_coast_.size(); ++i) {
    lp::Record& record = *to_coast_[i];
    const LpId lp = record.event->receiver;
    const bool is_last = i + 1 == to_coast_.size() || to_coast_[i + 1]->event->receiver != lp;
    execute_again(record, is_last ? lps_.cell(lp).counters : to_coast_[i + 1]->before);
  }
  figures_.coasted += to_coast_.size();
}

/// Executes an event for its change of the state only. `expected` are the counters after it, except for the
/// digest.
template <queue::PendingSet Pending>
void Pe<Pending>::execute_again(lp::Record& record, const event::LpCounters& expected) {
  event::EventHeader& e = *record.event;
  void* const state = lps_.state(e.receiver);
  if (record.has_state_copy)
    rollback::reload_state(record, *lps_.type_of(e.receiver).ops, state);
  else
    lps_.cell(e.receiver).checkpoint.note_event_without_copy();
  event::LpCounters counters = record.before;
  coasting_.begin(e.time, event::step_of(e.order), e.receiver, counters);
  e.ops->execute(coasting_, state, e);
  rollback::destroy_effects(coasting_.effects);
  scratch_.clear();
  const bool has_memory = !coasting_.halt || coasting_.halt->kind != event::Halt::Kind::no_memory;
  coasting_.halt.reset();
  if (!has_memory) [[unlikely]]
    throw std::bad_alloc();
  if (counters.next_seq != expected.next_seq || counters.draws != expected.draws) [[unlikely]]
    blame(record);
}

/// The event did not do the same again. If it commits, that ends the run.
template <queue::PendingSet Pending>
void Pe<Pending>::blame(lp::Record& record) {
  if (record.halts) return;
  record.halts = true;
  frame_.fail(
      "executed again on the same state, the event sends or draws another number of times: the handler uses "
      "something that is not part of the state (--check-rollback finds such events)");
  note_halt(*record.event, record.event->receiver);
}

/// Executes an event and takes the time.
template <queue::PendingSet Pending>
void Pe<Pending>::execute_measured(event::EventHeader& e, const lp::LpRef& lp) {
  checkpoints_.sampled(figures_.executed);
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  const auto began = Clock::now();
  lp::Record& record = open_record(e, lp, plan_copy(e, lp));
  const auto saved = Clock::now();
  const bool is_copied = record.has_state_copy && undo_kind(e) == event::UndoKind::copy;
  run_handler(e, lp, &record);
  const auto ended = Clock::now();
  const std::chrono::duration<double, std::nano> clock = began - start, copy = saved - began,
                                                 handler = ended - saved;
  if (undo_kind(e) == event::UndoKind::copy)
    checkpoints_.add_sample(lp.type, is_copied ? std::optional((copy - clock).count()) : std::nullopt,
                            (handler - clock).count());
  route_with_care(e, lp, record);
}

}  // namespace anachron::exec
