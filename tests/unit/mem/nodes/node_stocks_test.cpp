// Events on memory nodes, with somebody who only notes what was placed where.
#include "mem/nodes/node_stocks.hpp"

#include <algorithm>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "mem/budget.hpp"
#include "scale.hpp"
#include "support/noted_nodes.hpp"
#include "unit/mem/held_blocks.hpp"

namespace anachron::mem {
namespace {

using test::NotedNodes;
using test::scaled;

/// As many LPs as PEs, and PE and LP i on node i % nodes, of which the system's numbers are 10, 11, ...
class NodesOfMachine {
 public:
  NodesOfMachine(std::size_t pes, std::size_t nodes, Placement placement = Placement::near_receiver,
                 std::uint64_t limit = std::uint64_t{1} << 40)
      : budget(limit, pes, Budget::Reserve::none) {
    std::vector<unsigned> numbers;
    for (std::size_t node = 0; node < nodes; ++node) numbers.push_back(static_cast<unsigned>(10 + node));
    std::vector<std::optional<std::size_t>> of_pe;
    std::vector<PeId> owners;
    for (std::size_t pe = 0; pe < pes; ++pe) {
      owners.push_back(static_cast<PeId>(pe));
      of_pe.emplace_back(pe % nodes);
    }
    owners_ = Owners(owners);
    budget.place_events(std::make_unique<Nodes>(numbers, of_pe, owners_, placed.memory(), placement));
    for (std::size_t pe = 0; pe < pes; ++pe)
      pools_.emplace_back(allowances_.emplace_back(budget, pe), nullptr, budget.nodes(),
                          static_cast<PeId>(pe));
  }
  EventPool& operator[](std::size_t pe) { return pools_[pe]; }
  Allowance& allowance(std::size_t pe) { return allowances_[pe]; }
  std::uint64_t bytes() const {
    std::uint64_t sum = 0;
    for (const EventPool& pool : pools_) sum += pool.bytes();
    return sum;
  }

  NotedNodes placed;
  Budget budget;

 private:
  Owners owners_;
  std::deque<Allowance> allowances_;
  std::deque<EventPool> pools_;
};

TEST(NodeStocks, PlaceAnEventOnTheNodeOfItsReceiver) {
  NodesOfMachine machine(4, 2);
  for (LpId receiver = 0; receiver < 4; ++receiver)
    for (std::size_t bytes = 1; bytes <= 600'000; bytes += 63 + bytes / 16) {
      auto* const block = static_cast<std::byte*>(machine[0].allocate(bytes, 64, receiver));
      for (const std::byte* at : {block, block + bytes - 1})
        EXPECT_EQ(machine.placed.node_of(at), 10 + receiver % 2) << bytes;
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % 64, 0u);
      std::memset(block, 1, bytes);
      if (EventPool::is_single(bytes)) machine[1].release(block, bytes);
    }
  EXPECT_EQ(machine.budget.single(), 0u) << "in whole pages, both ways";
}

TEST(NodeStocks, AnOriginalIsNearItsSenderAndACopyNearItsReceiver) {
  NodesOfMachine machine(2, 2, Placement::originals_near_sender);
  for (const std::size_t bytes : {100u, 5000u, 500'000u}) {
    void* const original = machine[0].allocate(bytes, 64, 1);
    void* const copy = machine[0].allocate_copy(bytes, 64, 1);
    EXPECT_EQ(machine.placed.node_of(original), 10u);
    EXPECT_EQ(machine.placed.node_of(copy), 11u);
    machine[0].release(original, bytes);
    machine[1].release(copy, bytes);
  }
}

TEST(NodeStocks, WhatIsFreedIsUsedAgainOnItsNode) {
  for (const std::size_t bytes : {100u, 1025u, 4152u, 100'000u, 260'000u}) {
    NodesOfMachine machine(2, 2);
    void* const near = machine[0].allocate(bytes, 64, 0);
    void* const far = machine[0].allocate(bytes, 64, 1);
    machine[0].release(near, bytes);
    machine[0].release(far, bytes);
    EXPECT_EQ(machine[0].allocate(bytes, 64, 1), far);
    EXPECT_EQ(machine[0].allocate(bytes, 64, 0), near);
    EXPECT_EQ(machine[0].new_blocks(), 2u);
  }
}

TEST(NodeStocks, NeverGiveABlockTwiceNorOnAnotherNode) {
  NodesOfMachine machine(3, 2);
  HeldBlocks held;
  std::mt19937_64 random(1);
  for (int step = 0; step < scaled(30'000) && !HasFailure(); ++step) {
    const auto pe = random() % 3;
    if (random() % 100 == 0) machine[pe].rebalance();
    if (held.empty() || random() % 100 < 40 + 12 * pe) {
      const std::size_t bytes = HeldBlocks::any_size(random);
      const auto receiver = static_cast<LpId>(random() % 3);
      void* const at = machine[pe].allocate(bytes, 64, receiver);
      ASSERT_EQ(machine.placed.node_of(at), 10 + receiver % 2);
      held.hold(at, bytes);
    } else {
      const HeldBlocks::Block block = held.take(random);
      machine[pe].release(block.at, block.bytes);
    }
  }
  held.release_single(machine[0]);
}

/// Without rebalancing the receiver of a stream in one direction would keep all that was ever sent.
void stream_in_one_direction(std::size_t bytes, std::size_t in_flight, std::size_t blocks_of_round) {
  SCOPED_TRACE(bytes);
  NodesOfMachine machine(2, 2);
  std::deque<void*> blocks;
  std::uint64_t early = 0;
  for (std::size_t i = 0; i < 80 * in_flight; ++i) {
    blocks.push_back(machine[0].allocate(bytes, 64, 1));
    if (blocks.size() > in_flight) {
      machine[1].release(blocks.front(), bytes);
      blocks.pop_front();
    }
    if (i % blocks_of_round == 0) {
      machine[0].rebalance();
      machine[1].rebalance();
    }
    if (i == 20 * in_flight) early = machine.bytes();
  }
  EXPECT_EQ(machine.bytes(), early);
  EXPECT_GT(machine[1].rebalanced_blocks(), 0u);
  EXPECT_LT(machine[0].new_blocks(), 4 * in_flight);
}

TEST(NodeStocks, RebalancingBoundsAStreamInOneDirection) {
  stream_in_one_direction(64, 5000, 2000);
  stream_in_one_direction(4152, 500, 200);
  stream_in_one_direction(100'000, 50, 20);
}

TEST(NodeStocks, RebalancingLeavesWhatIsNotTwiceTheUsed) {
  constexpr int kBlocks = 62 * 40;
  NodesOfMachine machine(1, 1);
  std::vector<void*> blocks;
  for (int i = 0; i < kBlocks; ++i) blocks.push_back(machine[0].allocate(64, 64, 0));
  for (void* block : blocks) machine[0].release(block, 64);
  machine[0].rebalance();
  EXPECT_EQ(machine[0].rebalanced_blocks(), 0u) << "all are its own";
}

// Near the limit of --memory what is free serves events of any size on any PE.
TEST(NodeStocks, SharedBlocksBecomeOthers) {
  NodesOfMachine machine(2, 2, Placement::near_receiver, std::uint64_t{8} << 20);
  std::vector<void*> blocks;
  while (!machine.allowance(0).is_short()) blocks.push_back(machine[0].allocate(64, 64, 1));
  machine[1].share(true);
  for (void* block : blocks) machine[1].release(block, 64);
  machine[1].share(true);
  EXPECT_GT(machine.budget.depot().free_bytes(), blocks.size() / 2 * 64);
  const std::uint64_t before = machine.bytes();
  std::set<void*> others;
  for (std::size_t i = 0; i < blocks.size() / 4; ++i) {
    void* const block = machine[0].allocate(200, 64, 0);
    ASSERT_NE(block, nullptr);
    ASSERT_TRUE(others.insert(block).second);
    std::memset(block, 1, 200);
    machine.placed.node_of(block);  // it is on one
  }
  for (void* block : others) machine[0].release(block, 200);
  EXPECT_LT(machine.bytes(), before + before / 4);
}

TEST(NodeStocks, SharedBlocksBecomeLargeOnesAndThoseSmallOnes) {
  constexpr std::uint64_t kLimit = std::uint64_t{8} << 20;
  NodesOfMachine machine(2, 2, Placement::near_receiver, kLimit);
  std::size_t bytes = 64;
  for (const std::size_t next : {std::size_t{30'000}, std::size_t{200'000}, std::size_t{64}}) {
    std::vector<void*> blocks;
    while (machine.budget.in_use() < kLimit * 3 / 4) {
      blocks.push_back(machine[0].allocate(bytes, 64, blocks.size() % 2));
      ASSERT_NE(blocks.back(), nullptr);
      std::memset(blocks.back(), 1, bytes);
    }
    for (std::size_t pe : {0, 1}) machine[pe].share(true);
    std::shuffle(blocks.begin(), blocks.end(), std::mt19937_64(1));
    for (std::size_t i = 0; i < blocks.size(); ++i) machine[i % 2].release(blocks[i], bytes);
    for (std::size_t pe : {0, 1}) machine[pe].share(true);
    EXPECT_GT(machine.budget.depot().free_bytes(), machine.bytes() * 9 / 10);
    bytes = next;
  }
  EXPECT_LE(machine.bytes(), kLimit);
}

TEST(NodeStocks, TellWhenThereIsNoMemory) {
  for (const std::size_t bytes : {64u, 5000u, 500'000u}) {
    NodesOfMachine machine(2, 2);
    machine.budget.when_asking_system([](std::size_t) { throw std::bad_alloc(); });
    EXPECT_EQ(machine[0].allocate(bytes, 64, 1), nullptr);
    EXPECT_EQ(machine.bytes(), 0u);
    machine.budget.when_asking_system([](std::size_t) {});
    void* const block = machine[0].allocate(bytes, 64, 1);
    ASSERT_NE(block, nullptr);
    machine.budget.when_asking_system([](std::size_t) { throw std::bad_alloc(); });
    machine[1].release(block, bytes);  // needs no memory, not even for a magazine
  }
}

}  // namespace
}  // namespace anachron::mem
