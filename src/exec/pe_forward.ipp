// Pe, forward: from the pending set through the handler to the events that it sends.

namespace anachron::exec {

template <queue::PendingSet Pending>
Pe<Pending>::Pe(PeId self, const Config& config, lp::LpStore& lps, Router router, Inbox inbox,
                bool keeps_history, mem::Budget& budget, std::vector<Time> lookaheads)
    : self_(self),
      keeps_history_always_(keeps_history),
      is_alone_(config.pes == 1u),
      copies_always_(config.rollback == Rollback::copy),
      checks_rollback_(config.check_rollback),
      cancels_lazily_(config.cancellation == Cancellation::lazy),
      lps_per_group_(config.lps_per_group),
      lookaheads_(std::move(lookaheads)),
      lps_(lps),
      allowance_(budget, self),
      pool_(allowance_),
      history_(arena_),
      checkpoints_(config, lps.types()),
      router_(std::move(router)),
      inbox_(std::move(inbox)),
      chaos_(config.test_chaos, self),
      keeps_history_(keeps_history),
      needs_care_(config.check_rollback || is_conservative()),
      directory_(lps, self),
      batch_(config.batch.value_or(sync::Pace::kFirstBatch)),
      gvt_interval_(config.gvt_interval.value_or(sync::Pace::kFirstInterval)),
      own_window_(sync::make_adaptive_time_window(config)) {
  arena_.obey(allowance_);
  frame_.pool = &pool_;
  frame_.arena = &arena_;
  frame_.types = lps.types();
  frame_.seed = config.seed;
  frame_.tie_seed = config.tie_seed;
  frame_.next_match = event::MatchId::first_of(self);
  frame_.places = &directory_;
  frame_.keep_undo = keeps_history && !copies_always_;
  coasting_ = frame_;
  coasting_.arena = &scratch_;
  coasting_.keep_undo = false;
  coasting_.coast();
}

template <queue::PendingSet Pending>
void Pe<Pending>::start() {
  lps_.construct(self_, lps_per_group_);
  find_own_row();
  std::vector<std::uint64_t> lps_of_type(lps_.types().size());
  for (LpId id = 0; id < lps_.size(); ++id) {
    if (lps_.owner(id) != self_) continue;
    ++figures_.lps;
    ++lps_of_type[lps_.type_index(id)];
    const event::LpOps& ops = *lps_.type_of(id).ops;
    if (!ops.start) continue;
    lp::LpCell& cell = lps_.cell(id);
    frame_.begin(0, 0, id, cell.counters);
    ops.start(frame_, lps_.state(id));
    if (frame_.halt) {
      const event::EventKey key{.sender = id};
      has_no_memory_ |= frame_.halt->kind == event::Halt::Kind::no_memory;
      if (!first_halt_) first_halt_ = sync::HaltAt{key, id, nullptr, *std::move(frame_.halt)};
      frame_.halt.reset();
    }
    route_sent();
    commit_start(id);
    throw_if_exhausted();
    if (history_.size() == 0) arena_.clear();
    if (allowance_.is_short()) [[unlikely]]
      check_start_memory();
  }
  for (std::size_t type = 0; type < lps_of_type.size(); ++type)
    checkpoints_.count_lps(type, lps_of_type[type]);
  latest_ = 0;
  allowance_.begin_batch();
}

/// `start` is never rolled back: what it asked for at commit is done at once.
template <queue::PendingSet Pending>
void Pe<Pending>::commit_start(LpId id) {
  struct Effects {
    event::Effect* newest;
    ~Effects() { rollback::destroy_effects(newest); }
  } const effects{frame_.effects};
  if (!has_no_memory_) run_at_commit(id, "start", 0, [&] { rollback::commit_effects(effects.newest); });
}

template <queue::PendingSet Pending>
void Pe<Pending>::find_own_row() {
  for (LpId first = 0, id = 0; id < lps_.size(); ++id) {
    if (lps_.owner(id) != self_)
      first = id + 1;
    else if (id + 1 - first > own_count_)
      own_first_ = first, own_count_ = id + 1 - first;
  }
}

template <queue::PendingSet Pending>
unsigned Pe<Pending>::execute(unsigned limit) {
  if (allowance_.is_short() && !may_execute_though_short()) [[unlikely]]
    return 0;
  limit = chaos_.batch(limit);
  const unsigned count = keeps_history_ ? execute_ahead(limit) : execute_window(limit);
  throw_if_exhausted();
  settle_memory();
  if (chaos_.on()) [[unlikely]] {
    chaos_.maybe_roll_back(*this);
    chaos_.maybe_yield();
  }
  return count;
}

/// Optimistically: what is executed may be undone.
template <queue::PendingSet Pending>
unsigned Pe<Pending>::execute_ahead(unsigned limit) {
  if (checkpoints_.wants_sample(figures_.executed)) [[unlikely]]
    needs_care_ = true;
  unsigned count = held_.empty() ? 0 : execute_certain();
  while (count < limit && !allowance_.is_short()) {
    event::EventHeader* const e = pending_.pop_below(horizon_);
    if (!e) break;
    if (e->status != event::Status::pending) [[unlikely]] {
      set_aside(*e);
      continue;
    }
    // What comes after an event that failed or stopped the run would run on a state that nobody will see.
    if (first_halt_ && first_halt_->key < e->key()) [[unlikely]] {
      pending_.insert(e);
      break;
    }
    prefetch_ahead();
    if (e->ops->irrevocable || !held_.empty()) [[unlikely]] {
      if (put_aside(*e)) continue;
      if (e->ops->irrevocable) {
        execute_irrevocable(*e);
        ++count;
        continue;
      }
    }
    execute_event(*e);
    ++count;
  }
  if (own_window_ && count < limit) [[unlikely]]
    widen_own_window();
  return count;
}

template <queue::PendingSet Pending>
unsigned Pe<Pending>::execute_for_good(unsigned limit, Time until) {
  unsigned count = 0;
  while (count < limit && !first_halt_ && !allowance_.is_short()) {
    event::EventHeader* const e = pending_.pop_below(until);
    if (!e) break;
    if (e->status != event::Status::pending) [[unlikely]] {
      set_aside(*e);
      continue;
    }
    prefetch_ahead();
    if (is_holding_ && e->ops->irrevocable) [[unlikely]] {
      refuse_irrevocable(*e, lps_.at(e->receiver));
      break;
    }
    execute_event(*e);
    if (keeps_history_ && !has_failed()) adopt({});
    ++count;
  }
  throw_if_exhausted();
  allowance_.settle(taken_bytes());
  return count;
}

/// The next event has to wait, which the PE's own window takes notice of.
template <queue::PendingSet Pending>
void Pe<Pending>::widen_own_window() {
  if (const event::EventHeader* e = top()) own_window_->waits(e->time);
  horizon_ = std::min(round_horizon_, own_window_->horizon());
}

/// The pending set has fetched the headers of the next events; their LPs follow.
template <queue::PendingSet Pending>
ANACHRON_INLINE void Pe<Pending>::prefetch_ahead() {
  if (const event::EventHeader* soon = pending_.soon(kPrefetchDistance)) prefetch(&lps_.cell(soon->receiver));
}

template <queue::PendingSet Pending>
ANACHRON_INLINE void Pe<Pending>::execute_event(event::EventHeader& e) {
  const lp::LpRef lp = lps_.at(e.receiver);
  if (e.time > latest_) latest_ = e.time;
  if (!keeps_history_) return execute_and_commit(e, lp, [] {});
  if (needs_care_) [[unlikely]]
    return execute_with_care(e, lp);
  lp::Record& record = open_record(e, lp, plan_copy(e, lp));
  run_handler(e, lp, &record);
  hand_on(e, record);
}

template <queue::PendingSet Pending>
void Pe<Pending>::execute_with_care(event::EventHeader& e, const lp::LpRef& lp) {
  if (checks_rollback_) return execute_checked(e, lp);
  needs_care_ = is_conservative();
  if (checkpoints_.wants_sample(figures_.executed)) return execute_measured(e, lp);
  lp::Record& record = open_record(e, lp, plan_copy(e, lp));
  run_handler(e, lp, &record);
  route_with_care(e, lp, record);
}

/// Hands on what the handler sent, after a look at it.
template <queue::PendingSet Pending>
void Pe<Pending>::route_with_care(event::EventHeader& e, const lp::LpRef& lp, lp::Record& record) {
  if (is_conservative()) check_lookahead(e, lp, &record);
  hand_on(e, record);
}

/// `check_sent()` is called between the handler and the routing of what it sent.
template <queue::PendingSet Pending>
template <class CheckSent>
ANACHRON_INLINE void Pe<Pending>::execute_and_commit(event::EventHeader& e, const lp::LpRef& lp,
                                                     CheckSent&& check_sent) {
  run_handler(e, lp, nullptr);
  check_sent();
  struct Executed {  // ends here also when an action at commit throws
    Pe& pe;
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
  if (!has_failed()) commit_event(e, executed.effects);
}

template <queue::PendingSet Pending>
ANACHRON_INLINE lp::Record& Pe<Pending>::open_record(event::EventHeader& e, const lp::LpRef& lp,
                                                     bool has_copy) {
  const event::LpOps& ops = lp.ops;
  // A handler that throws returns no reverser, so while it runs there is a copy; see close_record.
  figures_.state_copies += has_copy;
  if (needs_guard(*e.ops) && !copies_always_ && ops.copy != nullptr) has_copy = true;
  lp::Record* const appended = history_.append(has_copy ? rollback::state_copy_room(ops) : 0, ops.alignment);
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
  record.first_match = frame_.next_match;
  record.has_state_copy = false;
  record.halts = false;
  leader.newest = &record;
  leader.newest_index = history_.newest_index();
  if (has_copy) rollback::save_state(record, ops, lp.state);
  return record;
}

template <queue::PendingSet Pending>
ANACHRON_INLINE void Pe<Pending>::close_record(lp::Record& record, const event::EventHeader& e,
                                               const lp::LpRef& lp) {
  record.sent = frame_.sent;
  record.effects = frame_.effects;
  record.halts = frame_.halt.has_value();
  if (needs_guard(*e.ops) && !copies_always_ && !record.halts && record.has_state_copy)
    rollback::drop_state_copy(record, lp.ops);
}

template <queue::PendingSet Pending>
ANACHRON_INLINE void Pe<Pending>::run_handler(event::EventHeader& e, const lp::LpRef& lp,
                                              lp::Record* record) {
  event::LpCounters& counters = lp.cell.counters;
  e.status = event::Status::executed;
  counters.digest = chain(counters.digest, e);
  frame_.begin(e.time, event::step_of(e.order), e.receiver, counters);
  e.ops->execute(frame_, lp.state, e);
  ++figures_.executed;
  if (record) close_record(*record, e, lp);
  if (frame_.halt) [[unlikely]]
    note_halt(e, e.receiver);
}

/// Hands on what an event with a record has sent.
template <queue::PendingSet Pending>
ANACHRON_INLINE void Pe<Pending>::hand_on(event::EventHeader& e, lp::Record& record) {
  if (!unconfirmed_.empty()) [[unlikely]]
    confirm_sent(e, record);
  route_sent();
}

/// Hands on what the handler sent.
template <queue::PendingSet Pending>
ANACHRON_INLINE void Pe<Pending>::route_sent() {
  for (event::EventHeader* e = frame_.sent; e;) {
    event::EventHeader* const next = e->next;
    route(*e);
    e = next;
  }
  if (to_annihilate_) [[unlikely]]
    annihilate_local();
}

/// To the own pending set or to another PE.
template <queue::PendingSet Pending>
ANACHRON_INLINE void Pe<Pending>::route(event::EventHeader& e) {
  ++figures_.sent;
  if (owns(e.receiver)) {
    accept(e);
  } else {
    ++figures_.sent_remote;
    router_.send(lps_.owner(e.receiver), &e);
  }
}

template <queue::PendingSet Pending>
void Pe<Pending>::note_halt(const event::EventHeader& e, LpId lp) {
  if (is_conservative()) refuse_undeclared_stop(e);
  halts_.push_back({e.key(), lp, e.ops, *std::move(frame_.halt)});
  frame_.halt.reset();
  if (!first_halt_ || halts_.back().key < first_halt_->key) first_halt_ = halts_.back();
  if (halts_.back().halt.kind == event::Halt::Kind::no_memory) {
    has_no_memory_ = true;
    allowance_.run_short();  // ends the batch
  }
}

}  // namespace anachron::exec
