// Makes the kernel's tables of broadcast events: one EventOps per (LP type, event type) that is broadcast,
// for its carriers.
#pragma once

#include <algorithm>
#include <memory>
#include <type_traits>

#include <anachron/event/broadcast.hpp>
#include <anachron/model/lp_ops.hpp>

namespace anachron::detail {

template <class Lp, class E>
struct CarrierTable {
  using Payload = PayloadTable<E, event::kCarriedOffset<E>>;

  static bool unpack(event::Frame& frame, event::EventHeader& to, const event::EventHeader& carrier) {
    static_cast<void>(&kListedEvent<Lp, carrier_ops<Lp, E>()>);
    try {
      std::construct_at(&event::payload<E>(to), event::carried<E>(carrier));
      return true;
    } catch (...) {
      fail_with_exception(frame);
      return false;
    }
  }
  static void destroy(event::EventHeader& e) noexcept { std::destroy_at(&event::carried<E>(e)); }
  static bool equal(const event::EventHeader& a, const event::EventHeader& b) {
    return event::carrier_of(a).to == event::carrier_of(b).to &&
           equal_values(event::carried<E>(a), event::carried<E>(b));
  }
};

template <class Lp, class E>
inline constexpr event::EventOps kCarrierOps{
    .type_hash = kEventOps<Lp, E>.type_hash,
    .bytes = event::kCarriedOffset<E> + sizeof(E),
    .execute = nullptr,
    .commit = nullptr,
    .destroy = std::is_trivially_destructible_v<E> ? nullptr : &CarrierTable<Lp, E>::destroy,
    .undo = event::UndoKind::copy,
    .may_throw_unreversed = false,
    .event_name = kEventOps<Lp, E>.event_name,
    .equal =
        [] {
          if constexpr (HasEqualValues<E>)
            return &CarrierTable<Lp, E>::equal;
          else
            return nullptr;
        }(),
    .carries = &kEventOps<Lp, E>,
    .unpack = &CarrierTable<Lp, E>::unpack,
    .trivially_copyable = std::is_trivially_copyable_v<E>,
    .alignment = std::max({alignof(event::EventHeader), alignof(event::Carrier), alignof(E)}),
    .copy = CarrierTable<Lp, E>::Payload::copy_or_null(),
    .move = &CarrierTable<Lp, E>::Payload::move,
    .encode = CarrierTable<Lp, E>::Payload::encode_or_null(),
    .decode = CarrierTable<Lp, E>::Payload::decode_or_null(),
};

template <class Lp, class E>
constexpr const event::EventOps& carrier_ops() {
  return kCarrierOps<Lp, E>;
}

}  // namespace anachron::detail
