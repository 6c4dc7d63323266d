// Every pending set, in what may go wrong at the ends: bounds, equal times, gaps, rollbacks, purges, memory.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <memory>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "scale.hpp"
#include "unit/queue/pending_sets.hpp"

namespace anachron::queue_test {
namespace {

using test::scaled;

TYPED_TEST(PendingSetTest, EmptyHasNothing) {
  TypeParam queue;
  EXPECT_EQ(queue.size(), 0u);
  EXPECT_EQ(queue.top(), nullptr);
  EXPECT_EQ(queue.pop_below(kForever), nullptr);
  EXPECT_EQ(queue.pop_below(0), nullptr);
  EXPECT_EQ(queue.soon(0), nullptr);
  EXPECT_EQ(queue.soon(100), nullptr);
  queue.remove_if([](EventHeader*) { return true; });
  EXPECT_EQ(queue.size(), 0u);
}

TYPED_TEST(PendingSetTest, BoundIsExclusive) {
  Pair<TypeParam> pair;
  for (const Time time : {Time{0}, kDenormal, 1.0, std::nextafter(1.0, 2.0), kHighest}) {
    pair.insert(time);
    EXPECT_EQ(pair.pop_below(0), nullptr);
    EXPECT_EQ(pair.pop_below(time), nullptr);
    EXPECT_NE(pair.pop_below(std::nextafter(time, kForever)), nullptr);
  }
  pair.insert(kHighest);
  EXPECT_NE(pair.pop_below(kForever), nullptr);
}

TYPED_TEST(PendingSetTest, EqualTimesInOrderOfTheRestOfTheKey) {
  Pair<TypeParam> pair;
  for (int i = 0; i < scaled(3000); ++i) pair.insert(i % 2 ? 0.0 : 7.5);
  pair.drain();
}

TYPED_TEST(PendingSetTest, SequenceNumbersBeyond32BitsCount) {
  Pair<TypeParam> pair;
  EventHeader* const late = pair.make(1);
  EventHeader* const early = pair.make(1);
  for (EventHeader* e : {late, early}) {
    e->order = 0;
    e->sender = 1;
  }
  late->set_place(event::place_in_order(std::uint64_t{1} << 32));
  early->set_place(event::place_in_order(0xffffffff));
  pair.insert(late);
  pair.insert(early);
  EXPECT_EQ(pair.pop(), early);
  EXPECT_EQ(pair.pop(), late);
}

TYPED_TEST(PendingSetTest, ManyEventsEarlierThanAllTaken) {
  Pair<TypeParam> pair;
  auto& random = pair.random();
  for (int i = 0; i < scaled(3000); ++i) pair.insert(1e6 + static_cast<Time>(i));
  for (int i = 0; i < 100; ++i) pair.pop();
  for (const Time before : {1e6, 1e5, 1e-3, 0.0}) {
    for (int i = 0; i < scaled(4000); ++i) {
      pair.insert(before * unit(random));
      if (i % 7 == 0) pair.pop();
    }
    pair.check_top();
  }
  pair.drain();
}

// The same when those taken are exactly all that were near: what is pending lies wholly before or wholly
// after.
TYPED_TEST(PendingSetTest, ManyEventsBeforeAGap) {
  const Time spacings[] = {1, 1e-3, std::nextafter(1e6, kHighest) - 1e6};
  for (const Time spacing : spacings)
    for (int taken = 1; taken <= scaled(100); ++taken) {
      SCOPED_TRACE(taken);
      Pair<TypeParam> pair;
      for (int i = 0; i < 500; ++i) pair.insert(1e6 + i * spacing);
      for (int i = 0; i < taken; ++i) pair.pop();
      for (int i = 0; i < 1300; ++i) pair.insert(1 + unit(pair.random()));
      pair.drain();
      if (this->HasFailure()) return;
    }
}

TYPED_TEST(PendingSetTest, AWholeRollbackComesBack) {
  Pair<TypeParam> pair;
  const int taken = std::min(scaled(2000), 4000);  // so many can be put back
  for (int i = 0; i < 2 * taken; ++i) pair.insert(10 * unit(pair.random()));
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < taken; ++i) pair.pop();
    pair.put_back(100'000);
    EXPECT_EQ(pair.size(), 2 * static_cast<std::size_t>(taken));
  }
  pair.drain();
}

TYPED_TEST(PendingSetTest, WorksOnAfterItWasEmpty) {
  Pair<TypeParam> pair;
  for (const Time time : {5.0, 1e9, 0.0, 2.0, kHighest, kDenormal}) {
    for (int i = 0; i < 300; ++i) pair.insert(time);
    pair.drain();
    pair.insert(time);
    pair.remove_if([](const EventHeader&) { return true; });
    EXPECT_EQ(pair.check_top(), nullptr);
  }
}

// A purge destroys the events that it removes: the queue may not look at them again. (The sanitizer would see
// it.)
TYPED_TEST(PendingSetTest, RemovedEventsAreNotLookedAtAgain) {
  TypeParam queue;
  std::mt19937_64 random;
  std::vector<std::unique_ptr<EventHeader>> events;
  for (std::uint64_t i = 0; i < 5000; ++i) {
    EventHeader* const e = events.emplace_back(std::make_unique<EventHeader>()).get();
    e->time = random() % 2 ? static_cast<Time>(random() % 10) : 10 * unit(random);
    e->order = random() % 4;
    e->sender = static_cast<LpId>(random() % 100);
    e->receiver = static_cast<LpId>(random() % 20);
    e->set_place(event::place_in_order(i));
    queue.insert(e);
    if (i == 2500)
      for (int k = 0; k < 100; ++k) queue.pop();
  }
  std::size_t left = queue.size();
  while (left > 0) {
    queue.remove_if([&](EventHeader* e) {
      if (random() % 3 != 0) return false;
      events[event::number_in_order(e->place())].reset();
      --left;
      return true;
    });
    ASSERT_EQ(queue.size(), left);
    for (int k = 0; k < 50 && left > 0; ++k, --left) queue.pop();
  }
  EXPECT_EQ(queue.top(), nullptr);
}

TYPED_TEST(PendingSetTest, MemoryIsBoundedByTheMostThatWasPending) {
  Pair<TypeParam> pair;
  auto& random = pair.random();
  for (int i = 0; i < 1000; ++i) pair.insert(unit(random));
  std::size_t most = 0;
  for (int step = 0; step < scaled(30'000); ++step) {
    EventHeader* const e = pair.queue().pop_below(kForever);
    e->time += unit(random) * (step % 100 == 0 ? 100 : 1);
    pair.queue().insert(e);
    if (step == scaled(30'000) / 2) most = pair.queue().bytes();
  }
  EXPECT_GT(pair.queue().bytes(), 0u);
  EXPECT_LE(pair.queue().bytes(), 2 * most);
  EXPECT_LT(most, std::size_t{1} << 20);
}

TEST(ToBits, KeepsTheOrderOfTimes) {
  const Time times[] = {0,     kDenormal, std::numeric_limits<Time>::min(),
                        1e-9,  1,         std::nextafter(1.0, 2.0),
                        1e300, kHighest,  kForever};
  EXPECT_TRUE(std::is_sorted(std::begin(times), std::end(times),
                             [](Time a, Time b) { return to_bits(a) < to_bits(b); }));
}

}  // namespace
}  // namespace anachron::queue_test
