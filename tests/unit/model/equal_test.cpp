// Whether two values are equal, of types without operator==.
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <new>
#include <string>
#include <tuple>
#include <type_traits>

#include <gtest/gtest.h>

#include <anachron/model/equal.hpp>

namespace anachron::detail {
namespace {

enum class Colour : std::uint8_t { red, blue };
struct Nothing {};
struct Gappy {
  std::uint8_t first = 1;
  double number = 2;
  Colour colour = Colour::red;
};
struct Nested {
  Gappy gappy;
  std::array<Gappy, 2> several{};
  std::uint16_t numbers[3] = {4, 5, 6};
  Nothing nothing;
  const char* text = nullptr;
};
class Hidden {
 public:
  explicit Hidden(std::uint8_t first) : first_(first) {}

 private:
  std::uint8_t first_;
  std::uint32_t second_ = 0;
};
struct Broad : Gappy {
  int more = 0;
};
struct Exact {
  double number = 0;
  bool operator==(const Exact&) const = default;
};
struct Named {
  std::string name;
};
/// Structured bindings give one element and not two.
struct LikeATuple {
  std::int32_t number = 0;
  double value = 0;
};

}  // namespace
}  // namespace anachron::detail

template <>
struct std::tuple_size<anachron::detail::LikeATuple> : std::integral_constant<std::size_t, 1> {};

namespace anachron::detail {
namespace {

/// A T where the bytes between members are what is asked for, as far as the compiler leaves them alone.
template <class T>
class Among {
 public:
  explicit Among(int byte) {
    std::memset(bytes_, byte, sizeof bytes_);
    value_ = ::new (bytes_) T;
  }
  T& operator*() { return *value_; }

 private:
  alignas(T) std::byte bytes_[sizeof(T)];
  T* value_;
};

TEST(Equal, BytesBetweenMembersAreLeftOut) {
  Among<Nested> a(0x00), b(0xff);
  EXPECT_TRUE(equal_members(*a, *b));
  EXPECT_TRUE(equal_values(*a, *b));
}

template <class Change>
void expect_change_is_seen(Change change) {
  Among<Nested> a(0x00), b(0x00);
  change(*b);
  EXPECT_FALSE(equal_members(*a, *b));
  EXPECT_FALSE(equal_members(*b, *a));
  EXPECT_FALSE(equal_values(*a, *b));
}

TEST(Equal, EachMemberCounts) {
  expect_change_is_seen([](Nested& x) { x.gappy.first = 9; });
  expect_change_is_seen([](Nested& x) { x.gappy.number = std::nextafter(2.0, 3.0); });
  expect_change_is_seen([](Nested& x) { x.gappy.colour = Colour::blue; });
  expect_change_is_seen([](Nested& x) { x.several[1].colour = Colour::blue; });
  expect_change_is_seen([](Nested& x) { x.numbers[2] = 7; });
  expect_change_is_seen([](Nested& x) { x.text = "text"; });
}

// No operator== says anything else.
TEST(Equal, BytesAreComparedAndNotNumbers) {
  const Gappy nan{.number = std::nan("")};
  EXPECT_TRUE(equal_members(nan, nan));
  EXPECT_TRUE(equal_values(nan, nan));
  EXPECT_FALSE(equal_members(Gappy{.number = 0.0}, Gappy{.number = -0.0}));
  EXPECT_FALSE(equal_values(Gappy{.number = 0.0}, Gappy{.number = -0.0}));
}

TEST(Equal, LongNumbersHaveBytesThatAreNothing) {
  Among<long double> a(0x00), b(0xff);
  *a = 1.5L;
  *b = 1.5L;
  EXPECT_TRUE(equal_members(*a, *b));
  *b = 1.25L;
  EXPECT_FALSE(equal_members(*a, *b));
}

TEST(Equal, WhatATypeSaysItselfIsAsked) {
  EXPECT_FALSE(equal_values(Exact{std::nan("")}, Exact{std::nan("")}));
  EXPECT_TRUE(equal_values(Exact{0.0}, Exact{-0.0}));
}

// Compared where the compiler says where members are, else not at all.
template <class T>
void expect_equality_if_any(const T& a, const T& same, const T& other) {
  if constexpr (HasEqualValues<T>) {
    EXPECT_TRUE(equal_values(a, same));
    EXPECT_FALSE(equal_values(a, other));
  }
}

TEST(Equal, OfTypesWhoseMembersCannotBeSeen) {
  static_assert(HasEqualMembers<Nothing> && HasEqualMembers<Nested> &&
                HasEqualMembers<std::array<double, 3>>);
  static_assert(!HasEqualMembers<Hidden> && !HasEqualMembers<Broad> && !HasEqualMembers<Named> &&
                !HasEqualMembers<LikeATuple>);
  static_assert(HasEqualValues<Exact> && HasEqualValues<std::string> && !HasEqualValues<Named>);
  expect_equality_if_any(Hidden(1), Hidden(1), Hidden(2));
}

}  // namespace
}  // namespace anachron::detail
