// How uneven the load of processing elements is from sample to sample.
#include "exec/imbalance.hpp"

#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include <anachron/run/report.hpp>

namespace anachron::exec {
namespace {

std::vector<sync::Summary> committed(std::initializer_list<std::uint64_t> counts) {
  std::vector<sync::Summary> of_pes;
  for (const std::uint64_t count : counts) of_pes.push_back({.committed = count});
  return of_pes;
}

TEST(Imbalance, IsTheMostOverTheAverageSinceTheLastTime) {
  Imbalance imbalance;
  EXPECT_EQ(imbalance.since_last(committed({10, 10}), 2), 0);
  EXPECT_EQ(imbalance.since_last(committed({40, 20}), 2), 0.5);
  EXPECT_EQ(imbalance.since_last(committed({40, 22}), 2), 1);
  EXPECT_EQ(imbalance.since_last(committed({40, 22}), 2), std::nullopt) << "nothing was committed";
  EXPECT_EQ(Imbalance().since_last(committed({3, 1, 1, 3}), 4), 0.5);
  EXPECT_EQ(Imbalance().since_last(committed({3, 1, 0, 0}), 2), 0.5) << "the others are not there";
}

TEST(Imbalance, IsNotKnownOfWhatOneDidForAll) {
  Imbalance imbalance;
  imbalance.since_last(committed({10, 10}), 2);
  imbalance.skip();
  EXPECT_EQ(imbalance.since_last(committed({500, 10}), 2), std::nullopt);
  EXPECT_EQ(imbalance.since_last(committed({510, 20}), 2), 0);
}

TEST(Imbalance, IsNotKnownWhereASessionGoesBack) {
  Imbalance imbalance;
  imbalance.since_last(committed({10, 10}), 2);
  EXPECT_EQ(imbalance.since_last(committed({5, 12}), 2), std::nullopt);
  EXPECT_EQ(imbalance.since_last(committed({8, 13}), 2), 0.5);
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
}  // namespace anachron::exec
