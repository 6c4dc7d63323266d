// PeOf, commit: its part in GVT, fossil collection, memory, the end of the run.

namespace anachron::pe {

template <queue::PendingSet Pending>
void PeOf<Pending>::begin_cut() {
  outbox_.publish();
  outbox_.cut();
  progress_.executed_at_cut = figures_.executed;
}

template <queue::PendingSet Pending>
gvt::Summary PeOf<Pending>::summary() {
  receive_all();
  chaos_.forbid_rollback();
  gvt::Summary summary;
  outbox_.publish();
  summary.earliest = outbox_.earliest();
  summary.refused = outbox_.refused();
  if (const auto& far = outbox_.on_its_way(); far && (!summary.refused || *far < *summary.refused))
    summary.refused = far;
  summary.held_retraction = outbox_.held_retraction();
  const event::EventHeader* const first = first_waiting();
  if (first && (!summary.earliest || first->key() < *summary.earliest)) summary.earliest = first->key();
  summary.halt = fault_log_.mark();
  summary.committed = figures_.committed;
  summary.executed = figures_.executed;
  summary.rolled_back = figures_.rolled_back;
  summary.pending = pending();
  progress_.way_out_bytes = outbox_.bytes();
  summary.shortage = memory_.shortage(figures_.executed, first, horizon_.time());
  summary.furthest = uncertain() > 0 ? progress_.frontier.time() : 0;
  return summary;
}

/// The first pending event that is not cancelled.
template <queue::PendingSet Pending>
event::EventHeader* PeOf<Pending>::top() {
  while (event::EventHeader* e = pending_.top()) {
    if (e->status != event::Status::cancelled) return e;
    pending_.pop();
    --cancelled_.waiting;
    drop(*e);
  }
  return nullptr;
}

/// The first event that waits, in the pending set or aside.
template <queue::PendingSet Pending>
const event::EventHeader* PeOf<Pending>::first_waiting() {
  const event::EventHeader* const pending = top();
  const event::EventHeader* const aside = gate_.first();
  return !pending || (aside && before(*aside, *pending)) ? aside : pending;
}

template <queue::PendingSet Pending>
void PeOf<Pending>::adopt(const gvt::Round& round) {
  progress_.batch = round.batch;
  progress_.gvt_interval = round.gvt_interval;
  gate_.adopt(round.certain);
  horizon_.adopt(round);
  // A lookahead that is lost in rounding: an event may be too early then, but it can be undone.
  if (keeps_history() && round.bound) horizon_.pass(*round.bound);
  if (round.memory.retreat) [[unlikely]]
    retreat(round);
  count_waiting_blocks();
  foresee_misses();
  execution_.sorts_later = can_sort_later() && send_buffer_.pays();
  chaos_.allow_rollback_from(round.bound);
  chaos_.spare(gate_.behind_last());
  saving_.adapt(figures_.executed);
  if (rewind_interval_.is_on()) [[unlikely]] {
    hold_below(round.bound);
  } else {
    commit_below(round.bound, round.memory.is_tight ? 0 : saving_.checkpoints().lag());
    release_below(round.bound);
    sweep_retractions(keeps_history() ? round.settled : kForever);  // without history nothing is cancelled
    if (watch_.is_in_order()) [[unlikely]]
      watch_.hand_over(index(), committed_below(round.bound));
    pool_.rebalance();
  }
  if (round.memory.is_tight || memory_.is_short() || pool_.shares()) [[unlikely]]
    obey(round.memory, round.bound);
}

/// What the round may free, before it does: what was executed, was cancelled, or is the original of a copy.
template <queue::PendingSet Pending>
void PeOf<Pending>::count_waiting_blocks() {
  const std::uint64_t waiting = history_.size() + cancelled_.waiting + outbox_.kept();
  figures_.waiting_blocks += waiting;
  ++figures_.waiting_looks;
  figures_.most_waiting_blocks = std::max(figures_.most_waiting_blocks, waiting);
}

/// Keeps committed records of which copies of states that are `lag` events old may need some.
template <queue::PendingSet Pending>
void PeOf<Pending>::commit_below(const std::optional<event::EventKey>& bound, std::uint64_t lag) {
  watch_.is_on() ? commit_below_as<true>(bound, lag) : commit_below_as<false>(bound, lag);
}

template <queue::PendingSet Pending>
template <bool kWatched>
void PeOf<Pending>::commit_below_as(const std::optional<event::EventKey>& bound, std::uint64_t lag) {
  lp::Retention& retention = saving_.retention();
  // Without sparse state saving nothing relies on what has committed: it goes at once.
  if (lag == 0 && retention.is_free(history_.committed_index())) {
    release_committed(history_.committed_index());
    commit_and_release_below<kWatched>(bound);
    return retention.dropped(history_.committed_index());
  }
  while (lp::Record* record = history_.first_uncommitted()) {
    if (record->event) {
      if (!is_below(*record, bound)) break;
      commit<kWatched>(*record);
    }
    history_.commit_first();
  }
  release_committed(retention.droppable(history_.committed_index(), lag));
}

template <queue::PendingSet Pending>
template <bool kWatched>
void PeOf<Pending>::commit_and_release_below(const std::optional<event::EventKey>& bound) {
  lp::History::Passage passage(history_);  // ends well also when an action at commit throws
  while (lp::Record* record = passage.next()) {
    if (record->event) {
      if (!is_below(*record, bound)) break;
      if (!kWatched && record->leaves_quietly) {
        free_unseen(*record);
      } else {
        commit<kWatched>(*record);
        release(*record);
      }
    }
    passage.pass();
  }
}

/// The same while a session holds a stretch: counts what has become certain.
template <queue::PendingSet Pending>
void PeOf<Pending>::hold_below(const std::optional<event::EventKey>& bound) {
  for (lp::Record* record = first_uncertain(); record; record = record->next) {
    if (record->event) {
      if (!is_below(*record, bound)) return;
      if (!record->event->retracts()) {
        ++figures_.committed;
        progress_.committed = std::max(progress_.committed, record->time);
      }
    }
    rewind_interval_.pass(record);
  }
}

/// All below it has committed, once `bound` has been adopted. The log is in the order of execution: behind a
/// record that is not below the bound there may be some that are, and these wait.
template <queue::PendingSet Pending>
std::optional<event::EventKey> PeOf<Pending>::committed_below(std::optional<event::EventKey> bound) const {
  for (const lp::Record* record = history_.first_uncommitted(); record && bound; record = record->next)
    if (record->event && is_below(*record, bound)) bound = record->event->key();
  return bound;
}

/// Of what is kept in case that its sender takes it back: nothing sent below the bound will be.
template <queue::PendingSet Pending>
void PeOf<Pending>::release_below(const std::optional<event::EventKey>& bound) {
  multicast_.release(bound, [this](event::EventHeader& carrier) { drop(carrier); });
  if (outbox_.has_far()) [[unlikely]]
    outbox_.release_before(bound ? bound->time : kForever);
}

/// What an event does when it is certain. Its record stays. Effects that would only have undone it are in
/// memory that has long left the cache, and left alone.
template <queue::PendingSet Pending>
template <bool kWatched>
ANACHRON_INLINE void PeOf<Pending>::commit(lp::Record& record) {
  if (record.event->retracts()) [[unlikely]]
    return;
  commit_event<kWatched>(*record.event, record.settles ? record.effects : nullptr);
  if (record.settles) [[unlikely]]
    rollback::destroy_effects(record.effects);
  record.effects = nullptr;
}

/// Drops the committed records up to this index.
template <queue::PendingSet Pending>
void PeOf<Pending>::release_committed(std::uint64_t up_to) {
  while (history_.dropped_index() < up_to) {
    if (const lp::Record* next = history_.oldest()->next) prefetch(next->event);
    release_oldest();
  }
}

template <queue::PendingSet Pending>
void PeOf<Pending>::release_oldest() {
  lp::Record& record = *history_.oldest();
  if (record.event) release(record);
  history_.drop_oldest();
}

/// Lets a committed event go.
template <queue::PendingSet Pending>
ANACHRON_INLINE void PeOf<Pending>::release(lp::Record& record) {
  event::EventHeader& e = *record.event;
  if (record.copy == lp::StateCopy::object) [[unlikely]]
    rollback::drop_state_copy(record, *lps_->type_of(e.receiver).ops);
  drop(e);
}

/// Commits an event that leaves quietly and lets it go, without a look at it.
template <queue::PendingSet Pending>
ANACHRON_INLINE void PeOf<Pending>::free_unseen(lp::Record& record) {
  ++figures_.committed;
  progress_.committed = std::max(progress_.committed, record.time);
  pool_.release(record.event, record.block_bytes);
}

template <queue::PendingSet Pending>
template <bool kWatched>
ANACHRON_INLINE void PeOf<Pending>::commit_event(const event::EventHeader& e, event::Effect* effects) {
  ++figures_.committed;
  if (e.time > progress_.committed) progress_.committed = e.time;
  if (e.ops->commit || effects) [[unlikely]]
    run_commit_actions(e, effects);
  if constexpr (kWatched) watch_.committed(e);
}

template <queue::PendingSet Pending>
void PeOf<Pending>::run_commit_actions(const event::EventHeader& e, event::Effect* effects) {
  watch_.begin(e.key(), e.receiver, e.ops->event_name);
  const event::Frame::Showing showing(frame_, Activity::commit, *e.ops, e.receiver, e.time);
  run_at_commit(e.receiver, e.ops->event_name, e.time, [&] {
    rollback::commit_effects(effects);
    if (e.ops->commit) {
      frame_.begin(e.time, event::step_of(e.order), e.receiver, lps_->cell(e.receiver).counters);
      e.ops->commit(frame_, e);
    }
  });
}

/// Calls `actions` of the model. Their exception is the error of that LP's event.
template <queue::PendingSet Pending>
template <class Actions>
void PeOf<Pending>::run_at_commit(LpId lp, std::string_view event, Time time, const Actions& actions) {
  try {
    actions();
  } catch (const std::exception& error) {
    throw SimulationError(lps_->name(lp), std::string(event), time,
                          std::string("threw at commit: ") + error.what());
  } catch (...) {
    throw SimulationError(lps_->name(lp), std::string(event), time,
                          "threw at commit an exception that is not a std::exception");
  }
}

template <queue::PendingSet Pending>
std::optional<event::EventKey> PeOf<Pending>::final_bound(const gvt::Round& round) const {
  std::optional<event::EventKey> failure;
  if (fault_log_.has_failed()) failure = fault_log_.first()->key;
  return gate_.final_bound(round.bound, failure);
}

template <queue::PendingSet Pending>
void PeOf<Pending>::settle(const gvt::Round& round) {
  if (round.halt) fault_log_.end_with(*round.halt);
  const std::optional<event::EventKey> bound = final_bound(round);
  // Records are in order of execution, which is not that of keys: look at all of them.
  take_back(first_uncertain(), bound);
  throw_if_failed_below(bound);
  gvt::Round last = round;
  last.bound = bound;
  adopt(last);
  outbox_.publish();
  // If the run goes on, nothing is to be executed before its next round.
  horizon_.close();
  gate_.adopt(std::nullopt);
}

/// Less than 0 when it has freed more blocks of others than it has taken: only the sum over PEs tells what is
/// in use.
template <queue::PendingSet Pending>
std::int64_t PeOf<Pending>::taken_bytes() const {
  return pool_.taken_bytes() +
         static_cast<std::int64_t>(arena_.bytes() + saving_.bytes() + pending_.bytes() +
                                   progress_.way_out_bytes + lazy_.bytes() + watch_.lane_bytes());
}

/// Ends the run at once when the system has no memory, or when the PE has used up its match ids: then others
/// would get the same.
template <queue::PendingSet Pending>
void PeOf<Pending>::throw_if_exhausted() const {
  if (memory_.is_exhausted()) throw std::bad_alloc();
  if (frame_.next_match.is_near_end())
    throw std::runtime_error(fmt::format("PE {} has sent all the events that a PE can send in a run", id()));
}

/// There is no memory to execute the event in, which is in nobody's hands now.
template <queue::PendingSet Pending>
void PeOf<Pending>::give_up(event::EventHeader& e) {
  drop(e);
  throw std::bad_alloc();
}

/// Rolls back all that was executed at or after the retreat's time and does not commit, and takes back at
/// once what it sent.
template <queue::PendingSet Pending>
void PeOf<Pending>::retreat(const gvt::Round& round) {
  const Time to = *round.memory.retreat;
  const std::optional<event::EventKey> bound = final_bound(round);
  take_back(first_uncertain(), bound, to);
  cancel_all_unconfirmed();
  fold_carriers(bound, to);
  if (progress_.frontier.time() > to) progress_.frontier.go_back_to(to);
}

/// Gives others what this PE can do without, and goes on if there is memory for it.
template <queue::PendingSet Pending>
void PeOf<Pending>::obey(const gvt::MemoryOrder& order, const std::optional<event::EventKey>& bound) {
  if (order.is_tight) {
    if (cancelled_.waiting > (order.use == gvt::MemoryUse::sparing ? pending_.size() / 16 : 0))
      purge_cancelled();
    compact_pending();
    arena_.trim();
    outbox_.trim();
    progress_.way_out_bytes = outbox_.bytes();
  }
  pool_.share(order.is_tight);
  memory_.obey(order, bound, taken_bytes(), figures_.executed);
}

template <queue::PendingSet Pending>
void PeOf<Pending>::compact_pending() {
  if (!memory_.should_compact(figures_.executed, pending_.size(), pending_.bytes())) return;
  std::vector<event::EventHeader*> events;
  events.reserve(pending_.size());
  pending_.remove_if([&](event::EventHeader* e) {
    events.push_back(e);
    return true;
  });
  pending_ = Pending{};
  for (event::EventHeader* e : events) pending_.insert(e);
  memory_.compacted(figures_.executed, pending_.size(), pending_.bytes());
}

template <queue::PendingSet Pending>
PeReport PeOf<Pending>::figures() const {
  PeReport figures = figures_;
  figures.pool_bytes = pool_.bytes();
  figures.event_bytes = pool_.used_bytes();
  figures.queue_bytes = pending_.bytes();
  figures.history_bytes = arena_.bytes();
  figures.new_blocks = pool_.new_blocks();
  figures.rebalanced_blocks = pool_.rebalanced_blocks();
  const fabric::Copied copied = outbox_.copied();
  figures.copied = copied.events;
  figures.copied_bytes = copied.bytes;
  figures.recall_bytes = copied.recall_bytes;
  figures.coasted = saving_.coasted();
  figures.checkpoint_interval = saving_.checkpoints().largest_interval();
  return figures;
}

template <queue::PendingSet Pending>
void PeOf<Pending>::discard() {
  const auto drop_all = [this](event::EventHeader& e) { drop(e); };
  class Unread final : public fabric::Sink {
   public:
    explicit Unread(mem::EventPool& pool) : pool_(pool) {}
    void take(std::span<const fabric::Message>& messages) override {
      for (; !messages.empty(); messages = messages.subspan(1)) {
        if (messages.front().cancels()) continue;
        event::EventHeader& e = *messages.front().target();
        e.next = std::exchange(events, &e);  // nobody's any more
      }
    }
    mem::EventPool& pool() override { return pool_; }

    event::EventHeader* events = nullptr;

   private:
    mem::EventPool& pool_;
  } unread(pool_);
  // Before any is dropped: a fabric that copies looks for the events that are cancelled.
  outbox_.port().drain(unread);
  for (event::EventHeader* e = unread.events; e;) {
    event::EventHeader* const next = e->next;
    drop(*e);
    e = next;
  }
  outbox_.discard();
  for (event::EventHeader* const e : send_buffer_.events()) drop(*e);
  send_buffer_.clear();
  for (lp::Record* record = history_.oldest(); record; record = record->next) {
    if (!record->event) continue;
    rollback::release(*record, *lps_->type_of(record->event->receiver).ops);
    drop(*record->event);
  }
  pending_.remove_if([this](event::EventHeader* e) {
    drop(*e);
    return true;
  });
  gate_.clear(drop_all);
  multicast_.clear(drop_all);
  if (event::EventHeader* const refused = rewind_interval_.take_refused()) drop(*refused);
}

}  // namespace anachron::pe
