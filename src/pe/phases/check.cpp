// PeCore, the rollback check: execute, undo, compare, execute again, compare.
#include <algorithm>
#include <string>
#include <utility>

#include "pe/phases/one_event.hpp"

namespace anachron::pe {
namespace {

constexpr const char *kNotRestored =
                         "rollback check: undoing the event does not restore the state that was before it",
                     *kNotRepeated =
                         "rollback check: executed again, the event changes the state or sends in another "
                         "way: the handler uses something that is not part of the state",
                     *kNotCoasted =
                         "rollback check: executing the LP's events again from its last copy of the state "
                         "does not restore the state: a handler uses something that is not part of it";

}  // namespace

void PeCore::execute_checked(event::EventHeader& e, const lp::LpRef& lp) {
  if (e.ops->irrevocable) return execute_irrevocable(e);  // once is enough
  lp::LpCell& cell = lp.cell;
  void* const state = lp.state;
  const event::LpOps& ops = lp.ops;
  const event::LpCounters counters_before = cell.counters;
  const lp::Checkpoint checkpoint_before = cell.checkpoint;
  const rollback::Witness before(ops, state);

  lp::Record& first = open_record(e, lp, undo_kind(e) == event::UndoKind::copy);
  run_handler(e, lp, &first);
  if (first.halts) return hand_on(first);  // it failed or stopped the run: no second time
  event::LpCounters counters_after = cell.counters;
  const rollback::Witness after(ops, state);
  struct FirstSent {  // dropped also when there is no memory for the second time
    PeCore& pe;
    event::EventHeader* newest;
    ~FirstSent() {
      while (newest) pe.drop(*std::exchange(newest, newest->next));
    }
  } first_sent{*this, first.sent};

  undo(first, e, cell);
  cell.checkpoint = checkpoint_before;  // undoing a copy has forgotten it
  cell.leader->newest = first.older;
  cell.leader->newest_index = first.older_index;
  first.event = nullptr;
  --figures_.executed;
  const auto note = [this](const rollback::Unchecked& unchecked) {
    std::vector<rollback::Unchecked>& all = inspection_.unchecked;
    if (std::find(all.begin(), all.end(), unchecked) == all.end()) all.push_back(unchecked);
  };
  for (const rollback::Witness* const witness : {&before, &after})
    if (const auto gap = witness->gap()) note(*gap);
  std::string wrong;
  if (before.contradicts(state) || cell.counters != counters_before) wrong = kNotRestored;

  lp::Record& second = open_record(e, lp, plan_copy(e, lp));
  run_handler(e, lp, &second);
  if (execution_.times_events) counters_after.depth = cell.counters.depth;  // no time is measured twice
  if (wrong.empty() && (after.contradicts(state) || cell.counters != counters_after ||
                        !rollback::same_sends(first_sent.newest, frame_.sent, note)))
    wrong = kNotRepeated;
  if (wrong.empty() && !second.has_state_copy() && undo_kind(e) == event::UndoKind::copy) {
    cell.checkpoint.is_lost = 1;
    coast_forward(*cell.leader, 1);
    if (after.contradicts(state)) wrong = kNotCoasted;
  }
  if (wrong.empty()) wrong = rollback::encoding_fault(ops, state);
  if (!wrong.empty() && !second.halts) {
    frame_.fail(std::move(wrong));
    second.halts = true;
    note_halt(e, e.receiver);
  }
  route_with_care(e, lp, second);
}

}  // namespace anachron::pe
