// PeCore, one event: its record, its handler, its commit, its end. Inline, because each event passes through.
#pragma once

#include <exception>
#include <string>

#include <anachron/base/error.hpp>

#include "mem/allocator.hpp"
#include "pe/digest.hpp"
#include "pe/pe_core.hpp"
#include "rollback/undo.hpp"

namespace anachron::pe {

ANACHRON_INLINE bool PeCore::plan_copy(const event::EventHeader& e, const lp::LpRef& lp) {
  return saving_.plan_copy(undo_kind(e) == event::UndoKind::copy, lp, history_);
}

/// The handler may throw before it returns its reverser, so while it runs there is a copy.
ANACHRON_INLINE bool PeCore::needs_guard(const event::EventHeader& e, const event::LpOps& ops) const {
  return e.ops->may_throw_unreversed && !settings_.copies_always && ops.is_copyable();
}

ANACHRON_INLINE lp::Record& PeCore::open_record(event::EventHeader& e, const lp::LpRef& lp, bool has_copy) {
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
  record.halts = false;
  record.at_commit = lp::AtCommit::usual;
  record.calls = 0;
  record.time = e.time;
  leader.newest = &record;
  leader.newest_index = history_.newest_index();
  if (has_copy) rollback::save_state(record, ops, lp.state);
  return record;
}

ANACHRON_INLINE void PeCore::close_record(lp::Record& record, const event::EventHeader& e,
                                          const lp::LpRef& lp) {
  record.sent = frame_.sent;
  record.effects = frame_.effects;
  record.calls = lp::Record::checksum(frame_);
  record.halts = frame_.halt.has_value();
  const event::EventOps& ops = *e.ops;
  record.block_bytes = static_cast<std::uint32_t>(ops.bytes);
  const bool only_frees = record.copy != lp::StateCopy::object && !ops.commit && !ops.destroy &&
                          !outbox_.must_forget(e) && record.block_bytes == ops.bytes;
  record.at_commit = frame_.settles ? lp::AtCommit::settles
                     : only_frees   ? lp::AtCommit::only_frees
                                    : lp::AtCommit::usual;
  if (needs_guard(e, lp.ops) && !record.halts) [[unlikely]]
    rollback::drop_state_copy(record, lp.ops);
}

ANACHRON_INLINE void PeCore::run_handler(event::EventHeader& e, const lp::LpRef& lp, lp::Record* record) {
  event::LpCounters& counters = lp.cell.counters;
  const event::EventOps& ops = *e.ops;
  e.status = event::Status::executed;
  frame_.begin(e, counters, lp.identity);
  frame_.depth = event::deeper(std::max(frame_.depth, e.depth()));
  frame_.show_event(ops);
  if (execution_.times_events) [[unlikely]]
    execute_timed(e, lp);
  else
    ops.execute(frame_, lp.state, e);
  // Not before: the handler would wait for it.
  counters.depth = frame_.depth;
  if (!add_to_digest(counters, e)) [[unlikely]]
    frame_.fail_equal_keys();
  ++figures_.executed;
  if (record) close_record(*record, e, lp);
  if (frame_.halt) [[unlikely]]
    note_halt(e, e.receiver);
}

template <bool kWatched>
ANACHRON_INLINE void PeCore::commit_event(const event::EventHeader& e, event::Effect* effects) {
  ++figures_.committed;
  if (e.time > progress_.committed) progress_.committed = e.time;
  if (e.ops->commit || effects) [[unlikely]]
    run_commit_actions(e, effects);
  if constexpr (kWatched) watch_.committed(e);
}

/// The end of an event: its payload is destroyed, its memory is used again.
ANACHRON_INLINE void PeCore::drop(event::EventHeader& e) {
  if (outbox_.must_forget(e)) [[unlikely]]
    outbox_.port().forget(e);
  const event::EventOps& ops = *e.ops;
  if (ops.destroy) {
    if (e.retracts() && e.status == event::Status::executed) [[unlikely]]
      drop_target(e);
    ops.destroy(e);
  }
  pool_.release(&e, ops.bytes);
}

/// Calls `actions` of the model. Their exception is the error of that LP's event.
template <class Actions>
void PeCore::run_at_commit(LpId lp, std::string_view event, Time time, const Actions& actions) {
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

}  // namespace anachron::pe
