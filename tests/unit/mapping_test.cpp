#include "place/mapping.hpp"

#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace anachron::place {
namespace {

std::vector<PeId> turns(Mapping& mapping, unsigned worker, unsigned n) {
  std::vector<PeId> out;
  for (; n > 0; --n) {
    out.push_back(mapping.try_acquire(worker).value());
    mapping.release(worker, out.back());
  }
  return out;
}

TEST(FixedMapping, EachPeHasOneWorker) {
  for (const unsigned workers : {1u, 2u, 3u, 7u})
    for (const unsigned pes : {7u, 8u, 20u}) {
      FixedMapping mapping(workers, pes);
      std::multiset<PeId> run;
      for (unsigned worker = 0; worker < workers; ++worker)
        for (const PeId pe : turns(mapping, worker, mapping.turns(worker))) run.insert(pe);
      ASSERT_EQ(run.size(), pes);
      for (unsigned pe = 0; pe < pes; ++pe) EXPECT_EQ(run.count(static_cast<PeId>(pe)), 1u);
    }
}

TEST(FixedMapping, AWorkerRunsItsPesInTurn) {
  FixedMapping mapping(3, 10);
  EXPECT_EQ(mapping.turns(1), 3u);
  EXPECT_EQ(turns(mapping, 1, 8), (std::vector<PeId>{1, 4, 7, 1, 4, 7, 1, 4}));
}

TEST(FixedMapping, AsManyPesAsWorkersIsOneEach) {
  FixedMapping mapping(4, 4);
  for (unsigned worker = 0; worker < 4; ++worker)
    EXPECT_EQ(turns(mapping, worker, 3), std::vector<PeId>(3, static_cast<PeId>(worker)));
  EXPECT_EQ(mapping.active_workers(), 4u);
}

TEST(FixedMapping, KeepsThePeUntilItIsReleased) {
  FixedMapping mapping(2, 4);
  EXPECT_EQ(mapping.try_acquire(0), 0);
  EXPECT_EQ(mapping.try_acquire(0), 0);
  mapping.release(0, 0);
  EXPECT_EQ(mapping.try_acquire(0), 2);
}

TEST(FixedMapping, AWorkerWithoutPesRests) {
  FixedMapping mapping(6, 5);
  EXPECT_EQ(mapping.turns(5), 0u);
  EXPECT_FALSE(mapping.try_acquire(5));
  EXPECT_EQ(mapping.active_workers(), 5u);
}

}  // namespace
}  // namespace anachron::place
