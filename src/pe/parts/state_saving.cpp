#include "pe/parts/state_saving.hpp"

#include <algorithm>
#include <new>
#include <stdexcept>

#include "rollback/undo.hpp"

namespace anachron::pe {

void StateSaving::begin(const event::Frame& frame) {
  frame_ = frame;
  frame_.arena = &scratch_;
  frame_.keep_undo = false;
  frame_.coast();
}

bool StateSaving::plan_sparse_copy(bool is_by_copy, const lp::LpRef& lp, const lp::History& history) {
  const unsigned interval = checkpoints_.interval(lp.type);
  if (interval == 1) return is_by_copy;
  lp::Checkpoint& checkpoint = lp.cell.checkpoint;
  const std::uint64_t index = history.newest_index() + 1;  // of the record to be
  if (is_by_copy && (checkpoint.copy_index <= retention_.floor() || checkpoint.since_copy >= interval)) {
    checkpoint.note_copy(index);
    return true;
  }
  checkpoint.note_event_without_copy();
  if (is_by_copy) retention_.add_dependent(index);
  return false;
}

const std::vector<lp::Record*>& StateSaving::coast_forward(const lp::LpCell& leader, std::size_t lost,
                                                           const lp::History& history) {
  to_coast_.clear();
  differing_.clear();
  std::uint64_t index = leader.newest_index;
  for (lp::Record* record = leader.newest; lost > 0; index = record->older_index, record = record->older) {
    if (!history.holds(index))
      throw std::logic_error("anachron: internal error: a lost state without a copy");
    lp::LpCell& cell = lps_.cell(record->event->receiver);
    if (!cell.checkpoint.is_lost) continue;
    to_coast_.push_back(record);
    if (!record->has_state_copy()) continue;
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
  coasted_ += to_coast_.size();
  return differing_;
}

/// Executes an event for its change of the state only. `expected` are the counters after it, except for the
/// digest.
void StateSaving::execute_again(lp::Record& record, const event::LpCounters& expected) {
  event::EventHeader& e = *record.event;
  void* const state = lps_.state(e.receiver);
  if (record.has_state_copy())
    rollback::reload_state(record, *lps_.type_of(e.receiver).ops, state);
  else
    lps_.cell(e.receiver).checkpoint.note_event_without_copy();
  event::LpCounters counters = record.before;
  frame_.begin(e, counters, lps_.identity(e.receiver));
  e.ops->execute(frame_, state, e);
  rollback::destroy_effects(frame_.effects);
  scratch_.clear();
  const bool has_memory = !frame_.halt || frame_.halt->kind != event::Halt::Kind::no_memory;
  frame_.halt.reset();
  if (!has_memory) [[unlikely]]
    throw std::bad_alloc();
  if ((lp::Record::checksum(frame_) != record.calls || counters.in_order != expected.in_order) &&
      !record.halts) [[unlikely]]
    differing_.push_back(&record);
}

}  // namespace anachron::pe
