#include "phold/ring.hpp"

#include <cmath>
#include <cstdint>
#include <initializer_list>

#include <gtest/gtest.h>

#include <anachron/model/rng.hpp>

namespace anachron::models::phold {
namespace {

/// The obvious way.
std::uint32_t reference(std::uint32_t self, double distance, std::uint32_t n) {
  const auto steps = static_cast<std::int64_t>(std::fmod(std::round(distance), n));
  return static_cast<std::uint32_t>(((self + steps) % n + n) % n);
}

void expect_equal(std::uint32_t self, double distance, std::uint32_t n) {
  ASSERT_EQ(moved_on_ring(self, distance, n), reference(self, distance, n))
      << self << " by " << distance << " of " << n;
}

TEST(Ring, IsTheSameAsByDivisionForRandomDistances) {
  std::uint64_t draws = 0;
  Rng rng(1, 1, draws);
  for (const double sigma : {0.3, 1.0, 100.0, 1e5, 1e9, 1e14, 1e16, 1e20, 1e300})
    for (const std::uint32_t n : {1u, 2u, 3u, 7u, 200u, 1024u, 1'000'003u, 4'294'967'295u})
      for (int i = 0; i < 2000; ++i) expect_equal(rng.below(n), rng.normal(0, sigma), n);
}

TEST(Ring, IsTheSameAsByDivisionAtEveryEdge) {
  for (const std::uint32_t n : {1u, 2u, 200u, 4'294'967'295u})
    for (const std::uint32_t self : {0u, 1u, n / 2, n - 1})
      for (const double whole :
           {0.0, 0.5, 1.0, 1.5, 2.5, n - 1.0, n - 0.5, n + 0.0, n + 0.5, 2.0 * n, 3.5 * n, 0x1p51 + 0.5,
            0x1p52 - 0.5, 0x1p52, 0x1p52 + 1, 0x1p53, 0x1p62, 0x1p63, 0x1p64})
        for (const double near : {whole, std::nextafter(whole, -1.0), std::nextafter(whole, HUGE_VAL)})
          for (const double distance : {near, -near}) expect_equal(self % n, distance, n);
}

}  // namespace
}  // namespace anachron::models::phold
