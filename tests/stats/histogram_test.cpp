// Histograms against sorted observations.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include <rapidcheck/gtest.h>
#include <anachron/base/error.hpp>
#include <anachron/model/archive.hpp>
#include <anachron/model/stats/histogram.hpp>

namespace anachron::test {
namespace {

using Small = BasicHistogram<2, 4>;

static_assert(std::is_trivially_copyable_v<Histogram> && sizeof(Histogram) <= 2048 + 48);
static_assert(Encodable<Histogram>);

template <class H>
H histogram_of(const std::vector<double>& values) {
  H out;
  for (const double x : values) out.add(x);
  return out;
}

/// Of all sizes, zeros and equal ones among them.
std::vector<double> some_values() {
  const auto pairs = *rc::gen::nonEmpty<std::vector<std::pair<std::uint32_t, int>>>(
      rc::gen::container<std::vector<std::pair<std::uint32_t, int>>>(
          rc::gen::pair(rc::gen::arbitrary<std::uint32_t>(), rc::gen::inRange(-20, 20))));
  std::vector<double> out;
  for (const auto& [mantissa, exponent] : pairs)
    out.push_back(std::ldexp(static_cast<double>(mantissa % 1000), exponent));
  return out;
}

double exact_quantile(std::vector<double> values, double q) {
  std::sort(values.begin(), values.end());
  const auto rank = static_cast<std::size_t>(std::ceil(q * static_cast<double>(values.size())));
  return values[rank == 0 ? 0 : rank - 1];
}

template <class H>
void check_quantiles(const std::vector<double>& values, double reach) {
  const H histogram = histogram_of<H>(values);
  const double greatest = *std::max_element(values.begin(), values.end());
  for (const double q : {0.0, 0.01, 0.25, 0.5, 0.9, 0.99, 1.0}) {
    const double exact = exact_quantile(values, q), found = histogram.quantile(q);
    const double most = exact > greatest / reach ? exact * H::kRelativeError : greatest / reach;
    RC_ASSERT(std::abs(found - exact) <= most * (1 + 1e-12));
  }
}

RC_GTEST_PROP(Histogram, QuantilesKeepTheirError, ()) {
  const auto values = some_values();
  check_quantiles<Histogram>(values, 0x1p16 / (1 + 1.0 / 32));
  check_quantiles<Small>(values, 0x1p4 / (1 + 1.0 / 4));
}

// Not only nearly: the merged one is the same, bit for bit, but for the sums of the tally.
RC_GTEST_PROP(Histogram, MergingIsExact, ()) {
  auto first = some_values();
  const auto second = some_values();
  Small merged = histogram_of<Small>(first);
  Distribution distribution = merged.distribution();
  const Small other = histogram_of<Small>(second);
  merged.merge(other);
  distribution.merge(other.distribution());
  first.insert(first.end(), second.begin(), second.end());
  std::reverse(first.begin(), first.end());
  const Small all = histogram_of<Small>(first);
  for (int i = 0; i <= 100; ++i) {
    RC_ASSERT(merged.quantile(i / 100.0) == all.quantile(i / 100.0));
    RC_ASSERT(distribution.quantile(i / 100.0) == all.quantile(i / 100.0));
  }
}

RC_GTEST_PROP(Histogram, UndoTakesBackExactly, ()) {
  struct Now {
    Time now() const { return 1; }
    Time warm_up() const { return 0; }
  };
  const auto values = some_values();
  std::vector<Small> before;
  std::vector<Small::Undo> undo;
  Small histogram;
  for (const double x : values) {
    before.push_back(histogram);
    undo.push_back(histogram.add_undoable(Now(), x));
  }
  RC_ASSERT(histogram == histogram_of<Small>(values));
  while (!undo.empty()) {
    histogram.undo(undo.back());
    RC_ASSERT(histogram == before.back());
    undo.pop_back();
    before.pop_back();
  }
}

TEST(Histogram, TellsWhatThereIsNothingOf) {
  const Histogram empty;
  EXPECT_TRUE(std::isnan(empty.quantile(0.5)));
  EXPECT_THROW(empty.quantile(1.01), InputError);
  EXPECT_THROW(empty.quantile(std::nan("")), InputError);
  EXPECT_TRUE(std::isnan(empty.distribution().quantile(0.5)));
}

TEST(Histogram, TakesTheEndsOfTheNumbers) {
  const Histogram zeros = histogram_of<Histogram>({0.0, -0.0, 0.0});
  EXPECT_EQ(zeros.quantile(0.5), 0);
  const double greatest = std::numeric_limits<double>::max();
  const Histogram ends = histogram_of<Histogram>({0, std::numeric_limits<double>::denorm_min(), greatest});
  EXPECT_EQ(ends.quantile(0), 0);
  EXPECT_NEAR(ends.quantile(1) / greatest, 1, Histogram::kRelativeError);
}

TEST(Histogram, RefusesWhatItHasNoBinFor) {
  Histogram histogram;
  EXPECT_THROW(histogram.add(-1e-300), InputError);
  EXPECT_THROW(histogram.add(std::nan("")), InputError);
  EXPECT_THROW(histogram.add(std::numeric_limits<double>::infinity()), InputError);
  EXPECT_EQ(histogram, Histogram());
  Distribution distribution = histogram.distribution();
  EXPECT_THROW(distribution.merge(Small().distribution()), InputError);
}

TEST(Histogram, ComesBackFromBytes) {
  const auto histogram = histogram_of<Histogram>({0, 0.3, 1e5, 1e5});
  EXPECT_EQ(decode<Histogram>(encode(histogram)), histogram);
}

}  // namespace
}  // namespace anachron::test
