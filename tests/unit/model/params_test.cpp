#include <anachron/model/params.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include <anachron/base/error.hpp>

namespace {

using anachron::Describe;
using anachron::InputError;
using anachron::Option;
using anachron::options_of;
using anachron::validate;

enum class Shape { square, circle };
enum Unscoped : unsigned char { kOne = 1, kHigh = 200 };

struct Params {
  std::uint32_t events_per_lp = 16;
  double mean = 1.5;
  bool fast = false;
  Shape shape = Shape::circle;
  std::string network = "Chicago Sketch";
  std::int64_t offset = -3;
  Unscoped level = kHigh;

  static void describe(Describe<Params>& d) {
    d(&Params::level, "A level").choices({{"one", kOne}, {"high", kHigh}}).hint("LEVEL");
    d(&Params::events_per_lp, "Events of each LP").at_least(1).below(1000);
    d(&Params::mean, "Mean delay").above(0).at_most(10);
    d(&Params::shape, "Shape of the city").choices({{"square", Shape::square}, {"circle", Shape::circle}});
    d(&Params::network, "Road network").hint("FILE").name("net");
    d(&Params::fast, "Be fast");
  }
};

std::string error_of(const auto& use) {
  try {
    use();
  } catch (const InputError& error) {
    return error.what();
  } catch (const std::logic_error& error) {
    return std::string("logic error: ") + error.what();
  }
  return "no error";
}

TEST(Params, AreOptionsInOrderOfDeclaration) {
  Params params;
  std::vector<std::string> lines;
  for (const Option& o : options_of(params))
    lines.push_back(o.name + '/' + o.hint + '/' + o.default_text + '/' + o.help +
                    (o.is_switch() ? "/switch" : ""));
  EXPECT_EQ(lines, (std::vector<std::string>{
                       "events-per-lp/N/16/Events of each LP",
                       "mean/X/1.5/Mean delay",
                       "fast//false/Be fast/switch",
                       "shape/square|circle/circle/Shape of the city",
                       "net/FILE/Chicago Sketch/Road network",
                       "offset/N/-3/",
                       "level/LEVEL/high/A level",
                   }));
}

TEST(Params, ListTheChoicesOfEnumerationsOnly) {
  Params params;
  const auto options = options_of(params);
  EXPECT_EQ(options[3].choices, (std::vector<std::string>{"square", "circle"}));
  EXPECT_TRUE(options[0].choices.empty());
}

TEST(Params, AreSetByText) {
  Params params;
  const auto options = options_of(params);
  const std::vector<std::string> texts{"2k", "0.25", "true", "square", "", "-12", "one"};
  EXPECT_EQ(error_of([&] { options[0].set("2k"); }),
            "--events-per-lp: '2k' is not valid: expected a whole number >= 1 and < 1000");
  options[0].set("0.5k");
  for (std::size_t i = 1; i < texts.size(); ++i) options[i].set(texts[i]);
  EXPECT_EQ(params.events_per_lp, 500u);
  EXPECT_EQ(params.mean, 0.25);
  EXPECT_TRUE(params.fast);
  EXPECT_EQ(params.shape, Shape::square);
  EXPECT_EQ(params.network, "");
  EXPECT_EQ(params.offset, -12);
  EXPECT_EQ(params.level, kOne);
  for (std::size_t i = 1; i < texts.size(); ++i) EXPECT_EQ(options[i].text(), texts[i]);
  EXPECT_EQ(options[0].text(), "500");
  EXPECT_EQ(options[0].default_text, "16");  // as it was when the options were made
}

TEST(Params, DefaultsArePresentValues) {
  Params params;
  params.events_per_lp = 17;
  EXPECT_EQ(options_of(params)[0].default_text, "17");
}

TEST(Params, RefuseBadTextAndKeepTheirValue) {
  Params params;
  const auto options = options_of(params);
  const auto set = [&](std::size_t i, const char* text) { return error_of([&] { options[i].set(text); }); };
  EXPECT_EQ(set(0, "0"), "--events-per-lp: '0' is not valid: expected a whole number >= 1 and < 1000");
  EXPECT_EQ(set(0, "1000"), "--events-per-lp: '1000' is not valid: expected a whole number >= 1 and < 1000");
  EXPECT_EQ(set(1, "0"), "--mean: '0' is not valid: expected a number > 0 and <= 10");
  EXPECT_EQ(set(1, "10.5"), "--mean: '10.5' is not valid: expected a number > 0 and <= 10");
  EXPECT_EQ(set(3, "round"), "--shape: 'round' is not valid: expected one of square, circle");
  EXPECT_NE(set(0, "many").find("--events-per-lp: 'many'"), std::string::npos);
  EXPECT_NE(set(0, "-1").find("--events-per-lp: '-1'"), std::string::npos);
  EXPECT_NE(set(0, "5000000000").find("--events-per-lp: '5000000000'"), std::string::npos);
  EXPECT_NE(set(1, "nan").find("--mean: 'nan'"), std::string::npos);
  EXPECT_NE(set(2, "maybe").find("--fast: 'maybe'"), std::string::npos);
  EXPECT_EQ(params.events_per_lp, 16u);
  EXPECT_EQ(params.mean, 1.5);
  EXPECT_EQ(params.shape, Shape::circle);
}

TEST(Params, AreCheckedWhenSetInCpp) {
  Params params;
  EXPECT_NO_THROW(validate(params));
  params.mean = 11;
  EXPECT_EQ(error_of([&] { validate(params); }),
            "--mean: '11' is not valid: expected a number > 0 and <= 10");
  params.mean = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(error_of([&] { validate(params); }),
            "--mean: 'NaN' is not valid: expected a number > 0 and <= 10");
  params = {};
  params.shape = static_cast<Shape>(7);
  EXPECT_EQ(error_of([&] { validate(params); }), "--shape: '7' is not valid: expected one of square, circle");
}

struct Plain {
  int a = 1, some_longer_name = 2;
  float x = 0.1f;
};

TEST(Params, NeedNoDescription) {
  Plain plain;
  const auto options = options_of(plain);
  ASSERT_EQ(options.size(), 3u);
  EXPECT_EQ(options[1].name, "some-longer-name");
  EXPECT_EQ(options[2].default_text, "0.1");
  options[1].set("-5");
  EXPECT_EQ(plain.some_longer_name, -5);
  EXPECT_NO_THROW(validate(plain));
}

struct Empty {};

TEST(Params, MayBeEmpty) {
  Empty empty;
  EXPECT_TRUE(options_of(empty).empty());
  EXPECT_NO_THROW(validate(empty));
}

struct Numbers {
  signed char a = -1;
  unsigned char b = 2;
  short c = -3;
  unsigned short d = 4;
  int e = -5;
  unsigned f = 6;
  long g = -7;
  unsigned long h = 8;
  long long i = -9;
  unsigned long long j = 10;
  float k = 11.5f;
  double l = 12.5;
};

TEST(Params, MayBeAnyNumber) {
  Numbers numbers;
  std::string text, names;
  for (const Option& o : options_of(numbers)) {
    text += o.default_text + ' ';
    names += o.name;
    o.set("100");
  }
  EXPECT_EQ(text, "-1 2 -3 4 -5 6 -7 8 -9 10 11.5 12.5 ");
  EXPECT_EQ(names, "abcdefghijkl");
  EXPECT_EQ(numbers.a + numbers.b + numbers.c + numbers.d + numbers.e, 500);
  EXPECT_EQ(error_of([&] { options_of(numbers)[0].set("200"); }).rfind("--a: '200' is out of range", 0), 0u);
}

struct Limits {
  std::uint64_t high = 1;
  std::int64_t low = 1;
  static void describe(Describe<Limits>& d) {
    d(&Limits::high, "").at_least(std::numeric_limits<std::uint64_t>::max());
    d(&Limits::low, "").at_most(std::numeric_limits<std::int64_t>::min());
  }
};

TEST(Params, BoundsAreExactFor64Bits) {
  Limits limits;
  const auto options = options_of(limits);
  EXPECT_NO_THROW(options[0].set("18446744073709551615"));
  EXPECT_THROW(options[0].set("18446744073709551614"), InputError);
  EXPECT_NO_THROW(options[1].set("-9223372036854775808"));
  EXPECT_THROW(options[1].set("-9223372036854775807"), InputError);
}

struct Many {
  int m01 = 1, m02 = 2, m03 = 3, m04 = 4, m05 = 5, m06 = 6, m07 = 7, m08 = 8, m09 = 9, m10 = 10, m11 = 11;
  int m12 = 12, m13 = 13, m14 = 14, m15 = 15, m16 = 16, m17 = 17, m18 = 18, m19 = 19, m20 = 20, m21 = 21;
  std::string m22 = "22", m23 = "23", m24 = "24", m25 = "25", m26 = "26", m27 = "27", m28 = "28", m29 = "29";
  double m30 = 30, m31 = 31, m32 = 32;
};

TEST(Params, MayHave32Members) {
  Many many;
  const auto options = options_of(many);
  ASSERT_EQ(options.size(), 32u);
  for (std::size_t i = 0; i < options.size(); ++i) {
    const std::string number = std::to_string(i + 1);
    EXPECT_EQ(options[i].name, (i < 9 ? "m0" : "m") + number);
    EXPECT_EQ(options[i].default_text, number);
  }
}

struct Two {
  bool a = true, b = false;
};
static_assert(anachron::detail::member_count<Empty>() == 0);
static_assert(anachron::detail::member_count<Two>() == 2);
static_assert(anachron::detail::member_count<Params>() == 7);
static_assert(anachron::detail::member_count<Many>() == 32);
static_assert(anachron::detail::member_name<Params, 0>() == "events_per_lp");
static_assert(anachron::detail::member_name<Params, 4>() == "network");

struct GenericallyDescribed {
  int a = 1;
  static void describe(auto& d) { d(&GenericallyDescribed::a, "An a").at_least(1); }
};

TEST(Params, MayBeDescribedGenerically) {
  GenericallyDescribed params;
  EXPECT_EQ(options_of(params)[0].help, "An a");
}

struct Unnamed {
  Shape shape = Shape::square;
};
struct SameName {
  int a = 1, b = 2;
  static void describe(Describe<SameName>& d) { d(&SameName::a, "").name("b"); }
};
struct SameChoice {
  Shape shape = Shape::square;
  static void describe(Describe<SameChoice>& d) {
    d(&SameChoice::shape, "").choices({{"x", Shape::square}, {"x", Shape::circle}});
  }
};

TEST(Params, DescriptionsThatMakeNoSenseAreLogicErrors) {
  Unnamed unnamed;
  EXPECT_EQ(error_of([&] { options_of(unnamed); }),
            "logic error: anachron: Unnamed::shape is an enumeration: `describe` must name its values, "
            "d(&P::member, \"...\").choices({{\"name\", value}})");
  EXPECT_EQ(error_of([&] { validate(unnamed); }).rfind("logic error: ", 0), 0u);
  SameName same;
  EXPECT_EQ(error_of([&] { options_of(same); }),
            "logic error: anachron: SameName::b has the same option name as a");
  SameChoice choice;
  EXPECT_EQ(error_of([&] { options_of(choice); }),
            "logic error: anachron: SameChoice::shape has two choices of the name x");
}

TEST(Params, OptionsOutliveTheirDescription) {
  Params params;
  Option copy;
  {
    auto options = options_of(params);
    copy = options[1];
  }
  copy.set("2");
  EXPECT_EQ(params.mean, 2);
  EXPECT_EQ(copy.text(), "2");
}

TEST(Params, MayBeALocalType) {
  struct Local {
    int inner_value = 4;
  } local;
  EXPECT_EQ(options_of(local)[0].name, "inner-value");
}

}  // namespace
