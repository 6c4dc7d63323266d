// How uneven the load of processing elements is from sample to sample.
#include "gvt/decisions/imbalance.hpp"

#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include <anachron/run/report.hpp>

namespace anachron::gvt {
namespace {

/// What a row says after a round of which PEs have said that they have committed so many.
std::optional<double> after(Imbalance& imbalance, std::initializer_list<std::uint64_t> counts,
                            std::size_t present) {
  std::vector<gvt::Summary> of_pes;
  std::uint64_t sum = 0;
  for (const std::uint64_t count : counts) {
    of_pes.push_back({.committed = count});
    sum += count;
  }
  imbalance.add(imbalance.most_since_last(of_pes), sum, present);
  return imbalance.since_last();
}

TEST(Imbalance, IsTheMostOverTheAverageSinceTheLastTime) {
  Imbalance imbalance, of_four, of_two;
  EXPECT_EQ(after(imbalance, {10, 10}, 2), 0);
  EXPECT_EQ(after(imbalance, {40, 20}, 2), 0.5);
  EXPECT_EQ(after(imbalance, {40, 22}, 2), 1);
  EXPECT_EQ(after(imbalance, {40, 22}, 2), std::nullopt) << "nothing was committed";
  EXPECT_EQ(after(of_four, {3, 1, 1, 3}, 4), 0.5);
  EXPECT_EQ(after(of_two, {3, 1, 0, 0}, 2), 0.5) << "the others are not there";
}

TEST(Imbalance, OfSeveralRoundsCountsByTheirEvents) {
  Imbalance imbalance;
  imbalance.add(100, 100, 2);  // one did all: 1
  imbalance.add(180, 400, 2);  // 180 of 300: 0.2
  EXPECT_DOUBLE_EQ(*imbalance.since_last(), (100 * 1.0 + 300 * 0.2) / 400);
  EXPECT_EQ(imbalance.since_last(), std::nullopt);
}

TEST(Imbalance, IsNotKnownOfWhatOneDidForAll) {
  Imbalance imbalance;
  after(imbalance, {10, 10}, 2);
  imbalance.skip();
  EXPECT_EQ(after(imbalance, {500, 10}, 2), std::nullopt);
  EXPECT_EQ(after(imbalance, {510, 20}, 2), 0);
}

TEST(Imbalance, IsNotKnownWhereASessionGoesBack) {
  Imbalance imbalance;
  after(imbalance, {10, 10}, 2);
  EXPECT_EQ(after(imbalance, {5, 12}, 2), std::nullopt);
  EXPECT_EQ(after(imbalance, {8, 13}, 2), 0.5);
}

TEST(Imbalance, OfTwoRowsCountsByTheirEvents) {
  const RoundSample first{.committed = 100, .imbalance = 1.0}, second{.committed = 400, .imbalance = 0.2};
  EXPECT_DOUBLE_EQ(*Imbalance::together(0, first, second), (100 * 1.0 + 300 * 0.2) / 400);
  const RoundSample unknown{.committed = 100};
  EXPECT_EQ(Imbalance::together(0, unknown, second), 0.2);
  EXPECT_EQ(Imbalance::together(0, first, {.committed = 100}), 1.0);
}

TEST(Imbalance, OfARunLeavesOutWhatWasDoneInOrder) {
  Report report;
  EXPECT_EQ(report.imbalance(), 0);
  report.pes = {{.committed = 1030}, {.committed = 10}};
  report.committed_in_order = 1000;
  EXPECT_EQ(report.imbalance(), 0.5);
}

}  // namespace
}  // namespace anachron::gvt
