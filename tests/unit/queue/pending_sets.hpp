// All pending sets, and a reference for them: a std::set of the same events in the full key order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <anachron/base/type_name.hpp>
#include <anachron/event/header.hpp>

#include "queue/baselines/dary_heap.hpp"
#include "queue/baselines/ladder.hpp"
#include "queue/baselines/splay_tree.hpp"
#include "queue/baselines/three_tier_heap.hpp"
#include "queue/baselines/two_tier_ladder.hpp"
#include "queue/pending_set.hpp"
#include "queue/radix_ladder.hpp"

namespace anachron::queue_test {

using namespace queue;
using event::EventHeader;

using PendingSets = ::testing::Types<RadixLadder, BinaryHeap, QuaternaryHeap, ThreeTierHeap, LadderQueue,
                                     TwoTierLadder, SplayTree>;  // a new queue joins here

constexpr Time kHighest = std::numeric_limits<Time>::max();
constexpr Time kDenormal = std::numeric_limits<Time>::denorm_min();

inline double unit(std::mt19937_64& random) { return static_cast<double>(random() >> 11) * 0x1p-53; }

struct Earlier {
  bool operator()(const EventHeader* a, const EventHeader* b) const { return a->key() < b->key(); }
};

/// Does everything twice, with the queue and with the reference, and compares.
template <class Queue>
class Pair {
 public:
  /// A new event with a random rest of the key: few values, so that all parts decide now and then.
  EventHeader* make(Time time) {
    EventHeader* const e = &events_.emplace_back();
    do {
      e->time = time;
      e->order = event::make_order(static_cast<std::uint32_t>(random_() % 3),
                                   static_cast<std::uint32_t>(random_() % 4));
      e->sender = static_cast<LpId>(random_() % 3);
      e->receiver = static_cast<LpId>(random_() % 7);
      e->set_place(event::place_in_order(next_seq_++ % 5 == 0 ? random_() % 4 : next_seq_));
      e->status = event::Status::pending;
    } while (reference_.contains(e));
    return e;
  }

  void insert(EventHeader* e) {
    queue_->insert(e);
    ASSERT_TRUE(reference_.insert(e).second);
    ASSERT_EQ(queue_->size(), reference_.size());
  }
  void insert(Time time) { insert(make(time)); }

  /// Null when empty.
  EventHeader* check_top() {
    EventHeader* const expected = reference_.empty() ? nullptr : *reference_.begin();
    EXPECT_EQ(queue_->top(), expected);
    return expected;
  }

  EventHeader* pop() {
    EventHeader* const expected = check_top();
    if (!expected) return nullptr;
    queue_->pop();
    taken(expected);
    return expected;
  }

  EventHeader* pop_below(Time time) {
    EventHeader* const first = reference_.empty() ? nullptr : *reference_.begin();
    EventHeader* const expected = first && first->time < time ? first : nullptr;
    EventHeader* const got = queue_->pop_below(time);
    EXPECT_EQ(got, expected) << "below " << time;
    if (expected) taken(expected);
    return got == expected ? expected : nullptr;
  }

  void remove_if(
      const std::function<bool(const EventHeader&)>& unwanted,
      const std::function<bool(Time)>& at = [](Time) { return true; }) {
    std::set<const EventHeader*> asked;
    const auto ask = [&](EventHeader* e) {
      EXPECT_TRUE(asked.insert(e).second) << "asked twice";
      return unwanted(*e);
    };
    queue_->remove_if(ask, at);
    const auto is_asked = [&](const EventHeader* e) { return at(e->time); };
    EXPECT_EQ(std::ssize(asked), std::count_if(reference_.begin(), reference_.end(), is_asked));
    std::erase_if(reference_, [&](const EventHeader* e) { return at(e->time) && unwanted(*e); });
    EXPECT_EQ(queue_->size(), reference_.size());
  }

  /// Of the last events taken, `count` come back: a rollback.
  void put_back(std::size_t count) {
    for (; count > 0 && !taken_.empty(); --count) {
      EventHeader* const e = taken_.back();
      taken_.pop_back();
      if (!reference_.contains(e)) insert(e);
    }
  }

  /// A hint may be anything that is pending.
  void check_hint(std::size_t ahead) const {
    EventHeader* const hint = std::as_const(*queue_).soon(ahead);
    if (hint) {
      EXPECT_TRUE(reference_.contains(hint));
    }
  }

  void drain() {
    while (pop() && !::testing::Test::HasFailure()) {
    }
    EXPECT_EQ(queue_->size(), 0u);
    EXPECT_EQ(queue_->top(), nullptr);
    EXPECT_EQ(queue_->pop_below(kForever), nullptr);
  }

  Queue& queue() { return *queue_; }
  std::size_t size() const { return reference_.size(); }
  Time first_time() const { return reference_.empty() ? 0 : (*reference_.begin())->time; }
  Time last_time() const { return reference_.empty() ? 0 : (*reference_.rbegin())->time; }
  /// Of the event taken last.
  Time now() const { return now_; }
  std::mt19937_64& random() { return random_; }
  void seed(std::uint64_t seed) { random_.seed(seed); }

 private:
  void taken(EventHeader* e) {
    reference_.erase(reference_.begin());
    taken_.push_back(e);
    if (taken_.size() > 4096) taken_.erase(taken_.begin(), taken_.begin() + 2048);
    now_ = e->time;
    EXPECT_EQ(queue_->size(), reference_.size());
  }

  std::deque<EventHeader> events_;
  std::unique_ptr<Queue> queue_ = std::make_unique<Queue>();
  std::set<EventHeader*, Earlier> reference_;
  std::vector<EventHeader*> taken_;
  Time now_ = 0;
  std::uint64_t next_seq_ = 0;
  std::mt19937_64 random_{1};
};

struct QueueName {
  template <class Queue>
  static std::string GetName(int) {
    return std::string(short_type_name<Queue>());
  }
};

template <class Queue>
class PendingSetTest : public ::testing::Test {};
TYPED_TEST_SUITE(PendingSetTest, PendingSets, QueueName);

}  // namespace anachron::queue_test
