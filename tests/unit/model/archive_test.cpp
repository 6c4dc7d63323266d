// Values as bytes: the format, round trips, and input that nobody has written.
#include <anachron/model/archive.hpp>

#include <array>
#include <chrono>
#include <complex>
#include <cstdint>
#include <deque>
#include <limits>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "scale.hpp"

namespace anachron {
namespace {

using Bytes = std::vector<std::byte>;
using Random = std::mt19937_64;

Bytes bytes_of(std::initializer_list<int> values) {
  Bytes bytes;
  for (const int value : values) bytes.push_back(static_cast<std::byte>(value));
  return bytes;
}

struct Hub;
enum class Colour : std::uint8_t { red, green, blue };
enum class Switch : bool { off, on };
enum Plain : std::int16_t { first = -1, second = 500 };

struct Empty {
  bool operator==(const Empty&) const = default;
};
struct Padded {
  char letter = 0;
  double number = 0;
  std::uint16_t tail = 0;
  bool operator==(const Padded&) const = default;
};
struct Tight {
  std::uint32_t a = 0;
  float b = 0;
  Id<Hub> c;
  std::array<std::uint8_t, 4> d{};
  bool operator==(const Tight&) const = default;
};

/// Says itself what it consists of; one member follows from another.
class Sorted {
 public:
  Sorted() = default;
  explicit Sorted(std::vector<int> values) : values_(std::move(values)) { sort(); }

  template <class Archive>
  void serialize(Archive& ar) {
    ar(values_);
    if constexpr (Archive::kIsReading) sort();
  }
  bool operator==(const Sorted&) const = default;

 private:
  void sort() {
    std::sort(values_.begin(), values_.end());
    greatest_ = values_.empty() ? 0 : values_.back();
  }
  std::vector<int> values_;
  int greatest_ = 0;
};

/// Has nothing to say.
struct Silent {
  template <class Archive>
  void serialize(Archive&) {}
  bool operator==(const Silent&) const = default;
};

struct Tree {
  int value = 0;
  std::vector<Tree> branches;
  std::unique_ptr<Tree> other;

  bool operator==(const Tree& tree) const {
    return value == tree.value && branches == tree.branches && !other == !tree.other &&
           (!other || *other == *tree.other);
  }
};

struct Everything {
  bool flag = false;
  char letter = 0;
  std::int8_t tiny = 0;
  std::uint64_t huge = 0;
  double real = 0;
  Colour colour = Colour::red;
  Switch light = Switch::off;
  Plain plain = first;
  Id<Hub> id;
  std::string text;
  std::u16string wide;
  std::vector<double> reals;
  std::vector<bool> bits;
  std::vector<std::string> texts;
  std::vector<Empty> nothing;
  std::deque<Padded> padded;
  std::list<Silent> silent;
  std::array<std::optional<int>, 3> perhaps;
  int grid[2][3] = {};
  std::pair<std::string, Tight> pair;
  std::tuple<int, std::vector<Tight>, bool> tuple;
  std::variant<std::monostate, int, std::string> variant;
  std::map<std::string, std::vector<int>> map;
  std::multimap<int, int> multimap;
  std::set<Id<Hub>> set;
  std::unordered_map<int, std::string> hashed;
  std::unordered_multiset<std::uint16_t> multiset;
  std::chrono::nanoseconds duration{};
  std::complex<double> complex;
  Sorted sorted;
  Tree tree;

  bool operator==(const Everything&) const = default;
};

template <class Make>
auto some(Random& random, Make make) {
  std::vector<decltype(make())> values(random() % 5);
  for (auto&& value : values) value = make();
  return values;
}
int number(Random& random) { return static_cast<int>(random()); }
std::string text(Random& random) {
  std::string s(random() % 6, ' ');
  for (char& c : s) c = static_cast<char>(random());
  return s;
}
Tight tight(Random& random) {
  return {static_cast<std::uint32_t>(random()), static_cast<float>(number(random)), Id<Hub>(7), {1, 2, 3}};
}
Tree tree(Random& random, int depth = 0) {
  Tree t{number(random), {}, nullptr};
  if (depth == 3) return t;
  t.branches.resize(random() % 3);
  for (Tree& branch : t.branches) branch = tree(random, depth + 1);
  if (random() % 2) t.other = std::make_unique<Tree>(tree(random, depth + 1));
  return t;
}

Everything everything(std::uint64_t seed) {
  Random random(seed);
  Everything e;
  e.flag = random() % 2;
  e.letter = static_cast<char>(random());
  e.tiny = static_cast<std::int8_t>(random());
  e.huge = random();
  e.real = static_cast<double>(number(random)) / 7;
  e.colour = static_cast<Colour>(random() % 3);
  e.light = random() % 2 ? Switch::on : Switch::off;
  e.plain = second;
  e.id = Id<Hub>(static_cast<std::uint32_t>(random()));
  e.text = text(random);
  e.wide = u"sm\u00f8rrebr\u00f8d";
  e.reals = some(random, [&] { return number(random) / 3.0; });
  e.bits.resize(random() % 20);
  for (auto&& bit : e.bits) bit = random() % 2;
  e.texts = some(random, [&] { return text(random); });
  e.nothing.resize(random() % 4);
  e.padded.resize(random() % 4, {'x', 1.5, 3});
  e.silent.resize(random() % 4);
  e.perhaps[random() % 3] = number(random);
  e.grid[1][random() % 3] = number(random);
  e.pair = {text(random), tight(random)};
  e.tuple = {number(random), some(random, [&] { return tight(random); }), random() % 2};
  if (random() % 3) e.variant = text(random);
  if (random() % 3 == 0) e.variant = number(random);
  for (const int x : some(random, [&] { return number(random); })) {
    e.map[text(random)].push_back(x);
    e.multimap.emplace(x % 2, x);
    e.set.emplace(static_cast<std::uint32_t>(x));
    e.hashed.emplace(x, text(random));
    e.multiset.emplace(x % 3);
  }
  e.duration = std::chrono::nanoseconds(number(random));
  e.complex = {1.5, e.real};
  e.sorted = Sorted(some(random, [&] { return number(random); }));
  e.tree = tree(random);
  return e;
}

/// A value or an InputError, and nothing else.
template <class T>
std::optional<T> try_to_decode(std::span<const std::byte> bytes) {
  try {
    return decode<T>(bytes);
  } catch (const InputError&) {
    return {};
  }
}

static_assert(Encodable<Everything> && Encodable<Tree> && Encodable<int> && Encodable<Sorted>);
static_assert(detail::is_plain<Tight>() && detail::is_plain<Id<Hub>>() && detail::is_plain<Plain>());
static_assert(!detail::is_plain<Padded>() && !detail::is_plain<bool>() && !detail::is_plain<Switch>());
static_assert(!detail::is_plain<Empty>() && !detail::is_plain<std::optional<int>>());

TEST(Archive, HasThisFormat) {
  EXPECT_EQ(encode(std::uint32_t{0x01020304}), bytes_of({4, 3, 2, 1}));
  EXPECT_EQ(encode(std::int16_t{-2}), bytes_of({0xfe, 0xff}));
  EXPECT_EQ(encode(1.0), bytes_of({0, 0, 0, 0, 0, 0, 0xf0, 0x3f}));
  EXPECT_EQ(encode(true), bytes_of({1}));
  EXPECT_EQ(encode(Colour::blue), bytes_of({2}));
  EXPECT_EQ(encode(Id<Hub>(5)), bytes_of({5, 0, 0, 0}));
  EXPECT_EQ(encode(std::string("ab")), bytes_of({2, 'a', 'b'}));
  EXPECT_EQ(encode(std::vector<std::uint16_t>{1, 2}), bytes_of({2, 1, 0, 2, 0}));
  EXPECT_EQ(encode(std::vector<bool>{1, 0, 1, 0, 0, 0, 0, 0, 1}), bytes_of({9, 5, 1}));
  EXPECT_EQ(encode(std::vector<Empty>(2)), bytes_of({2, 0, 0}));
  EXPECT_EQ(encode(Padded{'a', 1.0, 2}), bytes_of({'a', 0, 0, 0, 0, 0, 0, 0xf0, 0x3f, 2, 0}));
  EXPECT_EQ(encode(std::optional<Colour>()), bytes_of({0}));
  EXPECT_EQ(encode(std::optional(Colour::green)), bytes_of({1, 1}));
  EXPECT_EQ(encode(std::variant<bool, Colour>(Colour::green)), bytes_of({1, 1}));
  EXPECT_EQ(encode(std::map<bool, Colour>{{false, Colour::blue}, {true, Colour::red}}),
            bytes_of({2, 0, 2, 1, 0}));
  EXPECT_EQ(encode(Bytes(300)).size(), 302u);
  EXPECT_EQ(encode(Bytes(300))[0], std::byte{0x80 | (300 & 0x7f)});
  EXPECT_EQ(encode(Bytes(300))[1], std::byte{300 >> 7});
}

RC_GTEST_PROP(Archive, GivesBackWhatWasWritten, (std::uint64_t seed)) {
  const Everything value = everything(seed);
  const Bytes bytes = encode(value);
  RC_ASSERT(decode<Everything>(bytes) == value);
}

RC_GTEST_PROP(Archive, EqualValuesHaveEqualBytes, (std::uint64_t seed)) {
  Everything value = everything(seed);
  value.hashed.clear();
  value.multiset.clear();
  const Bytes bytes = encode(value);
  RC_ASSERT(encode(decode<Everything>(bytes)) == bytes);
}

TEST(Archive, RefusesEveryPrefix) {
  for (std::uint64_t seed = 0; seed < test::scaled(50u); ++seed) {
    const Bytes bytes = encode(everything(seed));
    for (std::size_t size = 0; size < bytes.size(); ++size)
      ASSERT_FALSE(try_to_decode<Everything>(std::span(bytes).first(size))) << seed << ' ' << size;
  }
}

TEST(Archive, RefusesWhatIsTooLong) {
  Bytes bytes = encode(std::string("abc"));
  bytes.push_back({});
  EXPECT_FALSE(try_to_decode<std::string>(bytes));
}

TEST(Archive, SurvivesCorruptBytes) {
  Random random(1);
  for (std::uint64_t seed = 0; seed < test::scaled(3000u); ++seed) {
    Bytes bytes = encode(everything(seed));
    for (auto flips = 1 + random() % 8; flips > 0; --flips)
      bytes[random() % bytes.size()] ^= static_cast<std::byte>(1u << random() % 8);
    if (const auto value = try_to_decode<Everything>(bytes)) encode(*value);
  }
}

TEST(Archive, SurvivesRandomBytes) {
  Random random(1);
  for (unsigned i = 0; i < test::scaled(10'000u); ++i) {
    Bytes bytes(random() % 200);
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random() % 4 ? random() % 4 : random());
    try_to_decode<Everything>(bytes);
    try_to_decode<Tree>(bytes);
    try_to_decode<std::map<std::string, Tree>>(bytes);
  }
}

TEST(Archive, TakesNoMemoryOnTheWordOfALength) {
  Bytes huge;
  ByteWriter(huge).length(std::uint64_t{1} << 62);
  huge.resize(huge.size() + 100);
  EXPECT_FALSE(try_to_decode<std::string>(huge));
  EXPECT_FALSE(try_to_decode<std::vector<double>>(huge));
  EXPECT_FALSE(try_to_decode<std::vector<Tree>>(huge));
  EXPECT_FALSE(try_to_decode<std::vector<Empty>>(huge));
  EXPECT_FALSE(try_to_decode<std::list<Silent>>(huge));
  EXPECT_FALSE(try_to_decode<std::vector<bool>>(huge));
  EXPECT_FALSE((try_to_decode<std::map<int, int>>(huge)));
  EXPECT_FALSE(try_to_decode<std::unordered_set<int>>(huge));
}

TEST(Archive, RefusesNumbersThatNoValueHas) {
  EXPECT_FALSE(try_to_decode<bool>(bytes_of({2})));
  EXPECT_FALSE(try_to_decode<Switch>(bytes_of({3})));
  EXPECT_FALSE(try_to_decode<std::optional<bool>>(bytes_of({7, 0})));
  EXPECT_FALSE((try_to_decode<std::variant<bool, Colour>>(bytes_of({2, 0}))));
  EXPECT_FALSE(try_to_decode<std::string>(bytes_of({0x80, 0}))) << "a length with a leading zero";
  EXPECT_FALSE(
      try_to_decode<std::string>(bytes_of({0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02, 0})))
      << "a length of 65 bits";
  EXPECT_FALSE(try_to_decode<std::set<bool>>(bytes_of({2, 1, 1}))) << "a key twice";
}

TEST(Archive, LimitsHowDeepValuesAre) {
  Bytes chain;
  for (int i = 0; i < 1'000'000; ++i)  // a Tree with the value 0, no branches, and another
    for (const int byte : {0, 0, 0, 0, 0, 1}) chain.push_back(static_cast<std::byte>(byte));
  EXPECT_FALSE(try_to_decode<Tree>(chain));

  auto trees = std::make_unique<Tree>();
  const auto wrap = [&](int times) {
    for (int i = 0; i < times; ++i) trees = std::make_unique<Tree>(Tree{i, {}, std::move(trees)});
  };
  wrap(400);
  EXPECT_EQ(decode<Tree>(encode(*trees)), *trees);
  wrap(400);
  EXPECT_THROW(encode(*trees), InputError);
}

TEST(Archive, KeepsEveryBitOfANumber) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(encode(decode<double>(encode(-nan))), encode(-nan));
  EXPECT_TRUE(std::signbit(decode<double>(encode(-0.0))));
}

TEST(Archive, OnlyOneOfTwoDirectionsChangesTheObject) {
  const Sorted sorted({3, 1, 2});
  EXPECT_EQ(decode<Sorted>(encode(sorted)), sorted);
}

// In whatever order they were inserted, and however many buckets there are.
TEST(Archive, EqualUnorderedContainersHaveEqualBytes) {
  std::unordered_map<std::string, int> a, b;
  b.reserve(1000);
  for (int i = 0; i < 100; ++i) a[std::to_string(i)] = i * i;
  for (int i = 99; i >= 0; --i) b[std::to_string(i)] = i * i;
  EXPECT_EQ(encode(a), encode(b));
  EXPECT_EQ((decode<std::unordered_map<std::string, int>>(encode(b))), a);
  const std::unordered_multiset<int> c{3, 1, 3, 2}, d{1, 2, 3, 3};
  EXPECT_EQ(encode(c), encode(d));
  b["7"] = 8;
  EXPECT_NE(encode(a), encode(b));
}

}  // namespace
}  // namespace anachron
