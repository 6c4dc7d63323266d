// Every pending set against a std::set of the same events in the full key order.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <memory>
#include <ostream>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <anachron/base/type_name.hpp>
#include <anachron/event/header.hpp>

#include "queue/dary_heap.hpp"
#include "queue/ladder.hpp"
#include "queue/pending_set.hpp"
#include "queue/radix_ladder.hpp"
#include "queue/splay_tree.hpp"
#include "queue/three_tier_heap.hpp"
#include "queue/two_tier_ladder.hpp"
#include "scale.hpp"

namespace anachron::queue {
namespace {

using event::EventHeader;
using test::scaled;

using PendingSets = ::testing::Types<RadixLadder, BinaryHeap, QuaternaryHeap, ThreeTierHeap, LadderQueue,
                                     TwoTierLadder, SplayTree>;  // a new queue joins here

constexpr Time kHighest = std::numeric_limits<Time>::max();
constexpr Time kDenormal = std::numeric_limits<Time>::denorm_min();

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
      e->set_seq(next_seq_++ % 5 == 0 ? random_() % 4 : next_seq_);
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

  void remove_if(const std::function<bool(const EventHeader&)>& unwanted) {
    std::set<const EventHeader*> asked;
    queue_->remove_if([&](EventHeader* e) {
      EXPECT_TRUE(asked.insert(e).second) << "asked twice";
      return unwanted(*e);
    });
    EXPECT_EQ(asked.size(), reference_.size());
    std::erase_if(reference_, [&](const EventHeader* e) { return unwanted(*e); });
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

// How the time of a new event comes from that of the last one taken.
using Draw = Time (*)(Time now, std::mt19937_64& random);

double unit(std::mt19937_64& random) { return static_cast<double>(random() >> 11) * 0x1p-53; }

struct Times {
  const char* name;
  Draw draw;
};
const Times kTimes[] = {
    {"exponential", [](Time now, auto& random) { return now - std::log1p(-unit(random)); }},
    {"any_nonnegative_double",
     [](Time, auto& random) {
       return std::bit_cast<Time>(random() % (std::bit_cast<std::uint64_t>(kHighest) + 1));
     }},
    {"all_zero", [](Time, auto&) { return Time{0}; }},
    {"all_equal", [](Time, auto&) { return Time{3.25}; }},
    {"few_values", [](Time, auto& random) { return static_cast<Time>(random() % 7); }},
    {"whole_numbers",
     [](Time now, auto& random) { return std::floor(now) + static_cast<Time>(random() % 3); }},
    {"denormal", [](Time, auto& random) { return static_cast<Time>(random() % 1000) * kDenormal; }},
    {"huge", [](Time, auto& random) { return kHighest * (0.5 + unit(random) / 2); }},
    {"zero_or_highest", [](Time, auto& random) { return random() % 2 ? Time{0} : kHighest; }},
    {"neighbours",
     [](Time now, auto& random) {
       for (auto i = random() % 4; i > 0; --i) now = std::nextafter(now, kHighest);
       return now;
     }},
    {"whole_numbers_and_next",
     [](Time now, auto& random) {
       const Time whole = std::floor(now) + static_cast<Time>(random() % 2);
       return random() % 2 ? whole : std::nextafter(whole, kHighest);
     }},
    {"around_powers_of_two",
     [](Time, auto& random) {
       const Time power = std::ldexp(1.0, static_cast<int>(random() % 64) - 32);
       return random() % 3 == 0 ? power
              : random() % 2    ? std::nextafter(power, 0)
                                : std::nextafter(power, kHighest);
     }},
    {"clustered",
     [](Time now, auto& random) {
       return std::floor(now / 100) * 100 + static_cast<Time>(random() % 3) * 100 + unit(random) * 1e-6;
     }},
    {"bursty",
     [](Time now, auto& random) {
       return random() % 50 == 0 ? now + 1000 * unit(random) : now + 1e-9 * unit(random);
     }},
    {"anywhere", [](Time, auto& random) { return 1000 * unit(random); }},
    {"mostly_earlier",
     [](Time now, auto& random) { return random() % 10 == 0 ? now + 10 : now * unit(random); }},
};

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
  late->set_seq(std::uint64_t{1} << 32);
  early->set_seq(0xffffffff);
  pair.insert(late);
  pair.insert(early);
  EXPECT_EQ(pair.pop(), early);
  EXPECT_EQ(pair.pop(), late);
}

TYPED_TEST(PendingSetTest, SortsAnyTimes) {
  for (const Times& times : kTimes) {
    SCOPED_TRACE(times.name);
    Pair<TypeParam> pair;
    for (int i = 0; i < scaled(2000) && !this->HasFailure(); ++i) pair.insert(times.draw(1, pair.random()));
    pair.drain();
  }
}

// The life of a pending set under Time Warp: each event taken leads to others; now and then a rollback, a
// burst of cancellations, a horizon.
TYPED_TEST(PendingSetTest, BehavesLikeASortedSet) {
  for (const Times& times : kTimes) {
    SCOPED_TRACE(times.name);
    for (const std::size_t target : {1u, 40u, 200u, 1000u, 5000u}) {  // about so many are pending
      SCOPED_TRACE(target);
      Pair<TypeParam> pair;
      pair.seed(target);
      auto& random = pair.random();
      while (pair.size() < target) pair.insert(times.draw(pair.now(), random));
      for (int step = 0; step < scaled(3000) && !this->HasFailure(); ++step) {
        const auto op = random() % 1000;
        if (op < 480) {
          if (pair.size() < 2 * target + 100) pair.insert(times.draw(pair.now(), random));
        } else if (op < 700) {
          pair.pop();
        } else if (op < 960) {
          const Time first = pair.first_time();
          const Time bounds[] = {first, std::nextafter(first, kForever), times.draw(pair.now(), random),
                                 kForever, 0};
          pair.pop_below(bounds[random() % 5]);
        } else if (op < 980) {
          pair.put_back(random() % 40);
        } else if (op < 985) {
          pair.put_back(random() % 4000);
        } else if (op < 990) {
          pair.check_top();
        } else if (op < 995) {
          pair.check_hint(random() % 100);
        } else if (op < 998) {
          for (auto i = random() % 400; i > 0; --i) pair.insert(times.draw(pair.now(), random));
        } else if (op < 999) {
          const auto salt = random();
          const auto share = random() % 5;
          pair.remove_if([&](const EventHeader& e) {
            return mix64(salt ^ e.seq() ^ std::bit_cast<std::uint64_t>(e.time)) % 4 < share;
          });
        } else {
          pair.remove_if([](const EventHeader&) { return false; });
        }
      }
      pair.drain();
    }
  }
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
    e->set_seq(i);
    queue.insert(e);
    if (i == 2500)
      for (int k = 0; k < 100; ++k) queue.pop();
  }
  std::size_t left = queue.size();
  while (left > 0) {
    queue.remove_if([&](EventHeader* e) {
      if (random() % 3 != 0) return false;
      events[e->seq()].reset();
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

// The same as above in a form that rapidcheck can shrink to a short sequence.
struct Step {
  std::uint8_t op;
  std::uint8_t exponent;
  std::uint8_t mantissa;

  Time time() const { return exponent == 0 ? 0 : std::ldexp(1 + (mantissa % 4) / 4.0, exponent % 24 - 12); }
};
std::ostream& operator<<(std::ostream& out, const Step& step) {
  return out << "{" << int{step.op} << ", " << int{step.exponent} << ", " << int{step.mantissa} << "}";
}

TYPED_TEST(PendingSetTest, PropertySameAsASortedSet) {
  const auto step =
      rc::gen::construct<Step>(rc::gen::arbitrary<std::uint8_t>(), rc::gen::arbitrary<std::uint8_t>(),
                               rc::gen::arbitrary<std::uint8_t>());
  EXPECT_TRUE(rc::check([&] {
    const auto steps = *rc::gen::container<std::vector<Step>>(step);
    Pair<TypeParam> pair;
    for (const Step& s : steps) {
      switch (s.op % 8) {
        case 0:
          pair.pop();
          break;
        case 1:
          pair.pop_below(s.time());
          break;
        case 2:
          pair.put_back(s.mantissa);
          break;
        case 3:
          for (int i = 0; i < s.mantissa; ++i) pair.insert(s.time() + i * 0.25);
          break;
        case 4:
          if (s.mantissa < 16)
            pair.remove_if([&](const EventHeader& e) { return e.time <= s.time(); });
          else
            for (int i = 0; i < s.mantissa / 2; ++i) pair.pop();
          break;
        default:
          pair.insert(s.time());
      }
      RC_ASSERT(!::testing::Test::HasFailure());
    }
    pair.drain();
    RC_ASSERT(!::testing::Test::HasFailure());
  }));
}

TEST(ToBits, KeepsTheOrderOfTimes) {
  const Time times[] = {0,     kDenormal, std::numeric_limits<Time>::min(),
                        1e-9,  1,         std::nextafter(1.0, 2.0),
                        1e300, kHighest,  kForever};
  EXPECT_TRUE(std::is_sorted(std::begin(times), std::end(times),
                             [](Time a, Time b) { return to_bits(a) < to_bits(b); }));
}

}  // namespace
}  // namespace anachron::queue
