// Whole vehicles on the routes of an equilibrium (models/traffic/equilibrium/itineraries.hpp).

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "traffic/equilibrium/equilibrium.hpp"
#include "traffic/equilibrium/itineraries.hpp"
#include "traffic/input/demand.hpp"
#include "traffic/input/tntp.hpp"

namespace {

using anachron::models::traffic::Demand;
using anachron::models::traffic::Equilibrium;
using anachron::models::traffic::Itineraries;
using anachron::models::traffic::LinkIndex;
using anachron::models::traffic::TripTable;
using anachron::models::traffic::ZoneIndex;

/// Three routes of a pair, over links of its number.
Equilibrium::Pair pair_of(ZoneIndex origin, ZoneIndex destination, double trips,
                          const std::vector<double>& shares) {
  Equilibrium::Pair pair{origin, destination, trips, {}};
  for (std::size_t k = 0; k < shares.size(); ++k)
    pair.routes.push_back(
        {std::vector<LinkIndex>(k + 1, 100 * origin + static_cast<LinkIndex>(k)), trips * shares[k]});
  return pair;
}

Equilibrium of(std::vector<Equilibrium::Pair> pairs) {
  Equilibrium equilibrium;
  equilibrium.pairs = std::move(pairs);
  return equilibrium;
}

TEST(Itineraries, PartTheTripsOfAPairByVolume) {
  const TripTable table{3, {{0, 0, 4}, {0, 1, 100}, {0, 2, 7}, {2, 1, 10}}};
  const Demand demand(table, 1);
  const Itineraries itineraries(demand, of({pair_of(0, 1, 100, {0.5, 0.3, 0.2}), pair_of(0, 2, 7, {1}),
                                            pair_of(2, 1, 10, {0.25, 0.75})}));
  const auto shares = itineraries.shares(0);
  ASSERT_EQ(shares.size(), 5u);
  EXPECT_EQ(shares[0].begin, Itineraries::kNowhere);
  EXPECT_EQ(shares[0].up_to, 4u);
  EXPECT_NEAR(shares[1].up_to, 54, 1);
  EXPECT_NEAR(shares[2].up_to, 84, 1);
  EXPECT_EQ(shares[3].up_to, 104u);
  EXPECT_EQ(shares[4].up_to, 111u);
  EXPECT_EQ(shares[4].destination, 2u);
  EXPECT_TRUE(itineraries.shares(1).empty());
  EXPECT_EQ(itineraries.shares(2).back().up_to, 10u);

  for (std::uint32_t place = 0; place < 111; ++place) {
    const auto& share = itineraries.share(0, place);
    EXPECT_LT(place, share.up_to);
    EXPECT_TRUE(&share == &shares[0] || place >= (&share - 1)->up_to);
  }
}

TEST(Itineraries, LeadFromLinkToLinkToAnEnd) {
  const Demand demand(TripTable{3, {{2, 1, 10}}}, 1);
  const Itineraries itineraries(demand, of({pair_of(2, 1, 10, {0.5, 0.5})}));
  const auto second = itineraries.shares(2)[1].begin;
  EXPECT_TRUE(itineraries.is_end(second - 1));
  EXPECT_EQ(itineraries.link(second), 201u);
  EXPECT_FALSE(itineraries.is_end(second + 1));
  EXPECT_EQ(itineraries.link(second + 1), 201u);
  EXPECT_TRUE(itineraries.is_end(second + 2));
  EXPECT_EQ(itineraries.origin_of(second + 2), 2u);
}

TEST(Itineraries, AreFairToSmallSharesOverManyPairs) {
  constexpr std::uint32_t kZones = 1000;
  TripTable table{kZones, {}};
  std::vector<Equilibrium::Pair> pairs;
  for (ZoneIndex origin = 1; origin < kZones; ++origin) {
    table.pairs.push_back({origin, 0, 1});
    pairs.push_back(pair_of(origin, 0, 1, {0.7, 0.2, 0.1}));
  }
  const Demand demand(table, 1);
  const Itineraries itineraries(demand, of(pairs));
  std::vector<int> vehicles(3);
  for (ZoneIndex origin = 1; origin < kZones; ++origin) {
    ASSERT_EQ(itineraries.shares(origin).size(), 1u);
    ++vehicles[itineraries.link(itineraries.shares(origin)[0].begin) - 100 * origin];
  }
  EXPECT_NEAR(vehicles[0], 700, 5);
  EXPECT_NEAR(vehicles[1], 200, 5);
  EXPECT_NEAR(vehicles[2], 100, 5);
}

TEST(Itineraries, LeaveOutPairsWithoutAWholeTrip) {
  const Demand demand(TripTable{3, {{0, 1, 0.2}, {0, 2, 3}}}, 1);
  const Itineraries itineraries(demand, of({pair_of(0, 1, 0.2, {1}), pair_of(0, 2, 3, {1})}));
  ASSERT_EQ(itineraries.shares(0).size(), 1u);
  EXPECT_EQ(itineraries.shares(0)[0].destination, 2u);
}

}  // namespace
