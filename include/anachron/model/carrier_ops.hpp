// Makes the kernel's tables of broadcast events: one EventOps per (LP type, event type) that is broadcast,
// for its carriers.
#pragma once

#include <memory>
#include <type_traits>

#include <anachron/event/broadcast.hpp>
#include <anachron/model/lp_ops.hpp>

namespace anachron::detail {

template <class E>
struct CarrierTable {
  static bool unpack(event::Frame& frame, event::EventHeader& to, const event::EventHeader& carrier) {
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
    .event_name = kEventOps<Lp, E>.event_name,
    .type_hash = kEventOps<Lp, E>.type_hash,
    .bytes = event::kCarriedOffset<E> + sizeof(E),
    .undo = event::UndoKind::copy,
    .may_throw = false,
    .execute = nullptr,
    .commit = nullptr,
    .destroy = std::is_trivially_destructible_v<E> ? nullptr : &CarrierTable<E>::destroy,
    .equal =
        [] {
          if constexpr (kHasEqualValues<E>)
            return &CarrierTable<E>::equal;
          else
            return nullptr;
        }(),
    .carries = &kEventOps<Lp, E>,
    .unpack = &CarrierTable<E>::unpack,
};

template <class Lp, class E>
constexpr const event::EventOps& carrier_ops() {
  return kCarrierOps<Lp, E>;
}

}  // namespace anachron::detail
