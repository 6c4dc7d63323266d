// What an event type says about its order among simultaneous events: `static constexpr anachron::Order
// order`.
#pragma once

#include <type_traits>

#include <anachron/event/order.hpp>

namespace anachron::detail {

template <class E>
concept HasConstantOrder = std::is_same_v<std::remove_cv_t<decltype(E::order)>, Order> &&
                           requires { typename std::bool_constant<Order(E::order).in_order>; };

/// What sends of event type E ask for. A member `order` that is not static is a member like others.
template <class E>
inline constexpr Order kOrderOf = [] {
  if constexpr (requires { requires !std::is_member_pointer_v<decltype(&E::order)>; }) {
    static_assert(
        HasConstantOrder<E>,
        "anachron: declare `static constexpr anachron::Order order{.priority = .., .in_order = ..};`");
    if constexpr (HasConstantOrder<E>) {
      static_assert(Order(E::order).is_valid(), "anachron: a priority is between -128 and 127");
      return E::order;
    } else {
      return Order{};
    }
  } else {
    return Order{};
  }
}();

}  // namespace anachron::detail
