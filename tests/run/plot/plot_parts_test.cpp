// What pictures are made of: ticks, columns, PNG files, colours.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "run/fake_model.hpp"
#include "run/plot/colours.hpp"
#include "run/plot/columns.hpp"
#include "run/plot/formats/png.hpp"
#include "run/plot/kinds/draw.hpp"
#include "run/plot/scale.hpp"

namespace anachron::test {
namespace {

using plot::Range;
using plot::Ticks;

std::vector<std::string> labels(const Ticks& ticks) {
  std::vector<std::string> out;
  for (const double tick : ticks.at()) out.push_back(ticks.label(tick));
  return out;
}

TEST(Ticks, AreRoundAndInTheRange) {
  EXPECT_EQ(labels(Ticks({0, 10}, 5)), (std::vector<std::string>{"0", "2", "4", "6", "8", "10"}));
  EXPECT_EQ(labels(Ticks({-0.31, 0.42}, 6)), (std::vector<std::string>{"\u22120.3", "\u22120.2", "\u22120.1",
                                                                       "0.0", "0.1", "0.2", "0.3", "0.4"}));
  EXPECT_EQ(labels(Ticks({1.00, 1.04}, 4)),
            (std::vector<std::string>{"1.00", "1.01", "1.02", "1.03", "1.04"}));
  EXPECT_EQ(labels(Ticks({3, 3}, 4)), std::vector<std::string>{"3"});
  for (const double scale : {1e-12, 1e-3, 1.0, 1e7, 1e300})
    for (const double offset : {-3.0, 0.0, 0.37, 12.0}) {
      const Range range{offset * scale, (offset + 1.7) * scale};
      const Ticks ticks(range, 6);
      ASSERT_GE(ticks.at().size(), 3u) << scale << " " << offset;
      ASSERT_LE(ticks.at().size(), 13u);
      for (const double tick : ticks.at()) {
        EXPECT_GE(tick, range.low - 1e-9 * scale);
        EXPECT_LE(tick, range.high + 1e-9 * scale);
      }
      auto names = labels(ticks);
      std::sort(names.begin(), names.end());
      EXPECT_EQ(std::unique(names.begin(), names.end()), names.end()) << scale << " " << offset;
    }
}

TEST(Ticks, LargeAndSmallNumbersHaveAnExponent) {
  const Ticks small({0, 4.4e-4}, 4), large({0, 2.2e6}, 4), common({0, 1}, 4);
  EXPECT_EQ(small.exponent(), -6);
  EXPECT_EQ(labels(small).back(), "400");
  EXPECT_EQ(large.exponent(), 6);
  EXPECT_EQ(common.exponent(), 0);
  EXPECT_EQ(plot::axis_title({"volts", "field", "V"}, -6), "field [10\u207b\u2076 V]");
  EXPECT_EQ(plot::axis_title({"mean_travel_time", "", "min"}, 0), "mean travel time [min]");
  EXPECT_EQ(plot::axis_title({"column", "", ""}, 3), "column [10\u00b3]");
  EXPECT_EQ(plot::axis_title({"column", "", ""}, 0), "column");
}

TEST(Columns, OfNumbersTakeNothingElse) {
  Results results;
  results.row("t", {"a", "b"}, {std::int64_t{3}, std::string("x")});
  results.row("t", {"a", "b"}, {0.5, std::numeric_limits<double>::infinity()});
  const plot::Columns columns(results, "t");
  EXPECT_EQ(columns.numbers("a"), (std::vector<double>{3, 0.5}));
  for (const double value : columns.numbers("b")) EXPECT_TRUE(std::isnan(value));
  EXPECT_EQ(columns.texts("a"), (std::vector<std::string>{"3", "0.5"}));
  EXPECT_EQ(message_of<plot::Undrawable>([&] { columns.numbers("c"); }),
            "table 't' has no column 'c'; it has a, b");
  EXPECT_EQ(message_of<plot::Undrawable>([&] { plot::Columns(results, "u"); }),
            "the results have no table 'u'");
}

TEST(Columns, CoveredRangeLeavesOutAsManyAtBothEnds) {
  std::vector<double> values{std::nan("")};
  for (int i = 0; i < 100; ++i) values.push_back((i * 37) % 100);
  const Range all = plot::covered_range(values, 1), most = plot::covered_range(values, 0.9);
  EXPECT_EQ(all.low, 0);
  EXPECT_EQ(all.high, 99);
  EXPECT_EQ(most.low, 5);
  EXPECT_EQ(most.high, 94);
}

// RFC 4648, section 10.
TEST(Base64, IsThatOfTheStandard) {
  EXPECT_EQ(plot::base64(""), "");
  EXPECT_EQ(plot::base64("f"), "Zg==");
  EXPECT_EQ(plot::base64("fo"), "Zm8=");
  EXPECT_EQ(plot::base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(plot::base64("\xff\xfe\x3e"), "//4+");
}

/// Reads PNG files as `png` writes them: checks all that a reader checks, bit by bit.
std::vector<plot::Pixel> decode(std::string_view file, std::uint32_t& width, std::uint32_t& height) {
  const auto byte = [&file](std::size_t at) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(file.at(at)));
  };
  const auto word = [&](std::size_t at) {
    return byte(at) << 24 | byte(at + 1) << 16 | byte(at + 2) << 8 | byte(at + 3);
  };
  EXPECT_EQ(file.substr(0, 8), "\x89PNG\r\n\x1a\n");
  std::string stream;
  for (std::size_t at = 8; at < file.size();) {
    const std::size_t size = word(at);
    std::uint32_t crc = 0xffffffff;
    for (std::size_t i = at + 4; i < at + 8 + size; ++i) {
      crc ^= byte(i);
      for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
    }
    EXPECT_EQ(~crc, word(at + 8 + size));
    const std::string_view type = file.substr(at + 4, 4);
    if (type == "IHDR") {
      width = word(at + 8);
      height = word(at + 12);
      EXPECT_EQ(byte(at + 16), 8u);
      EXPECT_EQ(byte(at + 17), 6u);
    } else if (type == "IDAT") {
      stream += file.substr(at + 8, size);
    }
    at += 12 + size;
  }
  std::string rows;
  const auto of_stream = [&stream](std::size_t at) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(stream.at(at)));
  };
  EXPECT_EQ((of_stream(0) * 256 + of_stream(1)) % 31, 0u);
  std::size_t at = 2;
  for (bool is_last = false; !is_last;) {
    is_last = of_stream(at) == 1;
    const std::uint32_t size = of_stream(at + 1) | of_stream(at + 2) << 8;
    EXPECT_EQ(size ^ 0xffff, of_stream(at + 3) | of_stream(at + 4) << 8);
    rows += stream.substr(at + 5, size);
    at += 5 + size;
  }
  std::uint32_t a = 1, b = 0;
  for (const char c : rows) {
    a = (a + static_cast<unsigned char>(c)) % 65521;
    b = (b + a) % 65521;
  }
  EXPECT_EQ(of_stream(at) << 24 | of_stream(at + 1) << 16 | of_stream(at + 2) << 8 | of_stream(at + 3),
            b << 16 | a);
  std::vector<plot::Pixel> pixels;
  for (std::size_t y = 0; y < height; ++y) {
    const std::string row = rows.substr(y * (4 * std::size_t{width} + 1), 4 * std::size_t{width} + 1);
    EXPECT_EQ(row.at(0), '\0');
    for (std::size_t x = 0; x < width; ++x) {
      const auto part = [&](std::size_t k) { return static_cast<std::uint8_t>(row.at(1 + 4 * x + k)); };
      pixels.push_back({part(0), part(1), part(2), part(3)});
    }
  }
  return pixels;
}

bool equal(const plot::Pixel& a, const plot::Pixel& b) {
  return a.red == b.red && a.green == b.green && a.blue == b.blue && a.opacity == b.opacity;
}

TEST(Png, ReadsBackAlsoInSeveralBlocks) {
  for (const auto& [width, height] : {std::pair(1u, 1u), std::pair(3u, 2u), std::pair(150u, 260u)}) {
    std::vector<plot::Pixel> pixels;
    for (std::uint32_t i = 0; i < width * height; ++i)
      pixels.push_back({static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(i / 7),
                        static_cast<std::uint8_t>(i / 1000), static_cast<std::uint8_t>(255 - i % 3)});
    std::uint32_t w = 0, h = 0;
    const auto read = decode(plot::png(width, height, pixels), w, h);
    EXPECT_EQ(w, width);
    EXPECT_EQ(h, height);
    EXPECT_TRUE(std::equal(read.begin(), read.end(), pixels.begin(), pixels.end(), equal));
  }
}

TEST(Colours, BeginAndEndAsTheirSourcesDo) {
  EXPECT_EQ(plot::hex(plot::sequential(0)), "#440154");
  EXPECT_EQ(plot::hex(plot::sequential(1)), "#fde724");
  EXPECT_EQ(plot::hex(plot::sequential(7)), "#fde724");
  EXPECT_EQ(plot::hex(plot::diverging(0.5)), "#f7f7f7");
}

}  // namespace
}  // namespace anachron::test
