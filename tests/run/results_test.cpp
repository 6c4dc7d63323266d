#include <anachron/model/results.hpp>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "fake_model.hpp"

namespace anachron::test {
namespace {

TEST(Results, GathersEachKindOfFigure) {
  Results r;
  r.count("cars");
  r.count("cars", 41);
  r.add("length", 1.5);
  r.add("length", 2);
  r.mean("time", 10);
  r.mean("time", 20, 4);
  r.min("first", 3);
  r.min("first", -1);
  r.max("last", -7);
  r.max("last", -8);
  EXPECT_EQ(r.value("cars"), 42);
  EXPECT_EQ(r.value("length"), 3.5);
  EXPECT_EQ(r.value("time"), 6);
  EXPECT_EQ(r.value("first"), -1);
  EXPECT_EQ(r.value("last"), -7);
  ASSERT_EQ(r.figures().size(), 5u);
  EXPECT_EQ(r.figures()[0].first, "cars");
  EXPECT_EQ(r.figures()[4].first, "last");
  EXPECT_THROW(r.value("none"), std::out_of_range);
}

TEST(Results, MeanOfNothingIsNoNumber) {
  Results r;
  r.mean("time", 0, 0);
  EXPECT_TRUE(std::isnan(r.value("time")));
}

TEST(Results, OneOperationPerName) {
  Results r;
  r.count("x");
  EXPECT_EQ(message_of<InputError>([&] { r.mean("x", 1); }),
            "result 'x' is used with 'count' and with 'mean': a name is used with one operation only");
  EXPECT_EQ(r.value("x"), 1);
}

TEST(Results, CountsDoNotOverflow) {
  Results r;
  r.count("x", std::numeric_limits<std::int64_t>::max());
  EXPECT_THROW(r.count("x"), InputError);
}

TEST(Results, TablesKeepTheirColumns) {
  Results r;
  r.row("links", {"id", "name"}, {std::int64_t{1}, std::string("a")});
  r.row("links", {"id", "name"}, {std::int64_t{2}, std::string("b")});
  ASSERT_EQ(r.tables().at("links").rows.size(), 2u);
  EXPECT_THROW(r.row("links", {"id", "flow"}, {std::int64_t{3}, 1.0}), InputError);
  EXPECT_THROW(r.row("links", {"id", "name"}, {std::int64_t{3}}), InputError);
  EXPECT_EQ(r.tables().at("links").rows.size(), 2u);
}

}  // namespace
}  // namespace anachron::test
