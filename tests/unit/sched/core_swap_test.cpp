// When a worker hands its core to another one.
#include "sched/core_swap.hpp"

#include <algorithm>
#include <condition_variable>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace anachron::sched {
namespace {

using Nanoseconds = CoreSwap::Nanoseconds;
constexpr Nanoseconds kMicrosecond = 1000, kMillisecond = 1000 * kMicrosecond, kTurn = 50 * kMicrosecond;

/// Cores and a clock that do what a test says.
class World {
 public:
  explicit World(std::vector<unsigned> groups)
      : used(groups.size()),
        core_swap({.now = [this] { return now; },
                   .used = [this](unsigned worker) { return ++asked, used[worker]; },
                   .move = [this](unsigned worker) { moved.push_back(worker); },
                   .exchange = [this](unsigned worker, unsigned other) { given.emplace_back(worker, other); },
                   .settle = [this](unsigned worker) { settled.push_back(worker); },
                   .sleep =
                       [this](std::condition_variable&, CoreSwap::Lock& lock, Nanoseconds until,
                              const std::function<bool()>& is_over) {
                         lock.unlock();
                         if (meanwhile) std::exchange(meanwhile, nullptr)();
                         lock.lock();
                         if (is_over()) return;
                         slept.push_back(until - now);
                         now = std::max(now, until);
                       },
                   .groups = std::move(groups)}) {}

  Nanoseconds now = 1'000'000'000;
  std::vector<Nanoseconds> used;
  unsigned asked = 0;
  std::vector<std::pair<unsigned, unsigned>> given;
  std::vector<unsigned> moved, settled;
  std::vector<Nanoseconds> slept;   // until others had had the core
  std::function<void()> meanwhile;  // while the next one sleeps
  CoreSwap core_swap;

  /// So many turns of this worker alone, which has come to that time.
  void run(CoreSwap::Runner& runner, int turns, Time reached = 2, bool had_work = true) {
    for (; turns > 0; --turns) {
      now += kTurn;
      runner.after_turn(reached, had_work);
    }
  }
};

using Given = std::vector<std::pair<unsigned, unsigned>>;

TEST(CoreSwap, AWorkerThatIsAheadGivesItsCoreToOneThatWasStopped) {
  World world({0, 0});
  CoreSwap::Runner ahead(world.core_swap, 0), behind(world.core_swap, 1);
  world.run(behind, 1, 1);
  world.run(ahead, 5);
  EXPECT_TRUE(world.given.empty()) << "it may be in a long batch";
  world.run(ahead, 2);
  EXPECT_EQ(world.given, (Given{{0, 1}}));
  EXPECT_EQ(world.moved, std::vector<unsigned>{0});
  EXPECT_EQ(world.core_swap.given_by(0), 1u);
  EXPECT_EQ(world.core_swap.given_by(1), 0u);
}

TEST(CoreSwap, WhoeverGivesLetsOthersHaveTheCoreAsLongAsWorkersHadIt) {
  const auto slept_after = [](int turns) {
    World world({0, 0});
    CoreSwap::Runner ahead(world.core_swap, 0), behind(world.core_swap, 1);
    world.run(behind, 1, 1);
    world.run(ahead, 7);
    behind.after_turn(3, true);
    for (int turn = 0; turn < turns; ++turn) {  // on the contested core
      world.run(ahead, 1);
      behind.after_turn(3, true);
    }
    const Nanoseconds stopped = world.now;
    world.run(behind, 7, 3);
    EXPECT_EQ(world.given, (Given{{0, 1}, {1, 0}}));
    return world.now - stopped;
  };
  EXPECT_EQ(slept_after(5), kMillisecond) << "at least";
  EXPECT_EQ(slept_after(40), 2 * kMillisecond);
  EXPECT_EQ(slept_after(200), 4 * kMillisecond) << "a time slice at most";
}

// Nobody else has wanted it for long: whoever came is likely to be gone at once.
TEST(CoreSwap, ANewcomerGetsTheCoreForAShortTime) {
  World world({0, 0});
  CoreSwap::Runner ahead(world.core_swap, 0), behind(world.core_swap, 1);
  world.run(behind, 1, 1);
  const Nanoseconds seen = world.now;
  world.run(ahead, 7);
  EXPECT_EQ(world.given, (Given{{0, 1}}));
  EXPECT_EQ(world.now - seen, kMillisecond);
}

// The first one gives its core to the second, and while it waits gets it back from that.
TEST(CoreSwap, TheTwoTakeTurnsMeanwhile) {
  World world({0, 0});
  CoreSwap::Runner first(world.core_swap, 0), second(world.core_swap, 1);
  for (int turn = 0; turn < 100; ++turn) {
    world.run(second, 1, 1);
    first.after_turn(2, true);
  }
  world.meanwhile = [&] {
    world.run(second, 1, 1);
    EXPECT_EQ(world.settled, std::vector<unsigned>{0}) << "it wakes on its core";
    world.run(second, 3, 1);
    EXPECT_EQ(world.given.size(), 1u) << "it is behind";
    for (int turn = 0; turn < 10 && world.given.size() == 1; ++turn) world.run(second, 1, 3);
  };
  world.run(first, 7);
  EXPECT_EQ(world.given, (Given{{0, 1}, {1, 0}}));
  ASSERT_EQ(world.slept.size(), 1u) << "the first one was given the core";
  EXPECT_EQ(world.core_swap.given_by(0), 1u);
  EXPECT_EQ(world.core_swap.given_by(1), 1u);
}

TEST(CoreSwap, NotToOneThatIsAheadUnlessThereIsNothingElseToDo) {
  World world({0, 0});
  CoreSwap::Runner first(world.core_swap, 0), second(world.core_swap, 1);
  world.run(second, 1, 3);
  world.run(first, 100, 2);
  EXPECT_TRUE(world.given.empty());
  world.run(first, 2, 2, false);
  EXPECT_EQ(world.given, (Given{{0, 1}}));
}

TEST(CoreSwap, NotToOneThatExecutesALongEvent) {
  World world({0, 0});
  CoreSwap::Runner first(world.core_swap, 0), second(world.core_swap, 1);
  world.run(second, 1, 1);
  for (int turn = 0; turn < 1000; ++turn) {
    world.used[1] += kTurn;
    world.run(first, 1);
  }
  EXPECT_TRUE(world.given.empty());
  EXPECT_LT(world.asked, 20u) << "asked ever more seldom";
}

TEST(CoreSwap, NotAgainToOneThatDoesNotArrive) {
  World world({0, 0});
  CoreSwap::Runner first(world.core_swap, 0), second(world.core_swap, 1);
  world.run(second, 1, 1);
  world.run(first, 200, 2, false);
  EXPECT_EQ(world.given, (Given{{0, 1}})) << "it may wait for a file";
}

TEST(CoreSwap, NotToOneThatSleepsOrHasLeft) {
  World world({0, 0});
  CoreSwap::Runner first(world.core_swap, 0);
  {
    CoreSwap::Runner second(world.core_swap, 1);
    world.run(second, 1, 1);
    second.pause();
    world.run(first, 100);
    world.run(second, 1, 1);
  }
  world.run(first, 100);
  EXPECT_TRUE(world.given.empty());
}

TEST(CoreSwap, NotToOneThatHasNotBegun) {
  World world({0, 0});
  CoreSwap::Runner first(world.core_swap, 0), second(world.core_swap, 1);
  world.run(first, 100);
  EXPECT_TRUE(world.given.empty());
}

TEST(CoreSwap, WhoeverWasStoppedIsFoundAmongMany) {
  World world({0, 1, 0, 1, 0});
  std::vector<std::unique_ptr<CoreSwap::Runner>> runners;
  for (unsigned worker = 0; worker < 5; ++worker)
    runners.push_back(std::make_unique<CoreSwap::Runner>(world.core_swap, worker));
  world.run(*runners[2], 1, 1);
  world.run(*runners[3], 1, 1);
  for (int turn = 0; turn < 20 && world.given.empty(); ++turn)
    for (const unsigned worker : {0u, 4u}) {
      world.run(*runners[worker], 1);
      world.now -= kTurn / 2;  // they run at the same time
    }
  EXPECT_EQ(world.given.front().second, 2u) << "and 3 belongs to another group";
}

TEST(CoreSwap, AWorkerAloneInItsGroupKeepsItsCore) {
  World world({0, 1});
  CoreSwap::Runner first(world.core_swap, 0), second(world.core_swap, 1);
  world.run(second, 1, 1);
  world.run(first, 100);
  EXPECT_TRUE(world.given.empty());
  EXPECT_EQ(world.asked, 0u);
}

/// The first is ahead and the second was stopped, now and then; what is given is there after so long.
std::size_t given_in(World& world, int times, Nanoseconds after) {
  CoreSwap::Runner ahead(world.core_swap, 0), behind(world.core_swap, 1);
  world.run(behind, 1, 1);
  std::size_t successes = 0;
  for (; times > 0; --times) {
    for (int turn = 0; turn < 130; ++turn) {
      world.run(behind, 1, 1);
      ahead.after_turn(2, true);
    }
    world.meanwhile = [&] {
      world.now += after;
      behind.after_turn(1, true);
    };
    const std::size_t before = world.given.size();
    for (int turn = 0; turn < 20 && world.given.size() == before; ++turn) world.run(ahead, 1);
    successes += world.given.size() - before;
    world.meanwhile = nullptr;
  }
  return successes;
}

TEST(CoreSwap, GoesOnWhereTheCoreIsFree) {
  World world({0, 0});
  EXPECT_EQ(given_in(world, 50, 100 * kMicrosecond), 50u);
  EXPECT_TRUE(world.core_swap.pays());
}

TEST(CoreSwap, PausesWhereOthersTakeTheCoreAsWell) {
  World world({0, 0});
  EXPECT_LT(given_in(world, 50, 2000 * kMicrosecond), 14u) << "three, and then one at a time";
  const auto later = given_in(world, 200, 2000 * kMicrosecond);
  EXPECT_LT(later, 40u) << "one at a time";
  EXPECT_GT(later, 20u) << "others may leave";
  EXPECT_FALSE(world.core_swap.pays());
  EXPECT_GT(given_in(world, 1000, 100 * kMicrosecond), 700u) << "they have left";
  EXPECT_TRUE(world.core_swap.pays());
}

// Whoever waits is given the core by one that leaves it, and is in no hurry.
TEST(CoreSwap, TurnsTellNothingOfOthers) {
  World world({0, 0});
  CoreSwap::Runner first(world.core_swap, 0), second(world.core_swap, 1);
  for (int round = 0; round < 20; ++round) {
    for (int turn = 0; turn < 130; ++turn) {
      world.run(second, 1, 1);
      first.after_turn(2, true);
    }
    const std::size_t before = world.given.size();
    world.meanwhile = [&] {
      world.run(second, 4, 1);
      for (int turn = 0; turn < 10 && world.given.size() == before + 1; ++turn) world.run(second, 1, 3);
    };
    world.run(first, 7);
    ASSERT_EQ(world.given.size(), before + 2) << "there and back";
    world.now += 2 * kMillisecond;
    world.run(first, 1);
  }
  EXPECT_TRUE(world.core_swap.pays());
}

}  // namespace
}  // namespace anachron::sched
