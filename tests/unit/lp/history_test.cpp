// The history as a container.
#include "lp/history.hpp"

#include <cstdint>
#include <deque>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include <anachron/mem/arena.hpp>

#include "scale.hpp"

namespace anachron::lp {
namespace {

using test::scaled;

void commit_and_drop(History& history) {
  history.commit_first();
  history.drop_oldest();
}

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
    history.append(0);
    EXPECT_EQ(history.newest_index(), i);
    EXPECT_TRUE(history.holds(i));
    EXPECT_FALSE(history.holds(0));
  }
}

TEST(History, ForgetsTheOldestFirst) {
  mem::Arena arena;
  History history(arena);
  Record* records[3];
  for (Record*& record : records) record = history.append(100);
  EXPECT_EQ(history.oldest(), records[0]);
  commit_and_drop(history);
  EXPECT_EQ(history.oldest(), records[1]);
  EXPECT_FALSE(history.holds(1));
  EXPECT_TRUE(history.holds(2));
  commit_and_drop(history);
  commit_and_drop(history);
  EXPECT_EQ(history.oldest(), nullptr);
  EXPECT_EQ(history.size(), 0u);
  EXPECT_FALSE(history.holds(3));
}

TEST(History, KeepsWhatWasCommitted) {
  mem::Arena arena;
  History history(arena);
  Record* records[3];
  for (Record*& record : records) record = history.append(0);
  history.commit_first();
  history.commit_first();
  EXPECT_EQ(history.oldest(), records[0]);
  EXPECT_EQ(history.first_uncommitted(), records[2]);
  EXPECT_EQ(history.uncommitted(), 1u);
  EXPECT_EQ(history.size(), 3u);
  EXPECT_TRUE(history.holds(1));
  EXPECT_FALSE(history.may_undo(2));
  EXPECT_TRUE(history.may_undo(3));
  history.commit_first();
  EXPECT_EQ(history.first_uncommitted(), nullptr);
  Record& record = *history.append(0);
  EXPECT_EQ(history.first_uncommitted(), &record);
  EXPECT_EQ(records[2]->next, &record);
  history.drop_oldest();
  EXPECT_EQ(history.dropped_index(), 1u);
  EXPECT_EQ(history.oldest(), records[1]);
}

TEST(History, CountsOnAfterItWasEmpty) {
  mem::Arena arena;
  History history(arena);
  history.append(0);
  commit_and_drop(history);
  Record& record = *history.append(0);
  EXPECT_EQ(history.newest_index(), 2u);
  EXPECT_EQ(history.oldest(), &record);
  EXPECT_EQ(record.next, nullptr);
  EXPECT_TRUE(history.holds(2));
}

TEST(History, ForgetsTheNewest) {
  mem::Arena arena;
  History history(arena);
  const auto go_back = [&](Record* newest, std::uint64_t index) {
    for (int i = 0; i < 3; ++i) history.append(0);
    history.forget_after(newest, index);
    EXPECT_EQ(history.newest(), newest);
    EXPECT_EQ(history.newest_index(), index);
  };
  go_back(nullptr, 0);
  EXPECT_EQ(history.oldest(), nullptr);
  EXPECT_EQ(history.first_uncommitted(), nullptr);
  Record& committed = *history.append(0);
  history.commit_first();
  go_back(&committed, 1);
  EXPECT_EQ(history.oldest(), &committed);
  EXPECT_EQ(history.first_uncommitted(), nullptr);
  Record& pending = *history.append(0);
  go_back(&pending, 2);
  EXPECT_EQ(history.first_uncommitted(), &pending);
  EXPECT_EQ(pending.next, nullptr);
  EXPECT_EQ(history.uncommitted(), 1u);
  commit_and_drop(history);
  history.drop_oldest();
  go_back(nullptr, 2);
  Record& next = *history.append(0);
  EXPECT_EQ(history.oldest(), &next);
  EXPECT_EQ(history.first_uncommitted(), &next);
  EXPECT_EQ(history.newest_index(), 3u);
}

TEST(History, WhatAPassageHasPassedIsCommittedAndDropped) {
  mem::Arena arena;
  History history(arena);
  Record* records[3];
  for (Record*& record : records) record = history.append(0);
  {
    History::Passage passage(history);
    EXPECT_EQ(passage.next(), records[0]);
    passage.pass();
    passage.pass();
    EXPECT_EQ(passage.next(), records[2]);
  }
  EXPECT_EQ(history.oldest(), records[2]);
  EXPECT_EQ(history.first_uncommitted(), records[2]);
  EXPECT_EQ(history.committed_index(), 2u);
  EXPECT_EQ(history.dropped_index(), 2u);
  {
    const History::Passage nothing(history);
  }
  EXPECT_EQ(history.size(), 1u);
  try {
    History::Passage passage(history);
    passage.pass();
    throw 1;
  } catch (int) {
  }
  EXPECT_EQ(history.size(), 0u);
  EXPECT_EQ(history.newest(), nullptr);
  Record* const next = history.append(0);
  EXPECT_EQ(history.first_uncommitted(), next);
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
      Record& record = *history.append(extra);
      expected.push_back({&record, history.newest_index(), random()});
      record.older_index = expected.back().mark;
      if (extra > 0) reinterpret_cast<unsigned char*>(&record + 1)[extra - 1] = 1;  // the room is there
    } else if (!expected.empty()) {
      commit_and_drop(history);
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
