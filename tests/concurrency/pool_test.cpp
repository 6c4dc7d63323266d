// Blocks that one PE allocates and another releases.
#include <anachron/mem/event_pool.hpp>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <random>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "chan/spsc_channel.hpp"
#include "mem/budget.hpp"
#include "scale.hpp"

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
  Traffic(unsigned pes, bool to_one)
      : pes_(pes),
        to_one_(to_one),
        budget_(std::uint64_t{1} << 40, pes, Budget::Reserve::none),
        channels_(std::size_t{pes} * pes) {
    for (unsigned pe = 0; pe < pes; ++pe) pools_.emplace_back(allowances_.emplace_back(budget_, pe));
  }

  void run(std::uint64_t blocks_per_pe) {
    std::vector<std::jthread> threads;
    for (unsigned pe = 0; pe < pes_; ++pe) threads.emplace_back([=, this] { run_pe(pe, blocks_per_pe); });
  }

  std::uint64_t corrupted() const { return corrupted_; }
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
        const auto bytes = static_cast<std::uint32_t>(32 + 8 * (random() % (random() % 50 == 0 ? 300 : 30)));
        auto* const block = ::new (pool.allocate(bytes)) Block{bytes, self, random()};
        *block->end() = block->mark;
        const unsigned to = to_one_ ? 0 : static_cast<unsigned>(random() % pes_);
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
      if (released == 0) std::this_thread::yield();
    }
  }

  unsigned pes_;
  bool to_one_;
  Budget budget_;
  std::deque<Allowance> allowances_;
  std::deque<EventPool> pools_;
  std::vector<chan::SpscChannel<Block*>> channels_;
  std::atomic<std::uint64_t> released_ = 0, corrupted_ = 0;
};

TEST(EventPoolThreads, BlocksTravelBetweenAll) {
  Traffic traffic(4, false);
  traffic.run(scaled(std::uint64_t{50'000}));
  EXPECT_EQ(traffic.corrupted(), 0u);
  EXPECT_LT(traffic.bytes(), std::uint64_t{16} << 20);  // 200,000 blocks of about 150 bytes are 30 MB
}

TEST(EventPoolThreads, AllRunToOneAndComeBackThroughTheExchange) {
  Traffic traffic(3, true);
  traffic.run(scaled(std::uint64_t{60'000}));
  EXPECT_EQ(traffic.corrupted(), 0u);
  EXPECT_LT(traffic.bytes(), std::uint64_t{16} << 20);
}

}  // namespace
}  // namespace anachron::mem
