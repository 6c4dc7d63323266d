// A fuzzer of everything together: cancelling, priorities, sends in order, zero delays, broadcasts,
// irrevocable events, output at commit and in order, each kind of undo, streams, statistics and stops, under
// random options. The sequential run says what is right.

#include <gtest/gtest.h>

#include <cstdint>
#include <random>

#include "property/random_options.hpp"
#include "property/tangle.hpp"
#include "scale.hpp"

namespace anachron::test {
namespace {

/// Five runs each of so many models.
void try_medleys(int first, int models) {
  for (int model = first; model < first + models; ++model) {
    std::mt19937_64 random(static_cast<std::uint64_t>(model) + 9001);
    const TangleParams params = random_medley(random);
    const Config base = sequential_run(random() % 1000 + 1, random() % 3 ? kForever : 4.5);
    const TangleResult expected = run_tangle(params, base);
    for (int variant = 0; variant < 5; ++variant) {
      Config config = random_optimistic(random, base);
      config.partition = random_partition(random);
      ASSERT_EQ(difference(expected, run_tangle(params, config)), "")
          << "model " << model << ", variant " << variant << ", " << describe(config);
    }
  }
}

// Models 0 to 2 take 20 s, the next three half of that: the long test has these.
TEST(Medley, EveryFeatureTogetherUnderRandomOptions) { try_medleys(3, scaled(60)); }

// With lazy cancellation a retraction undid the event that had sent it, again and again.
TEST(Medley, ARetractionSparesItsSender) { try_medleys(1874, 1); }

TEST(LongMedley, TwentyThousandRuns) {
  try_medleys(0, 3);
  try_medleys(1000, 4000);
}

}  // namespace
}  // namespace anachron::test
