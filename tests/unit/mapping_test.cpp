#include "place/mapping.hpp"

#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace anachron::place {
namespace {

std::vector<PeId> turns(FixedMapping& mapping, unsigned n) {
  std::vector<PeId> out;
  for (; n > 0; --n) {
    out.push_back(mapping.acquire());
    mapping.release(out.back());
  }
  return out;
}

TEST(FixedMapping, EachPeHasOneWorker) {
  for (const unsigned workers : {1u, 2u, 3u, 7u})
    for (const unsigned pes : {7u, 8u, 20u}) {
      std::multiset<PeId> run;
      for (unsigned worker = 0; worker < workers; ++worker) {
        FixedMapping mapping(worker, workers, pes);
        for (const PeId pe : turns(mapping, mapping.turns())) run.insert(pe);
      }
      ASSERT_EQ(run.size(), pes);
      for (unsigned pe = 0; pe < pes; ++pe) EXPECT_EQ(run.count(static_cast<PeId>(pe)), 1u);
    }
}

TEST(FixedMapping, WorkerRunsItsPesInTurn) {
  FixedMapping mapping(1, 3, 10);
  EXPECT_EQ(mapping.turns(), 3u);
  EXPECT_EQ(turns(mapping, 8), (std::vector<PeId>{1, 4, 7, 1, 4, 7, 1, 4}));
}

TEST(FixedMapping, AsManyPesAsWorkersIsOneEach) {
  for (unsigned worker = 0; worker < 4; ++worker) {
    FixedMapping mapping(worker, 4, 4);
    EXPECT_EQ(turns(mapping, 3), std::vector<PeId>(3, static_cast<PeId>(worker)));
  }
}

TEST(FixedMapping, KeepsThePeUntilItIsReleased) {
  FixedMapping mapping(0, 2, 4);
  EXPECT_EQ(mapping.acquire(), 0);
  EXPECT_EQ(mapping.acquire(), 0);
  mapping.release(0);
  EXPECT_EQ(mapping.acquire(), 2);
}

TEST(FixedMapping, AWorkerWithoutPesHasNoTurns) { EXPECT_EQ(FixedMapping(5, 6, 5).turns(), 0u); }

}  // namespace
}  // namespace anachron::place
