// The door of the room `rollback`: how an event's effects on its LP are undone.
//
// This file takes an executed event back, or lets it go: state copies, effects, counters.
// Invariant: after undoing, the LP is bit for bit what it was before the event (--check-rollback compares).
// Read on in rollback/checkpoints.hpp (how often states are copied) and rollback/check.hpp (the check).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include <anachron/event/ops.hpp>

#include "lp/lp_store.hpp"
#include "lp/record.hpp"

namespace anachron::rollback {

/// Room that a copy of the LP's state takes behind a record.
inline std::size_t state_copy_room(const event::LpOps& ops) {
  return ops.bytes + (ops.alignment > alignof(lp::Record) ? ops.alignment - alignof(lp::Record) : 0);
}

inline void* state_copy(lp::Record& r, const event::LpOps& ops) {
  const auto end = reinterpret_cast<std::uintptr_t>(&r + 1);
  return reinterpret_cast<void*>((end + ops.alignment - 1) & ~(ops.alignment - 1));
}

/// memcpy without a call for small sizes.
ANACHRON_INLINE void copy_bytes(void* to, const void* from, std::size_t bytes) {
  const auto copy_two = [=]<std::size_t kHalf>() {  // halves that may overlap
    std::byte first[kHalf], last[kHalf];
    std::memcpy(first, from, kHalf);
    std::memcpy(last, static_cast<const std::byte*>(from) + bytes - kHalf, kHalf);
    std::memcpy(to, first, kHalf);
    std::memcpy(static_cast<std::byte*>(to) + bytes - kHalf, last, kHalf);
  };
  if (bytes == 8)
    std::memcpy(to, from, 8);
  else if (bytes > 32 && bytes <= 64)
    copy_two.operator()<32>();
  else if (bytes >= 16 && bytes <= 32)
    copy_two.operator()<16>();
  else
    std::memcpy(to, from, bytes);
}

/// Copies the state behind the record (copy state saving).
ANACHRON_INLINE void save_state(lp::Record& r, const event::LpOps& ops, const void* state) {
  if (ops.trivially_copyable) [[likely]] {
    copy_bytes(state_copy(r, ops), state, ops.bytes);
    r.copy = lp::StateCopy::bytes;
  } else {
    ops.copy(state_copy(r, ops), state);
    r.copy = lp::StateCopy::object;
  }
}

/// Frees what effects hold, newest first; their memory is the arena's.
inline void destroy_effects(event::Effect* newest) {
  while (newest) {
    event::Effect* const next = newest->next;
    if (newest->ops->destroy) newest->ops->destroy(*newest);
    newest = next;
  }
}

/// Frees the copy of the state.
inline void drop_state_copy(lp::Record& r, const event::LpOps& ops) {
  if (r.copy == lp::StateCopy::object) ops.destroy(state_copy(r, ops));
  r.copy = lp::StateCopy::none;
}

/// Frees what the record's effects hold.
inline void drop_effects(lp::Record& r) {
  destroy_effects(r.effects);
  r.effects = nullptr;
}

/// Frees what the record holds: effects and the copy of the state.
inline void release(lp::Record& r, const event::LpOps& ops) {
  drop_effects(r);
  drop_state_copy(r, ops);
}

/// Makes the record's copy the LP's state. The copy is gone.
inline void restore_state(lp::Record& r, const event::LpOps& ops, void* state) {
  if (ops.trivially_copyable)
    copy_bytes(state, state_copy(r, ops), ops.bytes);
  else
    ops.restore(state, state_copy(r, ops));
  drop_state_copy(r, ops);
}

/// The same, but the record keeps a copy.
inline void reload_state(lp::Record& r, const event::LpOps& ops, void* state) {
  restore_state(r, ops, state);
  if (ops.trivially_copyable)
    r.copy = lp::StateCopy::bytes;
  else
    save_state(r, ops, state);
}

/// Restores the LP to what it was before the event. A state that only a copy could restore, where there is
/// none, is lost; then so is what was before, until an older record has a copy.
inline void undo(lp::Record& r, lp::LpCell& cell, event::UndoKind kind, const event::LpOps& ops,
                 void* state) {
  if (r.has_state_copy()) {
    restore_state(r, ops, state);
    cell.checkpoint.is_lost = 0;
    cell.checkpoint.copy_index = 0;
  } else if (kind == event::UndoKind::copy) {
    cell.checkpoint.is_lost = 1;
  } else if (!cell.checkpoint.is_lost) {
    for (event::Effect* effect = r.effects; effect; effect = effect->next)
      if (effect->ops->undo) effect->ops->undo(*effect, state);
  }
  cell.counters = r.before;
  drop_effects(r);
}

/// Runs the actions that waited for the commit, in the order in which they were registered.
void commit_effects(event::Effect* newest);

}  // namespace anachron::rollback
