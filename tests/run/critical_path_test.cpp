// The longest chain of causes: known for models that are made so, and the same in every mode.
#include <cstdint>
#include <optional>

#include <gtest/gtest.h>

#include <anachron/anachron.hpp>

#include "run/mode.hpp"

namespace anachron::test {
namespace {

struct Baton {
  std::uint32_t hops = 0;
};

/// Batons go round a ring of relays, each for so many hops.
struct Relay {
  struct Params {
    std::uint32_t batons = 1;  // each starts at another relay
    std::uint32_t hops = 100;
    bool stay = false;  // all go to relay 0
  };
  std::uint64_t seen = 0;
  void start(Context<Relay>& cx) {
    if (cx.self().index() < cx.params().batons) pass(cx, cx.params().hops);
  }
  void on(Context<Relay>& cx, const Baton& baton) {
    ++seen;
    if (baton.hops > 0) pass(cx, baton.hops);
  }
  static void pass(Context<Relay>& cx, std::uint32_t hops) {
    const std::uint32_t next = cx.params().stay ? 0 : (cx.self().index() + 1) % cx.lp_count();
    cx.send(cx.id(next), 0.5 + cx.rng().exponential(1), Baton{hops - 1});
  }
};

std::optional<std::uint64_t> path(const Relay::Params& params, Config config, std::uint32_t lps = 10) {
  Simulation<Relay> simulation;
  simulation.lps<Relay>(lps);
  simulation.params<Relay>() = params;
  simulation.config = std::move(config);
  return simulation.run().critical_path;
}

TEST(CriticalPaths, OfOneBatonIsAllItsHops) {
  EXPECT_EQ(path({.batons = 1, .hops = 100}, with(Sync::sequential, 1, 1)), 100u);
  EXPECT_EQ(path({.batons = 1, .hops = 100}, with(Sync::optimistic, 2, 2)), 100u);
}

TEST(CriticalPaths, OfEventsThatMeetAtOneLpIsAllOfThem) {
  EXPECT_EQ(path({.batons = 7, .hops = 1, .stay = true}, with(Sync::sequential, 1, 1)), 7u);
  EXPECT_EQ(path({.batons = 7, .hops = 1, .stay = true}, with(Sync::optimistic, 2, 3)), 7u);
}

TEST(CriticalPaths, OfBatonsThatNeverMeetIsThatOfOne) {
  // One hop each, to a relay of its own.
  EXPECT_EQ(path({.batons = 10, .hops = 1}, with(Sync::optimistic, 2, 2)), 1u);
}

TEST(CriticalPaths, AreTheSameInEveryMode) {
  const Relay::Params params{.batons = 8, .hops = 200};
  const auto expected = path(params, with(Sync::sequential, 1, 1));
  ASSERT_TRUE(expected);
  EXPECT_GT(*expected, 200u);
  for (const unsigned pes : {2u, 5u}) {
    Config config = with(Sync::optimistic, 2, pes);
    config.test_chaos = 3;
    EXPECT_EQ(path(params, config), expected);
    config.events = Events::copied;
    EXPECT_EQ(path(params, config), expected);
    Config conservative = with(Sync::conservative, 2, pes);
    conservative.lookahead = 0.5;
    EXPECT_EQ(path(params, conservative), expected);
  }
}

TEST(CriticalPaths, AreNotKnownAfterLazyCancellation) {
  Config config = with(Sync::optimistic, 2, 2);
  config.cancellation = Cancellation::lazy;
  EXPECT_FALSE(path({}, config));
}

}  // namespace
}  // namespace anachron::test
