#include "lp/history.hpp"

#include <cstdint>
#include <deque>
#include <random>

#include <gtest/gtest.h>

#include <anachron/mem/arena.hpp>

#include "scale.hpp"

namespace anachron::lp {
namespace {

using test::scaled;

TEST(History, IsEmptyAtFirst) {
  mem::Arena arena;
  const History history(arena);
  EXPECT_EQ(history.oldest(), nullptr);
  EXPECT_EQ(history.size(), 0u);
  EXPECT_FALSE(history.holds(0));
}

TEST(History, NumbersEntriesFromOne) {
  mem::Arena arena;
  History history(arena);
  for (std::uint64_t i = 1; i <= 10; ++i) {
    history.append(0, 8);
    EXPECT_EQ(history.newest_index(), i);
    EXPECT_TRUE(history.holds(i));
    EXPECT_FALSE(history.holds(0));
  }
}

TEST(History, ForgetsTheOldestFirst) {
  mem::Arena arena;
  History history(arena);
  Record* records[3];
  for (Record*& record : records) record = &history.append(100, 16);
  EXPECT_EQ(history.oldest(), records[0]);
  history.drop_oldest();
  EXPECT_EQ(history.oldest(), records[1]);
  EXPECT_FALSE(history.holds(1));
  EXPECT_TRUE(history.holds(2));
  history.drop_oldest();
  history.drop_oldest();
  EXPECT_EQ(history.oldest(), nullptr);
  EXPECT_EQ(history.size(), 0u);
  EXPECT_FALSE(history.holds(3));
}

TEST(History, CountsOnAfterItWasEmpty) {
  mem::Arena arena;
  History history(arena);
  history.append(0, 8);
  history.drop_oldest();
  Record& record = history.append(0, 8);
  EXPECT_EQ(history.newest_index(), 2u);
  EXPECT_EQ(history.oldest(), &record);
  EXPECT_EQ(record.next, nullptr);
  EXPECT_TRUE(history.holds(2));
}

TEST(History, WalksInOrderOfExecution) {
  mem::Arena arena;
  History history(arena);
  struct Expected {
    Record* record;
    std::uint64_t index;
    std::uint64_t mark;
  };
  std::deque<Expected> expected;
  std::mt19937_64 random(1);
  const std::size_t rooms[] = {0, 8, 500, 70'000, 300'000};
  for (int step = 0; step < scaled(20'000); ++step) {
    const bool grows = step / 500 % 2 == 0;
    if (random() % 100 < (grows ? 60u : 45u)) {
      const std::size_t extra = rooms[random() % 100 < 3 ? 3 + random() % 2 : random() % 3];
      Record& record = history.append(extra, random() % 2 ? 8 : 256);
      expected.push_back({&record, history.newest_index(), random()});
      record.older_index = expected.back().mark;
      if (extra > 0) reinterpret_cast<unsigned char*>(&record + 1)[extra - 1] = 1;  // the room is there
    } else if (!expected.empty()) {
      history.drop_oldest();
      EXPECT_FALSE(history.holds(expected.front().index));
      expected.pop_front();
    }
    ASSERT_EQ(history.size(), expected.size());
    if (expected.empty()) {
      ASSERT_EQ(history.oldest(), nullptr);
    } else {
      ASSERT_TRUE(history.holds(expected.front().index));
      ASSERT_EQ(history.oldest(), expected.front().record);
    }
    if (step % 1000 == 0) {
      const Record* record = history.oldest();
      for (const Expected& e : expected) {
        ASSERT_EQ(record, e.record);
        ASSERT_EQ(record->older_index, e.mark);
        record = record->next;
      }
      ASSERT_EQ(record, nullptr);
    }
  }
}

}  // namespace
}  // namespace anachron::lp
