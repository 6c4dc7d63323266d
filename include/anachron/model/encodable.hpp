// Which types can be encoded, and what stands in the way of those that cannot.
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

#include <anachron/model/codec.hpp>
#include <anachron/model/reflect.hpp>

namespace anachron {

class ArchiveWriter;
class ArchiveReader;

namespace detail {

template <class F, class C>
std::type_identity<C> class_of(F C::*);
template <class T>
concept DeclaresSerialize = requires {
  { class_of(&T::template serialize<ArchiveWriter>) } -> std::same_as<std::type_identity<T>>;
};
/// Has a base class, and nothing of its own that its base cannot name.
template <class T>
concept AddsNoMember = std::is_aggregate_v<T> && HasBase<T> && member_count<T>() == 1;

/// T says itself what it consists of: `template <class Archive> void serialize(Archive&)`. A base class
/// cannot say it for members that it does not have.
template <class T>
concept HasSerialize = requires(T& t, ArchiveWriter& writer, ArchiveReader& reader) {
  t.serialize(writer);
  t.serialize(reader);
} && (DeclaresSerialize<T> || AddsNoMember<T>);

enum class Obstacle : std::uint8_t {
  none,
  points_elsewhere,  ///< its value is an address
  is_polymorphic,    ///< a unique_ptr to it may point to a derived class
  is_constant,       ///< a member cannot be read back
  is_hidden,         ///< a class of which the members are not known
  lacks_default,     ///< cannot be made before its members are read
  has_open_values,   ///< an enumeration for which not all numbers are values
  has_no_format,     ///< long double: each processor has its own
};

/// `Part` is the type that the obstacle is about.
template <Obstacle kObstacle, class Part_>
struct Verdict {
  static constexpr Obstacle kWhy = kObstacle;
  using Part = Part_;
};
using Approval = Verdict<Obstacle::none, void>;

template <class T>
inline constexpr bool kPointsElsewhere = std::is_pointer_v<T> || std::is_member_pointer_v<T> ||
                                         std::is_reference_v<T> || std::is_null_pointer_v<T>;
template <class T, class Deleter>  // those that have a codec are not asked
inline constexpr bool kPointsElsewhere<std::unique_ptr<T, Deleter>> = true;
template <class T>
inline constexpr bool kPointsElsewhere<std::shared_ptr<T>> = true;
template <class T>
inline constexpr bool kPointsElsewhere<std::weak_ptr<T>> = true;
template <class T>
inline constexpr bool kPointsElsewhere<std::reference_wrapper<T>> = true;
template <class T>
inline constexpr bool kPointsElsewhere<std::function<T>> = true;
template <class C, class Traits>
inline constexpr bool kPointsElsewhere<std::basic_string_view<C, Traits>> = true;
template <class T, std::size_t kExtent>
inline constexpr bool kPointsElsewhere<std::span<T, kExtent>> = true;

template <class T>
inline constexpr bool kIsUniquePointer = false;
template <class T, class Deleter>
inline constexpr bool kIsUniquePointer<std::unique_ptr<T, Deleter>> = true;

template <class T>
concept IsComplete = requires { sizeof(T); };

/// Every number of the underlying type is a value of the enumeration: its declaration names that type, or it
/// is an `enum class`.
template <class E>
concept HasFixedType = requires { E{std::underlying_type_t<E>{}}; };

struct ListTypes {
  template <class... Ts>
  constexpr TypeList<Ts...> operator()(Ts&...) const {
    return {};
  }
};
template <class P>
using MembersOf = decltype(with_members(std::declval<P&>(), ListTypes()));

template <class T, class... Within>
constexpr auto examine();

/// The first verdict that is not an approval.
template <class... Within>
constexpr auto examine_all(TypeList<>) {
  return Approval();
}
template <class... Within, class T, class... Ts>
constexpr auto examine_all(TypeList<T, Ts...>) {
  using First = decltype(examine<T, Within...>());
  if constexpr (First::kWhy != Obstacle::none)
    return First();
  else
    return examine_all<Within...>(TypeList<Ts...>());
}

/// `Within`: types of which a T is part. One that contains itself, in a vector or behind a pointer, has no
/// obstacle that is not found elsewhere in it.
template <class T, class... Within>
constexpr auto examine() {
  if constexpr ((std::is_same_v<T, Within> || ...)) {
    return Approval();
  } else if constexpr (std::is_const_v<T> || std::is_volatile_v<T>) {
    return Verdict<Obstacle::is_constant, T>();
  } else if constexpr (std::is_same_v<T, long double>) {
    return Verdict<Obstacle::has_no_format, T>();
  } else if constexpr (std::is_arithmetic_v<T>) {
    return Approval();
  } else if constexpr (std::is_enum_v<T>) {
    if constexpr (HasFixedType<T>)
      return Approval();
    else
      return Verdict<Obstacle::has_open_values, T>();
  } else if constexpr (HasCodec<T>) {
    using Parts = decltype(examine_all<T, Within...>(typename Codec<T>::Parts()));
    if constexpr (kIsUniquePointer<T> && Parts::kWhy == Obstacle::none) {
      using Pointee = typename std::pointer_traits<T>::element_type;
      if constexpr (std::is_polymorphic_v<Pointee> && !std::is_final_v<Pointee>)
        return Verdict<Obstacle::is_polymorphic, Pointee>();
      else
        return Parts();
    } else {
      return Parts();
    }
  } else if constexpr (kPointsElsewhere<T>) {
    return Verdict<Obstacle::points_elsewhere, T>();
  } else if constexpr (!IsComplete<T>) {
    return Verdict<Obstacle::is_hidden, T>();
  } else if constexpr (HasSerialize<T> || MembersCanBeSeen<T>) {
    if constexpr (!std::is_default_constructible_v<T>)
      return Verdict<Obstacle::lacks_default, T>();
    else if constexpr (HasSerialize<T>)
      return Approval();
    else
      return examine_all<T, Within...>(MembersOf<T>());
  } else {
    return Verdict<Obstacle::is_hidden, T>();
  }
}

template <class... Ts>
constexpr bool are_plain(TypeList<Ts...>) {
  return (is_plain<Ts>() && ...);
}
template <class... Ts>
constexpr std::size_t sum_of_sizes(TypeList<Ts...>) {
  return (sizeof(Ts) + ... + 0);
}
template <class... Ts>
constexpr std::size_t sum_of_least_bytes(TypeList<Ts...>) {
  return (least_bytes<Ts>() + ... + 0);
}

template <class T>
constexpr bool is_plain() {
  if constexpr (std::is_arithmetic_v<T>)
    return !std::is_same_v<T, bool> && !std::is_same_v<T, long double> &&
           (sizeof(T) == 1 || std::endian::native == std::endian::little);
  else if constexpr (std::is_enum_v<T>)
    return HasFixedType<T> && is_plain<std::underlying_type_t<T>>();
  else if constexpr (!std::is_trivially_copyable_v<T> || HasSerialize<T>)
    return false;
  else if constexpr (requires { Codec<T>::kIsPlain; })
    return Codec<T>::kIsPlain;
  else if constexpr (!HasCodec<T> && MembersCanBeSeen<T>)
    return !std::is_empty_v<T> && are_plain(MembersOf<T>()) && sum_of_sizes(MembersOf<T>()) == sizeof(T);
  else
    return false;
}

template <class T>
constexpr std::size_t least_bytes() {
  if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>)
    return sizeof(T);
  else if constexpr (HasCodec<T>)
    return Codec<T>::kLeastBytes;
  else if constexpr (!HasSerialize<T> && MembersCanBeSeen<T>)
    return sum_of_least_bytes(MembersOf<T>());
  else
    return 0;
}

/// Stops the compiler with the reason why T cannot be encoded; Part is the type in it that stands in the way.
template <Obstacle kWhy, class Part, class T>
constexpr void explain_obstacle() {
  static_assert(
      kWhy != Obstacle::points_elsewhere,
      "anachron: T cannot be encoded, because Part (both are named in this error) refers to memory of "
      "this process. Send the value itself (std::vector, std::string, std::optional, std::unique_ptr "
      "of one object), an anachron::Id, or the index of something in the shared data");
  static_assert(kWhy != Obstacle::is_polymorphic,
                "anachron: T cannot be encoded: a std::unique_ptr to Part (both are named in this error) may "
                "point to an object of a derived class. Use a std::variant, or declare Part `final`");
  static_assert(kWhy != Obstacle::is_constant,
                "anachron: T cannot be encoded: a member of the type Part (both are named in this error) is "
                "const or volatile, so it cannot be read back. Declare it without, or give the class "
                "`template <class Archive> void serialize(Archive& ar) { ar(first, second); }`");
  static_assert(
      kWhy != Obstacle::is_hidden,
      "anachron: T cannot be encoded: what members Part has (both are named in this error) is not known, "
      "because it is no plain aggregate of at most 32 members without base class, union and bit-field. "
      "Give it a public `template <class Archive> void serialize(Archive& ar) { ar(first, second); }` "
      "that names them; that of a base class only serves a class that adds no member");
  static_assert(kWhy != Obstacle::lacks_default,
                "anachron: T cannot be encoded: Part (both are named in this error) must be "
                "default-constructible, because it is made before its members are read");
  static_assert(
      kWhy != Obstacle::has_open_values,
      "anachron: T cannot be encoded: the enumeration Part (both are named in this error) must name its "
      "underlying type, as in `enum Colour : std::uint8_t`, or be an `enum class`");
  static_assert(
      kWhy != Obstacle::has_no_format,
      "anachron: T cannot be encoded: Part (both are named in this error) differs between processors. "
      "Use a double");
}

}  // namespace detail

/// Values of type T can be sent to another process, and written to a checkpoint. These are numbers, `bool`,
/// enumerations with a fixed type, `an::Id` and `an::AnyId`. Of the standard library: strings, containers,
/// `std::optional`, `std::variant`, `std::unique_ptr`, pairs, tuples, arrays and durations. Beside these,
/// aggregates of such members, and classes that have a `template <class Archive> void serialize(Archive&)`.
template <class T>
concept Encodable = decltype(detail::examine<T>())::kWhy == detail::Obstacle::none;

/// Fails to compile, saying why and what to write, unless T is Encodable.
template <class T>
constexpr void check_encodable() {
  using Found = decltype(detail::examine<T>());
  detail::explain_obstacle<Found::kWhy, typename Found::Part, T>();
}

}  // namespace anachron
