// What a model fetches ahead: it is asked for events that come, of LPs that do not fit the cache, and changes
// nothing.
#include <array>
#include <atomic>
#include <cstdint>

#include <gtest/gtest.h>
#include <anachron/anachron.hpp>

namespace anachron::test {
namespace {

struct Params {
  std::uint32_t lps = 1;
  static void describe(Describe<Params>& d) { d(&Params::lps, "Number of halls"); }
};

struct Map {
  explicit Map(const Params&) {}
  mutable std::atomic<std::uint64_t> foreseen{0}, wrong{0};
};
// Where the tests read what was counted: the run owns its map.
std::uint64_t foreseen, wrong;

struct Walk {
  std::uint32_t to = 0;  ///< the receiver's number
};

/// Sends walkers on at random. 1 KiB each.
struct Hall {
  using Params = test::Params;
  using Shared = Map;
  std::array<std::uint64_t, 128> steps{};

  static std::uint32_t count(const Params& params, const Map&) { return params.lps; }
  static void foresee(const Map& map, std::uint32_t hall, const Walk& walk) {
    map.foreseen.fetch_add(1, std::memory_order_relaxed);
    map.wrong.fetch_add(walk.to != hall, std::memory_order_relaxed);
  }
  void start(Context<Hall>& cx) { go(cx); }
  void on(Context<Hall>& cx, const Walk& walk) {
    ++steps[walk.to % steps.size()];
    go(cx);
  }
  static void go(Context<Hall>& cx) {
    const auto to = cx.rng().below(cx.params().lps);
    cx.send(cx.id(to), cx.rng().exponential(1), Walk{to});
  }
  void finish(Results& results, const Finish<Hall>& cx) const {
    results.count("steps", static_cast<std::int64_t>(steps[cx.self().index() % steps.size()]));
    foreseen = cx.shared().foreseen;
    wrong = cx.shared().wrong;
  }
};

Report walk(std::uint32_t lps, Sync sync) {
  Simulation<Hall> simulation;
  simulation.params<Hall>().lps = lps;
  simulation.config.until = 3;
  simulation.config.sync = sync;
  if (sync == Sync::optimistic) {
    simulation.config.workers = 2;
    simulation.config.mapping = Mapping::fixed;
  }
  foreseen = wrong = 0;
  return simulation.run();
}

TEST(Foresee, IsAskedForTheEventsOfLpsThatDoNotFitTheCache) {
  const Report sequential = walk(4000, Sync::sequential);
  EXPECT_GT(foreseen, sequential.committed / 2);
  EXPECT_EQ(wrong, 0u);
  const Report optimistic = walk(4000, Sync::optimistic);
  EXPECT_GT(foreseen, 0u);
  EXPECT_EQ(wrong, 0u);
  EXPECT_EQ(sequential.digest, optimistic.digest);
}

TEST(Foresee, IsNotAskedWhereTheyFit) {
  walk(100, Sync::sequential);
  EXPECT_EQ(foreseen, 0u);
}

}  // namespace
}  // namespace anachron::test
