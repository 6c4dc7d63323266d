// The memory limit: budget, depot, and what the guard orders.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <limits>
#include <optional>
#include <random>
#include <vector>

#include <anachron/mem/arena.hpp>
#include <anachron/mem/event_pool.hpp>
#include <anachron/mem/pages.hpp>

#include "gvt/decisions/memory_guard.hpp"
#include "mem/budget.hpp"
#include "mem/pool/depot.hpp"
#include "mem/pool/size_classes.hpp"

namespace anachron::mem {
namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
using Reserve = Budget::Reserve;

TEST(Depot, HandsOutWhatItWasGiven) {
  const Pages memory(1 << 16);
  Depot depot;
  std::vector<void*> blocks;
  for (std::size_t at = 0; at < memory.size(); at += 128) blocks.push_back(memory.data() + at);
  depot.give(blocks, 128);
  EXPECT_EQ(depot.free_bytes(), memory.size());
  std::vector<void*> out(blocks.size() + 1);
  EXPECT_EQ(depot.take(128, out), blocks.size());
  EXPECT_EQ(depot.free_bytes(), 0u);
  out.resize(blocks.size());
  std::sort(out.begin(), out.end());
  EXPECT_EQ(out, blocks);
  EXPECT_EQ(depot.take(64, out), 0u);
}

TEST(Depot, CutsLargeBlocksAndJoinsSmallOnes) {
  const Pages memory(1 << 16);
  Depot depot;
  void* const all = memory.data();
  depot.give({&all, 1}, memory.size());
  std::vector<void*> small(memory.size() / 64);
  ASSERT_EQ(depot.take(64, small), small.size());
  std::shuffle(small.begin(), small.end(), std::mt19937_64(1));
  depot.give(small, 64);
  std::vector<void*> large(memory.size() / 1024);
  EXPECT_EQ(depot.take(1024, large), large.size()) << "all of it is in one piece again";
  EXPECT_EQ(depot.free_bytes(), 0u);
}

TEST(Depot, NoBlockIsInTwoHands) {
  const Pages memory(1 << 18);
  Depot depot;
  void* const all = memory.data();
  depot.give({&all, 1}, memory.size());
  struct Held {
    unsigned char* at;
    std::size_t bytes;
    unsigned char mark;
  };
  std::vector<Held> held;
  std::mt19937_64 random(7);
  std::uint64_t free = memory.size();
  for (int i = 0; i < 20'000; ++i) {
    if (random() % 2) {
      std::vector<void*> out(1 + random() % 20);
      const std::size_t bytes = 64 * (1 + random() % 16);
      out.resize(depot.take(bytes, out));
      for (void* at : out) {
        held.push_back({static_cast<unsigned char*>(at), bytes, static_cast<unsigned char>(random())});
        std::memset(at, held.back().mark, bytes);
        free -= bytes;
      }
    } else if (!held.empty()) {
      std::swap(held[random() % held.size()], held.back());
      const Held h = held.back();
      held.pop_back();
      ASSERT_TRUE(std::all_of(h.at, h.at + h.bytes, [&](unsigned char c) { return c == h.mark; }));
      void* const block = h.at;
      depot.give({&block, 1}, h.bytes);
      free += h.bytes;
    }
    ASSERT_EQ(depot.free_bytes(), free);
  }
}

TEST(Budget, ChunksShrinkAsTheLimitComesNear) {
  Budget budget(64 * kMiB, 2, Reserve::some);
  Allowance allowance(budget, 0);
  std::size_t before = 32 * kMiB;
  while (!allowance.is_short()) {
    const std::size_t chunk = allowance.take_chunk(32 * kMiB, 64 << 10);
    EXPECT_LE(chunk, before);
    before = chunk;
  }
  EXPECT_EQ(before, std::size_t{64} << 10);
  EXPECT_LE(budget.taken(), budget.for_events() + (64 << 10));
  EXPECT_GT(budget.taken(), budget.for_events() - (64 << 10));
  EXPECT_FALSE(budget.has_room());
}

TEST(Budget, TheReserveIsForEventsThatMustBeExecuted) {
  Budget budget(64 * kMiB, 1, Reserve::some);
  Allowance allowance(budget, 0);
  allowance.settle(budget.for_events());
  EXPECT_FALSE(allowance.has_room());
  allowance.reopen(Allowance::Use::to_the_last);
  EXPECT_TRUE(allowance.has_room());
  allowance.take_chunk(1 << 16, 1 << 16);
  EXPECT_FALSE(allowance.is_short());
  allowance.settle(budget.at_most() + 1);
  EXPECT_TRUE(allowance.is_short());
  EXPECT_FALSE(allowance.has_room());
}

TEST(Budget, ASequentialRunHasAllOfIt) {
  Budget budget(kMiB, 1, Reserve::none);
  Allowance allowance(budget, 0);
  budget.take_fixed(kMiB / 2);
  allowance.settle(kMiB / 2);
  EXPECT_FALSE(allowance.is_short());
  allowance.take(1);
  EXPECT_TRUE(allowance.is_short());
}

TEST(Budget, KeepsEnoughForAnotherBatch) {
  Budget budget(64 * kMiB, 2, Reserve::some);
  Allowance one(budget, 0), other(budget, 1);
  one.settle(budget.for_events() - 3 * kMiB);
  EXPECT_TRUE(budget.has_room());
  one.count_ready(2 * kMiB);
  one.end_batch();
  EXPECT_TRUE(budget.has_room());
  other.count_ready(2 * kMiB);
  other.end_batch();
  EXPECT_FALSE(budget.has_room());
}

TEST(Budget, CountsWhatPoolsAndArenasTakeAndGiveBack) {
  Budget budget(64 * kMiB, 2, Reserve::some);
  Allowance of_pool(budget, 0), of_arena(budget, 1);
  EventPool pool(of_pool);
  const std::uint64_t before = budget.taken();
  void* const single = pool.allocate(500'000);
  EXPECT_EQ(budget.taken(), before + 500'000);
  pool.release(single, 500'000);
  EXPECT_EQ(budget.taken(), before);
  pool.allocate(64);
  EXPECT_EQ(budget.taken(), before + pool.bytes());
  void* const large = pool.allocate(5000);
  EXPECT_EQ(budget.taken(), before + pool.bytes());
  pool.release(large, 5000);
  of_pool.settle(pool.taken_bytes());
  EXPECT_EQ(budget.taken(), static_cast<std::uint64_t>(pool.taken_bytes()));

  Arena arena;
  arena.obey(of_arena);
  const std::uint64_t without = budget.taken();
  void* last = nullptr;
  for (int i = 0; i < 100; ++i) last = std::memset(arena.allocate(10'000, 8), i, 10'000);
  EXPECT_EQ(budget.taken(), without + arena.bytes());
  const std::uint64_t most = arena.bytes();
  arena.release_before(last);
  arena.trim();
  EXPECT_LT(arena.bytes(), most / 5);
  EXPECT_EQ(budget.taken(), without + arena.bytes());
  for (int i = 0; i < 90; ++i) std::memset(arena.allocate(10'000, 8), i, 10'000);
  EXPECT_LE(arena.bytes(), most) << "trimmed chunks are used again";
  EXPECT_EQ(budget.taken(), without + arena.bytes());
}

TEST(Budget, PoolsThatShareUseEachOthersMemoryForAnySize) {
  Budget budget(2 * kMiB, 2, Reserve::some);
  Allowance first(budget, 0), second(budget, 1);
  EventPool one(first), other(second);
  std::vector<void*> blocks;
  while (!first.is_short()) blocks.push_back(one.allocate(64));
  const std::uint64_t taken = one.bytes() + other.bytes();
  one.share(true);
  other.share(true);
  for (void* block : blocks) one.release(block, 64);
  for (std::size_t i = 0; i < blocks.size() / 4; ++i) ASSERT_NE(other.allocate(200), nullptr);
  EXPECT_EQ(one.bytes() + other.bytes(), taken);
}

TEST(Budget, WhatIsFreeOfLargeBlocksIsForAllWhileMemoryIsScarce) {
  constexpr std::size_t kBytes = 200'000;
  Budget budget(8 * kMiB, 2, Reserve::some);
  Allowance first(budget, 0), second(budget, 1);
  EventPool one(first), other(second);
  std::vector<void*> blocks;
  while (!first.is_short()) blocks.push_back(one.allocate(kBytes));
  const std::uint64_t taken = one.bytes() + other.bytes();
  one.share(true);
  other.share(true);
  const std::uint64_t free = budget.depot().free_bytes();
  for (void* block : blocks) other.release(block, kBytes);
  EXPECT_EQ(budget.depot().free_bytes() - free,
            blocks.size() * size_classes::size_of(size_classes::of(kBytes)))
      << "none stays in a magazine";
  for (std::size_t i = 0; i < blocks.size(); ++i) ASSERT_NE(one.allocate(kBytes), nullptr);
  EXPECT_EQ(one.bytes() + other.bytes(), taken);
  for (int i = 0; i < 100; ++i) other.release(other.allocate(5000), 5000);
  EXPECT_LE(one.bytes() + other.bytes(), taken + (64 << 10));
}

}  // namespace
}  // namespace anachron::mem

namespace anachron::mem {
namespace {

constexpr std::uint64_t kLimit = 64 << 20;

/// Two PEs: the first has the event at GVT.
class Guard {
 public:
  gvt::Round round(Time gvt, Time furthest, gvt::Shortage first, gvt::Shortage second = gvt::Shortage::none,
                   Time second_at = 90) {
    const event::EventKey at_gvt{.time = gvt}, later{.time = second_at};
    const std::vector<gvt::Summary> summaries{
        {.earliest = at_gvt, .halt = {}, .shortage = first, .furthest = gvt},
        {.earliest = later, .halt = {}, .shortage = second, .furthest = furthest}};
    gvt::Round round;
    round.bound = at_gvt;
    round.horizon = horizon;
    gvt::RankReport all;
    for (const gvt::Summary& summary : summaries) all.add(summary);
    all.memory = guard_.look(all.is_short);
    fits = guard_.conclude(all, round);
    return round;
  }
  mem::Budget& budget() { return budget_; }
  std::uint64_t retreats() const { return guard_.retreats(); }

  Time horizon = kForever;
  bool fits = true;

 private:
  mem::Budget budget_{kLimit, 2, mem::Budget::Reserve::some};
  gvt::MemoryGuard guard_{budget_};
};

TEST(MemoryGuard, DoesNothingWhileThereIsEnough) {
  Guard guard;
  guard.horizon = 50;
  const gvt::Round round = guard.round(10, 40, gvt::Shortage::none);
  EXPECT_EQ(round.horizon, 50);
  EXPECT_FALSE(round.memory.is_tight);
  EXPECT_FALSE(round.memory.retreat);
  EXPECT_EQ(round.memory.use, gvt::MemoryUse::sparing);
}

TEST(MemoryGuard, NarrowsTheHorizonWhileMemoryIsShortAndWidensItAgain) {
  Guard guard;
  const gvt::Round narrow = guard.round(10, 50, gvt::Shortage::ran_short);
  EXPECT_EQ(narrow.horizon, 30);
  EXPECT_TRUE(narrow.memory.is_tight);
  EXPECT_FALSE(narrow.memory.retreat);
  EXPECT_EQ(guard.round(10, 30, gvt::Shortage::ran_short).horizon, 20);
  EXPECT_GT(guard.round(10, 20, gvt::Shortage::none).horizon, 20);
  Time horizon = 0;
  for (int i = 0; i < 50; ++i) horizon = guard.round(10, 20, gvt::Shortage::none).horizon;
  EXPECT_GT(horizon, 100);
}

TEST(MemoryGuard, ShortageThatLastsTakesBackWhatIsBeyondTheWindow) {
  Guard guard;
  gvt::Round round;
  for (int i = 0; i < 4; ++i) {
    EXPECT_FALSE(round.memory.retreat);
    round = guard.round(10, 100, gvt::Shortage::ran_short);
  }
  ASSERT_TRUE(round.memory.retreat);
  EXPECT_EQ(*round.memory.retreat, round.horizon);
}

TEST(MemoryGuard, ForAStalledPeEventsAreTakenBackFurtherEachTimeThenTheFirstGoesOnAlone) {
  Guard guard;
  Time before = 110;
  for (int i = 0; i < 4; ++i) {
    const gvt::Round round = guard.round(10, before, gvt::Shortage::stalled);
    ASSERT_TRUE(round.memory.retreat);
    EXPECT_EQ(*round.memory.retreat, 10 + (before - 10) / 2);
    EXPECT_LE(round.horizon, *round.memory.retreat);
    EXPECT_EQ(round.memory.use, gvt::MemoryUse::sparing);
    before = *round.memory.retreat;
  }
  const gvt::Round whole = guard.round(10, before, gvt::Shortage::stalled);
  EXPECT_EQ(*whole.memory.retreat, 10);
  EXPECT_EQ(whole.memory.use, gvt::MemoryUse::sparing);
  EXPECT_EQ(guard.round(10, 10, gvt::Shortage::stalled).memory.use, gvt::MemoryUse::to_the_last);
  gvt::Round round;
  for (int i = 0; i < 3; ++i) round = guard.round(10, 10, gvt::Shortage::stalled);
  EXPECT_EQ(round.memory.use, gvt::MemoryUse::first_only);
  EXPECT_TRUE(guard.fits);
  EXPECT_EQ(guard.retreats(), 9u);
  for (int i = 0; i < 20; ++i) round = guard.round(11, 11, gvt::Shortage::none);
  EXPECT_EQ(round.memory.use, gvt::MemoryUse::sparing);
}

TEST(MemoryGuard, APeFarAheadWaits) {
  Guard guard;
  EXPECT_FALSE(guard.round(10, 100, gvt::Shortage::none, gvt::Shortage::stalled, 90).memory.retreat);
  EXPECT_TRUE(guard.round(10, 100, gvt::Shortage::none, gvt::Shortage::stalled, 20).memory.retreat);
}

TEST(MemoryGuard, RecoversFromTheNarrowestWindow) {
  Guard guard;
  for (int i = 0; i < 3000; ++i) guard.round(0, 0, gvt::Shortage::stalled);
  Time gvt = 0, horizon = 0;
  for (int i = 0; i < 60; ++i) {
    gvt += 0.001;
    horizon = guard.round(gvt, gvt, gvt::Shortage::none).horizon;
  }
  EXPECT_GT(horizon, gvt + 1);
}

// A window holds all events of one time, and what is free in the depot is not in use.
TEST(MemoryGuard, WhatSimultaneousEventsLeaveBehindGoesWhenItHasGrown) {
  Guard guard;
  const mem::Pages memory(16 << 20);
  void* const free = memory.data();
  guard.budget().depot().give({&free, 1}, memory.size());
  mem::Allowance history(guard.budget(), 0);
  const auto round_with = [&](std::uint64_t more) {
    history.settle(static_cast<std::int64_t>(guard.budget().at_most() + more));
    return guard.round(10, 10, gvt::Shortage::ran_short);
  };
  EXPECT_FALSE(round_with(0).memory.retreat);
  ASSERT_EQ(round_with(1).memory.retreat, std::optional<Time>(10));
  for (int i = 0; i < 5; ++i) EXPECT_FALSE(round_with(1 << 20).memory.retreat) << "less than a retreat left";
  EXPECT_TRUE(round_with(4 << 20).memory.retreat);
}

TEST(MemoryGuard, WhatTheFirstAloneCannotLiveOnDoesNotFit) {
  Guard guard;
  mem::Allowance allowance(guard.budget(), 0);
  allowance.settle(guard.budget().at_most() + 1);
  int rounds = 0;
  gvt::MemoryUse last{};
  while (rounds < 100) {
    const gvt::MemoryUse use = guard.round(10, 10, gvt::Shortage::none).memory.use;
    if (!guard.fits) break;
    last = use;
    ++rounds;
  }
  EXPECT_FALSE(guard.fits);
  EXPECT_GT(rounds, 8) << "only after all else";
  EXPECT_EQ(last, gvt::MemoryUse::one_event);
}

}  // namespace
}  // namespace anachron::mem
