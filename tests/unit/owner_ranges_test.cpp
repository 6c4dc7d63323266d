#include "lp/owner_ranges.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace anachron::lp {
namespace {

constexpr std::size_t kMany = OwnerRanges::kLeastLps;

TEST(OwnerRanges, FindTheOwnerOfEachLp) {
  for (std::size_t ranges = 2; ranges <= 8; ++ranges) {
    std::vector<PeId> owners;
    for (std::size_t range = 0; range < ranges; ++range)
      owners.insert(owners.end(), kMany / ranges + 1 + range * 3 % 5,
                    static_cast<PeId>(range % 2 ? 7 : range));
    const OwnerRanges of(owners);
    ASSERT_TRUE(of.pay());
    std::size_t wrong = 0;
    for (LpId id = 0; id < owners.size(); ++id) wrong += of.owner(id) != owners[id];
    EXPECT_EQ(wrong, 0u) << ranges;
  }
}

TEST(OwnerRanges, DoNotPayWhenThereAreManyOrOneOrFewLps) {
  std::vector<PeId> owners;
  for (int range = 0; range < 9; ++range)
    owners.insert(owners.end(), kMany / 8, static_cast<PeId>(range % 2));
  EXPECT_FALSE(OwnerRanges(owners).pay());
  EXPECT_FALSE(OwnerRanges(std::vector<PeId>(kMany, PeId{3})).pay());
  EXPECT_FALSE(OwnerRanges(std::vector<PeId>{1, 2}).pay());
  EXPECT_FALSE(OwnerRanges({}).pay());
}

}  // namespace
}  // namespace anachron::lp
