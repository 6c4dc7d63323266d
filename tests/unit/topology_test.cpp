// Which processors are chosen, on machines that nobody here has.
#include "topo/topology.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include <gtest/gtest.h>

namespace anachron::topo {
namespace {

using Processors = std::vector<unsigned>;

Processors range(unsigned first, unsigned end) {
  Processors out(end - first);
  std::iota(out.begin(), out.end(), first);
  return out;
}

class Topologies : public testing::Test {
 protected:
  void SetUp() override {
    if (!kHasHwloc) GTEST_SKIP() << "built without hwloc";
  }

  static Processors choose(const std::string& machine, std::size_t count,
                           const std::optional<Processors>& allowed = {}) {
    const auto topology = Topology::made_up(machine);
    if (!topology) throw std::logic_error("hwloc does not understand " + machine);
    return topology->choose(count, allowed ? *allowed : topology->allowed());
  }
};

// Processors 2i and 2i + 1 are of core i, cores 0 to 3 of the first package.
constexpr const char* kTwoPackages = "pack:2 numa:1 core:4 pu:2";
// As Linux numbers them: first one of each core, then the others.
constexpr const char* kLinux = "pack:1 core:4 pu:2(indexes=0,4,1,5,2,6,3,7)";
constexpr const char* kFourCaches = "pack:1 l3:4 core:4 pu:1";

TEST_F(Topologies, ACoreForEachBeforeAnyIsShared) {
  EXPECT_EQ(choose(kTwoPackages, 2), (Processors{0, 2}));
  EXPECT_EQ(choose(kTwoPackages, 4), (Processors{0, 2, 4, 6}));
  EXPECT_EQ(choose(kTwoPackages, 5), (Processors{0, 2, 4, 6, 8}));
  EXPECT_EQ(choose(kTwoPackages, 8), (Processors{0, 2, 4, 6, 8, 10, 12, 14}));
  EXPECT_EQ(choose(kLinux, 4), (Processors{0, 1, 2, 3}));
}

TEST_F(Topologies, AProcessorIsOnAMemoryNode) {
  const auto machine = Topology::made_up(kTwoPackages);
  EXPECT_EQ(machine->node_of(0), 0u);
  EXPECT_EQ(machine->node_of(7), 0u);
  EXPECT_EQ(machine->node_of(8), 1u);
  EXPECT_EQ(machine->node_of(16), std::nullopt) << "there is no such processor";
}

TEST_F(Topologies, SharedCoresWhenThereAreNoMore) {
  EXPECT_EQ(choose(kTwoPackages, 9), (Processors{0, 1, 2, 4, 6, 8, 10, 12, 14}));
  EXPECT_EQ(choose(kTwoPackages, 16), range(0, 16));
  EXPECT_EQ(choose(kLinux, 6), (Processors{0, 4, 1, 5, 2, 3}))
      << "in the machine's order: neighbours are near";
}

TEST_F(Topologies, NearEachOther) {
  EXPECT_EQ(choose(kFourCaches, 4), range(0, 4));
  EXPECT_EQ(choose(kFourCaches, 4, range(1, 16)), range(4, 8)) << "not some of the first cache's";
  EXPECT_EQ(choose(kFourCaches, 3, range(1, 16)), range(1, 4)) << "the smallest part that has room";
  EXPECT_EQ(choose(kFourCaches, 6, range(2, 16)), range(4, 10)) << "as few parts as possible";
  EXPECT_EQ(choose("pack:1 numa:2 core:4 pu:1", 3, range(2, 8)), range(4, 7));
  EXPECT_EQ(choose("pack:2 l3:2 core:4 pu:1", 6, Processors{0, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}),
            range(8, 14))
      << "one package, though it takes two caches of it";
}

TEST_F(Topologies, OnlyAllowedProcessors) {
  EXPECT_EQ(choose(kTwoPackages, 2, Processors{5, 7}), (Processors{5, 7}));
  EXPECT_EQ(choose(kTwoPackages, 2, Processors{4, 5, 15}), (Processors{4, 15}))
      << "4 and 5 are one core, which is worse than a way between packages";
  EXPECT_EQ(choose(kTwoPackages, 3, Processors{4, 5, 15}), (Processors{4, 5, 15}));
  EXPECT_EQ(choose(kTwoPackages, 3, Processors{1, 99}), (Processors{1})) << "there is no 99";
  EXPECT_EQ(choose(kTwoPackages, 3, Processors{}), Processors{});
  EXPECT_EQ(choose(kTwoPackages, 0), Processors{});
}

TEST_F(Topologies, AlwaysAsManyAsThereAre) {
  for (const char* machine : {kTwoPackages, kLinux, kFourCaches, "pu:3", "pack:2 die:2 l3:2 core:2 pu:2"}) {
    const auto all = Topology::made_up(machine)->allowed();
    for (std::size_t count = 0; count <= all.size() + 1; ++count) {
      Processors chosen = choose(machine, count);
      std::sort(chosen.begin(), chosen.end());
      EXPECT_EQ(std::unique(chosen.begin(), chosen.end()), chosen.end());
      EXPECT_EQ(chosen.size(), std::min(count, all.size())) << machine;
    }
  }
}

TEST_F(Topologies, NonsenseIsNoMachine) { EXPECT_FALSE(Topology::made_up("core:many")); }

TEST_F(Topologies, ThisMachineHasProcessors) {
  const auto topology = Topology::of_this_machine();
  if (!topology) GTEST_SKIP() << "hwloc does not know this machine";
  const Processors allowed = topology->allowed();
  ASSERT_FALSE(allowed.empty());
  EXPECT_EQ(topology->choose(allowed.size(), allowed).size(), allowed.size());
}

}  // namespace
}  // namespace anachron::topo
