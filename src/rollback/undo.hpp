// Taking an executed event back, or letting it go: state copies, effects, counters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include <anachron/event/ops.hpp>

#include "lp/lp_store.hpp"
#include "lp/record.hpp"

namespace anachron::rollback {

/// Room that a copy of the LP's state takes behind a record.
inline std::size_t state_copy_room(const event::LpOps& ops) { return ops.bytes + ops.alignment; }

inline void* state_copy(lp::Record& r, const event::LpOps& ops) {
  const auto end = reinterpret_cast<std::uintptr_t>(&r + 1);
  return reinterpret_cast<void*>((end + ops.alignment - 1) & ~(ops.alignment - 1));
}

/// Copies the state behind the record (copy state saving).
inline void save_state(lp::Record& r, const event::LpOps& ops, const void* state) {
  if (ops.trivially_copyable)
    std::memcpy(state_copy(r, ops), state, ops.bytes);
  else
    ops.copy(state_copy(r, ops), state);
  r.has_state_copy = true;
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
  if (!ops.trivially_copyable) ops.destroy(state_copy(r, ops));
  r.has_state_copy = false;
}

/// Frees what the record holds: effects and the copy of the state.
inline void release(lp::Record& r, const event::LpOps& ops) {
  destroy_effects(r.effects);
  r.effects = nullptr;
  if (r.has_state_copy) drop_state_copy(r, ops);
}

/// Restores the LP to what it was before the event.
inline void undo(lp::Record& r, lp::LpCell& cell, const event::LpOps& ops, void* state) {
  for (event::Effect* effect = r.effects; effect; effect = effect->next)
    if (effect->ops->undo) effect->ops->undo(*effect, state);
  if (r.has_state_copy) {
    if (ops.trivially_copyable)
      std::memcpy(state, state_copy(r, ops), ops.bytes);
    else
      ops.restore(state, state_copy(r, ops));
  }
  cell.counters = r.before;
  release(r, ops);
}

/// Runs the actions that waited for the commit, in the order in which they were registered.
void commit_effects(event::Effect* newest);

}  // namespace anachron::rollback
