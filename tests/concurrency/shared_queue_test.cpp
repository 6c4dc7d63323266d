// The queues that many threads put into and one takes out of.
#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "comm/channel/baselines/bounded_queue.hpp"
#include "comm/channel/baselines/locked_queue.hpp"
#include "comm/channel/baselines/mpsc_queue.hpp"
#include "comm/channel/baselines/spin_lock.hpp"
#include "comm/channel/chunk_stock.hpp"
#include "scale.hpp"

namespace anachron::channel {
namespace {

using test::scaled;

constexpr std::size_t kSenders = 3;

struct Item {
  std::uint64_t sender = 0, number = 0;
};
using Items = std::span<Item* const>;

/// An unbounded queue, with a stock per sender.
template <class Queue>
class OfChunks {
 public:
  static constexpr bool kIsBounded = false;
  static constexpr std::uint64_t kItems = 60'000;  // for the long test

  std::size_t push(std::size_t sender, Items items) {
    if (items.empty()) return 0;
    ChunkChain<Item*> chain;
    stocks_[sender].append(chain, items);
    queue_.push(chain);
    return items.size();
  }
  template <class Take>
  std::uint64_t drain(Take&& take) {
    arrived_.append(queue_.take_all());
    return arrived_.read(take);
  }
  std::size_t bytes() const {
    std::size_t sum = 0;
    for (const auto& stock : stocks_) sum += stock.bytes();
    return sum;
  }
  void trim() {
    for (auto& stock : stocks_) stock.trim();
  }

 private:
  std::array<ChunkStock<Item*>, kSenders> stocks_;
  Queue queue_;
  ArrivedChunks<Item*> arrived_;
};

template <std::size_t kCapacity>
class OfSlots {
 public:
  static constexpr bool kIsBounded = true;
  /// When it is full nearly always, each item costs a switch between threads where cores are few.
  static constexpr std::uint64_t kItems = std::min<std::uint64_t>(3000 * kCapacity, 60'000);

  std::size_t push(std::size_t, Items items) { return queue_.push(items); }
  template <class Take>
  std::uint64_t drain(Take&& take) {
    return queue_.drain(take);
  }
  std::size_t bytes() const { return queue_.bytes(); }
  void trim() {}

 private:
  BoundedQueue<Item*> queue_{kCapacity};
};

template <class Queue>
class SharedQueues : public testing::Test {};
using Kinds = testing::Types<OfChunks<MpscQueue<Item*>>, OfChunks<LockedQueue<Item*, std::mutex>>,
                             OfChunks<LockedQueue<Item*, SpinLock>>, OfSlots<1>, OfSlots<8>, OfSlots<1024>>;
class KindNames {
 public:
  template <class Queue>
  static std::string GetName(int n) {
    constexpr std::array kNames{"mpsc", "locked", "spinning", "bounded_1", "bounded_8", "bounded_1024"};
    return kNames.at(static_cast<std::size_t>(n));
  }
};
TYPED_TEST_SUITE(SharedQueues, Kinds, KindNames);

// Pointers: what a sender has written behind them is visible, too.
TYPED_TEST(SharedQueues, BringAllOfEachSenderInItsOrder) {
  const std::uint64_t count = scaled(TypeParam::kItems);
  TypeParam queue;
  std::array<std::atomic<std::uint64_t>, kSenders> promised{};
  std::vector<std::vector<Item>> items(kSenders, std::vector<Item>(count));
  std::vector<std::jthread> senders;
  for (std::size_t self = 0; self < kSenders; ++self)
    senders.emplace_back([&, self] {
      std::mt19937_64 random(self);
      std::vector<Item*> batch;
      for (std::uint64_t made = 0, sent = 0; sent < count;) {
        for (auto n = random() % 80; n > 0 && made < count; --n, ++made) {
          items[self][made] = {self, made};
          batch.push_back(&items[self][made]);
        }
        const std::size_t accepted = queue.push(self, batch);
        batch.erase(batch.begin(), batch.begin() + static_cast<std::ptrdiff_t>(accepted));
        sent += accepted;
        // Release: pairs with the receiver's acquire.
        promised[self].store(sent, std::memory_order_release);
        if (accepted == 0 || random() % 32 == 0) std::this_thread::yield();
      }
    });
  std::array<std::uint64_t, kSenders> received{};
  std::uint64_t disorders = 0, hidden = 0, all = 0;
  while (all < count * kSenders) {
    std::array<std::uint64_t, kSenders> before{};
    for (std::size_t s = 0; s < kSenders; ++s) before[s] = promised[s].load(std::memory_order_acquire);
    const std::uint64_t now = queue.drain([&](Items& left) {
      const std::size_t n = std::min<std::size_t>(left.size(), 7);  // not all at once
      for (const Item* item : left.first(n)) disorders += item->number != received[item->sender]++;
      left = left.subspan(n);
    });
    for (std::size_t s = 0; s < kSenders; ++s) hidden += received[s] < before[s];
    all += now;
    if (disorders > 0) break;
    if (now == 0) std::this_thread::yield();
  }
  EXPECT_EQ(disorders, 0u);
  EXPECT_EQ(hidden, 0u) << "what was accepted is to be seen at once";
}

TYPED_TEST(SharedQueues, AnExceptionOfTheReceiverLosesNothing) {
  TypeParam queue;
  std::vector<Item> items(600);
  std::vector<Item*> pointers;
  for (Item& item : items) {
    item.number = pointers.size();
    pointers.push_back(&item);
  }
  std::uint64_t next = 0;
  std::uint64_t thrown = 0;
  const auto take = [&](Items& left) {
    for (; !left.empty(); left = left.subspan(1)) {
      if (left.front()->number % 50 == 3 && thrown <= left.front()->number) {
        thrown = left.front()->number + 1;
        throw std::runtime_error("enough");
      }
      EXPECT_EQ(left.front()->number, next);
      ++next;
    }
  };
  for (std::size_t sent = 0; next < items.size();) {
    sent += queue.push(0, Items(pointers).subspan(sent));
    try {
      queue.drain(take);
    } catch (const std::runtime_error&) {
    }
  }
  EXPECT_GT(thrown, 500u);
}

TYPED_TEST(SharedQueues, TakeNoMoreMemoryThanWasEverOnItsWay) {
  TypeParam queue;
  std::vector<Item> items(kSenders);
  std::size_t most = 0;
  for (int round = 0; round < 200 + scaled(2000); ++round) {
    for (std::size_t self = 0; self < kSenders; ++self) {
      const std::vector<Item*> batch(1 + static_cast<std::size_t>(round) % 100, &items[self]);
      queue.push(self, batch);
    }
    queue.drain([](Items& left) { left = {}; });
    if (round == 100) most = queue.bytes();
  }
  EXPECT_LE(queue.bytes(), most);
  queue.trim();
  if (!TypeParam::kIsBounded) {
    EXPECT_EQ(queue.bytes(), 0u);
  }
}

TYPED_TEST(SharedQueues, MayBeDestroyedFull) {
  TypeParam queue;
  Item item;
  const std::vector<Item*> batch(100, &item);
  for (std::size_t self = 0; self < kSenders; ++self) queue.push(self, batch);
}

TEST(BoundedQueue, AcceptsAsManyAsItHoldsInEveryTurn) {
  for (const std::size_t capacity : {1u, 2u, 8u}) {
    BoundedQueue<std::uint64_t> queue(capacity);
    EXPECT_EQ(queue.capacity(), capacity);
    const std::vector<std::uint64_t> values(20, 4);
    for (int turn = 0; turn < 100; ++turn) {
      ASSERT_EQ(queue.push(values), capacity);
      ASSERT_EQ(queue.push(values), 0u);
      ASSERT_EQ(queue.drain([](auto& left) { left = {}; }), capacity);
    }
  }
  EXPECT_EQ(BoundedQueue<std::uint64_t>(5).capacity(), 8u);
}

TEST(SpinLock, LetsOneInAtATime) {
  SpinLock lock;
  std::uint64_t count = 0;
  const std::uint64_t each = scaled(std::uint64_t{20'000});
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i)
      threads.emplace_back([&] {
        for (std::uint64_t n = 0; n < each; ++n) {
          const std::scoped_lock held(lock);
          ++count;
        }
      });
  }
  EXPECT_EQ(count, 4 * each);
}

}  // namespace
}  // namespace anachron::channel
