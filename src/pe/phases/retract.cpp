// PeCore, retractions: events that take back others, see event/retraction.hpp.
#include <utility>
#include <vector>

#include "pe/phases/one_event.hpp"

namespace anachron::pe {

/// Executes a retraction and takes the event after it out, if that is still there. Returns false when it must
/// not be executed yet, nor what comes after it.
bool PeCore::execute_retraction(event::EventHeader& retraction) {
  if (!fault_log_.empty() && fault_log_.forbid(retraction.key())) {
    pending_.insert(&retraction);
    return false;
  }
  if (keeps_history() && !gate_.empty() && puts_aside(retraction)) return true;
  event::EventHeader* const target = take_target(retraction);
  if (target) {
    if (!lazy_.empty()) cancel_sent(lazy_.take(*target));
    target->status = event::Status::retracted;
  }
  event::payload<event::Retraction>(retraction).target = target;
  record_retraction(retraction);
  annihilate_local();  // what the event that was taken back had sent, with lazy cancellation
  return true;
}

/// From now on the retraction can be undone like an event of the model's. It changes no state.
void PeCore::record_retraction(event::EventHeader& retraction) {
  if (frame_.retractions > 0) --frame_.retractions;
  progress_.frontier.pass(retraction);
  retraction.status = event::Status::executed;
  if (!keeps_history()) {
    watch_.committed(retraction, event::payload<event::Retraction>(retraction).target);
    return drop(retraction);
  }
  const lp::LpRef lp = lps_->at(retraction.receiver);
  lp::Record& record = open_record(retraction, lp, plan_copy(retraction, lp));
  frame_.begin(retraction, lp.cell.counters, lp.identity);
  close_record(record, retraction, lp);
}

/// Takes out what a retraction that was just taken from the pending set takes back: the next in order, in the
/// pending set or aside. With lazy cancellation others may have the same key: what its sender has sent to
/// another LP before it was undone, and is about to cancel.
event::EventHeader* PeCore::take_target(event::EventHeader& retraction) {
  const event::EventKey key = retraction.key().successor();
  event::EventHeader* target = nullptr;
  std::vector<event::EventHeader*> others;
  while (event::EventHeader* const e = target ? nullptr : top()) {
    if (!(e->key() == key)) break;
    pending_.pop();
    if (e->receiver == retraction.receiver && e->status == event::Status::pending)
      target = e;
    else
      others.push_back(e);
  }
  for (event::EventHeader* const e : others) pending_.insert(e);
  if (target) return target;
  target = gate_.after(group_of(retraction), retraction);
  if (!target || !(target->key() == key) || target->receiver != retraction.receiver) return nullptr;
  release_aside(*target);
  return target;
}

/// The retraction is undone.
void PeCore::give_back(event::EventHeader& retraction) {
  event::EventHeader* const target = event::payload<event::Retraction>(retraction).target;
  event::payload<event::Retraction>(retraction).sent_at = kForever;
  if (!target) return;
  target->status = target->waiting_status();
  pending_.insert(target);
}

/// Undoes what does not sort before the event's retraction. With lazy cancellation a retraction may be older
/// than the event that it is for. It has to look again when that event arrives, or when another one with the
/// same key, which was taken instead, is cancelled.
void PeCore::undo_retraction_of(const event::EventHeader& e) {
  // Not a copy: `next` is the sender's, who may be writing it.
  event::EventHeader retraction{};
  retraction.time = e.time;
  retraction.order = e.order;
  retraction.sender = e.sender;
  retraction.receiver = e.receiver;
  retraction.set_place(event::place_of_retraction(e.place()));
  undo_if_straggler(*group_of(e), retraction, observe::Cause::message);
}

/// The retraction ends, and with it what it has taken back.
void PeCore::drop_target(event::EventHeader& retraction) {
  if (event::EventHeader* const target =
          std::exchange(event::payload<event::Retraction>(retraction).target, nullptr))
    drop(*target);
}

/// Drops the retractions that were sent before `certain_before`, none of which is cancelled any more, and
/// what they take back: so memory follows the events that will happen. O(pending events), amortised O(1) per
/// retraction.
void PeCore::sweep_retractions(Time certain_before) {
  // What is cancelled lazily may have the key of another event, and a log is to have all.
  if (settings_.cancels_lazily || watch_.keeps_all()) return;
  const std::uint64_t few = chaos_.on() ? 0 : RetractionSweep::kFew;  // random runs have few
  // With a history other PEs run ahead meanwhile.
  const unsigned shares = keeps_history() ? 1 : RetractionSweep::kShares;
  for (unsigned share = 0; share < shares; ++share) {
    if (!retraction_sweep_.is_due(frame_.retractions, pending_.size(), few)) [[likely]]
      return;
    sweep_share(certain_before);
  }
}

/// A retraction whose event is not there goes as well: an event arrives before its retraction, so an earlier
/// one has taken it.
void PeCore::sweep_share(Time certain_before) {
  retraction_sweep_.take_from(pending_);
  retraction_sweep_.find([&](event::EventHeader& retraction) {
    return event::payload<event::Retraction>(retraction).sent_at < certain_before &&
           !is_for_one_aside(retraction);
  });
  for (event::EventHeader* const e : retraction_sweep_.others()) {
    if (e->status == event::Status::pending && retraction_sweep_.takes_back(*e))
      drop(*e);
    else
      pending_.insert(e);
  }
  for (event::EventHeader* const retraction : retraction_sweep_.certain()) drop(*retraction);
  frame_.retractions = retraction_sweep_.end(frame_.retractions);
}

/// Whether what the retraction takes back was reached already, and waits elsewhere than in the pending set.
bool PeCore::is_for_one_aside(event::EventHeader& retraction) {
  if (gate_.empty()) return false;
  const event::EventHeader* const next = gate_.after(group_of(retraction), retraction);
  return next && next->key() == retraction.key().successor();
}

}  // namespace anachron::pe
