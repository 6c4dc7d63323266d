// Values as text: what a trace shows of an event.

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include <anachron/anachron.hpp>
#include <anachron/model/print.hpp>

namespace anachron::test {
namespace {

template <class T>
std::string printed(const T& x) {
  std::string out;
  detail::print(out, x);
  return out;
}

struct Hub {};
struct Office {};
enum class Colour : std::uint8_t { red = 3 };
struct Empty {};
struct Inner {
  int x = 1;
  std::vector<bool> bits;
};
struct Outer {
  Inner inner;
  double share = 0.1;
  std::optional<Id<Hub>> to;
  Empty empty;
};
class Hidden {
 public:
  template <class Archive>
  void serialize(Archive& ar) {
    ar(number_, text_);
  }

 private:
  int number_ = 4;
  std::string text_ = "four";
};

TEST(Print, NumbersAreTheShortestThatReadBack) {
  EXPECT_EQ(printed(0.1), "0.1");
  EXPECT_EQ(printed(1e300), "1e+300");
  EXPECT_EQ(printed(-0.0), "-0");
  EXPECT_EQ(printed(std::uint64_t{18446744073709551615u}), "18446744073709551615");
  EXPECT_EQ(printed(std::int8_t{-5}), "-5");
  EXPECT_EQ(printed('a'), "97");
  EXPECT_EQ(printed(true), "true");
  EXPECT_EQ(printed(Colour::red), "3");
}

TEST(Print, TextsAreQuotedOnOneLine) {
  EXPECT_EQ(printed(std::string("a \"b\"\n\x1b[0m\\")), "\"a \\\"b\\\"\\x0a\\x1b[0m\\\\\"");
}

TEST(Print, IdsAreNumbersAndSayTheTypeWhereItIsOpen) {
  EXPECT_EQ(printed(Id<Hub>(7)), "7");
  EXPECT_EQ((printed(AnyId<Hub, Office>(Id<Office>(7)))), "Office 7");
}

TEST(Print, ContainersAndAggregates) {
  EXPECT_EQ(printed(std::vector<int>{}), "[]");
  EXPECT_EQ(printed(std::deque<int>{1, 2}), "[1, 2]");
  EXPECT_EQ(printed(std::array<double, 2>{0.5, 1}), "[0.5, 1]");
  EXPECT_EQ((printed(std::map<int, std::string>{{1, "a"}, {2, "b"}})), "[(1, \"a\"), (2, \"b\")]");
  EXPECT_EQ(printed(Empty{}), "{}");
  EXPECT_EQ(printed(Outer{{1, {true, false}}, 0.1, Id<Hub>(3), {}}),
            "{inner: {x: 1, bits: [true, false]}, share: 0.1, to: 3, empty: {}}");
  EXPECT_EQ(printed(Outer{}), "{inner: {x: 1, bits: []}, share: 0.1, to: none, empty: {}}");
  EXPECT_EQ(printed(Hidden()), "{4, \"four\"}");
  EXPECT_EQ(printed(Stream{2}), "{2, 0}");
}

// Text that depends on the run, or on nothing that is known, is none.
TEST(Print, WhatCannotBeLookedIntoIsAQuestionMark) {
  int x = 0;
  EXPECT_EQ(printed(&x), "?");
  EXPECT_EQ(printed(static_cast<const char*>("text")), "?");
  EXPECT_EQ(printed(std::make_shared<int>(1)), "?");
  EXPECT_EQ(printed(std::filesystem::path("a")), "?");
  EXPECT_EQ((printed(std::unordered_set<int>{1, 2, 3})), "3 elements");
}

}  // namespace
}  // namespace anachron::test
