// Blocks of all sizes that one PE allocates and another releases.
#include <anachron/mem/event_pool.hpp>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <optional>
#include <random>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "comm/channel/spsc_channel.hpp"
#include "mem/budget.hpp"
#include "scale.hpp"
#include "support/noted_nodes.hpp"

namespace anachron::mem {
namespace {

using test::scaled;

struct Block {
  std::uint32_t bytes;
  std::uint32_t sender;
  std::uint64_t mark;  // also at the end of the block

  std::uint64_t* end() {
    return reinterpret_cast<std::uint64_t*>(reinterpret_cast<std::byte*>(this) + bytes) - 1;
  }
};

class Traffic {
 public:
  /// On so many memory nodes; 0: it is not placed.
  Traffic(unsigned pes, bool to_one, unsigned nodes = 0)
      : pes_(pes),
        to_one_(to_one),
        budget_(std::uint64_t{1} << 40, pes, Budget::Reserve::none),
        channels_(std::size_t{pes} * pes) {
    if (nodes > 0) {
      std::vector<unsigned> numbers;
      for (unsigned node = 0; node < nodes; ++node) numbers.push_back(node);
      std::vector<std::optional<std::size_t>> of_pe;
      std::vector<PeId> owners;
      for (unsigned pe = 0; pe < pes; ++pe) {
        owners.push_back(static_cast<PeId>(pe));
        of_pe.emplace_back(pe % nodes);
      }
      owners_ = Owners(owners);
      budget_.place_events(
          std::make_unique<Nodes>(numbers, of_pe, owners_, placed_.memory(), Placement::near_receiver));
    }
    for (unsigned pe = 0; pe < pes; ++pe)
      pools_.emplace_back(allowances_.emplace_back(budget_, pe), nullptr, budget_.nodes(),
                          static_cast<PeId>(pe));
  }

  void run(std::uint64_t blocks_per_pe) {
    std::vector<std::jthread> threads;
    for (unsigned pe = 0; pe < pes_; ++pe) threads.emplace_back([=, this] { run_pe(pe, blocks_per_pe); });
  }

  std::uint64_t corrupted() const { return corrupted_; }
  std::uint64_t misplaced() const { return misplaced_; }
  std::uint64_t bytes() const {
    std::uint64_t sum = 0;
    for (const EventPool& pool : pools_) sum += pool.bytes();
    return sum;
  }

 private:
  void run_pe(unsigned self, std::uint64_t count) {
    std::mt19937_64 random(self);
    EventPool& pool = pools_[self];
    for (std::uint64_t made = 0; made < count || released_ < count * pes_;) {
      // Not too many on their way, so that what is released has to be used again.
      for (int i = 0; i < 50 && made < count && made * pes_ < released_ + 4000; ++i, ++made) {
        const auto kind = random() % 1000;
        const auto most = kind == 0 ? 50'000 : kind < 5 ? 4'000 : kind < 50 ? 300 : 30;
        const auto bytes = static_cast<std::uint32_t>(32 + 8 * (random() % static_cast<unsigned>(most)));
        const unsigned to = to_one_ ? 0 : static_cast<unsigned>(random() % pes_);
        auto* const block = ::new (pool.allocate(bytes, kCacheLine, to)) Block{bytes, self, random()};
        *block->end() = block->mark;
        if (budget_.nodes())
          misplaced_ += placed_.node_of(block) != budget_.nodes()->of_pe(static_cast<PeId>(to));
        channels_[self * pes_ + to].push(block);
      }
      for (unsigned to = 0; to < pes_; ++to) channels_[self * pes_ + to].publish();
      std::uint64_t released = 0;
      for (unsigned from = 0; from < pes_; ++from)
        released += channels_[from * pes_ + self].drain([&](Block* block) {
          corrupted_ += block->sender != from || *block->end() != block->mark;
          const std::uint32_t bytes = block->bytes;
          std::memset(static_cast<void*>(block), 0xee, bytes);
          pool.release(block, bytes);
        });
      released_ += released;
      if (random() % 8 == 0) pool.rebalance();
      if (released == 0) std::this_thread::yield();
    }
  }

  unsigned pes_;
  bool to_one_;
  test::NotedNodes placed_;
  Owners owners_;
  Budget budget_;
  std::deque<Allowance> allowances_;
  std::deque<EventPool> pools_;
  std::vector<channel::SpscChannel<Block*>> channels_;
  std::atomic<std::uint64_t> released_ = 0, corrupted_ = 0, misplaced_ = 0;
};

TEST(EventPoolThreads, BlocksTravelBetweenAll) {
  Traffic traffic(4, false);
  traffic.run(scaled(std::uint64_t{50'000}));
  EXPECT_EQ(traffic.corrupted(), 0u);
  EXPECT_LT(traffic.bytes(), std::uint64_t{32} << 20);  // 200,000 blocks of about 460 bytes are 92 MB
}

TEST(EventPoolThreads, BlocksTravelBetweenAllMemoryNodes) {
  Traffic traffic(4, false, 2);
  traffic.run(scaled(std::uint64_t{50'000}));
  EXPECT_EQ(traffic.corrupted(), 0u);
  EXPECT_EQ(traffic.misplaced(), 0u);
}

TEST(EventPoolThreads, AllRunToOneAndComeBackThroughTheExchange) {
  Traffic traffic(3, true);
  traffic.run(scaled(std::uint64_t{60'000}));
  EXPECT_EQ(traffic.corrupted(), 0u);
  EXPECT_LT(traffic.bytes(), std::uint64_t{32} << 20);
}

}  // namespace
}  // namespace anachron::mem
