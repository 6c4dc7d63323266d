#include "pe/digest.hpp"

#include <cstdint>
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
  e.set_seq(5);
  e.set_ops(kOps, 0);
  return e;
}

TEST(Digest, EveryPartOfAnEventCounts) {
  std::set<std::uint64_t> digests{chain(0, some_event())};
  const auto add = [&](auto&& change) {
    event::EventHeader e = some_event();
    change(e);
    EXPECT_TRUE(digests.insert(chain(0, e)).second);
  };
  add([](auto& e) { e.time = 1.6; });
  add([](auto& e) { e.time = 0; });
  add([](auto& e) { e.order = event::make_order(1, 77); });
  add([](auto& e) { e.order = event::make_order(0, 78); });
  add([](auto& e) { e.order = event::make_order(0, 77, 1); });
  add([](auto& e) { e.order = event::make_order(0, 77, -1); });
  add([](auto& e) { e.order = event::make_order(1, 77, 1); });
  add([](auto& e) { e.sender = 4; });
  add([](auto& e) { e.receiver = 3; });
  add([](auto& e) { std::swap(e.sender, e.receiver); });
  add([](auto& e) { e.set_seq(6); });
  add([](auto& e) { e.set_seq(std::uint64_t{5} << 32); });
  add([](auto& e) { e.set_ops(kOtherOps, 0); });
  EXPECT_TRUE(digests.insert(chain(1, some_event())).second);
}

// What version 0.1 has printed: not to be changed by accident.
TEST(Digest, StaysTheSame) {
  event::EventHeader e = some_event();
  EXPECT_EQ(chain(0, e), 0xcfc3ac890de0e7ed);
  e.order = event::make_order(3, 77);
  EXPECT_EQ(chain(0, e), 0xed660986212e34ec);
}

TEST(Digest, SameForTheSameEvent) {
  event::EventHeader e = some_event();
  const std::uint64_t digest = chain(9, e);
  e.status = event::Status::executed;
  e.next = &e;
  e.match = event::MatchId::first_of(3);
  EXPECT_EQ(chain(9, e), digest);  // where it lies and who made it depend on the run
}

TEST(Digest, OrderOfALpsEventsCounts) {
  event::EventHeader a = some_event(), b = some_event();
  b.time = 2;
  EXPECT_NE(chain(chain(0, a), b), chain(chain(0, b), a));
}

TEST(Digest, AnEventTwiceIsNotOnceOrNone) {
  const event::EventHeader e = some_event();
  const std::uint64_t once = chain(0, e), twice = chain(once, e);
  EXPECT_NE(once, 0u);
  EXPECT_NE(twice, once);
  EXPECT_NE(twice, 0u);
}

TEST(Digest, LpsWithEqualHistoriesDoNotCancelOrSwap) {
  EXPECT_NE(part_of_run(1, 5), part_of_run(2, 5));
  EXPECT_NE(part_of_run(1, 5) + part_of_run(2, 6), part_of_run(1, 6) + part_of_run(2, 5));
  EXPECT_NE(part_of_run(0, 0), part_of_run(0, 1));
}

TEST(Digest, ChainsOfManySimilarEventsDiffer) {
  std::set<std::uint64_t> digests;
  event::EventHeader e = some_event();
  for (LpId receiver = 0; receiver < 50; ++receiver)
    for (std::uint64_t seq = 0; seq < 50; ++seq)
      for (int time = 0; time < 20; ++time) {
        e.receiver = receiver;
        e.set_seq(seq);
        e.time = time;
        digests.insert(chain(0, e));
      }
  EXPECT_EQ(digests.size(), 50u * 50 * 20);
}

}  // namespace
}  // namespace anachron::pe
