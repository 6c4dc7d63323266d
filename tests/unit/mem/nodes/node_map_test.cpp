#include "mem/nodes/node_map.hpp"

#include <cstddef>
#include <cstdint>

#include <gtest/gtest.h>

namespace anachron::mem {
namespace {

/// The map looks at no memory, only at addresses.
const std::byte* at(std::uintptr_t address) { return reinterpret_cast<const std::byte*>(address); }

TEST(NodeMap, KnowsWhereEachPageIs) {
  NodeMap map;
  const std::uintptr_t begin = 0x7f12'3456'7000;
  map.note(at(begin), 0x5000, 3);
  map.note(at(begin + 0x5000), 0x1000, 7);
  EXPECT_EQ(map.node_of(at(begin)), 3);
  EXPECT_EQ(map.node_of(at(begin + 0x4fff)), 3);
  EXPECT_EQ(map.node_of(at(begin + 0x5000)), 7);
  EXPECT_EQ(map.node_of(at(begin + 0x5fff)), 7);
}

TEST(NodeMap, ChunksMayCrossItsLeaves) {
  NodeMap map;
  const std::uintptr_t border = std::uintptr_t{5} << 32;
  map.note(at(border - 0x3000), 0x6000, 9);
  for (std::uintptr_t page = border - 0x3000; page < border + 0x3000; page += 0x1000)
    EXPECT_EQ(map.node_of(at(page)), 9);
  map.note(at(border), 0x1000, 2);
  EXPECT_EQ(map.node_of(at(border - 1)), 9);
  EXPECT_EQ(map.node_of(at(border)), 2) << "what went back to the system comes again";
}

TEST(NodeMap, ReachesTheEndOfTheAddressSpace) {
  NodeMap map;
  const std::uintptr_t last = (std::uintptr_t{1} << 48) - 0x1000;
  map.note(at(last), 0x1000, 200);
  EXPECT_EQ(map.node_of(at(last + 0xfff)), 200);
}

}  // namespace
}  // namespace anachron::mem
