// Tallies and time averages against sums in a wider type.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

#include <rapidcheck/gtest.h>
#include <anachron/base/error.hpp>
#include <anachron/model/archive.hpp>
#include <anachron/model/stats/tally.hpp>
#include <anachron/model/stats/time_average.hpp>

namespace anachron::test {
namespace {

static_assert(std::is_trivially_copyable_v<Tally> && sizeof(Tally) == 40);
static_assert(std::is_trivially_copyable_v<TimeAverage> && sizeof(TimeAverage) == 56);
static_assert(Encodable<Tally> && Encodable<TimeAverage>);

struct At {
  Time time, warm = 0;
  Time now() const { return time; }
  Time warm_up() const { return warm; }
};

struct Naive {
  long double mean = 0, variance = 0;
};
Naive naive(const std::vector<double>& values) {
  Naive out;
  for (const double x : values) out.mean += x;
  out.mean /= static_cast<long double>(values.size());
  for (const double x : values) out.variance += (x - out.mean) * (x - out.mean);
  out.variance /= static_cast<long double>(values.size() - 1);
  return out;
}

Tally tally_of(const std::vector<double>& values) {
  Tally out;
  for (const double x : values) out.add(x);
  return out;
}

std::vector<double> some_values(std::size_t least) {
  auto numbers = *rc::gen::suchThat<std::vector<int>>([least](const auto& v) { return v.size() >= least; });
  std::vector<double> out;
  for (const int n : numbers) out.push_back(n / 7.0);
  return out;
}

void expect_near(double found, long double expected, double scale) {
  RC_ASSERT(std::abs(found - static_cast<double>(expected)) <= 1e-12 * (1 + scale));
}

RC_GTEST_PROP(Tally, IsWhatTheSumsSay, ()) {
  const auto values = some_values(2);
  const Tally tally = tally_of(values);
  const Naive expected = naive(values);
  const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
  const double size = std::max(std::abs(*least), std::abs(*greatest));
  RC_ASSERT(tally.count() == values.size());
  RC_ASSERT(tally.min() == *least);
  RC_ASSERT(tally.max() == *greatest);
  expect_near(tally.mean(), expected.mean, size);
  expect_near(tally.variance(), expected.variance, size * size);
}

RC_GTEST_PROP(Tally, MergedIsAsIfOneHadSeenAll, ()) {
  auto first = some_values(0);
  const auto second = some_values(2);
  Tally merged = tally_of(first);
  merged.merge(tally_of(second));
  first.insert(first.end(), second.begin(), second.end());
  const Tally all = tally_of(first);
  const double size = std::max(std::abs(all.min()), std::abs(all.max()));
  RC_ASSERT(merged.count() == all.count());
  RC_ASSERT(merged.min() == all.min());
  RC_ASSERT(merged.max() == all.max());
  expect_near(merged.mean(), all.mean(), size);
  expect_near(merged.variance(), all.variance(), size * size);
}

TEST(Tally, MergingWithNothingChangesNoBit) {
  const Tally tally = tally_of({0.1, 0.7, 1e9});
  Tally one = tally, other;
  one.merge(Tally());
  other.merge(tally);
  EXPECT_EQ(one, tally);
  EXPECT_EQ(other, tally);
}

// Sums of squares would have lost all digits of the variance.
TEST(Tally, KeepsASmallVarianceBesideALargeMean) {
  Tally tally, first, second;
  for (int i = 0; i < 100'000; ++i) {
    const double x = 1e9 + (i % 2 ? 1e-3 : -1e-3);
    tally.add(x);
    (i < 50'000 ? first : second).add(x);
  }
  EXPECT_NEAR(tally.variance(), 1e-6, 1e-9);
  first.merge(second);
  EXPECT_NEAR(first.variance(), 1e-6, 1e-9);
}

TEST(Tally, NothingIsNoNumber) {
  Tally tally;
  EXPECT_TRUE(std::isnan(tally.mean()) && std::isnan(tally.min()) && std::isnan(tally.max()));
  EXPECT_EQ(tally.sum(), 0);
  tally.add(3);
  EXPECT_TRUE(std::isnan(tally.sd()));
  EXPECT_EQ(tally.mean(), 3);
}

TEST(Tally, RefusesWhatIsNotFinite) {
  Tally tally;
  for (const double x : {std::nan(""), std::numeric_limits<double>::infinity()})
    EXPECT_THROW(tally.add(x), InputError);
  EXPECT_EQ(tally, Tally());
}

TEST(Tally, DoesNotCountTheWarmUp) {
  Tally tally;
  tally.add(At{9.5, 10}, 100);
  EXPECT_EQ(tally.count(), 0u);
  tally.add(At{10, 10}, 7);
  EXPECT_EQ(tally.mean(), 7);
}

TEST(Tally, ComesBackFromBytes) {
  const Tally tally = tally_of({0.1, 0.7, 1e9});
  EXPECT_EQ(decode<Tally>(encode(tally)), tally);
}

TEST(TimeAverage, WeighsLevelsByTheirTime) {
  TimeAverage level(4);
  level.set(At{2}, 1);     // 4 for 2
  level.change(At{5}, 2);  // 1 for 3
  level.set(At{5}, 9);     // 3 for no time
  level.set(At{5}, 2);     // 9 for no time
  EXPECT_EQ(level.level(), 2);
  const WeightedTally past = level.until(10);  // 2 for 5
  EXPECT_EQ(past.weight(), 10);
  EXPECT_DOUBLE_EQ(past.mean(), 2.1);
  EXPECT_DOUBLE_EQ(past.variance(), (2 * 1.9 * 1.9 + 3 * 1.1 * 1.1 + 5 * 0.1 * 0.1) / 10);
  EXPECT_EQ(past.min(), 1);
  EXPECT_EQ(past.max(), 4);
}

TEST(TimeAverage, BeginsToCountWithinALevel) {
  TimeAverage level(4);
  level.set(At{1, 3}, 10);
  level.set(At{5, 3}, 1);
  const WeightedTally past = level.until(7, 3);
  EXPECT_EQ(past.weight(), 4);
  EXPECT_DOUBLE_EQ(past.mean(), 5.5);
  EXPECT_EQ(past.max(), 10);
  EXPECT_TRUE(std::isnan(TimeAverage(4).until(2, 3).mean()));
}

RC_GTEST_PROP(TimeAverage, IsTheIntegralOverTime, ()) {
  const auto values = some_values(1);
  TimeAverage level;
  long double area = 0;
  double now = 0, before = 0;
  for (const double x : values) {
    const double next = now + std::abs(std::fmod(x, 3.0));
    area += static_cast<long double>(before) * (next - now);
    now = next;
    level.set(At{now}, x);
    before = x;
  }
  const double end = now + 1;
  area += before;
  double size = 0;
  for (const double x : values) size = std::max(size, std::abs(x));
  RC_ASSERT(std::abs(level.until(end).mean() - static_cast<double>(area / end)) <= 1e-10 * (1 + size));
}

TEST(TimeAverage, MergedIsTheAverageOverLpsAndTime) {
  WeightedTally merged = TimeAverage(1).until(10);
  merged.merge(TimeAverage(4).until(20));
  EXPECT_DOUBLE_EQ(merged.mean(), 3);
  EXPECT_DOUBLE_EQ(merged.variance(), 2);
  EXPECT_EQ(merged.weight(), 30);
}

}  // namespace
}  // namespace anachron::test
