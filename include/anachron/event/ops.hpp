// The constant tables through which the kernel handles events and LPs whose types it does not know. The
// templates of the model layer make one table per (LP type, event type) and one per LP type.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <anachron/event/header.hpp>

namespace anachron {
class Results;
}

namespace anachron::event {

struct Frame;

/// How a handler's change of the LP's state is taken back.
enum class UndoKind : std::uint8_t {
  copy,     ///< the kernel copies the state before the event
  reverse,  ///< the handler returned a callable that undoes it
  log,      ///< the handler logged the members that it wrote
};

struct EventOps {
  std::string_view event_name;
  std::uint64_t type_hash;  ///< of LP type and event type; part of the digest
  std::size_t bytes;        ///< header and payload
  UndoKind undo;
  bool may_throw;  ///< the handler is not noexcept
  void (*execute)(Frame&, void* lp_state, EventHeader&);
  void (*commit)(const Frame&, const EventHeader&);       ///< null: nothing
  void (*destroy)(EventHeader&) noexcept;                 ///< null: trivially destructible
  bool (*equal)(const EventHeader&, const EventHeader&);  ///< payloads; null: cannot be compared
  bool irrevocable = false;  ///< executed only when certain to commit: never undone, never executed again
  // Of a broadcast's carrier:
  const EventOps* carries = nullptr;  ///< the table of what it is expanded into
  /// Copies the payload; false: failed, and the frame has the reason.
  bool (*unpack)(Frame&, EventHeader& to, const EventHeader& carrier) = nullptr;
};

struct LpOps {
  std::string_view name;
  std::size_t bytes, alignment;
  bool trivially_copyable;
  void (*construct)(void* at);
  void (*destroy)(void*) noexcept;
  void (*copy)(void* to_raw, const void* from);                  ///< constructs; null: not copyable
  void (*restore)(void* to, void* from_copy);                    ///< assigns, may move from the copy
  bool (*equal)(const void*, const void*);                       ///< null: cannot be compared
  void (*start)(Frame&, void* lp_state);                         ///< null: no start
  void (*finish)(const Frame&, const void* lp_state, Results&);  ///< null: no finish
  /// Share of the events that LP number `index` is expected to get, in any unit; null: all LPs the same.
  double (*load)(const void* params, const void* shared, std::uint32_t index);
  /// Where LP number `index` stands in a row in which LPs that send to each other are near; null: not known.
  double (*position)(const void* params, const void* shared, std::uint32_t index);
  /// Least delay of what an LP of this type sends to others; null: not declared.
  double (*lookahead)(const void* params, const void* shared);
  bool (*may_stop)(const void* params);  ///< whether its events may stop the run; null: not declared
  bool irrevocable;                      ///< all its events are
};

}  // namespace anachron::event
