#include "run/report/format.hpp"

#include <cstdint>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include <anachron/model/results.hpp>

#include "run/report/table_csv.hpp"

namespace anachron::test {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

TEST(Format, Numbers) {
  EXPECT_EQ(grouped(std::uint64_t{0}), "0");
  EXPECT_EQ(grouped(std::uint64_t{999}), "999");
  EXPECT_EQ(grouped(std::uint64_t{1000}), "1,000");
  EXPECT_EQ(grouped(std::int64_t{-1234567}), "-1,234,567");
  EXPECT_EQ(scaled(0), "0");
  EXPECT_EQ(scaled(7), "7");
  EXPECT_EQ(scaled(999.6), "1.00 k");
  EXPECT_EQ(scaled(14'823'000), "14.8 M");
  EXPECT_EQ(scaled(999'999), "1.00 M");
  EXPECT_EQ(scaled(1e20), "100000 P");
  EXPECT_EQ(bytes(1023), "1023 B");
  EXPECT_EQ(bytes(330'000'000), "315 MiB");
  EXPECT_EQ(percent(1), "100.0%");
  EXPECT_EQ(percent(0.99999), "99.9%");
  EXPECT_EQ(percent(0.123), "12.3%");
  EXPECT_EQ(duration(1.5e-5), "15.0 us");
  EXPECT_EQ(duration(0.0123), "12.3 ms");
  EXPECT_EQ(duration(12.34), "12.3 s");
  EXPECT_EQ(duration(99.99), "1:40 min");
  EXPECT_EQ(duration(3661), "1:01:01 h");
}

TEST(Format, Figures) {
  EXPECT_EQ(figure(0), "0");
  EXPECT_EQ(figure(42), "42");
  EXPECT_EQ(figure(-1234567), "-1,234,567");
  EXPECT_EQ(figure(1234567.89), "1,234,568");
  EXPECT_EQ(figure(1234.5678), "1,234.57");
  EXPECT_EQ(figure(12.345678), "12.3457");
  EXPECT_EQ(figure(0.0012345678), "0.00123457");
  EXPECT_EQ(figure(1.5e-7), "1.5e-07");
  EXPECT_EQ(figure(1e18), "1e+18");
  EXPECT_EQ(figure(kInf), "inf");
}

TEST(TableCsv, QuotesWhatNeedsIt) {
  Results results;
  results.row("t", {"id", "a,b", "x"}, {std::int64_t{-1}, std::string("say \"hi\"\nthere"), 0.1});
  results.row("t", {"id", "a,b", "x"}, {std::int64_t{2}, std::string("plain"), kInf});
  EXPECT_EQ(table_csv(results.tables().at("t")),
            "id,\"a,b\",x\n-1,\"say \"\"hi\"\"\nthere\",0.1\n2,plain,inf\n");
  EXPECT_EQ(table_file_name("links"), "links.csv");
  EXPECT_EQ(table_file_name("../a b"), ".._a_b.csv");
}

}  // namespace
}  // namespace anachron::test
