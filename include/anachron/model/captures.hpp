// Does a callable capture by reference? What it refers to is mostly a local variable of the handler, gone
// when the callable runs.
//
// C++20 does not list a closure's members, but two facts tell. A class with a member that is a reference is
// no standard-layout class. And a value that holds an address cannot be made of bytes in a constant
// expression (std::bit_cast). A closure with both properties is refused.
// - Not noticed: pointers, since they often lead to what outlives the run. References in a closure that is
//   not trivially copyable, such as one that has captured a std::vector, are not noticed either.
// - Refused without need: a class of which some data are private or in a base class, captured by value
//   together with a pointer or a union (a std::optional has one). A struct with an operator() may have these:
//   it is no closure.
#pragma once

#include <array>
#include <bit>
#include <type_traits>

namespace anachron::detail {

template <class T>
constexpr bool make_of_bytes() {
  static_cast<void>(std::bit_cast<T>(std::array<unsigned char, sizeof(T)>{}));
  return true;
}
template <class T>
concept HoldsNoAddress = requires { typename std::bool_constant<make_of_bytes<T>()>; };

template <class Callable>
concept CapturesByReference = !std::is_aggregate_v<Callable> && std::is_trivially_copyable_v<Callable> &&
                              !std::is_standard_layout_v<Callable> && !HoldsNoAddress<Callable>;

}  // namespace anachron::detail
