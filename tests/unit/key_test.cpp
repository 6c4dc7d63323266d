#include <anachron/event/key.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <anachron/event/header.hpp>

namespace anachron::event {
namespace {

EventHeader header(const EventKey& key) {
  EventHeader e{};
  e.time = key.time;
  e.order = key.order;
  e.sender = key.sender;
  e.set_place(key.place);
  return e;
}

// Few values of each part, so that any part may decide.
rc::Gen<EventKey> some_key() {
  return rc::gen::build<EventKey>(
      rc::gen::set(&EventKey::time, rc::gen::element(0.0, 1.0, 1.5, 1e300)),
      rc::gen::set(&EventKey::order, rc::gen::element(make_order(0, 0), make_order(0, 7), make_order(1, 0),
                                                      make_order(0, 0xffffffff), make_order(0xffffffff, 3))),
      rc::gen::set(&EventKey::sender, rc::gen::element<LpId>(0, 1, 0xfffffffe)),
      rc::gen::set(&EventKey::place,
                   rc::gen::element<std::uint64_t>(0, 1, 0xffffffff, 0x100000000, 0xffffffffffff)));
}

TEST(EventKey, PartsDecideInTheirOrder) {
  const EventKey key{2, make_order(1, 5), 3, 4};
  EXPECT_LT((EventKey{1, make_order(9, 9), 9, 9}), key);
  EXPECT_LT((EventKey{2, make_order(0, 9), 9, 9}), key);
  EXPECT_LT((EventKey{2, make_order(1, 4), 9, 9}), key);
  EXPECT_LT((EventKey{2, make_order(1, 5), 2, 9}), key);
  EXPECT_LT((EventKey{2, make_order(1, 5), 3, 3}), key);
  EXPECT_FALSE(key < key);
}

TEST(EventKey, OrderIsTotal) {
  EXPECT_TRUE(rc::check([] {
    const EventKey a = *some_key(), b = *some_key(), c = *some_key();
    RC_ASSERT((a < b) + (b < a) + (a == b) == 1);
    if (a < b && b < c) RC_ASSERT(a < c);
  }));
}

TEST(EventKey, HeadersAreInTheOrderOfTheirKeys) {
  EXPECT_TRUE(rc::check([] {
    const EventKey a = *some_key(), b = *some_key();
    const EventHeader ha = header(a), hb = header(b);
    RC_ASSERT(ha.key() == a);
    RC_ASSERT(before(ha, hb) == (a < b));
    if (a.time == b.time) RC_ASSERT(before_at_same_time(ha, hb) == (a < b));
  }));
}

TEST(EventKey, NothingLiesBetweenAKeyAndItsSuccessor) {
  EXPECT_TRUE(rc::check([] {
    const EventKey a = *some_key(), b = *some_key();
    RC_ASSERT(a < a.successor());
    RC_ASSERT(!(a < b && b < a.successor()));
  }));
}

TEST(EventKey, AZeroDelayChildSortsAfterItsParent) {
  for (std::uint32_t tie : {0u, 5u, 0xffffffffu})
    EXPECT_LT((EventKey{1, make_order(4, 0xffffffff), 9, 9}), (EventKey{1, make_order(5, tie), 0, 0}));
  EXPECT_EQ(step_of(make_order(5, 0xffffffff)), 5u);
}

// ---- Ties.

constexpr LpId kSenders = 4096;

std::vector<LpId> order_of_senders(std::uint64_t tie_seed, std::uint64_t seq) {
  std::vector<LpId> senders(kSenders);
  for (LpId lp = 0; lp < kSenders; ++lp) senders[lp] = lp;
  std::sort(senders.begin(), senders.end(), [&](LpId a, LpId b) {
    const auto tie_a = make_tie(tie_seed, a, seq), tie_b = make_tie(tie_seed, b, seq);
    return tie_a != tie_b ? tie_a < tie_b : a < b;
  });
  return senders;
}

// Of simultaneous events any may come first: the place of a sender is not a matter of its number, its sends
// so far, or the seed. The first sends and small seeds are the usual ones, so these are tried.
class Ties : public ::testing::TestWithParam<std::uint64_t> {};
INSTANTIATE_TEST_SUITE_P(Seeds, Ties, ::testing::Values(0, 1, 2, 3, 42, 0xffffffffffffffffu));

TEST_P(Ties, DifferBetweenSenders) {
  for (std::uint64_t seq : {0, 1, 2, 100}) {
    std::set<std::uint32_t> ties;
    for (LpId lp = 0; lp < kSenders; ++lp) ties.insert(make_tie(GetParam(), lp, seq));
    EXPECT_GE(ties.size(), kSenders - 10u) << "send number " << seq;
  }
}

TEST_P(Ties, DifferBetweenSendsOfALp) {
  for (LpId lp : {0u, 1u, 1000u}) {
    std::set<std::uint32_t> ties;
    for (std::uint64_t seq = 0; seq < kSenders; ++seq) ties.insert(make_tie(GetParam(), lp, seq));
    EXPECT_GE(ties.size(), kSenders - 10u) << "sender " << lp;
  }
}

TEST_P(Ties, AreFairToSenders) {
  for (std::uint64_t seq : {0, 1, 2, 100}) {
    // Rank correlation of sender and place: of a random order it is normal with sigma 1/sqrt(n).
    const auto order = order_of_senders(GetParam(), seq);
    double sum = 0;
    for (std::size_t place = 0; place < kSenders; ++place) {
      const double distance = static_cast<double>(place) - static_cast<double>(order[place]);
      sum += distance * distance;
    }
    const double n = kSenders;
    EXPECT_LT(std::abs(1 - 6 * sum / (n * (n * n - 1))), 5 / std::sqrt(n)) << "send number " << seq;
  }
}

TEST_P(Ties, AnotherSeedGivesAnotherOrder) {
  for (std::uint64_t seq : {0, 1, 2, 100}) {
    const auto order = order_of_senders(GetParam(), seq), other = order_of_senders(GetParam() + 1, seq);
    int same = 0;
    for (std::size_t place = 0; place < kSenders; ++place) same += order[place] == other[place];
    EXPECT_LT(same, 20) << "send number " << seq;
  }
}

TEST_P(Ties, OfTwoSendersEachIsFirstHalfOfTheTimes) {
  int first = 0;
  constexpr int kTimes = 4000;
  for (int seq = 0; seq < kTimes; ++seq) {
    const auto s = static_cast<std::uint64_t>(seq);
    first += make_tie(GetParam(), 0, s) < make_tie(GetParam(), 1, s);
  }
  EXPECT_NEAR(first, kTimes / 2, 5 * std::sqrt(kTimes) / 2);
}

// ---- Headers and payloads.

TEST(EventHeader, KeepsSequenceNumbersOf47Bits) {
  EventHeader e{};
  for (std::uint64_t seq : {std::uint64_t{0}, std::uint64_t{0xffffffff}, std::uint64_t{0x100000000},
                            std::uint64_t{0x7fffffffffff}, std::uint64_t{0x123456789abc}}) {
    e.set_seq(seq);
    EXPECT_EQ(e.seq(), seq);
    EXPECT_FALSE(e.retracts());
    e.set_place(place_of_retraction(e.place()));
    EXPECT_EQ(e.seq(), seq);
    EXPECT_TRUE(e.retracts());
  }
}

TEST(EventHeader, PayloadsLieAlignedBehindIt) {
  struct alignas(64) Wide {
    int x;
  };
  EXPECT_EQ(kPayloadOffset<char>, sizeof(EventHeader));
  EXPECT_EQ(kPayloadOffset<double>, sizeof(EventHeader));
  EXPECT_EQ(kPayloadOffset<long double>, 64u);
  EXPECT_EQ(kPayloadOffset<Wide>, 64u);
  alignas(64) std::byte memory[128] = {};
  auto& e = *new (memory) EventHeader{};
  EXPECT_EQ(reinterpret_cast<std::byte*>(&payload<Wide>(e)), memory + 64);
}

TEST(MatchId, TellsThePe) {
  for (PeId pe : {PeId{0}, PeId{1}, PeId{0xffff}}) {
    MatchId id = MatchId::first_of(pe);
    EXPECT_EQ(id.pe(), pe);
    id.value += 0xffffffffffff;
    EXPECT_EQ(id.pe(), pe);
  }
}

TEST(MatchId, TellsLongBeforeAPeHasUsedAllOfItsOwn) {
  MatchId id = MatchId::first_of(7);
  EXPECT_FALSE(id.is_near_end());
  id.value += (std::uint64_t{1} << 48) - (std::uint64_t{1} << 40) - 1;
  EXPECT_FALSE(id.is_near_end());
  ++id.value;
  EXPECT_TRUE(id.is_near_end());
  EXPECT_EQ(id.pe(), 7);
}

}  // namespace
}  // namespace anachron::event
