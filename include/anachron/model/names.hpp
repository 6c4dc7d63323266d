// What LP types and event types are called in digests, messages and reports: as they say themselves, or as
// the compiler spells them.
#pragma once

#include <cstddef>
#include <string_view>
#include <type_traits>

#include <anachron/base/type_name.hpp>

namespace anachron::detail {

template <class T>
concept HasTextAsName =
    requires { typename std::integral_constant<std::size_t, std::string_view(T::name).size()>; };

/// T, an LP type or an event type, names itself: `static constexpr std::string_view name`.
template <class T>
inline constexpr bool kNamesItself = [] {
  if constexpr (requires { requires !std::is_member_pointer_v<decltype(&T::name)>; }) {
    static_assert(HasTextAsName<T>, "anachron: declare `static constexpr std::string_view name = \"..\";`");
    return HasTextAsName<T>;
  } else {
    return false;
  }
}();

/// The name that digests are made of.
template <class T>
constexpr std::string_view full_name() {
  if constexpr (kNamesItself<T>)
    return T::name;
  else
    return type_name<T>();
}

/// Its last part, without template arguments, for messages and reports.
template <class T>
constexpr std::string_view short_name() {
  return without_arguments(last_part(full_name<T>()));
}

/// Others of the types have the same short name.
template <class T, class... Ts>
constexpr bool shares_short_name() {
  return ((short_name<T>() == short_name<Ts>()) + ... + 0) > 1;
}

/// Two of the names are equal.
template <class... Ts>
constexpr bool share_a_name() {
  const std::string_view names[] = {full_name<Ts>()...};
  for (std::size_t i = 0; i < sizeof...(Ts); ++i)
    for (std::size_t k = 0; k < i; ++k)
      if (names[i] == names[k]) return true;
  return false;
}

}  // namespace anachron::detail
