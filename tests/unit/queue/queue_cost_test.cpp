// What pending sets cost, counted and not timed: how often they compare and copy entries.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <anachron/event/header.hpp>

#include "queue/baselines/dary_heap.hpp"
#include "queue/baselines/ladder.hpp"
#include "queue/baselines/splay_tree.hpp"
#include "queue/baselines/three_tier_heap.hpp"
#include "queue/baselines/two_tier_ladder.hpp"
#include "queue/pending_set.hpp"
#include "queue/radix_ladder.hpp"

namespace anachron::queue {
namespace {

using event::EventHeader;

/// An entry that counts what is done with entries.
struct Counted {
  static inline std::uint64_t work = 0;

  std::uint64_t bits;
  EventHeader* event;

  Counted() = default;
  Counted(std::uint64_t at, EventHeader* e) : bits(at), event(e) {}
  Counted(const Counted& other) : bits(other.bits), event(other.event) { ++work; }
  Counted& operator=(const Counted& other) {
    bits = other.bits;
    event = other.event;
    ++work;
    return *this;
  }
  ~Counted() = default;

  friend bool before(const Counted& a, const Counted& b) {
    ++work;
    return queue::before(Entry{a.bits, a.event}, Entry{b.bits, b.event});
  }
};

template <class Queue>
class QueueCost : public testing::Test {};
using Queues = testing::Types<BasicRadixLadder<Counted>, DaryHeap<2, Counted>, DaryHeap<4, Counted>,
                              BasicThreeTierHeap<Counted>, BasicLadder<1, Counted>, BasicLadder<32, Counted>,
                              BasicSplayTree<Counted>>;  // a new queue joins here
struct Name {
  template <class Queue>
  static std::string GetName(int i) {
    const char* const names[] = {"Radix",  "Heap2",         "Heap4", "ThreeTierHeap",
                                 "Ladder", "TwoTierLadder", "Splay"};
    return names[i];
  }
};
TYPED_TEST_SUITE(QueueCost, Queues, Name);

std::vector<EventHeader> events_of(std::size_t n) {
  std::vector<EventHeader> events(n);
  std::mt19937_64 random{n};
  for (std::size_t i = 0; i < n; ++i) {
    events[i].order = random();
    events[i].sender = static_cast<LpId>(i % 1000);
    events[i].receiver = static_cast<LpId>(random() % 1000);
    events[i].set_place(event::place_in_order(i));
  }
  return events;
}

/// What an event costs when `n` of them are at the same time, 5: all are inserted; then each that is taken is
/// inserted again with another order, as events of zero delay are; in the end all are taken. `apart`: one in
/// so many is at another time nearby, so that a bucket of the rest is never alone.
template <class Queue>
double work_per_event(std::size_t n, std::size_t apart) {
  std::vector<EventHeader> events = events_of(n);
  std::mt19937_64 random{7};
  Queue queue;
  const auto time = [&](std::size_t i) {
    return apart > 0 && i % apart == 0 ? 5 + std::ldexp(static_cast<double>(random() % 1024), -20) : 5.0;
  };
  Counted::work = 0;
  for (std::size_t i = 0; i < n; ++i) {
    events[i].time = time(i);
    queue.insert(&events[i]);
  }
  for (std::size_t i = 0; i < n; ++i) {
    EventHeader* const e = queue.pop_below(kForever);
    e->order = random();
    e->time = std::max(e->time, time(i));
    queue.insert(e);
  }
  const EventHeader* last = queue.pop_below(kForever);
  for (std::size_t i = 1; i < n; ++i) {
    const EventHeader* const e = queue.pop_below(kForever);
    if (!event::before(*last, *e)) {
      ADD_FAILURE() << "not in order";
      break;
    }
    last = e;
  }
  EXPECT_EQ(queue.size(), 0u);
  return static_cast<double>(Counted::work) / static_cast<double>(3 * n);
}

// O(log n): ten times the events take log2(10) = 3.3 steps more of a few comparisons and copies each, and not
// ten times as many.
TYPED_TEST(QueueCost, OfSimultaneousEventsGrowsWithTheLogarithm) {
  for (const std::size_t apart : {0u, 100u}) {
    SCOPED_TRACE(apart);
    const double few = work_per_event<TypeParam>(10'000, apart);
    const double more = work_per_event<TypeParam>(30'000, apart);
    const double many = work_per_event<TypeParam>(100'000, apart);
    this->RecordProperty("work of 10000 and 100000", std::to_string(few) + " " + std::to_string(many));
    EXPECT_LT(few, 150);
    EXPECT_LT(more, few * 1.5);
    EXPECT_LT(many, few * 2);
  }
}

// What a queue does when times are spread is as before: amortised O(1) for the ladders.
TYPED_TEST(QueueCost, OfSpreadEventsGrowsNoFaster) {
  const auto work = [](std::size_t n) {
    std::vector<EventHeader> events = events_of(n);
    std::mt19937_64 random{7};
    const auto delay = [&] { return -std::log1p(-static_cast<double>(random() >> 11) * 0x1p-53); };
    TypeParam queue;
    Counted::work = 0;
    for (EventHeader& e : events) {
      e.time = delay();
      queue.insert(&e);
    }
    for (std::size_t i = 0; i < 2 * n; ++i) {
      EventHeader* const e = queue.pop_below(kForever);
      e->time += delay();
      queue.insert(e);
    }
    return static_cast<double>(Counted::work) / static_cast<double>(3 * n);
  };
  const double few = work(10'000), many = work(100'000);
  this->RecordProperty("work of 10000 and 100000", std::to_string(few) + " " + std::to_string(many));
  EXPECT_LT(many, few * 2);
}

}  // namespace
}  // namespace anachron::queue
