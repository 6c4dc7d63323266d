#include "base/owners.hpp"

#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace anachron {
namespace {

/// So many LPs of each owner, one after the other.
std::vector<PeId> in_rows(const std::vector<std::size_t>& lps, PeId first_owner = 0) {
  std::vector<PeId> owners;
  for (std::size_t row = 0; row < lps.size(); ++row)
    owners.insert(owners.end(), lps[row], first_owner + static_cast<PeId>(row % 3));
  return owners;
}

/// What `for_each_row` calls, when it is right.
std::vector<OwnerRow> rows_of(const std::vector<PeId>& of_lps) {
  std::vector<OwnerRow> rows;
  for (std::size_t id = 0; id < of_lps.size(); ++id)
    if (id == 0 || of_lps[id] != of_lps[id - 1]) rows.push_back({static_cast<LpId>(id), of_lps[id]});
  return rows;
}

void expect_same(const Owners& owners, const std::vector<PeId>& of_lps) {
  ASSERT_EQ(owners.size(), of_lps.size());
  for (LpId id = 0; id < of_lps.size(); ++id) ASSERT_EQ(owners[id], of_lps[id]) << id;
  EXPECT_EQ(owners.of_lps(), of_lps);
  const std::vector<OwnerRow> rows = rows_of(of_lps);
  std::size_t row = 0;
  owners.for_each_row([&](LpId first, LpId end, PeId owner) {
    ASSERT_LT(row, rows.size());
    EXPECT_EQ((OwnerRow{first, owner}), rows[row]);
    ++row;
    EXPECT_EQ(end, row < rows.size() ? rows[row].first : of_lps.size());
  });
  EXPECT_EQ(row, rows.size());
}

/// Made of LPs and of rows, they are the same.
Owners expect_owners(const std::vector<PeId>& of_lps) {
  Owners owners(of_lps);
  expect_same(owners, of_lps);
  const Owners of_rows(rows_of(of_lps), of_lps.size());
  expect_same(of_rows, of_lps);
  EXPECT_EQ(of_rows, owners);
  std::vector<std::byte> bytes;
  ByteWriter out(bytes);
  owners.encode(out);
  ByteReader in(bytes);
  expect_same(Owners::decode(in), of_lps);
  EXPECT_EQ(in.remaining(), 0u);
  return owners;
}

TEST(Owners, OfFewLpsAreFoundInRowsOfAnyLengths) {
  expect_owners({});
  expect_owners({0});
  for (std::size_t first = 1; first < 40; ++first)
    for (std::size_t second = 1; second < 40; ++second) expect_owners(in_rows({first, second, 5}));
}

TEST(Owners, TakeAnEntryForEachRowWhereRowsBeginAtPowersOfTwo) {
  EXPECT_EQ(expect_owners(in_rows({1 << 20, 1 << 20, 1 << 20})).bytes(), 6u);
  EXPECT_EQ(expect_owners(in_rows({1 << 20, 1 << 20, 100})).bytes(), 6u) << "the last one may be short";
}

TEST(Owners, TakeLittleForLongRowsThatBeginAnywhere) {
  for (const std::size_t length : {100'003u, 333'333u, 1'000'001u}) {
    const Owners owners = expect_owners(in_rows({length, length + 2, length - 1, 77, length}));
    EXPECT_LT(owners.bytes(), 8000u) << length;
  }
}

TEST(Owners, TakeAnEntryForEachLpWhereTheyChangeAllTheTime) {
  std::mt19937_64 random(7);
  std::vector<PeId> of_lps(100'000);
  for (PeId& owner : of_lps) owner = static_cast<PeId>(random() % 4);
  EXPECT_EQ(expect_owners(of_lps).bytes(), 200'000u);
}

TEST(Owners, MayHaveMoreThan16Bits) {
  expect_owners(in_rows({3, 4, 5}, 65'533));
  expect_owners(in_rows({3, 4, 5}, 65'534));
  expect_owners(in_rows({100'003, 100'003, 5}, kMostPes - 3));
  EXPECT_EQ(Owners({1, kMostPes - 1}).pes(), kMostPes);
}

TEST(Owners, AreFoundWhereManyRowsBeginAtOnePlace) {
  std::vector<std::size_t> rows(50, 1);
  rows.insert(rows.end(), {200'000, 200'001});
  expect_owners(in_rows(rows));
  std::mt19937_64 random(8);
  for (int n = 0; n < 20; ++n) {
    rows.clear();
    for (int row = 0; row < 200; ++row) rows.push_back(std::size_t{1} << random() % 13);
    expect_owners(in_rows(rows));
  }
}

}  // namespace
}  // namespace anachron
