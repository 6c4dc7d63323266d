// LPs that are dealt together.
#include "partition/clusters.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include <anachron/model/lp_ops.hpp>
#include <anachron/model/model.hpp>

#include "partition/metis/metis.hpp"
#include "partition/partition.hpp"

namespace anachron::partition {
namespace {

struct Note {};

/// Some hundreds, each with what is near it: a row, cut into clusters that do not go with its numbers.
struct Member {
  struct Params {
    std::uint32_t members = 300, clusters = 50;
  };
  static std::uint64_t count(const Params& params) { return params.members; }
  static std::uint32_t cluster(const Params& params, std::uint32_t index) {
    return 1'000'000 + index * 7 % params.clusters;
  }
  static double load(const Params&, std::uint32_t index) { return index % 3 + 1; }
  static void neighbours(const Params& params, std::uint32_t index, Neighbours& to) {
    to.add(Id<Member>((index + 1) % params.members), 2);
  }
  void on(Context<Member>&, const Note&) {}
};
/// Belongs to clusters of members, and beyond them has its own.
struct Guest {
  using Params = Member::Params;
  static std::uint32_t cluster(const Params&, std::uint32_t index) { return 1'000'000 + index; }
  void on(Context<Guest>&, const Note&) {}
};
struct Stranger {
  void on(Context<Stranger>&, const Note&) {}
};

const Member::Params kParams;
const std::vector<event::LpTypeEntry> kTypes{
    {&detail::lp_ops<Stranger>(), 0, 5, nullptr, nullptr},
    {&detail::lp_ops<Member>(), 5, kParams.members, &kParams, nullptr},
    {&detail::lp_ops<Guest>(), 305, 60, &kParams, nullptr}};
constexpr LpId kLps = 365;
constexpr PeId kNobody = 0xffff;

TEST(Clusters, AreNumberedAsTheirFirstLpsCome) {
  const Clusters clusters(kTypes);
  ASSERT_TRUE(clusters.exist());
  EXPECT_EQ(clusters.count(), 5u + 50 + 10);
  for (LpId stranger = 0; stranger < 5; ++stranger) EXPECT_EQ(clusters.of(stranger), stranger);
  EXPECT_EQ(clusters.of(5), 5u);
  EXPECT_EQ(clusters.of(6), 6u);
  EXPECT_EQ(clusters.of(55), 5u);   // member 50
  EXPECT_EQ(clusters.of(305), 5u);  // guest 0
  EXPECT_EQ(clusters.of(312), 6u);  // guest 7, of the cluster of member 1
  std::uint32_t next = 0;
  for (LpId lp = 0; lp < kLps; ++lp) {
    EXPECT_LE(clusters.of(lp), next);
    next = std::max(next, clusters.of(lp) + 1);
  }
}

TEST(Clusters, WithoutAnyEachLpIsOne) {
  const Clusters clusters(std::vector(kTypes.begin(), kTypes.begin() + 1));
  EXPECT_FALSE(clusters.exist());
  EXPECT_EQ(clusters.count(), 5u);
  EXPECT_EQ(clusters.of(3), 3u);
  EXPECT_EQ(clusters.spread({4, 3, 2, 1, 0}), (std::vector<PeId>{4, 3, 2, 1, 0}));
}

TEST(Clusters, DoTogetherWhatTheirLpsDo) {
  const Clusters clusters(kTypes);
  Profile profile{
      .work = std::vector<double>(kLps, 2), .sent = {{5, 55, 3}, {305, 312, 4}, {0, 6, 1}}, .spread = {}};
  const Profile all = clusters.together(profile);
  EXPECT_EQ(all.work[5], 2 * 7);  // six members and a guest
  EXPECT_EQ(all.work[0], 2);
  EXPECT_EQ(all.sent, (std::vector<Sent>{{5, 5, 3}, {5, 6, 4}, {0, 6, 1}}));
}

TEST(Clusters, StayTogetherHoweverTheyAreDealt) {
  const Clusters clusters(kTypes);
  for (const auto& [name, kind] : Spelling<Partition>::names) {
    if (kind == Partition::metis && !kHasMetis) continue;
    for (const unsigned pes : {2u, 3u, 7u}) {
      Config config;
      config.partition = kind;
      const Owners owners = deal(config, kTypes, Layout::of(pes)).owners;
      ASSERT_EQ(owners.size(), kLps);
      std::vector<PeId> of_cluster(clusters.count(), kNobody);
      std::vector<double> load(pes);
      for (LpId lp = 0; lp < kLps; ++lp) {
        PeId& owner = of_cluster[clusters.of(lp)];
        if (owner == kNobody) owner = owners[lp];
        EXPECT_EQ(owner, owners[lp]) << name << ", LP " << lp;
        load[owners[lp]] += lp >= 5 && lp < 305 ? (lp - 5) % 3 + 1 : 2;
      }
      if (kind == Partition::random || kind == Partition::round_robin) continue;
      EXPECT_LE(*std::max_element(load.begin(), load.end()), 1.25 * 730 / pes)
          << name << ", " << pes << " PEs";
    }
  }
}

}  // namespace
}  // namespace anachron::partition
