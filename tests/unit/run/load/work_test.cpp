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
  for (const auto& [name, kind] : Spelling<LoadKind>::names) {
    if (kind == LoadKind::communicate) continue;
    SCOPED_TRACE(name);
    const auto shop = make_workshop({.kind = kind, .memory = 1 << 20});
    const auto work = shop->make(0);
    const std::uint64_t once = work->step();
    EXPECT_GT(once, 0u);
    for (int i = 0; i < 100; ++i) EXPECT_EQ(work->step(), once);
    EXPECT_FALSE(shop->unit().empty());
  }
}

TEST(Work, StreamsMoreThanTheCachesHold) {
  const auto usual = make_workshop({.kind = LoadKind::stream});
  EXPECT_GE(usual->memory(), 2 * topo::last_level_cache().value_or(0));
  EXPECT_GE(usual->memory(), 64u << 20);
  EXPECT_EQ(make_workshop({.kind = LoadKind::stream, .memory = 1 << 21})->memory(), 1u << 21);
  EXPECT_EQ(make_workshop({})->memory(), 0u);
}

// Each waits for messages of the one before, so none is far ahead.
TEST(Work, ThreadsThatCommunicateWaitForEachOther) {
  std::atomic<bool> ends{false};
  const auto shop = make_workshop({.kind = LoadKind::communicate, .threads = 3});
  std::atomic<std::uint64_t> done{0};
  std::vector<std::jthread> threads;
  for (unsigned thread = 1; thread < 3; ++thread)
    threads.emplace_back([&, thread] {
      const auto work = shop->make(thread);
      while (!ends) done += work->step();
    });
  const auto work = shop->make(0);
  for (std::uint64_t own = 0; own < 1000;) own += work->step();
  ends = true;
  threads.clear();
  EXPECT_GE(done, 2 * 1000u - 12);
  EXPECT_LE(done, 2 * 1000u + 24);
}

}  // namespace
}  // namespace anachron
