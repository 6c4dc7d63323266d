// The constant tables through which the kernel handles events and LPs whose types it does not know. The
// templates of the model layer make one table per (LP type, event type) and one per LP type.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <anachron/base/error.hpp>
#include <anachron/base/platform.hpp>
#include <anachron/event/header.hpp>

namespace anachron {
class ByteReader;
class Neighbours;
class ModelFiles;
class Results;
}  // namespace anachron

namespace anachron::event {

struct Frame;

/// How a handler's change of the LP's state is taken back.
enum class UndoKind : std::uint8_t {
  copy,     ///< the kernel copies the state before the event
  reverse,  ///< the handler returned a callable that undoes it
  log,      ///< the handler logged the members that it wrote
};

/// What is asked for every event comes first, in one cache line.
struct alignas(kCacheLine) EventOps {
  std::uint64_t type_hash;  ///< of LP type and event type; part of the digest
  std::size_t bytes;        ///< header and payload
  void (*execute)(Frame&, void* lp_state, EventHeader&);
  void (*commit)(const Frame&, const EventHeader&);  ///< null: nothing
  void (*destroy)(EventHeader&) noexcept;            ///< null: trivially destructible
  UndoKind undo;
  bool may_throw_unreversed;  ///< a reverser undoes it, and the handler may throw before it returns one
  bool irrevocable = false;   ///< executed only when certain to commit: never undone, never executed again
  bool has_foresee = false;   ///< `foresee` is not null: asked here, in the line that is read anyway
  std::string_view event_name;
  bool (*equal)(const EventHeader&, const EventHeader&);  ///< payloads; null: cannot be compared
  /// Fetches what the handler will read of the model's shared data, some events ahead.
  void (*foresee)(const void* shared, std::uint32_t index, const EventHeader&) noexcept = nullptr;
  // Of a broadcast's multicast:
  const EventOps* expands_into = nullptr;  ///< the table of what it is expanded into
  /// Copies the payload; false: failed, and the frame has the reason.
  bool (*unpack)(Frame&, EventHeader& to, const EventHeader& multicast) = nullptr;

  // For events that leave the memory that they were made in. All of these are about the payload only: their
  // callers make the header, and the `MulticastHeader` of a broadcast's multicast (event/recipients.hpp).
  /// Whether the bytes behind the header may also be copied as they are, within one process.
  bool trivially_copyable = false;
  /// Above 0: the last so many bytes of the block are the encoded payload. Whatever they are, they are a
  /// valid one, so no call is needed to encode and to decode.
  std::size_t plain_bytes = 0;
  std::size_t alignment = kCacheLine;  ///< of the block: that of header and payload
  /// Constructs a copy behind `to`. May throw what the event's copy constructor throws. Null: not copyable.
  void (*copy)(EventHeader& to, const EventHeader& from) = nullptr;
  /// Constructs the payload behind `to` from that behind `from`, and ends that one: behind `from` there is
  /// raw memory then. When the event's move constructor throws, there is still something to be destroyed.
  void (*move)(EventHeader& to, EventHeader& from) = nullptr;
  /// Appends the payload, in the format of base/bytes.hpp. A failure leaves `out` as it was. Null: cannot be
  /// encoded.
  Failure (*encode)(const EventHeader&, std::vector<std::byte>& out) = nullptr;
  /// Constructs the payload from bytes that `encode` has appended, or from bytes of unknown origin; reads on
  /// after what it took. After a failure there is raw memory behind the header. Null where `encode` is.
  Failure (*decode)(EventHeader&, ByteReader& in) = nullptr;

  /// Appends the payload as text, for a trace. Null: of a broadcast's multicast, and of a retraction.
  void (*print)(const EventHeader&, std::string& out) = nullptr;
};

struct LpOps {
  std::string_view name;       ///< for messages and reports
  std::string_view full_name;  ///< where several types have the same `name`
  std::uint64_t name_hash;     ///< of `full_name`; part of digests, identities and random numbers
  std::size_t bytes, alignment;
  bool trivially_copyable;
  void (*construct)(void* at);
  void (*destroy)(void*) noexcept;
  void (*copy)(void* to_raw, const void* from);  ///< constructs; null: not copyable
  void (*restore)(void* to, void* from_copy);    ///< assigns, may move from the copy
  bool (*equal)(const void*, const void*);       ///< null: cannot be compared
  /// Whether both, at the frame's time, do the same from now on, whatever they have observed; null: if equal.
  bool (*goes_on_like)(const Frame&, const void*, const void*) = nullptr;
  /// Has the first become what another one, that went on like it, has become since it was `then`, but for
  /// what both had observed before. Returns false, and changes nothing, where it cannot be told. Null: it
  /// never can.
  bool (*observe)(void* lp_state, const void* then, const void* now) = nullptr;
  void (*start)(Frame&, void* lp_state);                         ///< null: no start
  void (*finish)(const Frame&, const void* lp_state, Results&);  ///< null: no finish
  /// Share of the events that LP number `index` is expected to get, in the unit of all types; null: the
  /// average.
  double (*load)(const void* params, const void* shared, std::uint32_t index);
  /// Where LP number `index` stands in a row in which LPs that send to each other are near; null: not known.
  double (*position)(const void* params, const void* shared, std::uint32_t index);
  /// Names the LPs that LP number `index` sends to; null: not known.
  void (*neighbours)(const void* params, const void* shared, std::uint32_t index, Neighbours& to);
  /// The cluster of LP number `index`: one number for LPs of any type that stay together; null: each is
  /// alone.
  std::uint32_t (*cluster)(const void* params, const void* shared, std::uint32_t index);
  /// Least delay of what an LP of this type sends out of its cluster; null: not declared.
  double (*lookahead)(const void* params, const void* shared);
  /// Names the files that LPs of this type write; null: none.
  void (*output_files)(const void* shared, ModelFiles& to);
  bool (*may_stop)(const void* params);  ///< whether its events may stop the run; null: not declared
  bool irrevocable;                      ///< all its events are
  const EventOps* retraction;            ///< of events of this LP type
  /// Appends the state, in the format of base/bytes.hpp: equal states have equal bytes. A failure leaves
  /// `out` as it was. Null: `why_not_encoded` says why not.
  Failure (*encode)(const void*, std::vector<std::byte>& out) = nullptr;
  /// Has a state that was just constructed become the one that was encoded. Null where `encode` is.
  Failure (*decode)(void*, ByteReader& in) = nullptr;
  std::string (*why_not_encoded)() = nullptr;
  /// Calls `visit(into, ops)` for each table of an event, or of a broadcast's multicast, that LPs of this
  /// type may be sent, in any order. Null: none is known, as when nothing has to leave the process.
  void (*events)(void* into, void (*visit)(void* into, const EventOps& ops));

  // A type that is described at run time (model/plain.hpp) has no functions that a template has made.

  /// A state is `bytes` bytes that begin as these. Then `construct` is null; where `copy`, `restore`,
  /// `destroy`, `equal` and `encode` are, it is copied, compared and encoded as such. Null: they are what
  /// counts.
  const void* initial = nullptr;
  /// Tables of events besides those that `events` visits.
  std::span<const EventOps* const> listed{};

  bool is_copyable() const { return copy || initial; }
  bool is_comparable() const { return equal || initial; }
  bool is_encodable() const { return encode || initial; }
};

inline void construct_state(const LpOps& ops, void* at) {
  if (ops.initial)
    std::memcpy(at, ops.initial, ops.bytes);
  else
    ops.construct(at);
}
inline void destroy_state(const LpOps& ops, void* state) noexcept {
  if (ops.destroy) ops.destroy(state);
}
/// Constructs a copy. Precondition: ops.is_copyable().
inline void copy_state(const LpOps& ops, void* to_raw, const void* from) {
  if (ops.copy)
    ops.copy(to_raw, from);
  else
    std::memcpy(to_raw, from, ops.bytes);
}
/// Precondition: ops.is_comparable().
inline bool equal_states(const LpOps& ops, const void* a, const void* b) {
  return ops.equal ? ops.equal(a, b) : std::memcmp(a, b, ops.bytes) == 0;
}
/// Appends the state. Precondition: ops.is_encodable().
inline Failure encode_state(const LpOps& ops, const void* state, std::vector<std::byte>& out) {
  if (ops.encode) return ops.encode(state, out);
  const auto* const bytes = static_cast<const std::byte*>(state);
  out.insert(out.end(), bytes, bytes + ops.bytes);
  return {};
}
/// Has a state that was just constructed become the one that was encoded. Precondition: ops.is_encodable().
Failure decode_state(const LpOps& ops, void* state, ByteReader& in);

}  // namespace anachron::event
