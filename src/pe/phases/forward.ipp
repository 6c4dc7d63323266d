// PeOf, forward: from the pending set through the handler to the events that it sends.

namespace anachron::pe {

template <queue::PendingSet Pending>
unsigned PeOf<Pending>::execute(unsigned limit) {
  if (memory_.is_short() && !memory_.may_go_on(first_waiting())) [[unlikely]]
    return 0;
  // Another PE takes no more for now: what is executed now would be late there, and what it sends would pile
  // up here.
  if (outbox_.was_refused() || (outbox_.has_far() && outbox_.has_mail())) [[unlikely]] {
    outbox_.publish();
    if (outbox_.has_mail()) return 0;
  }
  limit = chaos_.batch(limit);
  const unsigned count = keeps_history()  ? execute_ahead(limit)
                         : watch_.is_on() ? execute_window<true>(limit)
                                          : execute_window<false>(limit);
  frame_.end_batch();
  throw_if_exhausted();
  if (pool_.shares()) progress_.way_out_bytes = outbox_.bytes();
  memory_.end_batch(taken_bytes());
  if (chaos_.on()) [[unlikely]] {
    if (!rewind_interval_.has_refused()) chaos_.maybe_roll_back(*this);
    if (count > 0) chaos_.maybe_yield();  // whoever has nothing to do gives the core away by itself
  }
  return count;
}

/// Optimistically: what is executed may be undone.
template <queue::PendingSet Pending>
unsigned PeOf<Pending>::execute_ahead(unsigned limit) {
  if (saving_.checkpoints().wants_sample(figures_.executed)) [[unlikely]]
    execution_.needs_care = true;
  unsigned count = gate_.empty() ? 0 : execute_certain();
  while (count < limit && !memory_.is_short()) {
    event::EventHeader* const e = pop_below(horizon_.time());
    if (!e) break;
    if (e->status != event::Status::pending) [[unlikely]] {
      if (!pass_over(*e)) break;
      continue;
    }
    if (horizon_.defers(*e) || (!fault_log_.empty() && fault_log_.forbid(e->key()))) [[unlikely]] {
      pending_.insert(e);
      break;
    }
    prefetch_ahead();
    if (e->ops->irrevocable || !gate_.empty()) [[unlikely]] {
      if (puts_aside(*e)) continue;
      if (e->ops->irrevocable) {
        execute_irrevocable(*e);
        ++count;
        continue;
      }
    }
    execute_event<false>(*e);
    ++count;
  }
  sort_out();
  if (horizon_.has_own_window() && count < limit) [[unlikely]]
    if (const event::EventHeader* e = top()) horizon_.waits(e->time);
  return count;
}

template <queue::PendingSet Pending>
unsigned PeOf<Pending>::execute_for_good(unsigned limit, Time until) {
  return watch_.is_on() ? execute_in_order<true>(limit, until) : execute_in_order<false>(limit, until);
}

template <queue::PendingSet Pending>
template <bool kWatched>
unsigned PeOf<Pending>::execute_in_order(unsigned limit, Time until) {
  unsigned count = 0;
  while (count < limit && fault_log_.empty() && !memory_.is_short()) {
    event::EventHeader* const e = pending_.pop_below(until);
    if (!e) break;
    if (e->status != event::Status::pending) [[unlikely]] {
      if (!pass_over(*e)) break;
    } else {
      prefetch_ahead();
      if (rewind_interval_.is_on() && e->ops->irrevocable) [[unlikely]] {
        refuse_irrevocable(*e);
        break;
      }
      execute_event<kWatched>(*e);
      ++count;
    }
    if (keeps_history() && !fault_log_.has_failed()) adopt({});
  }
  if (!rewind_interval_.is_on()) sweep_retractions(kForever);
  frame_.end_batch();
  throw_if_exhausted();
  if (watch_.is_in_order() && !rewind_interval_.is_on()) {
    memory_.settle(taken_bytes());
    watch_.hand_over(index(), std::nullopt);
  }
  memory_.settle(taken_bytes());
  return count;
}

/// The pending set has fetched the headers of the next events; their LPs follow.
template <queue::PendingSet Pending>
ANACHRON_INLINE void PeOf<Pending>::prefetch_ahead() {
  if (!execution_.fetches_lps) return;
  if (const event::EventHeader* soon = pending_.soon(kPrefetchDistance)) lps_->fetch_for(*soon);
}

template <queue::PendingSet Pending>
template <bool kWatched>
ANACHRON_INLINE void PeOf<Pending>::execute_event(event::EventHeader& e) {
  const lp::LpRef lp = lps_->at(e.receiver);
  progress_.frontier.pass(e);
  if (!keeps_history()) {
    return execute_and_commit<kWatched>(e, lp, [&] {
      if (execution_.needs_care && execution_.rules) [[unlikely]]
        check_lookahead(e, lp, nullptr);
    });
  }
  if (execution_.needs_care) [[unlikely]]
    return execute_with_care(e, lp);
  lp::Record& record = open_record(e, lp, plan_copy(e, lp));
  run_handler(e, lp, &record);
  hand_on(record);
}

template <queue::PendingSet Pending>
void PeOf<Pending>::execute_with_care(event::EventHeader& e, const lp::LpRef& lp) {
  if (settings_.checks_rollback) return execute_checked(e, lp);
  execution_.needs_care = execution_.rules != nullptr;
  if (saving_.checkpoints().wants_sample(figures_.executed)) return execute_measured(e, lp);
  lp::Record& record = open_record(e, lp, plan_copy(e, lp));
  run_handler(e, lp, &record);
  route_with_care(e, lp, record);
}

/// Executes an event and takes the time.
template <queue::PendingSet Pending>
void PeOf<Pending>::execute_measured(event::EventHeader& e, const lp::LpRef& lp) {
  rollback::Checkpoints& checkpoints = saving_.checkpoints();
  checkpoints.sampled(figures_.executed);
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  const auto began = Clock::now();
  lp::Record& record = open_record(e, lp, plan_copy(e, lp));
  const auto saved = Clock::now();
  const bool is_copied = record.has_state_copy() && undo_kind(e) == event::UndoKind::copy;
  run_handler(e, lp, &record);
  const auto ended = Clock::now();
  const std::chrono::duration<double, std::nano> clock = began - start, copy = saved - began,
                                                 handler = ended - saved;
  if (undo_kind(e) == event::UndoKind::copy)
    checkpoints.add_sample(lp.type, is_copied ? std::optional((copy - clock).count()) : std::nullopt,
                           (handler - clock).count());
  route_with_care(e, lp, record);
}

/// Its record is there for the commit, which comes in the order of execution; it is never undone.
template <queue::PendingSet Pending>
void PeOf<Pending>::execute_irrevocable(event::EventHeader& e) {
  const lp::LpRef lp = lps_->at(e.receiver);
  progress_.frontier.pass(e);
  if (rewind_interval_.is_on()) return refuse_irrevocable(e);
  lp::Record& record = open_record(e, lp, false);
  // No older copy of the state can bring back what comes after: that would execute this event again.
  lp.cell.checkpoint.copy_index = 0;
  run_handler(e, lp, &record);
  route_with_care(e, lp, record);
  gate_.executed(e);
  chaos_.spare(gate_.behind_last());
}

/// Executes the event that is aside and has become certain, if there is one. Returns how many.
template <queue::PendingSet Pending>
unsigned PeOf<Pending>::execute_certain() {
  if (!gate_.is_certain(gate_.first())) return 0;
  receive_all();
  event::EventHeader* const e = gate_.first();
  if (!gate_.is_certain(e)) return 0;
  release_aside(*e);
  execute_irrevocable(*e);
  return 1;
}

/// An irrevocable event is due while nothing may commit for good.
template <queue::PendingSet Pending>
void PeOf<Pending>::refuse_irrevocable(event::EventHeader& e) {
  rewind_interval_.refuse(e);
  frame_.fail("is irrevocable and due after a mark: accept the mark or go back to it before");
  note_halt(e, e.receiver);
}

/// Whether the event was put aside, because it is not to be executed now. Precondition: it was popped, and it
/// is irrevocable or some events are aside.
template <queue::PendingSet Pending>
bool PeOf<Pending>::puts_aside(event::EventHeader& e) {
  if (settings_.is_alone) return false;  // what is pending sorts after this event, and nothing is under way
  return gate_.put_aside(group_of(e), e);
}

/// Hands on what the handler sent, after a look at it.
template <queue::PendingSet Pending>
void PeOf<Pending>::route_with_care(const event::EventHeader& e, const lp::LpRef& lp, lp::Record& record) {
  if (execution_.rules) check_lookahead(e, lp, &record);
  hand_on(record);
}

/// `check_sent()` is called between the handler and the routing of what it sent.
template <queue::PendingSet Pending>
template <bool kWatched, class CheckSent>
ANACHRON_INLINE void PeOf<Pending>::execute_and_commit(event::EventHeader& e, const lp::LpRef& lp,
                                                       CheckSent&& check_sent) {
  run_handler(e, lp, nullptr);
  check_sent();
  struct Executed {  // ends here also when an action at commit throws
    PeOf& pe;
    event::EventHeader& e;
    event::Effect* effects;
    ANACHRON_INLINE ~Executed() {
      if (effects) [[unlikely]] {
        rollback::destroy_effects(effects);
        pe.arena_.clear();
      }
      pe.drop(e);
    }
  } const executed{*this, e, frame_.effects};
  route_sent();
  if (!fault_log_.has_failed()) commit_event<kWatched>(e, executed.effects);
}

template <queue::PendingSet Pending>
ANACHRON_INLINE lp::Record& PeOf<Pending>::open_record(event::EventHeader& e, const lp::LpRef& lp,
                                                       bool has_copy) {
  const event::LpOps& ops = lp.ops;
  figures_.state_copies += has_copy;
  if (needs_guard(e, ops)) [[unlikely]]
    has_copy = true;  // until close_record
  lp::Record* const appended = history_.append(has_copy ? rollback::state_copy_room(ops) : 0);
  if (!appended) [[unlikely]]
    give_up(e);
  lp::Record& record = *appended;
  lp::LpCell& leader = *lp.cell.leader;
  record.event = &e;
  record.older = leader.newest;
  record.older_index = leader.newest_index;
  record.sent = nullptr;
  record.effects = nullptr;
  record.before = lp.cell.counters;
  record.copy = lp::StateCopy::none;
  record.halts = record.settles = record.leaves_quietly = false;
  record.time = e.time;
  leader.newest = &record;
  leader.newest_index = history_.newest_index();
  if (has_copy) rollback::save_state(record, ops, lp.state);
  return record;
}

template <queue::PendingSet Pending>
ANACHRON_INLINE void PeOf<Pending>::close_record(lp::Record& record, const event::EventHeader& e,
                                                 const lp::LpRef& lp) {
  record.sent = frame_.sent;
  record.effects = frame_.effects;
  record.halts = frame_.halt.has_value();
  record.settles = frame_.settles;
  record.block_bytes = static_cast<std::uint32_t>(e.ops->bytes);
  record.leaves_quietly = !frame_.settles && record.copy != lp::StateCopy::object && !e.ops->commit &&
                          !e.ops->destroy && !outbox_.must_forget(e) && record.block_bytes == e.ops->bytes;
  if (needs_guard(e, lp.ops) && !record.halts) [[unlikely]]
    rollback::drop_state_copy(record, lp.ops);
}

template <queue::PendingSet Pending>
ANACHRON_INLINE void PeOf<Pending>::run_handler(event::EventHeader& e, const lp::LpRef& lp,
                                                lp::Record* record) {
  event::LpCounters& counters = lp.cell.counters;
  e.status = event::Status::executed;
  counters.digest = chain(counters.digest, e);
  frame_.begin(e, counters);
  frame_.show_event(*e.ops);
  e.ops->execute(frame_, lp.state, e);
  ++figures_.executed;
  if (record) close_record(*record, e, lp);
  if (frame_.halt) [[unlikely]]
    note_halt(e, e.receiver);
}

/// Hands on what an event with a record has sent.
template <queue::PendingSet Pending>
ANACHRON_INLINE void PeOf<Pending>::hand_on(lp::Record& record) {
  if (!lazy_.empty()) [[unlikely]]
    return hand_on_difference(record);
  execution_.sorts_later ? route_sent_later() : route_sent();
}

/// The event may have been executed before: what it sends again stays where it is, what it does not send any
/// more is cancelled, and only what is new is sent.
template <queue::PendingSet Pending>
void PeOf<Pending>::hand_on_difference(lp::Record& record) {
  const LazyCancellation::Difference* const difference = lazy_.compare(record);
  if (!difference) return route_sent();
  frame_.sent = nullptr;
  figures_.lazy_hits += difference->redundant.size();
  for (event::EventHeader* e : difference->redundant) drop(*e);
  for (event::EventHeader* e : difference->wrong) cancel(*e);
  annihilate_local();
  for (event::EventHeader* e : difference->fresh) route(*e);
}

/// Takes care of what was popped and is no event of the model's: cancelled events, carriers, retractions.
/// Returns whether the PE may go on.
template <queue::PendingSet Pending>
bool PeOf<Pending>::pass_over(event::EventHeader& e) {
  if (e.status == event::Status::cancelled) {
    --cancelled_.waiting;
    drop(e);
    return true;
  }
  sort_out();  // for what is undone now
  if (e.status == event::Status::retraction) return execute_retraction(e);
  expand(e);
  return true;
}

/// Puts an event into the pending set for each recipient that the PE owns for which the carrier was sent.
template <queue::PendingSet Pending>
void PeOf<Pending>::expand(event::EventHeader& carrier) {
  const Multicast::Expansion expansion = multicast_.expand(frame_, carrier, lps_->owner(carrier.receiver));
  figures_.sent += expansion.count - 1;  // the carrier counts no more
  for (event::EventHeader* e = expansion.events; e; e = e->next) accept(*e);
  if (expansion.failed) note_halt(carrier, carrier.sender);
  annihilate_local();
  if (keeps_history())
    multicast_.keep(carrier);
  else
    drop(carrier);
}

template <queue::PendingSet Pending>
void PeOf<Pending>::note_halt(const event::EventHeader& e, LpId lp) {
  if (execution_.rules && frame_.halt->kind == event::Halt::Kind::stop)
    if (auto wrong = execution_.rules->undeclared_stop(e.receiver)) {
      frame_.halt.reset();
      frame_.fail(*std::move(wrong));
    }
  if (frame_.halt->kind == event::Halt::Kind::no_memory) memory_.exhaust();
  fault_log_.note({e.key(), lp, e.ops, *std::move(frame_.halt)});
  frame_.halt.reset();
}

}  // namespace anachron::pe
