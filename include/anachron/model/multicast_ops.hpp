// Makes the kernel's tables of broadcast events: one EventOps per (LP type, event type) that is broadcast,
// for its multicasts.
#pragma once

#include <algorithm>
#include <memory>
#include <type_traits>

#include <anachron/event/broadcast.hpp>
#include <anachron/model/lp_ops.hpp>

namespace anachron::detail {

template <class Lp, class E>
struct MulticastTable {
  using Payload = PayloadTable<E, event::kMulticastPayloadOffset<E>>;

  static bool unpack(event::Frame& frame, event::EventHeader& to, const event::EventHeader& multicast) {
    static_cast<void>(&kListedEvent<Lp, multicast_ops<Lp, E>()>);
    try {
      std::construct_at(&event::payload<E>(to), event::multicast_payload<E>(multicast));
      return true;
    } catch (...) {
      fail_with_exception(frame);
      return false;
    }
  }
  static void destroy(event::EventHeader& e) noexcept { std::destroy_at(&event::multicast_payload<E>(e)); }
  static bool equal(const event::EventHeader& a, const event::EventHeader& b) {
    return event::multicast_header(a).to == event::multicast_header(b).to &&
           equal_values(event::multicast_payload<E>(a), event::multicast_payload<E>(b));
  }
};

template <class Lp, class E>
inline constexpr event::EventOps kMulticastOps{
    .type_hash = kEventOps<Lp, E>.type_hash,
    .bytes = event::kMulticastPayloadOffset<E> + sizeof(E),
    .execute = nullptr,
    .commit = nullptr,
    .destroy = std::is_trivially_destructible_v<E> ? nullptr : &MulticastTable<Lp, E>::destroy,
    .undo = event::UndoKind::copy,
    .may_throw_unreversed = false,
    .event_name = kEventOps<Lp, E>.event_name,
    .equal =
        [] {
          if constexpr (HasEqualValues<E>)
            return &MulticastTable<Lp, E>::equal;
          else
            return nullptr;
        }(),
    .expands_into = &kEventOps<Lp, E>,
    .unpack = &MulticastTable<Lp, E>::unpack,
    .trivially_copyable = std::is_trivially_copyable_v<E>,
    .alignment = std::max({alignof(event::EventHeader), alignof(event::MulticastHeader), alignof(E)}),
    .copy = MulticastTable<Lp, E>::Payload::copy_or_null(),
    .move = &MulticastTable<Lp, E>::Payload::move,
    .encode = MulticastTable<Lp, E>::Payload::encode_or_null(),
    .decode = MulticastTable<Lp, E>::Payload::decode_or_null(),
};

template <class Lp, class E>
constexpr const event::EventOps& multicast_ops() {
  return kMulticastOps<Lp, E>;
}

}  // namespace anachron::detail
