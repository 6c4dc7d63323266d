// Student's quantiles against published tables; batch means and series against what they should be.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <type_traits>

#include <anachron/base/error.hpp>
#include <anachron/model/archive.hpp>
#include <anachron/model/results.hpp>
#include <anachron/model/statistics.hpp>

namespace anachron::test {
namespace {

static_assert(std::is_trivially_copyable_v<Series> && std::is_trivially_copyable_v<BatchMeans>);
static_assert(Encodable<BatchMeans>);

struct At {
  Time time, warm = 0;
  Time now() const { return time; }
  Time warm_up() const { return warm; }
};

// Critical values of Student's t distribution, two-sided, as in NIST/SEMATECH, e-Handbook of Statistical
// Methods, section 1.3.6.7.2.
TEST(Student, IsWhatTablesSay) {
  struct Row {
    double freedom, t90, t95, t99, t998;
  };
  for (const Row& row : {Row{1, 6.314, 12.706, 63.657, 318.309}, Row{2, 2.920, 4.303, 9.925, 22.327},
                         Row{3, 2.353, 3.182, 5.841, 10.215}, Row{5, 2.015, 2.571, 4.032, 5.893},
                         Row{10, 1.812, 2.228, 3.169, 4.144}, Row{20, 1.725, 2.086, 2.845, 3.552},
                         Row{30, 1.697, 2.042, 2.750, 3.385}, Row{60, 1.671, 2.000, 2.660, 3.232},
                         Row{100, 1.660, 1.984, 2.626, 3.174}}) {
    EXPECT_NEAR(student_t(0.90, row.freedom), row.t90, 0.0005) << row.freedom;
    EXPECT_NEAR(student_t(0.95, row.freedom), row.t95, 0.0005) << row.freedom;
    EXPECT_NEAR(student_t(0.99, row.freedom), row.t99, 0.0005) << row.freedom;
    EXPECT_NEAR(student_t(0.998, row.freedom), row.t998, 0.0006) << row.freedom;
  }
}

// One and two degrees of freedom have closed forms; many are the normal distribution.
TEST(Student, HasItsClosedForms) {
  const double pi = std::acos(-1.0);
  for (const double p : {1e-9, 0.1, 0.5, 0.9, 0.999, 0.9999999}) {
    EXPECT_NEAR(student_t(p, 1) / std::tan(pi * p / 2), 1, 1e-8) << p;
    EXPECT_NEAR(student_t(p, 2) / (p * std::sqrt(2 / (1 - p * p))), 1, 1e-8) << p;
  }
  EXPECT_NEAR(student_t(0.95, 1e9), 1.959963985, 1e-7);
  EXPECT_NEAR(student_t(0.99, 1e9), 2.575829304, 1e-7);
}

TEST(Student, RefusesWhatIsNoProbability) {
  for (const double p : {0.0, 1.0, 95.0, -0.5, std::nan("")}) EXPECT_THROW(student_t(p, 5), InputError);
  EXPECT_THROW(student_t(0.95, 0), InputError);
}

TEST(Student, IntervalOfAMean) {
  Tally tally;
  EXPECT_FALSE(half_width(tally, 0.95));
  tally.add(1);
  EXPECT_FALSE(half_width(tally, 0.95));
  tally.add(3);
  EXPECT_NEAR(*half_width(tally, 0.95), 12.7062, 1e-4);
}

TEST(BatchMeans, HaveTheSameIntervalAsTheirMeans) {
  BatchMeans batches;
  Tally means;
  for (int k = 0; k < 40; ++k) {
    batches.add(At{k + 0.25}, k % 7);
    batches.add(At{k + 0.5}, k % 5);
    means.add((k % 7 + k % 5) / 2.0);
  }
  batches.add(At{40}, 1000);  // in a batch that is not complete
  const auto found = batches.estimate(40);
  EXPECT_EQ(found.batches, 40u);
  EXPECT_EQ(found.count, 80u);
  EXPECT_NEAR(found.mean, means.mean(), 1e-12);
  EXPECT_NEAR(*found.half_width, *half_width(means, 0.95), 1e-12);
}

// Independent observations: the interval holds the mean about as often as it says.
TEST(BatchMeans, CoverTheMeanAsOftenAsTheySay) {
  std::mt19937_64 random(7);
  std::exponential_distribution<double> exponential(1);
  int covered = 0;
  constexpr int kRuns = 400;
  for (int run = 0; run < kRuns; ++run) {
    BatchMeans batches;
    for (double now = 0; now < 1000; now += exponential(random)) batches.add(At{now}, exponential(random));
    const auto found = batches.estimate(1000, 0.9);
    covered += std::abs(found.mean - 1) <= *found.half_width;
  }
  EXPECT_NEAR(covered / double{kRuns}, 0.9, 0.05);
}

TEST(BatchMeans, BeginBehindTheWarmUp) {
  BatchMeans batches;
  batches.add(At{5, 10}, 1000);
  for (int k = 0; k < 33; ++k) batches.add(At{10.0 + k, 10}, 1);
  const auto found = batches.estimate(33);
  EXPECT_EQ(found.mean, 1);
  EXPECT_EQ(found.half_width, 0.0);
}

TEST(BatchMeans, SayWhenTheyKnowNothing) {
  const auto found = BatchMeans().estimate(100);
  EXPECT_TRUE(std::isnan(found.mean));
  EXPECT_FALSE(found.half_width);
  EXPECT_TRUE(std::isnan(BatchMeans().estimate(-1).mean));
}

TEST(BatchMeans, HaveNoIntervalWhereMostAreEmpty) {
  BatchMeans early;
  for (int k = 0; k < 100; ++k) early.add(At{k / 10.0}, k % 3);
  const auto found = early.estimate(1e6);
  EXPECT_EQ(found.count, 100u);
  EXPECT_EQ(found.empty, found.batches - 1);
  EXPECT_TRUE(found.is_mostly_empty());
  EXPECT_FALSE(found.half_width);

  BatchMeans half;
  for (int k = 0; k < 40; k += 2) half.add(At{k + 0.5}, k % 3);
  EXPECT_EQ(half.estimate(40).empty, 20u);
  EXPECT_TRUE(half.estimate(40).half_width);
}

TEST(Series, BecomesATable) {
  Results results({0, 3, 0.95});
  Series first(1), second(1);
  first.add(At{0}, 5);
  first.add(At{0.9}, 7);
  second.add(At{2.5}, 1);
  results.add("by_hour", first);
  results.add("by_hour", second);
  results.complete();
  const Results::Table& table = results.tables().at("by_hour");
  EXPECT_EQ(table.columns, (std::vector<std::string>{"from", "to", "count", "sum", "mean"}));
  ASSERT_EQ(table.rows.size(), 3u);
  EXPECT_EQ(table.rows[0], (std::vector<Results::Cell>{0.0, 1.0, std::int64_t{2}, 12.0, 6.0}));
  EXPECT_EQ(table.rows[1], (std::vector<Results::Cell>{1.0, 2.0, std::int64_t{0}, 0.0, std::string()}));
  EXPECT_EQ(table.rows[2], (std::vector<Results::Cell>{2.0, 3.0, std::int64_t{1}, 1.0, 1.0}));
}

TEST(Series, IntervalsGrowWithTheRun) {
  Series grown(0.5), other(0.5);
  for (int k = 0; k < 100; ++k) grown.add(At{k + 0.1}, 1);
  other.add(At{0.1}, 1);
  EXPECT_EQ(grown.interval(), 2);
  other.merge(grown);
  EXPECT_EQ(other.interval(), 2);
  EXPECT_EQ(other.sums().intervals()[0].count, 3u);
  EXPECT_EQ(other.sums().intervals()[49].sum, 2);
  EXPECT_THROW(other.merge(Series(3)), InputError);
  EXPECT_THROW(Series(0), InputError);
}

TEST(Results, ShowWhatStatisticsConsistOf) {
  Results results({10, 20, 0.9});
  Tally tally;
  for (const double x : {1.0, 2.0, 3.0}) tally.add(x);
  results.add("tally", tally);
  results.add("tally", tally);
  Histogram histogram;
  histogram.add(4);
  results.add("histogram", histogram);
  results.add("level", TimeAverage(3));
  results.add("batches", BatchMeans());
  results.tally("each", 5);
  results.count("plain");
  EXPECT_EQ(results.get<Tally>("tally").count(), 6u);
  EXPECT_EQ(results.value("tally"), 2);
  EXPECT_EQ(results.get<Distribution>("histogram").quantile(0.5), 4);
  EXPECT_EQ(results.get<WeightedTally>("level").weight(), 10);
  EXPECT_EQ(results.value("each"), 5);
  EXPECT_TRUE(std::isnan(results.value("batches")));
  EXPECT_THROW(results.get<Tally>("level"), std::out_of_range);
  EXPECT_THROW(results.get<Tally>("none"), std::out_of_range);
  EXPECT_THROW(results.add("tally", histogram), InputError);
  EXPECT_THROW(results.add("tally", 1.0), InputError);
  EXPECT_THROW(results.row("statistics", {"x"}, {1.0}), InputError);
  EXPECT_TRUE(results.parts(results.figure("plain")).empty());
  EXPECT_EQ(results.parts(results.figure("histogram"))[5].first, "p90");
  results.complete();
  EXPECT_EQ(results.tables().at("statistics").rows.size(), 5u);
}

}  // namespace
}  // namespace anachron::test
