// PeCore, GVT: the report of a PE to a round, and what the PE does with the result.
#include <algorithm>

#include "pe/phases/one_event.hpp"

namespace anachron::pe {

void PeCore::begin_cut() {
  outbox_.publish();
  outbox_.cut();
  progress_.executed_at_cut = figures_.executed;
}

gvt::Summary PeCore::summary() {
  {
    const topo::PhaseClock::Within timed(progress_.clock, topo::Phase::routing);
    receive_all();
  }
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
event::EventHeader* PeCore::top() {
  while (event::EventHeader* e = pending_.top()) {
    if (e->status != event::Status::cancelled) return e;
    pending_.pop();
    --cancelled_.waiting;
    drop(*e);
  }
  return nullptr;
}

/// The first event that waits, in the pending set or aside.
const event::EventHeader* PeCore::first_waiting() {
  const event::EventHeader* const pending = top();
  const event::EventHeader* const aside = gate_.first();
  return !pending || (aside && before(*aside, *pending)) ? aside : pending;
}

void PeCore::adopt(const gvt::Round& round) {
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
  watch_.count_loads(round.counts_loads);
  if (rewind_interval_.is_on()) [[unlikely]] {
    hold_below(round.bound);
  } else {
    commit_below(round.bound, round.memory.is_tight ? 0 : saving_.checkpoints().lag());
    release_below(round.bound);
    sweep_retractions(keeps_history() ? round.settled : kForever);  // without history nothing is cancelled
    if (watch_.has_ordered_output()) [[unlikely]]
      watch_.hand_over(index(), committed_below(round.bound));
    pool_.rebalance();
  }
  if (round.memory.is_tight || memory_.is_short() || pool_.shares()) [[unlikely]]
    obey(round.memory, round.bound);
}

/// What the round may free, before it does: what was executed, was cancelled, or is the original of a copy.
void PeCore::count_waiting_blocks() {
  const std::uint64_t waiting = history_.size() + cancelled_.waiting + outbox_.kept();
  progress_.waiting_blocks += waiting;
  ++progress_.looks_at_blocks;
  figures_.most_waiting_blocks = std::max(figures_.most_waiting_blocks, waiting);
}

std::optional<event::EventKey> PeCore::final_bound(const gvt::Round& round) const {
  std::optional<event::EventKey> failure;
  if (fault_log_.has_failed()) failure = fault_log_.first()->key;
  return gate_.final_bound(round.bound, failure);
}

void PeCore::settle(const gvt::Round& round) {
  if (round.halt) fault_log_.end_with(*round.halt);
  const std::optional<event::EventKey> bound = final_bound(round);
  // Records are in order of execution, which is not that of keys: look at all of them.
  take_back(first_uncertain(), bound);
  throw_if_failed_below(bound);
  // A session may go on to an earlier time than the events which were undone. They are no reason then to keep
  // what they sent.
  cancel_all_unconfirmed();
  gvt::Round last = round;
  last.bound = bound;
  adopt(last);
  outbox_.publish();
  // If the run goes on, nothing is to be executed before its next round.
  horizon_.close();
  gate_.adopt(std::nullopt);
}

}  // namespace anachron::pe
