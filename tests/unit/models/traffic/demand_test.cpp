// Making whole trips of a trip table (models/traffic/input/demand.hpp).

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <anachron/base/error.hpp>

#include "traffic/input/demand.hpp"
#include "traffic/input/tntp.hpp"

namespace {

using anachron::InputError;
using anachron::models::traffic::Demand;
using anachron::models::traffic::TripTable;
using anachron::models::traffic::ZoneIndex;
using Pair = TripTable::Pair;

TripTable table_of(std::uint32_t zones, std::vector<Pair> pairs) { return {zones, std::move(pairs)}; }

/// Fractions that are not sums of powers of two.
TripTable fractional_table(std::uint32_t zones) {
  TripTable table{zones, {}};
  std::uint32_t x = 1;
  for (ZoneIndex from = 0; from < zones; ++from)
    for (ZoneIndex to = 0; to < zones; ++to) {
      x = x * 1664525 + 1013904223;
      if (x % 4 == 0) continue;
      table.pairs.push_back({from, to, (x >> 8) % 1000 / 300.0});
    }
  return table;
}

TEST(Demand, RoundingKeepsTotals) {
  const TripTable table = fractional_table(40);
  for (const double factor : {1.0, 0.37, 3.0}) {
    const Demand demand(table, factor);
    double total = 0;
    std::vector<double> rows(40);
    for (const Pair& pair : table.pairs) {
      total += pair.trips * factor;
      rows[pair.origin] += pair.trips * factor;
    }
    EXPECT_EQ(demand.total(), static_cast<std::uint64_t>(std::llround(total)));
    std::uint64_t sum = 0;
    std::map<std::pair<ZoneIndex, ZoneIndex>, std::uint32_t> whole;
    for (ZoneIndex origin = 0; origin < 40; ++origin) {
      EXPECT_LE(std::abs(demand.trips_from(origin) - rows[origin]), 1.0 + 1e-9);
      sum += demand.trips_from(origin);
      std::uint32_t before = 0;
      for (const auto& flow : demand.flows(origin)) {
        whole[{origin, flow.destination}] = flow.up_to - before;
        before = flow.up_to;
      }
      EXPECT_EQ(before, demand.trips_from(origin));
    }
    EXPECT_EQ(sum, demand.total());
    for (const Pair& pair : table.pairs)
      EXPECT_LE(std::abs(whole[{pair.origin, pair.destination}] - pair.trips * factor), 1.0 + 1e-9);
  }
}

TEST(Demand, SmallFlowsAddUp) {
  EXPECT_EQ(Demand(table_of(2, {{0, 1, 0.4}}), 1).total(), 0u);
  TripTable many = table_of(101, {});
  for (ZoneIndex to = 1; to <= 100; ++to) many.pairs.push_back({0, to, 0.07});
  EXPECT_EQ(Demand(many, 1).total(), 7u);
}

TEST(Demand, SequenceHoldsEachTripOnceAndSpreadsDestinations) {
  const Demand demand(table_of(4, {{0, 1, 50}, {0, 2, 30}, {0, 3, 20}}), 1);
  ASSERT_EQ(demand.trips_from(0), 100u);
  std::vector<std::uint32_t> first_half(4), all(4);
  for (std::uint32_t k = 0; k < 100; ++k) {
    const ZoneIndex to = demand.destination(0, k);
    ++all[to];
    if (k < 50) ++first_half[to];
  }
  EXPECT_EQ(all, (std::vector<std::uint32_t>{0, 50, 30, 20}));
  EXPECT_NEAR(first_half[1], 25, 2);
  EXPECT_NEAR(first_half[2], 15, 2);
  EXPECT_NEAR(first_half[3], 10, 2);
}

TEST(Demand, OfEverySizeIsAPermutation) {
  for (std::uint32_t trips = 1; trips <= 300; ++trips) {
    std::vector<Pair> pairs;
    for (ZoneIndex to = 0; to < trips; ++to) pairs.push_back({0, to, 1});
    const Demand demand(table_of(trips, pairs), 1);
    std::vector<bool> seen(trips);
    for (std::uint32_t k = 0; k < trips; ++k) seen[demand.destination(0, k)] = true;
    EXPECT_EQ(std::accumulate(seen.begin(), seen.end(), 0u), trips);
  }
}

TEST(Demand, RefusesMoreTripsThanItCanCount) {
  EXPECT_THROW(Demand(table_of(2, {{0, 1, 5e9}}), 1), InputError);
  EXPECT_THROW(Demand(table_of(2, {{0, 1, 5}}), 1e12), InputError);
  EXPECT_NO_THROW(Demand(table_of(2, {{0, 1, 5e9}}), 0));
}

}  // namespace
