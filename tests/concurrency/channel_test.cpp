#include "comm/channel/spsc_channel.hpp"

#include <atomic>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "scale.hpp"

namespace anachron::channel {
namespace {

using test::scaled;

std::vector<std::uint64_t> drained(SpscChannel<std::uint64_t>& channel) {
  std::vector<std::uint64_t> values;
  const std::uint64_t count = channel.drain([&](std::uint64_t value) { values.push_back(value); });
  EXPECT_EQ(count, values.size());
  return values;
}

TEST(SpscChannel, IsEmptyAtFirst) {
  SpscChannel<std::uint64_t> channel;
  EXPECT_TRUE(drained(channel).empty());
  channel.publish();
  EXPECT_TRUE(drained(channel).empty());
}

TEST(SpscChannel, NothingIsVisibleBeforePublish) {
  SpscChannel<std::uint64_t> channel;
  for (std::uint64_t i = 0; i < 1000; ++i) channel.push(i);
  EXPECT_TRUE(drained(channel).empty());
  channel.publish();
  channel.push(1000);
  EXPECT_EQ(drained(channel).size(), 1000u);
  EXPECT_TRUE(drained(channel).empty());
  channel.publish();
  EXPECT_EQ(drained(channel), std::vector<std::uint64_t>{1000});
}

TEST(SpscChannel, KeepsTheOrderAcrossChunks) {
  SpscChannel<std::uint64_t> channel;
  std::mt19937_64 random(1);
  std::uint64_t pushed = 0, next = 0;
  for (int round = 0; round < scaled(300); ++round) {
    for (auto n = random() % 700; n > 0; --n) channel.push(pushed++);
    if (random() % 3) channel.publish();
    if (random() % 2) continue;
    for (const std::uint64_t value : drained(channel)) ASSERT_TRUE(value == next++);
  }
  channel.publish();
  for (const std::uint64_t value : drained(channel)) ASSERT_TRUE(value == next++);
  EXPECT_EQ(next, pushed);
}

TEST(SpscChannel, MayBeDestroyedFull) {
  SpscChannel<std::uint64_t> channel;
  for (std::uint64_t i = 0; i < 10'000; ++i) channel.push(i);
  channel.publish();
}

// What was taken before an exception is gone, what was not is still there.
TEST(SpscChannel, AnExceptionOfTheConsumerLosesNothingElse) {
  SpscChannel<std::uint64_t> channel;
  for (std::uint64_t i = 0; i < 600; ++i) channel.push(i);
  channel.publish();
  EXPECT_THROW(channel.drain([](std::uint64_t value) {
    if (value == 299) throw std::runtime_error("enough");
  }),
               std::runtime_error);
  const auto rest = drained(channel);
  ASSERT_EQ(rest.size(), 300u);
  EXPECT_EQ(rest.front(), 300u);
  EXPECT_EQ(rest.back(), 599u);
}

TEST(SpscChannel, ThreadsSeeAllInOrder) {
  SpscChannel<std::uint64_t> channel;
  const std::uint64_t count = scaled(std::uint64_t{1'000'000});
  std::jthread producer([&] {
    std::mt19937_64 random(1);
    for (std::uint64_t i = 0; i < count;) {
      for (auto batch = 1 + random() % 100; batch > 0 && i < count; --batch) channel.push(i++);
      channel.publish();
      if (random() % 64 == 0) std::this_thread::yield();
    }
  });
  std::uint64_t next = 0;
  bool in_order = true;
  while (next < count) {
    channel.drain([&](std::uint64_t value) { in_order = in_order && value == next++; });
    if (!in_order) break;
    if (next % 5 == 0) std::this_thread::yield();
  }
  EXPECT_TRUE(in_order);
}

// The channel carries pointers: what the producer wrote behind them before `publish` is visible.
TEST(SpscChannel, PublishesWhatPointersPointTo) {
  struct Item {
    std::uint64_t a = 0, b = 0;
  };
  SpscChannel<Item*> there, back;
  const std::uint64_t rounds = scaled(std::uint64_t{50'000});
  std::vector<Item> items(64);
  std::jthread other([&] {
    for (std::uint64_t received = 0; received < rounds;) {
      received += there.drain([&](Item* item) {
        item->b = item->a + 1;
        back.push(item);
      });
      back.publish();
      std::this_thread::yield();
    }
  });
  std::vector<Item*> idle;
  for (Item& item : items) idle.push_back(&item);
  std::uint64_t sent = 0, returned = 0, wrong = 0;
  while (returned < rounds) {
    while (!idle.empty() && sent < rounds) {
      idle.back()->a = sent++;
      there.push(idle.back());
      idle.pop_back();
    }
    there.publish();
    returned += back.drain([&](Item* item) {
      wrong += item->b != item->a + 1;
      idle.push_back(item);
    });
  }
  EXPECT_EQ(wrong, 0u);
}

TEST(SpscChannel, EachToEachOfManyThreads) {
  constexpr std::size_t kThreads = 4;
  const std::uint64_t count = scaled(std::uint64_t{50'000});
  std::vector<SpscChannel<std::uint64_t>> channels(kThreads * kThreads);
  std::atomic<int> wrong = 0;
  {
    std::vector<std::jthread> threads;
    for (std::size_t self = 0; self < kThreads; ++self)
      threads.emplace_back([&, self] {
        std::uint64_t sent = 0, next[kThreads] = {}, received = 0;
        while (sent < count || received < count * kThreads) {
          for (int i = 0; i < 37 && sent < count; ++i, ++sent)
            for (std::size_t to = 0; to < kThreads; ++to) channels[self * kThreads + to].push(sent);
          for (std::size_t to = 0; to < kThreads; ++to) channels[self * kThreads + to].publish();
          for (std::size_t from = 0; from < kThreads; ++from)
            received += channels[from * kThreads + self].drain(
                [&](std::uint64_t value) { wrong += value != next[from]++; });
          std::this_thread::yield();
        }
      });
  }
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace anachron::channel
