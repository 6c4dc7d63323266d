// Events by match id, in the table that the paper has.
#include "comm/fabric/baselines/prime_table.hpp"

#include <cstdint>
#include <deque>
#include <random>
#include <unordered_map>
#include <vector>

#include <gtest/gtest.h>

#include "scale.hpp"

namespace anachron::fabric {
namespace {

using event::EventHeader;

TEST(PrimeTables, BeginWithSevenAndGrowToTheNextPrime) {
  std::deque<EventHeader> events;
  PrimeTable table;
  std::uint64_t probes = 0;
  std::vector<std::size_t> capacities;
  for (std::uint64_t id = 0; id < 9; ++id) {
    events.emplace_back().match.value = id;
    table.insert(events.back(), probes);
    capacities.push_back(table.capacity());
  }
  EXPECT_EQ(capacities, (std::vector<std::size_t>{7, 7, 7, 11, 11, 13, 17, 17, 19}))
      << "the fourth insertion would fill more than half of seven";
}

TEST(PrimeTables, ProbeAtSquares) {
  std::deque<EventHeader> events;
  PrimeTable table;
  std::uint64_t probes = 0;
  for (const std::uint64_t id : {3, 10, 17}) {  // 3, 3 + 1 and 3 + 4 of seven
    events.emplace_back().match.value = id;
    table.insert(events.back(), probes);
  }
  EXPECT_EQ(probes, 1u + 2u + 3u);
  table.erase(10, probes);
  probes = 0;
  EXPECT_EQ(table.find(17, probes), &events.back()) << "past the slot that is empty now";
  EXPECT_EQ(probes, 3u);
  EXPECT_EQ(table.find(10, probes), nullptr);
}

TEST(PrimeTables, DoWhatAMapDoes) {
  std::mt19937_64 random(1);
  std::deque<EventHeader> events;
  std::unordered_map<std::uint64_t, EventHeader*> expected;
  PrimeTable table;
  std::uint64_t probes = 0;
  for (int turn = 0; turn < test::scaled(20'000); ++turn) {
    const std::uint64_t id = random() % 4'000;
    if (const auto there = expected.find(id); there != expected.end()) {
      ASSERT_EQ(table.find(id, probes), there->second);
      table.erase(id, probes);
      expected.erase(there);
    } else {
      EventHeader& e = events.emplace_back();
      e.match.value = id;
      table.insert(e, probes);
      expected[id] = &e;
    }
    ASSERT_EQ(table.size(), expected.size());
  }
}

}  // namespace
}  // namespace anachron::fabric
