#include "lp/owner_table.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace anachron::lp {
namespace {

/// So many LPs of each owner, one after the other.
std::vector<PeId> rows(const std::vector<std::size_t>& lps) {
  std::vector<PeId> owners;
  for (std::size_t row = 0; row < lps.size(); ++row)
    owners.insert(owners.end(), lps[row], static_cast<PeId>(row % 3));
  return owners;
}

void expect_owners(const std::vector<PeId>& owners, std::size_t entries) {
  const OwnerTable table(owners);
  EXPECT_EQ(table.entries(), entries);
  for (LpId id = 0; id < owners.size(); ++id) EXPECT_EQ(table.owner(id), owners[id]) << id;
}

TEST(OwnerTable, HasAnEntryForEachRowOfOneOwner) {
  expect_owners(rows({32, 32, 32}), 3);
  expect_owners(rows({32, 64, 16}), 4);
  expect_owners(rows({8, 9}), 3);  // the last row is short
  expect_owners(rows({64}), 1);
  expect_owners(rows({100}), 2);
}

TEST(OwnerTable, IsTheCallersWhereOwnersChangeAnywhere) {
  expect_owners(rows({1, 1, 1}), 0);
  expect_owners(rows({7, 8, 9}), 0);
  expect_owners(rows({1}), 0);
  expect_owners({}, 0);
}

TEST(OwnerTable, FindsOwnersOfRowsOfAnyLengths) {
  for (std::size_t first = 1; first < 40; ++first)
    for (std::size_t second = 1; second < 40; ++second) {
      const std::vector<PeId> owners = rows({first, second, 5});
      const OwnerTable table(owners);
      for (LpId id = 0; id < owners.size(); ++id) ASSERT_EQ(table.owner(id), owners[id]);
    }
}

}  // namespace
}  // namespace anachron::lp
