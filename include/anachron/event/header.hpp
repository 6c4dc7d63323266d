// The door of the room `event`: an event as the engine sees it.
//
// An event is a header of 56 bytes and, behind it, the payload of the model's type.
// Invariant: keys of different events of a run differ, and the key alone decides the order of execution.
// Read on in event/key.hpp (the order) and event/frame.hpp (what surrounds a handler).
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <anachron/event/key.hpp>

namespace anachron::event {

struct EventOps;

/// Names one send for ever: the PE that made it and a count that is never taken back. An event that is sent
/// again after a rollback has the same identity and perhaps the same memory, so neither can tell the two
/// apart; this can.
struct MatchId {
  std::uint64_t value = 0;

  static constexpr int kCountBits = 44;
  static constexpr MatchId first_of(PeId pe) { return {static_cast<std::uint64_t>(pe) << kCountBits}; }
  constexpr PeId pe() const { return static_cast<PeId>(value >> kCountBits); }
  /// It will be another PE's before long: the next 2^40 ids are this PE's still.
  constexpr bool is_near_end() const {
    constexpr std::uint64_t kCounts = std::uint64_t{1} << kCountBits;
    return value % kCounts >= kCounts - (std::uint64_t{1} << 40);
  }
};

static_assert(kMostPes < std::uint64_t{1} << (64 - MatchId::kCountBits));

/// Where an event is. Written by the PE of the receiver only; where the receiver gets a copy, the sender
/// writes that of its own.
enum class Status : std::uint8_t {
  pending,     ///< on its way or in a pending set
  executed,    ///< in a history; may be undone
  aside,       ///< reached, but set aside until it, or one before it, is certain to commit
  retraction,  ///< pending, and takes back the event after it when reached: see event/retraction.hpp
  retracted,   ///< taken back, and kept by the retraction that did it
  cancelled,   ///< annihilated, still in the pending set, dropped when reached
  multicast,   ///< pending, and to be expanded when reached: see event/broadcast.hpp
  expanded,    ///< a multicast that was
  // Of an event that stays with its sender, the receiver getting a copy: see comm/fabric/outbox.hpp.
  outbound,  ///< to be handed over
  away,      ///< was handed over
  orphan,    ///< outbound, and will not be cancelled any more
  recalled,  ///< its cancellation is to be handed over
  gone,      ///< that was, too
};

/// The depth of what follows an event of this depth; one that is too deep for its word stays so.
constexpr std::uint32_t deeper(std::uint32_t depth) { return depth + (depth != ~std::uint32_t{0}); }

/// Where an event's type is, and 16 bits beside it. Addresses of programs have 48 bits on x86-64 and AArch64,
/// unless a program asks for longer ones.
class OpsAndBits {
 public:
  void set(const EventOps* ops, std::uint16_t bits) {
    word_ = reinterpret_cast<std::uintptr_t>(ops) | std::uint64_t{bits} << kAddressBits;
  }
  std::uint16_t bits() const { return static_cast<std::uint16_t>(word_ >> kAddressBits); }
  const EventOps* get() const {
    return reinterpret_cast<const EventOps*>(
        static_cast<std::uintptr_t>(word_ & ((std::uint64_t{1} << kAddressBits) - 1)));
  }
  operator const EventOps*() const { return get(); }
  const EventOps* operator->() const { return get(); }
  const EventOps& operator*() const { return *get(); }

 private:
  static constexpr int kAddressBits = 48;
  std::uint64_t word_;
};

/// Constant once it was sent, but for `status`, which the receiver's PE writes and no other reads, and
/// `next`, which the sender's PE uses.
struct EventHeader {
  static constexpr std::uint32_t kDeepest = ~std::uint32_t{0};  ///< so deep or even deeper: see deeper()

  Time time;
  std::uint64_t order;
  std::uint32_t place_low;
  std::uint8_t place_high;
  Status status;
  std::uint16_t depth_low;
  LpId sender;
  LpId receiver;
  MatchId match;
  EventHeader* next;  ///< next older event of the same cause; then links lists of cancelled events
  OpsAndBits ops;

  std::uint64_t place() const { return static_cast<std::uint64_t>(place_high) << 32 | place_low; }
  void set_place(std::uint64_t place) {
    place_low = static_cast<std::uint32_t>(place);
    place_high = static_cast<std::uint8_t>(place >> 32);
  }
  /// The type, and the depth: the number of events in the longest chain of causes that leads to this event.
  /// In a chain each event was sent by the one before it, or is the next one of the same LP.
  void set_ops(const EventOps& type, std::uint32_t depth) {
    ops.set(&type, static_cast<std::uint16_t>(depth >> 16));
    depth_low = static_cast<std::uint16_t>(depth);
  }
  std::uint32_t depth() const { return std::uint32_t{ops.bits()} << 16 | depth_low; }
  /// The same with the place and the status, in one store instead of four where bytes lie that way.
  void set_ops(const EventOps& type, std::uint32_t depth, std::uint64_t place, Status at) {
    if constexpr (std::endian::native == std::endian::little) {
      const std::uint64_t word =
          place | std::uint64_t{static_cast<std::uint8_t>(at)} << 40 | std::uint64_t{depth} << 48;
      std::memcpy(reinterpret_cast<std::byte*>(this) + offsetof(EventHeader, place_low), &word, sizeof word);
      ops.set(&type, static_cast<std::uint16_t>(depth >> 16));
    } else {
      set_place(place);
      status = at;
      set_ops(type, depth);
    }
  }

  bool retracts() const { return place_low % 2 == 0; }
  /// Its status while it waits to be executed.
  Status waiting_status() const { return retracts() ? Status::retraction : Status::pending; }
  EventKey key() const { return {time, order, sender, place()}; }
};
static_assert(sizeof(EventHeader) == 56, "a payload of up to 8 bytes shares the header's cache line");

/// Order of two events that are at the same time.
inline bool before_at_same_time(const EventHeader& a, const EventHeader& b) {
  if (a.order != b.order) return a.order < b.order;
  if (a.sender != b.sender) return a.sender < b.sender;
  return a.place() < b.place();
}

inline bool before(const EventHeader& a, const EventHeader& b) {
  return a.time != b.time ? a.time < b.time : before_at_same_time(a, b);
}

/// Where the payload of type E lies behind the header.
template <class E>
inline constexpr std::size_t kPayloadOffset =
    (sizeof(EventHeader) + alignof(E) - 1) / alignof(E) * alignof(E);

template <class E>
E& payload(EventHeader& e) {
  return *reinterpret_cast<E*>(reinterpret_cast<std::byte*>(&e) + kPayloadOffset<E>);
}
template <class E>
const E& payload(const EventHeader& e) {
  return *reinterpret_cast<const E*>(reinterpret_cast<const std::byte*>(&e) + kPayloadOffset<E>);
}

}  // namespace anachron::event
