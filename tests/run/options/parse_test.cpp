#include <anachron/base/parse.hpp>
#include <anachron/base/suggest.hpp>

#include <cmath>
#include <limits>

#include "run/fake_model.hpp"

namespace anachron::test {
namespace {

constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();

TEST(Parse, Counts) {
  EXPECT_EQ(parse_count("0"), 0u);
  EXPECT_EQ(parse_count("1024"), 1024u);
  EXPECT_EQ(parse_count("10k"), 10'000u);
  EXPECT_EQ(parse_count("2M"), 2'000'000u);
  EXPECT_EQ(parse_count("3G"), 3'000'000'000u);
  EXPECT_EQ(parse_count("1.5M"), 1'500'000u);
  EXPECT_EQ(parse_count("1.50M"), 1'500'000u);
  EXPECT_EQ(parse_count("0.001k"), 1u);
  EXPECT_EQ(parse_count("7.0"), 7u);
  EXPECT_EQ(parse_count("18446744073709551615"), kMost);
  EXPECT_EQ(parse_count("18446744073709551.615k"), kMost);
}

TEST(Parse, RejectsWhatIsNoCount) {
  for (const char* text : {"",
                           "k",
                           "x",
                           "1x",
                           "1 ",
                           " 1",
                           "+1",
                           "-1",
                           "1.5",
                           "1.",
                           ".5k",
                           "0.0001k",
                           "1K",
                           "1kk",
                           "0x10",
                           "1e3",
                           "nan",
                           "18446744073709551616",
                           "18446744073709551.616k",
                           "99999999999999999999999",
                           "19000000T",
                           "1.00000000000000000000001k",
                           "10MiB"})
    EXPECT_THROW(parse_count(text), InputError) << text;
}

TEST(Parse, Integers) {
  EXPECT_EQ(parse_integer("-3"), -3);
  EXPECT_EQ(parse_integer("-10k"), -10'000);
  EXPECT_EQ(parse_integer("9223372036854775807"), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(parse_integer("-9223372036854775808"), std::numeric_limits<std::int64_t>::min());
  for (const char* text : {"", "-", "--1", "- 1", "9223372036854775808", "-9223372036854775809", "1.5", "-x"})
    EXPECT_THROW(parse_integer(text), InputError) << text;
}

TEST(Parse, Reals) {
  EXPECT_EQ(parse_real("0.1"), 0.1);
  EXPECT_EQ(parse_real("-2"), -2.0);
  EXPECT_EQ(parse_real("1e-3"), 1e-3);
  for (const char* text : {"", "x", "1x", "1 ", " 1", "1,5", "nan", "-nan", "inf", "-inf", "infinity",
                           "1e400", "1e-400", "0x1p3"})
    EXPECT_THROW(parse_real(text), InputError) << text;
}

TEST(Parse, NaNReadsTheSameWhateverItsSign) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(format_real(nan), "NaN");
  EXPECT_EQ(format_real(-nan), "NaN");
  EXPECT_EQ(format_real(-std::numeric_limits<float>::quiet_NaN()), "NaN");
}

TEST(Parse, Sizes) {
  EXPECT_EQ(parse_size("4096"), 4096u);
  EXPECT_EQ(parse_size("4096B"), 4096u);
  EXPECT_EQ(parse_size("64KiB"), 65536u);
  EXPECT_EQ(parse_size("1.5GiB"), 1'610'612'736u);
  EXPECT_EQ(parse_size("16777215TiB"), 16777215ull << 40);
  for (const char* text : {"", "MiB", "1MB", "1k", "1mib", "-1MiB", "16777216TiB", "0.3B"})
    EXPECT_THROW(parse_size(text), InputError) << text;
  for (const char* text : {"0", "1", "1023", "1KiB", "1025", "64KiB", "1536MiB", "3GiB", "16777215TiB"})
    EXPECT_EQ(format_size(parse_size(text)), text);
}

TEST(Parse, Bools) {
  for (const char* text : {"true", "yes", "on", "1"}) EXPECT_TRUE(parse_bool(text));
  for (const char* text : {"false", "no", "off", "0"}) EXPECT_FALSE(parse_bool(text));
  for (const char* text : {"", "True", "2", "y"}) EXPECT_THROW(parse_bool(text), InputError) << text;
}

TEST(ParseValue, ChecksTheRangeOfEachType) {
  EXPECT_EQ(parse_value<std::uint8_t>("x", "255"), 255);
  EXPECT_EQ(parse_value<std::int16_t>("x", "-32768"), -32768);
  EXPECT_EQ(parse_value<std::uint32_t>("x", "4G"), 4'000'000'000u);
  EXPECT_EQ(parse_value<float>("x", "0.1"), 0.1f);
  EXPECT_EQ(parse_value<std::string>("x", " as it is "), " as it is ");
  EXPECT_TRUE(parse_value<bool>("x", "true"));
  EXPECT_THROW(parse_value<std::uint8_t>("x", "256"), InputError);
  EXPECT_THROW(parse_value<std::int16_t>("x", "-32769"), InputError);
  EXPECT_THROW(parse_value<std::uint32_t>("x", "5G"), InputError);
  EXPECT_THROW(parse_value<float>("x", "1e39"), InputError);
}

TEST(ParseValue, NamesOptionValueAndWhatIsValid) {
  EXPECT_EQ(message_of<InputError>([] { parse_value<std::uint32_t>("lps", "many"); }),
            "--lps: 'many' is not valid: expected a whole number such as 1000, 10k, 2M or 1G");
  EXPECT_EQ(message_of<InputError>([] { parse_value<std::uint8_t>("--lps", "1k"); }),
            "--lps: '1k' is out of range: expected 0 to 255");
  EXPECT_EQ(message_of<InputError>(
                [] { throw bad_choice("queue", "headp", std::vector<std::string>{"radix", "heap"}); }),
            "--queue: 'headp' is not valid: expected one of radix, heap; did you mean 'heap'?");
}

TEST(FormatValue, IsReadBackExactly) {
  for (const double x : {0.1, 1.0 / 3, 1e300, -0.0, 5e-324}) {
    const double back = parse_real(format_value(x));
    EXPECT_EQ(back, x);
    EXPECT_EQ(std::signbit(back), std::signbit(x));
  }
  EXPECT_EQ(format_value(0.1f), "0.1");
  EXPECT_EQ(format_value(std::uint8_t{65}), "65");
  EXPECT_EQ(format_value(true), "true");
  EXPECT_EQ(format_value(kMost), "18446744073709551615");
}

TEST(Suggest, CountsEdits) {
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("workers", "wokrers"), 1u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  EXPECT_EQ(edit_distance("same", "same"), 0u);
}

TEST(Suggest, OnlyWhatIsNear) {
  const std::vector<std::string> names{"lps", "events-per-lp", "mean", "epg"};
  EXPECT_EQ(did_you_mean("lpss", names), "; did you mean 'lps'?");
  EXPECT_EQ(did_you_mean("events_per_lp", names), "; did you mean 'events-per-lp'?");
  EXPECT_EQ(did_you_mean("Mean", names), "; did you mean 'mean'?");
  EXPECT_EQ(did_you_mean("receiver", names), "");
  EXPECT_EQ(did_you_mean("", names), "");
  const std::vector<std::string> options{"--core-swap", "--reactivation"}, models{"phold", "stress"};
  EXPECT_EQ(did_you_mean("--relay", options), "; it is called '--core-swap' now");
  EXPECT_EQ(did_you_mean("strain", models), "; it is called 'stress' now");
  EXPECT_EQ(did_you_mean("strain", names), "") << "here nothing was called so";
}

}  // namespace
}  // namespace anachron::test
