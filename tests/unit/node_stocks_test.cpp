// Events on memory nodes, with somebody who only notes what was placed where.
#include "mem/node_stocks.hpp"

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
#include "unit/held_blocks.hpp"

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
    for (std::size_t pe = 0; pe < pes; ++pe) {
      owners_.push_back(static_cast<PeId>(pe));
      of_pe.emplace_back(pe % nodes);
    }
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
  std::vector<PeId> owners_;
  std::deque<Allowance> allowances_;
  std::deque<EventPool> pools_;
};

TEST(NodeStocks, PlaceAnEventOnTheNodeOfItsReceiver) {
  NodesOfMachine machine(4, 2);
  for (LpId receiver = 0; receiver < 4; ++receiver)
    for (std::size_t bytes = 1; bytes <= 1024; bytes += 63) {
      void* const block = machine[0].allocate(bytes, 64, receiver);
      EXPECT_EQ(machine.placed.node_of(block), 10 + receiver % 2);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % 64, 0u);
      std::memset(block, 1, bytes);
    }
}

TEST(NodeStocks, AnOriginalIsNearItsSenderAndACopyNearItsReceiver) {
  NodesOfMachine machine(2, 2, Placement::originals_near_sender);
  EXPECT_EQ(machine.placed.node_of(machine[0].allocate(100, 64, 1)), 10u);
  EXPECT_EQ(machine.placed.node_of(machine[0].allocate_copy(100, 64, 1)), 11u);
}

TEST(NodeStocks, WhatIsFreedIsUsedAgainOnItsNode) {
  NodesOfMachine machine(2, 2);
  void* const near = machine[0].allocate(100, 64, 0);
  void* const far = machine[0].allocate(100, 64, 1);
  machine[0].release(near, 100);
  machine[0].release(far, 100);
  EXPECT_EQ(machine[0].allocate(100, 64, 1), far);
  EXPECT_EQ(machine[0].allocate(100, 64, 0), near);
  EXPECT_EQ(machine[0].new_blocks(), 2u);
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
      if (!EventPool::is_large(bytes)) {
        ASSERT_EQ(machine.placed.node_of(at), 10 + receiver % 2);
      }
      held.hold(at, bytes);
    } else {
      const HeldBlocks::Block block = held.take(random);
      machine[pe].release(block.at, block.bytes);
    }
  }
  held.release_large(machine[0]);
}

// Without rebalancing the receiver of a stream in one direction would keep all that was ever sent.
TEST(NodeStocks, RebalancingBoundsAStreamInOneDirection) {
  constexpr std::size_t kInFlight = 5000, kBytes = 64;
  NodesOfMachine machine(2, 2);
  std::deque<void*> blocks;
  std::uint64_t early = 0;
  for (int i = 0; i < 400'000; ++i) {
    blocks.push_back(machine[0].allocate(kBytes, 64, 1));
    if (blocks.size() > kInFlight) {
      machine[1].release(blocks.front(), kBytes);
      blocks.pop_front();
    }
    if (i % 2000 == 0) {
      machine[0].rebalance();
      machine[1].rebalance();
    }
    if (i == 100'000) early = machine.bytes();
  }
  EXPECT_EQ(machine.bytes(), early);
  EXPECT_GT(machine[1].rebalanced_blocks(), 0u);
  EXPECT_LT(machine[0].new_blocks(), 20'000u);
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
    machine.placed.node_of(block);  // it is on one, and the head of its segment is untouched
  }
  for (void* block : others) machine[0].release(block, 200);
  EXPECT_LT(machine.bytes(), before + before / 4);
}

TEST(NodeStocks, TellWhenThereIsNoMemory) {
  NodesOfMachine machine(2, 2);
  std::vector<void*> blocks;
  machine.budget.when_asking_system([](std::size_t) { throw std::bad_alloc(); });
  EXPECT_EQ(machine[0].allocate(64, 64, 1), nullptr);
  machine.budget.when_asking_system([](std::size_t) {});
  EXPECT_NE(machine[0].allocate(64, 64, 1), nullptr);
}

}  // namespace
}  // namespace anachron::mem
