// What plain.cpp and plain_calls.cpp share: the kernel's tables of types that are described at run time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <anachron/event/broadcast.hpp>
#include <anachron/model/plain.hpp>
#include <anachron/model/region/region.hpp>

namespace anachron::plain {

inline const LpData& data_of(const void* params) { return *static_cast<const LpData*>(params); }

inline Call::Call(event::Frame& of, const event::LpTypeEntry& type, const void* handler_user) noexcept
    : now(of.now),
      self(of.lp - type.first),
      lp_count(type.count),
      data(&data_of(type.params)),
      frame(&of),
      rng(of.seed, of.stream(), of.draws),
      user(handler_user) {}

/// Of the LP whose handler is called.
inline const event::LpTypeEntry& type_of(const event::Frame& frame) {
  for (const event::LpTypeEntry& type : frame.types)
    if (frame.lp - type.first < type.count) return type;
  return frame.types.front();  // there is always one
}

class EventType;

/// The kernel's table of an LP type, and what it refers to.
class LpType : public event::LpOps {
 public:
  LpType(const Model& model, std::uint32_t number, LpDescription description);

  const Model& model;
  const std::uint32_t number;
  LpDescription description;
  std::vector<std::unique_ptr<EventType>> events;
  event::EventOps cancellation;
  std::uint32_t wake_event = 0, settle_event = 0;  ///< of types with processes
  bool waits() const { return wake_event != settle_event; }

  void list(const event::EventOps& ops) {
    listed_.push_back(&ops);
    listed = listed_;
  }

 private:
  std::vector<const event::EventOps*> listed_;
  std::unique_ptr<region::Region> first_region_;  ///< that of states which have not written to theirs
};

inline const LpType& lp_type_of(const Call& call) {
  return static_cast<const LpType&>(*type_of(*call.frame).ops);
}

/// The kernel's table of an event. The payload lies right behind the header.
class EventType : public event::EventOps {
 public:
  EventType(const LpType& receiver, EventDescription description);

  // Asked for with every event:
  const Handler handler;
  const void* const user;
  const Undoer undoer;
  const std::uint32_t lp_type;  ///< of the receiver
  const std::uint32_t payload_bytes;
  const Order order;

  const LpType& receiver;
  const std::string name;
  event::EventOps multicast;  ///< of broadcasts

  static const EventType& of(const event::EventHeader& e) { return static_cast<const EventType&>(*e.ops); }
  static const EventType& of_multicast(const event::EventHeader& e) {
    return static_cast<const EventType&>(*e.ops->expands_into);
  }
  static std::byte* payload(event::EventHeader& e) { return reinterpret_cast<std::byte*>(&e + 1); }
  static const std::byte* payload(const event::EventHeader& e) {
    return reinterpret_cast<const std::byte*>(&e + 1);
  }
};

/// The payload of a broadcast lies behind the multicast's list of receivers.
inline constexpr std::size_t kMulticastPayloadOffset = event::kMulticastPayloadOffset<std::uint64_t>;
static_assert(alignof(event::EventHeader) <= Model::kAlignment &&
              alignof(event::MulticastHeader) <= Model::kAlignment &&
              alignof(std::uint64_t) == Model::kAlignment);

/// The payload of a multicast.
inline std::byte* multicast_payload(event::EventHeader& e) {
  return reinterpret_cast<std::byte*>(&e) + kMulticastPayloadOffset;
}
inline const std::byte* multicast_payload(const event::EventHeader& e) {
  return reinterpret_cast<const std::byte*>(&e) + kMulticastPayloadOffset;
}

}  // namespace anachron::plain
