#include <anachron/mem/event_pool.hpp>

#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <random>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "scale.hpp"

namespace anachron::mem {
namespace {

using test::scaled;

std::deque<EventPool> connected(unsigned pes) {
  std::deque<EventPool> pools;
  std::vector<EventPool*> all;
  for (unsigned pe = 0; pe < pes; ++pe) all.push_back(&pools.emplace_back(static_cast<PeId>(pe), pes));
  for (EventPool& pool : pools) pool.connect(all);
  return pools;
}

TEST(EventPool, AlignsToCacheLines) {
  auto pools = connected(1);
  for (std::size_t bytes = 1; bytes < 3000; bytes += 13) {
    void* const block = pools[0].allocate(bytes);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % 64, 0u);
    std::memset(block, 1, bytes);
    if (EventPool::is_large(bytes)) pools[0].release(block, bytes, 0);
  }
}

TEST(EventPool, OnlyBlocksBeyondAKibibyteAreLarge) {
  EXPECT_FALSE(EventPool::is_large(1));
  EXPECT_FALSE(EventPool::is_large(1024));
  EXPECT_TRUE(EventPool::is_large(1025));
  EXPECT_TRUE(EventPool::is_large(1'000'000));
}

TEST(EventPool, GivesAReleasedBlockNext) {
  auto pools = connected(1);
  void* const block = pools[0].allocate(60);
  pools[0].release(block, 60, 0);
  EXPECT_EQ(pools[0].allocate(64), block);
  EXPECT_NE(pools[0].allocate(64), block);
}

TEST(EventPool, KeepsSizesApart) {
  auto pools = connected(1);
  void* const small = pools[0].allocate(64);
  pools[0].release(small, 64, 0);
  EXPECT_NE(pools[0].allocate(65), small);
}

TEST(EventPool, BlocksOfAnotherGoHome) {
  auto pools = connected(3);
  void* const block = pools[1].allocate(100);
  pools[2].release(block, 100, 1);
  EXPECT_NE(pools[1].allocate(100), block);  // still on its way
  pools[2].flush();
  EXPECT_EQ(pools[1].allocate(100), block);
  EXPECT_NE(pools[2].allocate(100), block);
}

TEST(EventPool, ManyBlocksOfAnotherGoHomeByThemselves) {
  auto pools = connected(2);
  std::vector<void*> blocks;
  for (int i = 0; i < 1000; ++i) blocks.push_back(pools[0].allocate(64));
  for (void* block : blocks) pools[1].release(block, 64, 0);
  const std::set<void*> known(blocks.begin(), blocks.end());
  int back = 0;
  for (int i = 0; i < 1000; ++i) back += known.contains(pools[0].allocate(64));
  EXPECT_GT(back, 900);
}

TEST(EventPool, NeverGivesABlockTwice) {
  auto pools = connected(3);
  struct Held {
    unsigned char* at;
    std::size_t bytes;
    PeId owner;
    unsigned char mark;
  };
  std::vector<Held> held;
  std::mt19937_64 random(1);
  for (int step = 0; step < scaled(30'000); ++step) {
    const auto pe = static_cast<PeId>(random() % 3);
    if (held.empty() || random() % 100 < 52) {
      const std::size_t bytes = 1 + random() % (random() % 10 == 0 ? 4000 : 300);
      auto* const at = static_cast<unsigned char*>(pools[pe].allocate(bytes));
      held.push_back({at, bytes, pe, static_cast<unsigned char>(step)});
      std::memset(at, held.back().mark, bytes);
    } else {
      std::swap(held[random() % held.size()], held.back());
      const Held h = held.back();
      held.pop_back();
      for (std::size_t i = 0; i < h.bytes; ++i) ASSERT_EQ(h.at[i], h.mark);
      pools[pe].release(h.at, h.bytes, h.owner);
    }
    if (random() % 500 == 0) pools[pe].flush();
  }
  for (const Held& h : held)
    if (EventPool::is_large(h.bytes)) pools[0].release(h.at, h.bytes, h.owner);
}

TEST(EventPool, CountsWhatItEverHandedOut) {
  auto pools = connected(1);
  EXPECT_EQ(pools[0].used_bytes(), 0u);
  void* const block = pools[0].allocate(60);
  EXPECT_EQ(pools[0].used_bytes(), 64u);
  pools[0].release(block, 60, 0);
  pools[0].allocate(64);
  EXPECT_EQ(pools[0].used_bytes(), 64u) << "the same block again";
  pools[0].allocate(65);
  EXPECT_EQ(pools[0].used_bytes(), 64u + 128u);
}

TEST(EventPool, TakesNoMoreThanItNeeds) {
  auto pools = connected(2);
  EXPECT_EQ(pools[0].bytes(), 0u);
  std::deque<void*> blocks;
  for (int i = 0; i < scaled(100'000); ++i) {
    blocks.push_back(pools[0].allocate(128));
    if (blocks.size() > 2000) {
      pools[i % 2].release(blocks.front(), 128, 0);
      blocks.pop_front();
    }
  }
  EXPECT_GE(pools[0].bytes(), 2000u * 128);
  EXPECT_LE(pools[0].bytes(), 4 * 2000u * 128);
  EXPECT_EQ(pools[1].bytes(), 0u);
}

}  // namespace
}  // namespace anachron::mem
