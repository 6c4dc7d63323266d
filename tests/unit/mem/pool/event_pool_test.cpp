#include <anachron/mem/event_pool.hpp>

#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "mem/budget.hpp"
#include "mem/pool/size_classes.hpp"
#include "scale.hpp"
#include "unit/mem/held_blocks.hpp"

namespace anachron::mem {
namespace {

using test::scaled;

/// Pools of one run, with memory without end.
class Pools {
 public:
  explicit Pools(std::size_t pes) : budget(std::uint64_t{1} << 40, pes, Budget::Reserve::none) {
    for (std::size_t pe = 0; pe < pes; ++pe) pools_.emplace_back(allowances_.emplace_back(budget, pe));
  }
  EventPool& operator[](std::size_t pe) { return pools_[pe]; }
  /// All that the pools have taken.
  std::uint64_t taken() const {
    std::int64_t sum = 0;
    for (const EventPool& pool : pools_) sum += pool.taken_bytes();
    return static_cast<std::uint64_t>(sum);
  }
  std::uint64_t used() const {
    std::uint64_t sum = 0;
    for (const EventPool& pool : pools_) sum += pool.used_bytes();
    return sum;
  }
  bool is_exchange_empty(std::size_t bytes) { return !budget.exchange().has_full(size_classes::of(bytes)); }

  Budget budget;

 private:
  std::deque<Allowance> allowances_;
  std::deque<EventPool> pools_;
};

TEST(EventPool, AlignsToCacheLines) {
  Pools pools(1);
  for (std::size_t bytes = 1; bytes < 400'000; bytes += 13 + bytes / 64) {
    void* const block = pools[0].allocate(bytes);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % 64, 0u);
    std::memset(block, 1, bytes);
    if (EventPool::is_single(bytes)) pools[0].release(block, bytes);
  }
}

TEST(EventPool, OnlyTheLargestBlocksComeAlone) {
  EXPECT_FALSE(EventPool::is_single(1));
  EXPECT_FALSE(EventPool::is_single(1025));
  EXPECT_FALSE(EventPool::is_single(EventPool::kMostPooled));
  EXPECT_TRUE(EventPool::is_single(EventPool::kMostPooled + 1));
}

TEST(EventPool, GivesAReleasedBlockNext) {
  for (const std::size_t bytes : {60u, 1024u, 1025u, 4152u, 100'000u}) {
    Pools pools(1);
    void* const block = pools[0].allocate(bytes);
    pools[0].release(block, bytes);
    EXPECT_EQ(pools[0].allocate(bytes), block);
    EXPECT_NE(pools[0].allocate(bytes), block);
    EXPECT_EQ(pools[0].new_blocks(), 2u);
  }
}

TEST(EventPool, SingleBlocksAreCountedWhileTheyAreThere) {
  Pools pools(2);
  const std::uint64_t before = pools.taken();
  void* const block = pools[0].allocate(500'000);
  EXPECT_EQ(pools.taken(), before + 500'000);
  EXPECT_EQ(pools.budget.single(), 500'000u);
  EXPECT_EQ(pools[0].new_blocks(), 1u);
  pools[1].release(block, 500'000);
  EXPECT_EQ(pools.taken(), before);
  EXPECT_EQ(pools.budget.single(), 0u);
}

TEST(EventPool, KeepsSizesApart) {
  Pools pools(1);
  void* const small = pools[0].allocate(64);
  pools[0].release(small, 64);
  EXPECT_NE(pools[0].allocate(65), small);
}

// Its lines are in the cache of whoever has just freed it.
TEST(EventPool, ABlockIsOfThePoolThatFreedIt) {
  Pools pools(2);
  void* const block = pools[0].allocate(100);
  pools[1].release(block, 100);
  EXPECT_NE(pools[0].allocate(100), block);
  EXPECT_EQ(pools[1].allocate(100), block);
}

TEST(EventPool, NeverGivesABlockTwice) {
  Pools pools(3);
  HeldBlocks held;
  std::mt19937_64 random(1);
  for (int step = 0; step < scaled(30'000) && !HasFailure(); ++step) {
    // Some pools allocate more than they release, others less.
    const auto pe = random() % 3;
    if (held.empty() || random() % 100 < 40 + 12 * pe) {
      const std::size_t bytes = HeldBlocks::any_size(random);
      held.hold(pools[pe].allocate(bytes), bytes);
    } else {
      const HeldBlocks::Block block = held.take(random);
      pools[pe].release(block.at, block.bytes);
    }
  }
  held.release_single(pools[0]);
}

TEST(EventPool, CountsWhatItEverHandedOut) {
  Pools pools(1);
  EXPECT_EQ(pools[0].used_bytes(), 0u);
  void* const block = pools[0].allocate(60);
  EXPECT_EQ(pools[0].used_bytes(), 64u);
  pools[0].release(block, 60);
  pools[0].allocate(64);
  EXPECT_EQ(pools[0].used_bytes(), 64u) << "the same block again";
  pools[0].allocate(65);
  EXPECT_EQ(pools[0].used_bytes(), 64u + 128u);
  pools[0].allocate(56 + 4096);
  EXPECT_EQ(pools[0].used_bytes(), 64u + 128u + 64u + 4096u);
  for (int i = 0; i < 20; ++i) pools[0].allocate(100'000);
  const std::size_t each = size_classes::size_of(size_classes::of(100'000));
  EXPECT_EQ(pools[0].used_bytes(), 64u + 128u + 64u + 4096u + 20 * each) << "ends of chunks do not count";
}

// What others need lies in no magazine of a PE that has no use for it, however large the blocks are.
TEST(EventPool, KeepsFewBytesOfOthersFree) {
  constexpr std::size_t kMost = (std::size_t{256} + 64 + 256) << 10;  // magazines, or one larger block
  for (const std::size_t bytes :
       {std::size_t{1500}, std::size_t{5000}, std::size_t{40'000}, std::size_t{250'000}}) {
    Pools pools(2);
    std::vector<void*> blocks;
    for (std::size_t i = 0; i < (std::size_t{8} << 20) / bytes; ++i)
      blocks.push_back(pools[0].allocate(bytes));
    const std::uint64_t made = pools[0].new_blocks();
    for (void* block : blocks) pools[1].release(block, bytes);
    for (void*& block : blocks) block = pools[0].allocate(bytes);
    EXPECT_LE((pools[0].new_blocks() - made) * bytes, kMost + bytes) << bytes;
    EXPECT_EQ(pools[1].new_blocks(), 0u);
  }
}

/// PE 0 sends, another one frees, and so many are on their way.
class Flow {
 public:
  static constexpr std::size_t kBytes = 128;

  Flow(Pools& pools, std::size_t in_flight, std::size_t bytes = kBytes)
      : pools_(pools), in_flight_(in_flight), bytes_(bytes) {}
  void run(std::size_t from, std::size_t to, int blocks) {
    for (int i = 0; i < blocks; ++i) {
      blocks_.push_back(pools_[from].allocate(bytes_));
      if (blocks_.size() <= in_flight_) continue;
      pools_[to].release(blocks_.front(), bytes_);
      blocks_.pop_front();
    }
  }

 private:
  Pools& pools_;
  const std::size_t in_flight_, bytes_;
  std::deque<void*> blocks_;
};

constexpr std::size_t kInFlight = 2000;
constexpr std::size_t kPeak = kInFlight * Flow::kBytes;
constexpr std::size_t kSomeMagazines = 20 * Magazine::kBlocks * Flow::kBytes;

TEST(EventPool, AStreamInOneDirectionTakesNoMoreThanItNeeds) {
  Pools pools(2);
  Flow flow(pools, kInFlight);
  flow.run(0, 1, 10'000);
  const std::uint64_t before = pools.taken();
  EXPECT_LE(pools.used(), kPeak + kSomeMagazines);
  EXPECT_EQ(pools[1].bytes(), 0u);
  flow.run(0, 1, scaled(300'000));
  EXPECT_EQ(pools.taken(), before) << "neither blocks nor magazines";
}

TEST(EventPool, SoDoesOneOfLargeBlocks) {
  constexpr std::size_t kLarge = 10'000, kFew = 100;
  Pools pools(2);
  Flow flow(pools, kFew, kLarge);
  flow.run(0, 1, 1000);
  const std::uint64_t before = pools.taken();
  EXPECT_LE(pools.used(), kFew * kLarge * 9 / 8 + (std::size_t{1} << 20));
  flow.run(0, 1, scaled(50'000));
  EXPECT_EQ(pools.taken(), before) << "neither blocks nor magazines";
}

// What a pool has once brought in it keeps, so that each may come to hold what all need at most.
TEST(EventPool, AStreamThatTurnsTakesABoundedAmount) {
  Pools pools(3);
  Flow flow(pools, kInFlight);
  std::mt19937_64 random(1);
  const auto turn = [&] {
    const auto from = random() % 3;
    flow.run(from, (from + 1 + random() % 2) % 3, static_cast<int>(random() % 10'000));
  };
  for (int i = 0; i < scaled(1000); ++i) turn();
  EXPECT_LE(pools.used(), 3 * (kPeak + kSomeMagazines));
  EXPECT_LE(pools.taken(), 2 * 3 * (kPeak + kSomeMagazines)) << "the last chunk is as large as all before";
}

// PEs execute and commit in turns of different lengths, and each sends as many events as it executes.
TEST(EventPool, BalancedTrafficNeverLeavesThePools) {
  Pools pools(2);
  constexpr std::size_t kBytes = 64;
  std::deque<void*> to[2], executed[2];
  for (int i = 0; i < 5000; ++i)
    for (std::size_t pe : {0, 1}) to[pe].push_back(pools[pe].allocate(kBytes));
  std::mt19937_64 random(1);
  for (int turn = 0; turn < scaled(2000); ++turn)
    for (std::size_t pe : {0, 1}) {
      for (auto n = random() % 500; n > 0 && !to[pe].empty(); --n) {
        executed[pe].push_back(to[pe].front());
        to[pe].pop_front();
        to[random() % 2].push_back(pools[pe].allocate(kBytes));
      }
      if (random() % 8 == 0)
        for (; !executed[pe].empty(); executed[pe].pop_front())
          pools[pe].release(executed[pe].front(), kBytes);
      ASSERT_TRUE(pools.is_exchange_empty(kBytes));
    }
}

}  // namespace
}  // namespace anachron::mem
