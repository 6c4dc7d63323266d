// What can be encoded, what is copyable, and that types which the compiler cannot see through are let alone.
#include <anachron/model/encodable.hpp>

#include <functional>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <anachron/model/payload_ops.hpp>

namespace anachron {
namespace {

using detail::Obstacle;

template <class T>
constexpr Obstacle kObstacle = decltype(detail::examine<T>())::kWhy;
template <class T>
using Part = typename decltype(detail::examine<T>())::Part;

struct PointsDeepInside {
  int number;
  struct Inner {
    std::vector<std::pair<int, const char*>> names;
  } inner;
};
static_assert(kObstacle<int*> == Obstacle::points_elsewhere);
static_assert(kObstacle<PointsDeepInside> == Obstacle::points_elsewhere);
static_assert(std::is_same_v<Part<PointsDeepInside>, const char*>);
static_assert(kObstacle<std::string_view> == Obstacle::points_elsewhere);
static_assert(kObstacle<std::span<int>> == Obstacle::points_elsewhere);
static_assert(kObstacle<std::shared_ptr<int>> == Obstacle::points_elsewhere);
static_assert(kObstacle<std::function<void()>> == Obstacle::points_elsewhere);
static_assert(kObstacle<void (*)()> == Obstacle::points_elsewhere);
static_assert(kObstacle<int PointsDeepInside::*> == Obstacle::points_elsewhere);
static_assert(kObstacle<std::unique_ptr<int[]>> == Obstacle::points_elsewhere);

struct Base {
  virtual ~Base() = default;
  template <class Archive>
  void serialize(Archive&) {}
};
struct Last final : Base {
  template <class Archive>
  void serialize(Archive&) {}
};
static_assert(kObstacle<std::unique_ptr<Base>> == Obstacle::is_polymorphic);
static_assert(kObstacle<std::unique_ptr<Last>> == Obstacle::none);
static_assert(kObstacle<Base> == Obstacle::none);

struct Constant {
  const int x = 0;
};
static_assert(kObstacle<Constant> == Obstacle::is_constant);
static_assert(kObstacle<std::unique_ptr<const int>> == Obstacle::is_constant);

class Private {
  [[maybe_unused]] int x_ = 0;
};
struct Reference {
  int& x;
};
struct Derived : Constant {
  int y = 0;
};
struct Incomplete;
struct NotFromNothing {
  explicit NotFromNothing(int) {}
};
struct HasOne {
  int x;
  NotFromNothing y;
};
union Either {
  int a;
  double b;
};
struct WithoutName {
  int kind;
  union {
    int a;
    double b;
  };
};
struct Bits {
  std::uint64_t x;
  std::uint32_t a : 3, b : 4;
};
struct Many {
  int a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, A, B, C, D, E, F, G;
};
struct Vehicle {
  int from = 0, to = 0;
  template <class Archive>
  void serialize(Archive& ar) {
    ar(from, to);
  }
};
struct Enter : Vehicle {};
struct Stop : Vehicle {
  int minutes = 0;
};
struct Wait : Stop {
  template <class Archive>
  void serialize(Archive& ar) {
    Vehicle::serialize(ar);
    ar(minutes);
  }
};
static_assert(kObstacle<Enter> == Obstacle::none);
static_assert(kObstacle<Stop> == Obstacle::is_hidden);
static_assert(kObstacle<Wait> == Obstacle::none);
static_assert(kObstacle<Private> == Obstacle::is_hidden);
static_assert(kObstacle<Reference> == Obstacle::is_hidden);
static_assert(kObstacle<Derived> == Obstacle::is_hidden);
static_assert(kObstacle<std::unique_ptr<Incomplete>> == Obstacle::is_hidden);
static_assert(kObstacle<HasOne> == Obstacle::is_hidden);
static_assert(kObstacle<Either> == Obstacle::is_hidden);
static_assert(kObstacle<WithoutName> == Obstacle::is_hidden);
static_assert(kObstacle<Bits> == Obstacle::is_hidden);
static_assert(kObstacle<Many> == Obstacle::is_hidden);

struct NoDefault {
  int x;
  explicit NoDefault(int value) : x(value) {}
  template <class Archive>
  void serialize(Archive& ar) {
    ar(x);
  }
};
static_assert(kObstacle<NoDefault> == Obstacle::lacks_default);

enum Open { a, b };
enum Fixed : int { c, d };
enum class Scoped { e, f };
static_assert(kObstacle<Open> == Obstacle::has_open_values);
static_assert(kObstacle<Fixed> == Obstacle::none);
static_assert(kObstacle<Scoped> == Obstacle::none);
static_assert(kObstacle<std::set<int, bool (*)(int, int)>> == Obstacle::is_hidden);
static_assert(kObstacle<std::set<int, std::greater<>>> == Obstacle::none);
static_assert(kObstacle<long double> == Obstacle::has_no_format);

struct SaysItCopies {
  std::vector<std::unique_ptr<int>> cargo;
};
struct Chain {
  std::vector<Chain> links;
};
static_assert(std::is_copy_constructible_v<SaysItCopies> && !detail::is_copyable<SaysItCopies>());
static_assert(detail::is_copyable<Chain>() && detail::is_copyable<PointsDeepInside>());
static_assert(detail::is_copyable<WithoutName>() && detail::is_copyable<Bits>());
static_assert(detail::is_copyable<std::vector<std::shared_ptr<Incomplete>>>());
static_assert(!detail::is_copyable<std::unique_ptr<Incomplete>>());

TEST(Encodable, IsWhatTheArchiveTakes) {
  EXPECT_TRUE((Encodable<std::vector<std::pair<Scoped, std::string>>>));
  EXPECT_FALSE((Encodable<std::vector<std::pair<Open, std::string>>>));
}

}  // namespace
}  // namespace anachron
