// When `--partition auto` has METIS deal LPs.
#include "partition/graph/better_by_graph.hpp"

#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include <anachron/anachron.hpp>

#include "partition/metis/metis.hpp"
#include "partition/partition.hpp"
#include "partition/quality.hpp"

namespace anachron::partition {
namespace {

struct Note {};

/// Each sends to the one so many numbers on, round a ring: blocks cut a far `step` everywhere, a graph only
/// twice.
struct Player {
  struct Params {
    std::uint32_t players = 1000, step = 1, fans = 0;
  };
  static std::uint64_t count(const Params& params) { return params.players; }
  static void neighbours(const Params& params, std::uint32_t index, Neighbours& to) {
    to.add(Id<Player>((index + params.step) % params.players));
    for (std::uint32_t k = 0; k < params.fans; ++k) to.add(Id<Player>((index + k) % params.players));
  }
  void on(Context<Player>&, const Note&) {}
};
struct Loner {
  void on(Context<Loner>&, const Note&) {}
};

std::vector<event::LpTypeEntry> types(const Player::Params& params) {
  return {{&detail::lp_ops<Player>(), 0, params.players, &params, nullptr}};
}

class BetterByGraph : public testing::Test {
 protected:
  void SetUp() override {
    if (!kHasMetis) GTEST_SKIP() << "built without METIS";
  }
  static Dealt dealt(const Player::Params& params, unsigned pes = 2) {
    return deal(Config(), types(params), Layout::of(pes));
  }
  static double remote(const Player::Params& params, const Owners& owners, unsigned pes = 2) {
    return quality_of(declared_profile(types(params)), owners, Layout::of(pes)).remote;
  }
};

TEST_F(BetterByGraph, WhereBlocksWouldSendMuch) {
  const Player::Params far{.step = 499};
  Config blocks;
  blocks.partition = Partition::block;
  for (const unsigned pes : {2u, 3u}) {
    EXPECT_GT(remote(far, deal(blocks, types(far), Layout::of(pes)).owners, pes), 0.6);
    const Dealt found = dealt(far, pes);
    EXPECT_EQ(found.by, Partition::metis);
    EXPECT_LT(remote(far, found.owners, pes), 0.05);
  }
}

TEST_F(BetterByGraph, NotWhereBlocksAreAsGood) {
  const Dealt found = dealt({.step = 1});
  EXPECT_EQ(found.by, Partition::block);
  EXPECT_EQ(found.owners[499], 0);
  EXPECT_EQ(found.owners[500], 1);
}

TEST_F(BetterByGraph, NotWhereNoPartitionHelps) {
  // Everybody sends to everybody.
  EXPECT_EQ(dealt({.players = 100, .fans = 100}).by, Partition::block);
}

TEST_F(BetterByGraph, NotForLargeModels) {
  EXPECT_EQ(dealt({.players = 50'001, .step = 25'000}).by, Partition::block);
  EXPECT_EQ(dealt({.players = 1'000, .step = 499, .fans = 250}).by, Partition::block);
}

TEST_F(BetterByGraph, NotForOnePeOrAModelThatSaysNothing) {
  EXPECT_EQ(dealt({.step = 499}, 1).by, Partition::block);
  const std::vector<event::LpTypeEntry> silent{{&detail::lp_ops<Loner>(), 0, 500, nullptr, nullptr}};
  EXPECT_EQ(deal(Config(), silent, Layout::of(2)).by, Partition::block);
}

TEST(BetterByGraphRun, IsInTheReportAndChangesNoResult) {
  struct Runner {
    static std::uint32_t count(const NoParams&) { return 300; }
    static void neighbours(const NoParams&, std::uint32_t index, Neighbours& to) {
      to.add(Id<Runner>((index + 149) % 300));
    }
    void start(Context<Runner>& cx) { cx.send(cx.self(), cx.rng().uniform(), Note{}); }
    void on(Context<Runner>& cx, const Note&) {
      cx.send(cx.id((cx.self().index() + 149) % 300), cx.rng().exponential(1), Note{});
    }
  };
  Simulation<Runner> simulation;
  simulation.lps<Runner>(300);
  simulation.config.until = 20;
  simulation.config.sync = Sync::sequential;
  const Report expected = simulation.run();
  simulation.config.sync = Sync::optimistic;
  simulation.config.workers = 2;
  for (const Partition kind : {Partition::automatic, Partition::block}) {
    simulation.config.partition = kind;
    const Report report = simulation.run();
    EXPECT_EQ(report.digest, expected.digest);
    EXPECT_EQ(report.dealt_by,
              kind == Partition::automatic && kHasMetis ? Partition::metis : Partition::block);
  }
}

}  // namespace
}  // namespace anachron::partition
