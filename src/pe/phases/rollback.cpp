// PeCore, rollback: stragglers, undoing, cancellation.
#include <algorithm>
#include <bit>
#include <stdexcept>
#include <utility>

#include <anachron/base/error.hpp>

#include "pe/phases/one_event.hpp"

namespace anachron::pe {

std::uint64_t PeCore::receive() {
  if (keeps_history() && chaos_.strikes(2)) return 0;  // the mail is late
  // Events from other ranks take memory here: until the next GVT round they stay with the aggregator, which
  // then accepts no more.
  if (memory_.is_short() && outbox_.has_elsewhere()) [[unlikely]]
    return 0;
  return receive_all();
}

/// Undoes the group's events that do not sort before `to`, newest first, and makes them pending again.
/// Precondition: there is one.
void PeCore::undo_group(lp::LpCell& leader, const event::EventHeader& to, observe::Cause cause) {
  const topo::PhaseClock::Within timed(progress_.clock, topo::Phase::rollback);
  const std::uint64_t rolled_back_before = figures_.rolled_back;
  std::size_t lost = 0;  // LPs
  do lost += undo_newest(leader);
  while (history_.may_undo(leader.newest_index) && !before(*leader.newest->event, to));
  if (lost > 0) coast_forward(leader, lost);
  saving_.rolled_back(std::max<std::size_t>(lost, 1));
  ++figures_.rollbacks;
  if (cause == observe::Cause::message) attribute_rollback(to.sender);
  watch_.rolled_back(to, cause);
  horizon_.rolled_back(to.time);
  if (progress_.clock) record_rollback(to, cause, figures_.rolled_back - rolled_back_before);
}

/// For the flight recorder, before the clock leaves the rollback.
void PeCore::record_rollback(const event::EventHeader& to, observe::Cause cause, std::uint64_t events) {
  using topo::FlightRecord;
  topo::PhaseClock& clock = *progress_.clock;
  clock.record({.kind = FlightRecord::Kind::undone,
                .count = static_cast<std::uint32_t>(events),
                .value = std::bit_cast<std::uint64_t>(to.time)});
  if (cause != observe::Cause::message) return;
  const bool is_from_lp = to.sender < lps_->size();
  clock.record({.kind = FlightRecord::Kind::culprit,
                .count = is_from_lp ? lps_->owner(to.sender) + std::uint32_t{1} : 0,
                .value = std::uint64_t{to.receiver} << 32 | to.sender});
}

/// The newest event of the group. Returns how many LPs more have no state now: it is to be brought back.
std::size_t PeCore::undo_newest(lp::LpCell& leader) {
  lp::Record& record = *leader.newest;
  event::EventHeader& e = *record.event;
  lp::LpCell& cell = lps_->cell(e.receiver);
  const bool was_lost = cell.checkpoint.is_lost;
  undo(record, e, cell);
  const std::size_t lost = std::size_t{cell.checkpoint.is_lost} - was_lost;
  if (settings_.cancels_lazily)
    lazy_.keep(record);
  else
    cancel_sent(std::exchange(record.sent, nullptr));
  if (record.halts) fault_log_.forget(e.key(), e.receiver);
  leader.newest = record.older;
  leader.newest_index = record.older_index;
  record.event = nullptr;
  e.status = e.waiting_status();
  if (e.retracts()) [[unlikely]] {
    give_back(e);
  } else {
    ++figures_.rolled_back;
    watch_.undone(e.receiver);
  }
  pending_.insert(&e);
  return lost;
}

/// Counts a rollback as caused by what `sender` has sent or taken back (Wang et al., Can PDES Scale in
/// Environments with Heterogeneous Delays?, table 3).
void PeCore::attribute_rollback(LpId sender) {
  const bool is_outside = sender >= lps_->size();  // a session's; it stands at the receiver
  const PeId from = is_outside ? id() : lps_->host(sender);
  ++(from == id()                       ? figures_.rollbacks_local
     : settings_.pes.own.contains(from) ? figures_.rollbacks_regional
                                        : figures_.rollbacks_remote);
}

void PeCore::undo(lp::Record& record, const event::EventHeader& e, lp::LpCell& cell) {
  const auto undo_it = [&] {
    rollback::undo(record, cell, undo_kind(e), *lps_->type_of(e.receiver).ops, lps_->state(e.receiver));
  };
  if (!record.effects) return undo_it();
  const event::Frame::Showing showing(frame_, Activity::undo, *e.ops, e.receiver, e.time);
  undo_it();
}

/// If an event does not do the same again, that ends the run, should it commit.
void PeCore::coast_forward(const lp::LpCell& leader, std::size_t lost) {
  for (lp::Record* record : saving_.coast_forward(leader, lost, history_)) {
    record->halts = true;
    frame_.fail(
        "executed again on the same state, the event sends or draws another number of times: the handler "
        "uses something that is not part of the state (--check-rollback finds such events)");
    note_halt(*record->event, record->event->receiver);
  }
}

/// Cancels what an undone event sent, a list.
void PeCore::cancel_sent(event::EventHeader* newest) {
  for (event::EventHeader* sent = newest; sent;) {
    event::EventHeader* const next = sent->next;
    cancel(*sent);
    sent = next;
  }
}

/// Cancels an event. One that is for this PE is only put on a list: annihilating it may roll back another
/// group.
void PeCore::cancel(event::EventHeader& sent) {
  // Match ids are never reused: another one here would be another event in the same memory.
  if (sent.match.pe() != id() || sent.match.value >= frame_.next_match.value)
    throw std::logic_error("anachron: internal error: a cancellation does not match its event");
  if (lps_.own(sent.receiver)) {
    sent.next = cancelled_.list;
    cancelled_.list = &sent;
  } else {
    ++figures_.anti_messages;
    outbox_.cancel(lps_->host(sent.receiver), sent);
  }
}

/// Removes an event that its sender took back, undoing it first if it was executed.
void PeCore::annihilate(event::EventHeader& e) {
  if (e.status == event::Status::executed) {
    undo_if_straggler(*group_of(e), e, observe::Cause::message);
  } else if (e.status == event::Status::expanded) [[unlikely]] {
    if (!fault_log_.empty()) fault_log_.forget(e.key(), e.sender);
    return annihilate_list(Multicast::recall(e));
  } else if (e.status == event::Status::aside) [[unlikely]] {
    release_aside(e);
    pending_.insert(&e);
  } else if (e.status == event::Status::retracted) [[unlikely]] {
    undo_retraction_of(e);
  }
  if (!lazy_.empty()) [[unlikely]]
    cancel_sent(lazy_.take(e));
  e.status = event::Status::cancelled;
  ++cancelled_.waiting;
  constexpr std::size_t kFewCancelled = 4096;  // not worth a purge
  if (cancelled_.waiting > kFewCancelled && cancelled_.waiting > pending_.size() / 2) purge_cancelled();
}

/// Has all events of the list annihilated with the others of this PE.
void PeCore::annihilate_list(event::EventHeader* list) {
  while (list) {
    event::EventHeader* const next = list->next;
    list->next = cancelled_.list;
    cancelled_.list = list;
    list = next;
  }
}

void PeCore::annihilate_local() {
  while (event::EventHeader* e = cancelled_.list) {
    cancelled_.list = e->next;
    annihilate(*e);
  }
}

/// Nothing that was undone keeps what it sent.
void PeCore::cancel_all_unconfirmed() {
  while (event::EventHeader* const newest = lazy_.take_any()) {
    cancel_sent(newest);
    annihilate_local();
  }
}

/// Takes an event out of those that are aside, and makes pending what had to wait for it only.
void PeCore::release_aside(event::EventHeader& e) {
  gate_.release_aside(group_of(e), e, [this](event::EventHeader& waiting) { pending_.insert(&waiting); });
}

/// Undoes the events from `record` on that are not below the bound nor before `from`, and cancels what they
/// sent.
void PeCore::take_back(const lp::Record* record, const std::optional<event::EventKey>& bound, Time from) {
  for (; record; record = record->next) {
    if (!record->event || record->time < from || is_below(*record, bound)) continue;
    if (record->event->ops->irrevocable) continue;  // it is the one that failed
    undo_if_straggler(*group_of(*record->event), *record->event, observe::Cause::engine);
    annihilate_local();
  }
}

/// Makes multicasts again of what came of them, where all at or after `from` has been undone.
void PeCore::fold_multicasts(const std::optional<event::EventKey>& bound, Time from) {
  multicast_.fold(bound, from, [this](event::EventHeader& multicast) {
    annihilate(multicast);
    annihilate_local();
    multicast.status = event::Status::multicast;
    pending_.insert(&multicast);
    ++figures_.sent;  // expanding will take it off
  });
}

/// When the state of an LP was brought back by executing certain events again, and one of them did something
/// else.
void PeCore::throw_if_failed_below(const std::optional<event::EventKey>& bound) const {
  if (const HaltAt* const at = fault_log_.failure_below(bound))
    throw SimulationError(lps_->name(at->lp), std::string(at->event->event_name), at->key.time,
                          at->halt.cause);
}

void PeCore::purge_cancelled() {
  pending_.remove_if([this](event::EventHeader* e) {
    if (e->status != event::Status::cancelled) return false;
    drop(*e);
    return true;
  });
  cancelled_.waiting = 0;
}

}  // namespace anachron::pe
