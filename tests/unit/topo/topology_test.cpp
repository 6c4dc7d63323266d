// Which processors are chosen, on machines that nobody here has.
#include "topo/topology.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <stdexcept>
#include <string>

#include <fmt/format.h>
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

Processors best_first(const std::string& machine, const Processors& processors) {
  return Topology::made_up(machine)->best_first(processors);
}

TEST_F(Topologies, TheFirstAreOnAsManyCoresAsPossible) {
  EXPECT_EQ(best_first(kTwoPackages, range(0, 8)), (Processors{0, 2, 4, 6, 1, 3, 5, 7}));
  EXPECT_EQ(best_first(kLinux, choose(kLinux, 6)), (Processors{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(best_first("core:2 pu:3", range(0, 6)), (Processors{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(best_first(kFourCaches, range(3, 9)), range(3, 9)) << "otherwise as they were";
  EXPECT_EQ(best_first(kTwoPackages, Processors{9, 3, 2}), (Processors{9, 3, 2}));
  EXPECT_EQ(best_first(kTwoPackages, Processors{3, 2, 99}), (Processors{3, 99, 2})) << "there is no 99";
  EXPECT_EQ(best_first(kTwoPackages, {}), Processors{});
}

/// A machine as hwloc writes it down, which is this one while it lives.
class WrittenMachine {
 public:
  explicit WrittenMachine(const std::string& xml) {
    std::ofstream(file_) << xml;
    ::setenv("HWLOC_XMLFILE", file_.c_str(), 1);
  }
  ~WrittenMachine() {
    ::unsetenv("HWLOC_XMLFILE");
    std::filesystem::remove(file_);
  }
  WrittenMachine(const WrittenMachine&) = delete;
  WrittenMachine& operator=(const WrittenMachine&) = delete;

 private:
  const std::string file_ =
      (std::filesystem::temp_directory_path() / fmt::format("anachron_topology_{}.xml", ::getpid())).string();
};

// Core 0 with processors 0 and 1, small; cores 1 and 2 with one each, large.
TEST_F(Topologies, FastCoresFirst) {
  const WrittenMachine written(R"(<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE topology SYSTEM "hwloc2.dtd">
<topology version="2.0">
  <object type="Machine" os_index="0" cpuset="0xf" complete_cpuset="0xf" allowed_cpuset="0xf" nodeset="0x1"
          complete_nodeset="0x1" allowed_nodeset="0x1" gp_index="1">
    <object type="NUMANode" os_index="0" cpuset="0xf" complete_cpuset="0xf" nodeset="0x1" complete_nodeset="0x1"
            gp_index="2" local_memory="1073741824"/>
    <object type="Core" os_index="0" cpuset="0x3" complete_cpuset="0x3" nodeset="0x1" complete_nodeset="0x1"
            gp_index="3">
      <object type="PU" os_index="0" cpuset="0x1" complete_cpuset="0x1" nodeset="0x1" complete_nodeset="0x1"
              gp_index="4"/>
      <object type="PU" os_index="1" cpuset="0x2" complete_cpuset="0x2" nodeset="0x1" complete_nodeset="0x1"
              gp_index="5"/>
    </object>
    <object type="Core" os_index="1" cpuset="0x4" complete_cpuset="0x4" nodeset="0x1" complete_nodeset="0x1"
            gp_index="6">
      <object type="PU" os_index="2" cpuset="0x4" complete_cpuset="0x4" nodeset="0x1" complete_nodeset="0x1"
              gp_index="7"/>
    </object>
    <object type="Core" os_index="2" cpuset="0x8" complete_cpuset="0x8" nodeset="0x1" complete_nodeset="0x1"
            gp_index="8">
      <object type="PU" os_index="3" cpuset="0x8" complete_cpuset="0x8" nodeset="0x1" complete_nodeset="0x1"
              gp_index="9"/>
    </object>
  </object>
  <cpukind cpuset="0x3" forced_efficiency="1"/>
  <cpukind cpuset="0xc" forced_efficiency="5"/>
</topology>
)");
  const auto topology = Topology::of_another_machine();
  ASSERT_TRUE(topology);
  ASSERT_EQ(topology->allowed(), range(0, 4));
  EXPECT_EQ(topology->best_first(range(0, 4)), (Processors{2, 3, 0, 1}));
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
