// PeCore, rewind: what comes from outside the model, and stretches of a run that can be taken back.
#include <algorithm>
#include <new>
#include <stdexcept>
#include <utility>

#include "pe/phases/one_event.hpp"

namespace anachron::pe {

event::EventHeader& PeCore::make_outside(const event::EventOps& ops, LpId receiver, Time time, Order among,
                                         event::Outside& outside) {
  frame_.begin_outside(outside);
  event::EventHeader* const e = frame_.make_event(ops, receiver, time + 0.0, among);  // not -0.0
  outside.sends = frame_.sends;
  if (e) return *e;
  const event::Halt why = *std::exchange(frame_.halt, std::nullopt);
  if (why.kind == event::Halt::Kind::no_memory) throw std::bad_alloc();
  throw std::length_error(why.cause);
}

void PeCore::insert_outside(event::EventHeader& e) {
  ++figures_.sent;
  pending_.insert(&e);  // no straggler: nothing at or after its time has been executed
}

void PeCore::forget_halts() {
  fault_log_.clear();
  if (event::EventHeader* const refused = rewind_interval_.take_refused()) pending_.insert(refused);
}

void PeCore::hold() {
  keep(Keeping::history);
  rewind_interval_.begin(history_, figures_.committed);
}

void PeCore::commit_held() {
  figures_.committed = rewind_interval_.end();  // commit counts them again
  commit_below(std::nullopt, saving_.checkpoints().lag());
  if (watch_.has_ordered_output()) watch_.hand_over(index(), std::nullopt);
  keep(usual_keeping());
  // With history, an event behind the point that was run to may have been undone and keep what it has sent.
  if (!keeps_history()) release_below(std::nullopt);
}

void PeCore::keep(Keeping wanted) {
  if (wanted == Keeping::nothing) forget_committed();
  execution_.keeping = wanted;
  frame_.keep_undo = keeps_history() && !settings_.copies_always;
  pool_.expect_cold(keeps_history());  // else the next event takes what this one has freed
}

/// Nothing is left of what was executed.
void PeCore::forget_committed() {
  if (!keeps_history()) return;
  release_committed(history_.committed_index());
  saving_.retention().dropped(history_.committed_index());
  // Without history nothing is put aside: irrevocable events are executed like others.
  gate_.clear([this](event::EventHeader& e) { pending_.insert(&e); });
}

/// The same while a session holds a stretch: counts what has become certain.
void PeCore::hold_below(const std::optional<event::EventKey>& bound) {
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

PeMark PeCore::mark() const {
  return {.newest = history_.newest(),
          .newest_index = history_.newest_index(),
          .arena = arena_.mark(),
          .retention = saving_.retention(),
          .committed = figures_.committed,
          .last_committed = progress_.committed,
          .latest = progress_.frontier.time(),
          .kept = outbox_.kept(),
          .arrivals = outbox_.port().arrivals()};
}

void PeCore::undo_since(const PeMark& mark) {
  constexpr event::EventKey kFirst{};
  take_back(mark.newest ? mark.newest->next : history_.oldest(), kFirst);
  throw_if_failed_below(std::nullopt);
  // What is executed next may be something else, and without history nobody would compare.
  cancel_all_unconfirmed();
}

void PeCore::forget_since(const PeMark& mark) {
  if (cancelled_.waiting > 0) purge_cancelled();  // without history nobody looks for them
  multicast_.release_cancelled([this](event::EventHeader& multicast) { drop(multicast); });
  outbox_.forget_since(mark.kept);
  outbox_.port().forget_arrivals_since(mark.arrivals);
  history_.forget_after(mark.newest, mark.newest_index);
  arena_.release_since(mark.arena);
  saving_.retention() = mark.retention;
  rewind_interval_.go_back_to(mark.newest, mark.newest_index);
  horizon_.rewind();
  figures_.committed = mark.committed;
  progress_.committed = mark.last_committed;
  progress_.frontier.go_back_to(mark.latest);
}

}  // namespace anachron::pe
