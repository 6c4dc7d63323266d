// A broadcast: one event for many LPs. One carrier travels to each PE that owns some of them: an event with
// the payload and the list of receivers. The PE expands it into an event for each of its own.
//
// The carrier's key is a lower bound of the keys of these. It has their time, step and priority, and the
// first sequence number; its tie is theirs if they share one, else 0. So it can wait in the pending set like
// any event, is reached before any of them can be missed, and counts in GVT for all of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <anachron/event/frame.hpp>
#include <anachron/event/header.hpp>

namespace anachron::event {

/// LPs in ascending order of their ids. To another process a range goes as it is, and of a group the members
/// that are there: see event/recipients.hpp.
struct Recipients {
  LpId first = 0;                          ///< of a range the first, of a group LP number 0 of the type
  std::uint32_t count = 0;                 ///< at least 1
  const std::uint32_t* members = nullptr;  ///< of a group: `count` ascending numbers of LPs; null: a range
  /// Of a part of a group: which recipients of the broadcast they are, ascending; null: it is the whole
  /// group.
  const std::uint32_t* places = nullptr;

  /// The place of recipient number `k` among all of the broadcast: it decides the sequence number.
  std::uint32_t place(std::uint32_t k) const { return places ? places[k] : k; }
  LpId operator[](std::uint32_t k) const { return first + (members ? members[k] : k); }
  friend bool operator==(const Recipients&, const Recipients&) = default;
};

/// Knows which PE owns an LP. Used by one thread.
class Places {
 public:
  virtual ~Places() = default;
  /// For each PE that owns recipients one of those. Valid until the next call. Throws std::bad_alloc.
  virtual std::span<const LpId> one_per_pe(const Recipients& to) = 0;
};

/// Lies behind the header of a carrier, before the payload.
struct Carrier {
  Recipients to;
  EventHeader* expanded = nullptr;  ///< by the PE that received it: what came of it, linked by `next`
};

inline Carrier& carrier_of(EventHeader& e) { return payload<Carrier>(e); }
inline const Carrier& carrier_of(const EventHeader& e) { return payload<Carrier>(e); }

/// Where a payload of type E lies in a carrier.
template <class E>
inline constexpr std::size_t kCarriedOffset =
    (kPayloadOffset<Carrier> + sizeof(Carrier) + alignof(E) - 1) / alignof(E) * alignof(E);

template <class E>
E& carried(EventHeader& e) {
  return *reinterpret_cast<E*>(reinterpret_cast<std::byte*>(&e) + kCarriedOffset<E>);
}
template <class E>
const E& carried(const EventHeader& e) {
  return *reinterpret_cast<const E*>(reinterpret_cast<const std::byte*>(&e) + kCarriedOffset<E>);
}

/// Makes the carrier of a broadcast for the PE that owns `at`, as Frame::make_event makes an event. The
/// broadcast takes `to.count` sequence numbers from `first_seq` on, however many carriers it has.
EventHeader* make_carrier(Frame& frame, const EventOps& ops, const Recipients& to, LpId at, Time time,
                          std::uint64_t first_seq, Order among = {});

/// As Places::one_per_pe says; nothing, after a note in the frame, when there is no memory.
std::span<const LpId> one_per_pe(Frame& frame, const Recipients& to) noexcept;

/// Makes the header of the event for recipient number `k`, at the PE whose frame this is: as if the sender
/// had sent it alone. The caller constructs the payload. Null, after a note in the frame, when there is no
/// memory.
EventHeader* make_expanded(Frame& frame, const EventHeader& carrier, std::uint32_t k);

}  // namespace anachron::event
