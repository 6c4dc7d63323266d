#include "lp/owner_ranges.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace anachron::lp {
namespace {

TEST(OwnerRanges, FindTheOwnerOfEachLp) {
  for (std::size_t ranges = 1; ranges <= 8; ++ranges) {
    std::vector<PeId> owners;
    for (std::size_t range = 0; range < ranges; ++range)
      owners.insert(owners.end(), 1 + range * 3 % 5, static_cast<PeId>(range % 2 ? 7 : range));
    const OwnerRanges of(owners);
    ASSERT_TRUE(of.are_few());
    for (LpId id = 0; id < owners.size(); ++id) EXPECT_EQ(of.owner(id), owners[id]) << ranges << " " << id;
  }
}

TEST(OwnerRanges, AreNotFewWhenThereAreMany) {
  std::vector<PeId> owners;
  for (int range = 0; range < 9; ++range) owners.push_back(static_cast<PeId>(range % 2));
  EXPECT_FALSE(OwnerRanges(owners).are_few());
  EXPECT_FALSE(OwnerRanges({}).are_few());
}

}  // namespace
}  // namespace anachron::lp
