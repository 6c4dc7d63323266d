// Whether two values are equal, also of types without operator==: what the rollback check and lazy
// cancellation compare.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <iterator>
#include <limits>
#include <type_traits>

#include <anachron/model/reflect.hpp>

namespace anachron::detail {

template <class T>
inline constexpr bool kIsStdArray = false;
template <class Element, std::size_t kSize>
inline constexpr bool kIsStdArray<std::array<Element, kSize>> = true;

template <class T>
constexpr bool has_equal_members();

/// equal_members can tell two T apart.
template <class T>
concept HasEqualMembers =
    std::is_trivially_copyable_v<T> && (std::has_unique_object_representations_v<T> || std::is_empty_v<T> ||
                                        std::is_floating_point_v<T> || has_equal_members<T>());

template <class T>
constexpr bool has_equal_members() {
  if constexpr (std::is_array_v<T>)
    return HasEqualMembers<std::remove_extent_t<T>>;
  else if constexpr (kIsStdArray<T>)
    return HasEqualMembers<typename T::value_type>;
  else if constexpr (MembersCanBeSeen<T>)
    return with_members(kNeverMade<T>.value,
                        []<class... Ms>(const Ms&...) { return (HasEqualMembers<Ms> && ...); });
  else
    return false;
}

template <class T>
inline constexpr std::size_t kBytesOfValue = sizeof(T);
template <>  // of an x87 number the other six are nothing
inline constexpr std::size_t kBytesOfValue<long double> =
    std::numeric_limits<long double>::digits == 64 ? 10 : sizeof(long double);

/// Equal bytes, those between members left out.
template <HasEqualMembers T>
bool equal_members(const T& a, const T& b) {
  if constexpr (std::is_empty_v<T>) {
    return true;
  } else if constexpr (std::has_unique_object_representations_v<T> || std::is_floating_point_v<T>) {
    return __builtin_memcmp(&a, &b, kBytesOfValue<T>) == 0;
  } else if constexpr (std::is_array_v<T> || kIsStdArray<T>) {
    for (std::size_t i = 0; i < std::size(a); ++i)
      if (!equal_members(a[i], b[i])) return false;
    return true;
  } else {
    return with_members(a, [&b](const auto&... of_a) {
      return with_members(b, [&of_a...](const auto&... of_b) { return (equal_members(of_a, of_b) && ...); });
    });
  }
}

#if __has_builtin(__builtin_clear_padding)
template <class T>
concept HasEqualBytes = std::is_trivially_copyable_v<T> && std::is_copy_constructible_v<T>;

template <HasEqualBytes T>
bool equal_bytes(T a, T b) {
  __builtin_clear_padding(&a);
  __builtin_clear_padding(&b);
  return __builtin_memcmp(&a, &b, sizeof(T)) == 0;
}
#else  // Clang before 20: not of classes with bases, private members, unions or bit-fields
template <class T>
concept HasEqualBytes = HasEqualMembers<T>;

template <HasEqualBytes T>
bool equal_bytes(const T& a, const T& b) {
  return equal_members(a, b);
}
#endif

template <class T>
concept HasEqualValues = std::equality_comparable<T> || HasEqualBytes<T>;

/// Equal values, or where the type has no operator== equal bytes, those between members left out.
template <HasEqualValues T>
bool equal_values(const T& a, const T& b) {
  if constexpr (std::equality_comparable<T>)
    return a == b;
  else
    return equal_bytes(a, b);
}

}  // namespace anachron::detail
