// However long a run is, its timeline stays below the limit.
#include "observe/flight/detail_level.hpp"

#include <cstdint>

#include <gtest/gtest.h>

namespace anachron::observe {
namespace {

TEST(DetailLevels, RiseAsTheRestIsHalved) {
  DetailLevel detail(1000);
  detail.note_bytes(499);
  EXPECT_TRUE(detail.shows_all());
  EXPECT_EQ(detail.grain_ns(), 0u);
  detail.note_bytes(501);
  EXPECT_EQ(detail.level(), 1u);
  EXPECT_TRUE(detail.shows_rollbacks());
  const std::uint64_t first = detail.grain_ns();
  detail.note_bytes(760);
  EXPECT_EQ(detail.level(), 2u);
  EXPECT_EQ(detail.grain_ns(), 16 * first);
  detail.note_bytes(880);
  EXPECT_FALSE(detail.shows_rollbacks());
  detail.note_bytes(5000);
  EXPECT_GT(detail.grain_ns(), 1'000'000'000u);
}

/// A year of a hundred workers, each of which fills each grain with a slice of 100 bytes.
TEST(DetailLevels, NeverUseTheLimitUp) {
  constexpr std::uint64_t kLimit = 200'000'000, kYearNs = 365ull * 24 * 3600 * 1'000'000'000;
  DetailLevel detail(kLimit);
  std::uint64_t bytes = kLimit / 2 + 1;
  for (std::uint64_t ns = 0; ns < kYearNs;) {
    detail.note_bytes(bytes);
    ns += detail.grain_ns();
    bytes += 100 * 100;
    ASSERT_LT(bytes, kLimit);
  }
}

}  // namespace
}  // namespace anachron::observe
