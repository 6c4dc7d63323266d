#include <anachron/base/type_name.hpp>

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace type_name_models {

struct Link {
  struct Enter {};
};
enum class Colour { red };
template <class T>
struct Grid {
  struct Cell {};
  template <class U>
  struct Pair {};
};

}  // namespace type_name_models

struct TypeNameGlobal {};

namespace anachron {
namespace {

namespace named = type_name_models;

struct Hidden {};

static_assert(type_name<int>() == "int");
static_assert(type_name<named::Link>() == "type_name_models::Link");
static_assert(type_name<named::Link::Enter>() == "type_name_models::Link::Enter");
static_assert(type_name<TypeNameGlobal>() == "TypeNameGlobal");

TEST(TypeName, IsTheQualifiedName) {
  EXPECT_EQ(type_name<Hidden>(), "anachron::{anonymous}::Hidden");  // with each compiler
  EXPECT_EQ(type_name<named::Colour>(), "type_name_models::Colour");
  EXPECT_EQ(type_name<named::Grid<int>>(), "type_name_models::Grid<int>");
  EXPECT_NE(type_name<named::Grid<int>>(), type_name<named::Grid<long>>());
  EXPECT_NE(type_name<std::string>().find("string"), std::string_view::npos);
}

TEST(TypeName, ShortIsTheLastPart) {
  EXPECT_EQ(short_type_name<int>(), "int");
  EXPECT_EQ(short_type_name<TypeNameGlobal>(), "TypeNameGlobal");
  EXPECT_EQ(short_type_name<named::Link>(), "Link");
  EXPECT_EQ(short_type_name<named::Link::Enter>(), "Enter");
  EXPECT_EQ(short_type_name<Hidden>(), "Hidden");
}

TEST(TypeName, ShortOfALocalType) {
  struct Local {};
  EXPECT_EQ(short_type_name<Local>(), "Local");
}

TEST(TypeName, ShortOfATemplateKeepsItsArguments) {
  EXPECT_EQ(short_type_name<named::Grid<int>>(), "Grid<int>");
  EXPECT_EQ(short_type_name<named::Grid<named::Link>>(), "Grid<type_name_models::Link>");
}

TEST(TypeName, ShortOfATypeInATemplate) {
  EXPECT_EQ(short_type_name<named::Grid<int>::Cell>(), "Cell");
  EXPECT_EQ(short_type_name<named::Grid<named::Link>::Cell>(), "Cell");
  EXPECT_EQ(short_type_name<named::Grid<int>::Pair<named::Link>>(), "Pair<type_name_models::Link>");
}

template <class T>
std::string_view local_of(const std::vector<T>&) {
  struct Local {};
  return short_type_name<Local>();
}

TEST(TypeName, ShortOfATypeInAFunctionTemplate) { EXPECT_EQ(local_of(std::vector<named::Link>()), "Local"); }

}  // namespace
}  // namespace anachron
