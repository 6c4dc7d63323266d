// A ring keeps the last records, and a reader never sees half of one.
#include "topo/flight_ring.hpp"

#include <atomic>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace anachron::topo {
namespace {

FlightRecord numbered(std::uint64_t number) {
  return {.kind = FlightRecord::Kind::reached,
          .what = static_cast<std::uint8_t>(number % 7),
          .place = static_cast<std::uint16_t>(number),
          .count = static_cast<std::uint32_t>(3 * number),
          .value = number};
}

TEST(FlightRings, GiveBackWhatWasAdded) {
  FlightRing ring(8);
  for (std::uint64_t i = 0; i < 5; ++i) ring.add(numbered(i));
  std::vector<FlightRecord> records;
  EXPECT_EQ(ring.read(2, records), 5u);
  ASSERT_EQ(records.size(), 3u);
  for (std::uint64_t i = 0; i < 3; ++i) {
    EXPECT_EQ(records[i].value, i + 2);
    EXPECT_EQ(records[i].word(), numbered(i + 2).word());
  }
}

TEST(FlightRings, LoseTheOldestWhenTheyAreFull) {
  FlightRing ring(8);
  for (std::uint64_t i = 0; i < 100; ++i) ring.add(numbered(i));
  std::vector<FlightRecord> records;
  EXPECT_EQ(ring.read(0, records), 100u);
  // The writer may be writing over the oldest one.
  ASSERT_EQ(records.size(), 7u);
  EXPECT_EQ(records.front().value, 93u);
  EXPECT_EQ(records.back().value, 99u);
}

TEST(FlightRings, AreReadWhileTheyAreWritten) {
  FlightRing ring(64);
  std::atomic<bool> is_over{false};
  std::thread writer([&] {
    for (std::uint64_t i = 0; i < 300'000; ++i) ring.add(numbered(i));
    is_over.store(true);
  });
  std::uint64_t from = 0, seen = 0;
  for (bool is_last = false; !is_last;) {
    is_last = is_over.load();
    std::vector<FlightRecord> records;
    const std::uint64_t end = ring.read(from, records);
    ASSERT_LE(records.size(), end - from);
    for (std::size_t i = 0; i < records.size(); ++i) {
      const std::uint64_t number = end - records.size() + i;
      ASSERT_EQ(records[i].value, number);
      ASSERT_EQ(records[i].word(), numbered(number).word());
    }
    from = end;
    seen += records.size();
  }
  writer.join();
  EXPECT_EQ(from, 300'000u);
  EXPECT_GT(seen, 0u);
}

}  // namespace
}  // namespace anachron::topo
