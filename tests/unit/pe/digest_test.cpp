#include "pe/digest.hpp"

#include <cstdint>
#include <initializer_list>
#include <set>

#include <gtest/gtest.h>

#include <anachron/base/hash.hpp>
#include <anachron/event/header.hpp>
#include <anachron/event/ops.hpp>

namespace anachron::pe {
namespace {

event::EventOps ops_of(std::uint64_t type_hash) {
  event::EventOps ops{};
  ops.type_hash = type_hash;
  return ops;
}
const event::EventOps kOps = ops_of(hash_text("Link Enter")), kOtherOps = ops_of(hash_text("Link Leave"));

event::EventHeader some_event() {
  event::EventHeader e{};
  e.time = 1.5;
  e.order = event::make_order(0, 77);
  e.sender = 3;
  e.receiver = 4;
  e.set_place(event::place_of(std::uint64_t{5} << 40));
  e.set_ops(kOps, 0);
  return e;
}

std::uint64_t digest_of(std::initializer_list<event::EventHeader> events) {
  event::LpCounters counters;
  for (const event::EventHeader& e : events) static_cast<void>(add_to_digest(counters, e));
  return counters.digest;
}

TEST(Digest, EveryPartOfAnEventCounts) {
  std::set<std::uint64_t> digests{digest_of({some_event()})};
  const auto add = [&](auto&& change) {
    event::EventHeader e = some_event();
    change(e);
    EXPECT_TRUE(digests.insert(digest_of({e})).second);
  };
  add([](auto& e) { e.time = 1.6; });
  add([](auto& e) { e.time = 0; });
  add([](auto& e) { e.order = event::make_order(1, 77); });
  add([](auto& e) { e.order = event::make_order(0, 78); });
  add([](auto& e) { e.order = event::make_order(0, 77, 1); });
  add([](auto& e) { e.order = event::make_order(0, 77, -1); });
  add([](auto& e) { e.order = event::make_order(1, 77, 1); });
  add([](auto& e) { e.set_place(event::place_of(std::uint64_t{6} << 40)); });
  add([](auto& e) { e.set_place(event::place_in_order(5)); });
  add([](auto& e) { e.set_ops(kOtherOps, 0); });
}

// What version 0.1 prints: not to be changed by accident.
TEST(Digest, StaysTheSame) {
  event::EventHeader e = some_event();
  EXPECT_EQ(digest_of({e}), 11405198330260180550u);
  e.order = event::make_order(3, 77);
  EXPECT_EQ(digest_of({some_event(), e}), 16916638991537498498u);
}

TEST(Digest, SameForTheSameEvent) {
  event::EventHeader e = some_event();
  const std::uint64_t digest = digest_of({e});
  e.status = event::Status::executed;
  e.next = &e;
  e.match = event::MatchId::first_of(3);
  e.sender = 17;  // what LPs are called in a run depends on how many there are: the place knows who sent it
  EXPECT_EQ(digest_of({e}), digest);
}

TEST(Digest, OrderOfALpsEventsCounts) {
  event::EventHeader a = some_event(), b = some_event(), c = some_event();
  b.time = 2, c.time = 3;
  EXPECT_NE(digest_of({a, b}), digest_of({b, a}));
  // One pair in the wrong order.
  EXPECT_NE(digest_of({a, b, c}), digest_of({b, a, c}));
  EXPECT_NE(digest_of({a, b, c}), digest_of({a, c, b}));
}

TEST(Digest, AnEventTwiceIsNotOnceOrNone) {
  event::EventHeader a = some_event(), b = some_event();
  b.time = 2;
  const std::set<std::uint64_t> all{digest_of({}),        digest_of({a}),         digest_of({a, a}),
                                    digest_of({a, b}),    digest_of({a, b, b}),   digest_of({a, a, b}),
                                    digest_of({a, b, a}), digest_of({a, b, a, b})};
  EXPECT_EQ(all.size(), 8u);
}

// What was undone is subtracted, whatever is executed instead.
TEST(Digest, APieceOfAHistoryCanBeReplaced) {
  event::EventHeader a = some_event(), b = some_event(), c = some_event(), d = some_event();
  b.time = 2, c.time = 3, d.time = 4;
  const auto pair = [](const event::EventHeader& x, const event::EventHeader& y) {
    return hash_of_pair(hash_of(x), hash_of(y));
  };
  EXPECT_EQ(digest_of({a, b, d}) - pair(a, b) - pair(b, d) + pair(a, c) + pair(c, d), digest_of({a, c, d}));
}

TEST(Digest, EqualKeysOfNeighboursAreNoticed) {
  event::LpCounters counters;
  event::EventHeader e = some_event();
  EXPECT_TRUE(add_to_digest(counters, e));
  EXPECT_FALSE(add_to_digest(counters, e));
  e.time = 2;
  EXPECT_TRUE(add_to_digest(counters, e));
}

TEST(Digest, LpsWithEqualHistoriesDoNotCancelOrSwap) {
  EXPECT_NE(part_of_run(1, 5), part_of_run(2, 5));
  EXPECT_NE(part_of_run(1, 5) + part_of_run(2, 6), part_of_run(1, 6) + part_of_run(2, 5));
  EXPECT_NE(part_of_run(0, 0), part_of_run(0, 1));
}

TEST(Digest, OfManySimilarEventsDiffer) {
  std::set<std::uint64_t> digests;
  event::EventHeader e = some_event();
  for (std::uint32_t tie = 0; tie < 50; ++tie)
    for (std::uint64_t number = 0; number < 50; ++number)
      for (int time = 0; time < 20; ++time) {
        e.order = event::make_order(0, tie);
        e.set_place(event::place_in_order(number));
        e.time = time;
        digests.insert(digest_of({e}));
      }
  EXPECT_EQ(digests.size(), 50u * 50 * 20);
}

}  // namespace
}  // namespace anachron::pe
