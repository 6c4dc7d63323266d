// The kinds of work that a load does.
#include "run/load/work.hpp"

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "run/load/load_options.hpp"
#include "topo/caches.hpp"

namespace anachron {
namespace {

TEST(Work, EachKindCountsWhatItDoes) {
  const std::atomic<bool> ends{false};
  for (const auto& [name, kind] : Spelling<LoadKind>::names) {
    if (kind == LoadKind::communicate) continue;
    SCOPED_TRACE(name);
    const auto shop = make_workshop({.kind = kind, .memory = 1 << 20}, ends);
    const auto work = shop->make(0);
    const std::uint64_t once = work->step();
    EXPECT_GT(once, 0u);
    for (int i = 0; i < 100; ++i) EXPECT_EQ(work->step(), once);
    EXPECT_FALSE(shop->unit().empty());
  }
}

TEST(Work, StreamsMoreThanTheCachesHold) {
  const std::atomic<bool> ends{false};
  const auto usual = make_workshop({.kind = LoadKind::stream}, ends);
  EXPECT_GE(usual->memory(), 2 * topo::last_level_cache().value_or(0));
  EXPECT_GE(usual->memory(), 64u << 20);
  EXPECT_EQ(make_workshop({.kind = LoadKind::stream, .memory = 1 << 21}, ends)->memory(), 1u << 21);
  EXPECT_EQ(make_workshop({}, ends)->memory(), 0u);
}

// A ring in which one thread stands still: the others soon wait for it, and the end wakes them.
TEST(Work, ThreadsThatCommunicateWaitForEachOther) {
  std::atomic<bool> ends{false};
  const auto shop = make_workshop({.kind = LoadKind::communicate, .threads = 3}, ends);
  std::atomic<std::uint64_t> done{0};
  std::vector<std::jthread> threads;
  for (unsigned thread = 1; thread < 3; ++thread)
    threads.emplace_back([&, thread] {
      const auto work = shop->make(thread);
      std::uint64_t steps = 0;
      while (work->step() > 0) ++steps;
      done += steps;
    });
  const auto work = shop->make(0);
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(work->step(), 1u);
  ends = true;
  threads.clear();
  EXPECT_GE(done, 2 * 1000u - 12);
  EXPECT_LE(done, 2 * 1000u + 24);
}

}  // namespace
}  // namespace anachron
