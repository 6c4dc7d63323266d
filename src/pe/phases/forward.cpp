// PeCore, forward: the frame of a batch, and the events that need more than their handler.
#include <algorithm>
#include <chrono>
#include <new>

#include "pe/phases/one_event.hpp"

namespace anachron::pe {

unsigned PeCore::execute(unsigned limit) {
  if (memory_.is_short()) [[unlikely]] {
    limit = memory_.may_go_on(first_waiting(), limit);
    if (limit == 0) return 0;
  }
  // Another PE takes no more for now: what is executed now would be late there, and what it sends would pile
  // up here.
  if (outbox_.was_refused() || (outbox_.has_far() && outbox_.has_mail())) [[unlikely]] {
    outbox_.publish();
    if (outbox_.has_mail()) return 0;
  }
  const unsigned count = execute_batch(chaos_.batch(limit));
  figures_.batches += count > 0;
  frame_.end_batch();
  throw_if_exhausted();
  if (pool_.shares()) progress_.way_out_bytes = outbox_.bytes();
  memory_.end_batch(taken_bytes());
  if (chaos_.on()) [[unlikely]] {
    if (!rewind_interval_.has_refused()) chaos_.maybe_roll_back(*this);
    if (count > 0) chaos_.maybe_yield();  // an idle worker gives the core away by itself
  }
  return count;
}

unsigned PeCore::execute_for_good(unsigned limit, Time until) {
  const unsigned count = execute_in_order(limit, until);
  if (!rewind_interval_.is_on()) sweep_retractions(kForever);
  frame_.end_batch();
  throw_if_exhausted();
  if (watch_.has_ordered_output() && !rewind_interval_.is_on()) {
    memory_.settle(taken_bytes());
    watch_.hand_over(index(), std::nullopt);
  }
  memory_.settle(taken_bytes());
  return count;
}

void PeCore::execute_with_care(event::EventHeader& e, const lp::LpRef& lp) {
  if (settings_.checks_rollback) return execute_checked(e, lp);
  execution_.needs_care = execution_.rules != nullptr;
  if (saving_.checkpoints().wants_sample(figures_.executed)) return execute_measured(e, lp);
  lp::Record& record = open_record(e, lp, plan_copy(e, lp));
  run_handler(e, lp, &record);
  route_with_care(e, lp, record);
}

/// What the handler sends begins when the handler has ended.
void PeCore::execute_timed(event::EventHeader& e, const lp::LpRef& lp) {
  const PathLength before{std::max(lp.cell.counters.depth, e.depth())};
  frame_.depth = inspection_.timer.time(before, [&] { e.ops->execute(frame_, lp.state, e); }).bits;
  for (event::EventHeader* sent = frame_.sent; sent; sent = sent->next)
    sent->set_ops(*sent->ops, frame_.depth);
}

/// Executes an event and takes the time, to know what copies cost beside it.
void PeCore::execute_measured(event::EventHeader& e, const lp::LpRef& lp) {
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
void PeCore::execute_irrevocable(event::EventHeader& e) {
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
unsigned PeCore::execute_certain() {
  if (!gate_.is_certain(gate_.first())) return 0;
  receive_all();
  event::EventHeader* const e = gate_.first();
  if (!gate_.is_certain(e)) return 0;
  release_aside(*e);
  execute_irrevocable(*e);
  return 1;
}

/// An irrevocable event is due while nothing may commit for good.
void PeCore::refuse_irrevocable(event::EventHeader& e) {
  rewind_interval_.refuse(e);
  frame_.fail("is irrevocable and due after a mark: accept the mark or go back to it before");
  note_halt(e, e.receiver);
}

/// Whether the event was put aside, because it is not to be executed now. Precondition: it was popped, and it
/// is irrevocable or some events are aside.
bool PeCore::puts_aside(event::EventHeader& e) {
  if (settings_.is_alone) return false;  // what is pending sorts after this event, and nothing is under way
  return gate_.put_aside(group_of(e), e);
}

/// Makes the event just executed fail if it sent too early to another LP. Then it has sent nothing: what is
/// too early might be late already.
void PeCore::check_lookahead(const event::EventHeader& e, const lp::LpRef& lp, lp::Record* record) {
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

/// Hands on what the handler sent, after a look at it.
void PeCore::route_with_care(const event::EventHeader& e, const lp::LpRef& lp, lp::Record& record) {
  if (execution_.rules) check_lookahead(e, lp, &record);
  hand_on(record);
}

/// The event may have been executed before. What it sends again stays where it is, and only what is new is
/// sent. What it does not send any more is cancelled.
void PeCore::hand_on_difference(lp::Record& record) {
  const LazyCancellation::Difference* const difference = lazy_.compare(record);
  if (!difference) return route_sent();
  frame_.sent = nullptr;
  figures_.lazy_hits += difference->redundant.size();
  for (event::EventHeader* e : difference->redundant) drop(*e);
  for (event::EventHeader* e : difference->wrong) cancel(*e);
  annihilate_local();
  for (event::EventHeader* e : difference->fresh) route(*e);
}

/// Puts an event into the pending set for each recipient that the PE owns for which the multicast was sent.
void PeCore::expand(event::EventHeader& multicast) {
  const Multicast::Expansion expansion =
      multicast_.expand(frame_, multicast, lps_->owner(multicast.receiver));
  figures_.sent += expansion.count - 1;  // the multicast counts no more
  for (event::EventHeader* e = expansion.events; e; e = e->next) accept(*e);
  if (expansion.failed) note_halt(multicast, multicast.sender);
  annihilate_local();
  if (keeps_history())
    multicast_.keep(multicast);
  else
    drop(multicast);
}

void PeCore::note_halt(const event::EventHeader& e, LpId lp) {
  if (execution_.rules && frame_.halt->kind == event::Halt::Kind::stop)
    if (auto wrong = execution_.rules->undeclared_stop(e.receiver)) {
      frame_.halt.reset();
      frame_.fail(*std::move(wrong));
    }
  if (frame_.halt->kind == event::Halt::Kind::no_memory) memory_.exhaust();
  fault_log_.note({e.key(), lp, e.ops, *std::move(frame_.halt)});
  frame_.halt.reset();
}

/// There is no memory to execute the event in, which is in nobody's hands now.
void PeCore::give_up(event::EventHeader& e) {
  drop(e);
  throw std::bad_alloc();
}

}  // namespace anachron::pe
