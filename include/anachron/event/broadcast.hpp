// A broadcast: one event for many LPs. One multicast travels to each PE that owns some of them: an event with
// the payload and the list of receivers. The PE expands it into an event for each of its own.
//
// The multicast's key is a lower bound of the keys of these. It has their time, step and priority. In order
// it has the key of the first, else a tie of 0 and a place before theirs. So it can wait in the pending set
// like any event, is reached before any of them can be missed, and counts in GVT for all of them.
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

  /// The place of recipient number `k` among all of the broadcast: it decides its number among the sends.
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

/// Lies behind the header of a multicast, before the payload.
struct MulticastHeader {
  Recipients to;
  /// What the first recipient's event is called, before it is mixed (event/identity.hpp); nothing, in order.
  std::uint64_t first_unmixed = 0;
  EventHeader* expanded = nullptr;  ///< by the PE that received it: what came of it, linked by `next`
};

inline MulticastHeader& multicast_header(EventHeader& e) { return payload<MulticastHeader>(e); }
inline const MulticastHeader& multicast_header(const EventHeader& e) { return payload<MulticastHeader>(e); }

/// Where a payload of type E lies in a multicast.
template <class E>
inline constexpr std::size_t kMulticastPayloadOffset =
    (kPayloadOffset<MulticastHeader> + sizeof(MulticastHeader) + alignof(E) - 1) / alignof(E) * alignof(E);

template <class E>
E& multicast_payload(EventHeader& e) {
  return *reinterpret_cast<E*>(reinterpret_cast<std::byte*>(&e) + kMulticastPayloadOffset<E>);
}
template <class E>
const E& multicast_payload(const EventHeader& e) {
  return *reinterpret_cast<const E*>(reinterpret_cast<const std::byte*>(&e) + kMulticastPayloadOffset<E>);
}

/// Makes the multicast of a broadcast for the PE that owns `at`, as Frame::make_event makes an event. The
/// broadcast takes `to.count` numbers of sends from `first` on, however many multicasts it has.
EventHeader* make_multicast(Frame& frame, const EventOps& ops, const Recipients& to, LpId at, Time time,
                            std::uint64_t first, Order among = {});

/// As Places::one_per_pe says; nothing, after a note in the frame, when there is no memory.
std::span<const LpId> one_per_pe(Frame& frame, const Recipients& to) noexcept;

/// Makes the header of the event for recipient number `k`, at the PE whose frame this is: as if the sender
/// had sent it alone. The caller constructs the payload. Null, after a note in the frame, when there is no
/// memory.
EventHeader* make_expanded(Frame& frame, const EventHeader& multicast, std::uint32_t k);

}  // namespace anachron::event
