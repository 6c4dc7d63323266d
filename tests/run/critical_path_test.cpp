// The longest chain of causes: known for models that are made so, and the same in every mode.
#include <cstdint>
#include <optional>

#include <gtest/gtest.h>

#include <anachron/anachron.hpp>

#include "run/mode.hpp"

namespace anachron::test {
namespace {

struct Token {
  std::uint32_t hops = 0;
};

/// Tokens go round a ring of stations, each for so many hops.
struct Station {
  struct Params {
    std::uint32_t tokens = 1;  // each starts at another station
    std::uint32_t hops = 100;
    bool stay = false;  // all go to station 0
  };
  std::uint64_t seen = 0;
  void start(Context<Station>& cx) {
    if (cx.self().index() < cx.params().tokens) pass(cx, cx.params().hops);
  }
  void on(Context<Station>& cx, const Token& token) {
    ++seen;
    if (token.hops > 0) pass(cx, token.hops);
  }
  static void pass(Context<Station>& cx, std::uint32_t hops) {
    const std::uint32_t next = cx.params().stay ? 0 : (cx.self().index() + 1) % cx.lp_count();
    cx.send(cx.id(next), 0.5 + cx.rng().exponential(1), Token{hops - 1});
  }
};

std::optional<std::uint64_t> path(const Station::Params& params, Config config, std::uint32_t lps = 10) {
  Simulation<Station> simulation;
  simulation.lps<Station>(lps);
  simulation.params<Station>() = params;
  simulation.config = std::move(config);
  return simulation.run().critical_path;
}

TEST(CriticalPaths, OfOneTokenIsAllItsHops) {
  for (const Sync sync : {Sync::sequential, Sync::optimistic})
    EXPECT_EQ(path({.tokens = 1, .hops = 100}, with(sync, 2, 2)), 100u);
}

TEST(CriticalPaths, OfEventsThatMeetAtOneLpIsAllOfThem) {
  for (const Sync sync : {Sync::sequential, Sync::optimistic})
    EXPECT_EQ(path({.tokens = 7, .hops = 1, .stay = true}, with(sync, 2, 3)), 7u);
}

TEST(CriticalPaths, OfTokensThatNeverMeetIsThatOfOne) {
  // One hop each, to a station of its own.
  EXPECT_EQ(path({.tokens = 10, .hops = 1}, with(Sync::optimistic, 2, 2)), 1u);
}

TEST(CriticalPaths, AreTheSameInEveryMode) {
  const Station::Params params{.tokens = 8, .hops = 200};
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
