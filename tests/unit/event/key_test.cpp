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
                                                      make_order(0, 0xffffffff), make_order(kStepEnd - 1, 3),
                                                      make_order(0, 7, -1), make_order(0, 0, 1))),
      rc::gen::set(&EventKey::sender, rc::gen::element<LpId>(0, 1, 0xfffffffe)),
      rc::gen::set(&EventKey::place,
                   rc::gen::element<std::uint64_t>(0, 1, 0xffffffff, 0x100000000, 0xffffffffff)));
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

TEST(EventKey, AnOrderHasAllItsParts) {
  for (std::uint32_t step : {0u, 1u, 77u, kStepEnd - 1})
    for (int priority : {Order::kLeast, -1, 0, 1, Order::kGreatest})
      for (std::uint32_t tie : {0u, 5u, 0xffffffffu}) {
        const std::uint64_t order = make_order(step, tie, priority);
        EXPECT_EQ(step_of(order), step);
        EXPECT_EQ(priority_of(order), priority);
        EXPECT_EQ(tie_of(order), tie);
      }
}

TEST(EventKey, OfOneStepTheLowerPriorityIsFirstWhateverTheTie) {
  EXPECT_LT(make_order(3, 0xffffffff, -1), make_order(3, 0));
  EXPECT_LT(make_order(3, 0xffffffff), make_order(3, 0, 1));
  EXPECT_LT(make_order(3, 0xffffffff, Order::kLeast), make_order(3, 0, Order::kLeast + 1));
  EXPECT_LT(make_order(3, 0xffffffff, Order::kGreatest), make_order(4, 0, Order::kLeast));
}

TEST(EventKey, TheFirstOfATimeHasTheSmallestOrder) { EXPECT_EQ(make_order(0, 0, Order::kLeast), 0u); }

// ---- Identities.

TEST(Identity, IsFoundAgainInPlaceAndTie) {
  EXPECT_TRUE(rc::check([](std::uint64_t identity, std::uint64_t seed) {
    const TieSeed tie_seed(seed);
    const std::uint64_t place = place_of(identity);
    RC_ASSERT(place < std::uint64_t{1} << kPlaceBits);
    RC_ASSERT(!is_in_order(place));
    RC_ASSERT(identity_of(tie_seed, place, make_tie(tie_seed, identity)) == identity);
  }));
}

TEST(Identity, ChildrenOfOneEventDiffer) {
  std::set<Identity> all;
  for (Identity parent : {start_identity(lp_identity(1, 0)), start_identity(lp_identity(1, 1)), kOutside})
    for (std::uint64_t number = 0; number < 1000; ++number) {
      all.insert(child_identity(parent, number));
      all.insert(in_order_identity(parent, number));
    }
  EXPECT_EQ(all.size(), 6000u);
}

TEST(Identity, TheChildrenOfAMulticastAreThoseOfTheBroadcast) {
  for (std::uint64_t first : {0u, 7u})
    for (std::uint64_t k : {0u, 1u, 5000u})
      EXPECT_EQ(mix64(first_child_unmixed(99) + first * kIdentityStep + k * kIdentityStep),
                child_identity(99, first + k));
}

TEST(Identity, AMulticastSortsBeforeWhatItBecomes) {
  EXPECT_TRUE(rc::check([](std::uint64_t parent) {
    const Identity first = child_identity(parent, 0), last = child_identity(parent, 9);
    RC_ASSERT(place_of_multicast(first) < place_of(first));
    RC_ASSERT(place_of_multicast(first) < place_of_retraction(place_of(last)));
  }));
}

TEST(Identity, PlacesInOrderAscend) {
  EXPECT_LT(place_in_order(1), place_in_order(2));
  EXPECT_LT(place_in_order(kInOrderEnd - 1), std::uint64_t{1} << kPlaceBits);
  EXPECT_TRUE(is_in_order(place_in_order(0)));
  EXPECT_EQ(number_in_order(place_in_order(kInOrderEnd - 1)), kInOrderEnd - 1);
}

// ---- Ties.

constexpr LpId kSenders = 4096;

/// Of what `start` of an LP sends.
std::uint32_t tie_of_start(std::uint64_t tie_seed, LpId lp, std::uint64_t number) {
  return make_tie(TieSeed(tie_seed),
                  child_identity(start_identity(lp_identity(hash_text("Player"), lp)), number));
}

std::vector<LpId> order_of_senders(std::uint64_t tie_seed, std::uint64_t seq) {
  std::vector<LpId> senders(kSenders);
  for (LpId lp = 0; lp < kSenders; ++lp) senders[lp] = lp;
  std::sort(senders.begin(), senders.end(), [&](LpId a, LpId b) {
    const auto tie_a = tie_of_start(tie_seed, a, seq), tie_b = tie_of_start(tie_seed, b, seq);
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
    for (LpId lp = 0; lp < kSenders; ++lp) ties.insert(tie_of_start(GetParam(), lp, seq));
    EXPECT_GE(ties.size(), kSenders - 10u) << "send number " << seq;
  }
}

TEST_P(Ties, DifferBetweenSendsOfALp) {
  for (LpId lp : {0u, 1u, 1000u}) {
    std::set<std::uint32_t> ties;
    for (std::uint64_t seq = 0; seq < kSenders; ++seq) ties.insert(tie_of_start(GetParam(), lp, seq));
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
    first += tie_of_start(GetParam(), 0, s) < tie_of_start(GetParam(), 1, s);
  }
  EXPECT_NEAR(first, kTimes / 2, 5 * std::sqrt(kTimes) / 2);
}

std::uint32_t tie_in_order(std::uint64_t tie_seed, LpId sender, Time time) {
  return make_tie_in_order(TieSeed(tie_seed), lp_identity(hash_text("Player"), sender), time,
                           make_rank(0, 0));
}

TEST_P(Ties, InOrderEachSenderIsFirstHalfOfTheTimes) {
  constexpr int kTimes = 4000;
  for (const double apart : {1.0, 0.1, 1024.0}) {
    int first = 0;
    for (int k = 0; k < kTimes; ++k)
      first += tie_in_order(GetParam(), 0, k * apart) < tie_in_order(GetParam(), 1, k * apart);
    EXPECT_NEAR(first, kTimes / 2, 5 * std::sqrt(kTimes) / 2) << apart;
  }
}

TEST_P(Ties, InOrderDifferBetweenSenders) {
  for (Time time : {0.0, 1.0, 2.5}) {
    std::set<std::uint32_t> ties;
    for (LpId lp = 0; lp < kSenders; ++lp) ties.insert(tie_in_order(GetParam(), lp, time));
    EXPECT_GE(ties.size(), kSenders - 10u);
  }
}

TEST(EventKey, BetweenTwoSendsInOrderIsRoomForTheRetractionOfTheSecond) {
  const std::uint64_t order = make_order(0, tie_in_order(1, 2, 3));
  const EventKey first{3, order, 2, place_in_order(7)}, second{3, order, 2, place_in_order(8)};
  const EventKey retraction{3, order, 2, place_of_retraction(second.place)};
  EXPECT_LT(first, retraction);
  EXPECT_EQ(retraction.successor(), second);
}

// ---- Headers and payloads.

TEST(EventHeader, KeepsPlacesOf40Bits) {
  EventHeader e{};
  for (std::uint64_t place : {place_in_order(0), place_in_order(kInOrderEnd - 1), place_of(0),
                              place_of(~Identity{0}), place_of(0x123456789abcdef0)}) {
    e.set_place(place);
    EXPECT_EQ(e.place(), place);
    EXPECT_FALSE(e.retracts());
    e.set_place(place_of_retraction(place));
    EXPECT_TRUE(e.retracts());
    EXPECT_EQ(is_in_order(e.place()), is_in_order(place));
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
  for (PeId pe : {PeId{0}, PeId{1}, PeId{0xffff}, PeId{kMostPes}}) {
    MatchId id = MatchId::first_of(pe);
    EXPECT_EQ(id.pe(), pe);
    id.value += 0xfffffffffff;
    EXPECT_EQ(id.pe(), pe);
  }
}

TEST(MatchId, TellsLongBeforeAPeHasUsedAllOfItsOwn) {
  MatchId id = MatchId::first_of(7);
  EXPECT_FALSE(id.is_near_end());
  id.value += (std::uint64_t{1} << MatchId::kCountBits) - (std::uint64_t{1} << 40) - 1;
  EXPECT_FALSE(id.is_near_end());
  ++id.value;
  EXPECT_TRUE(id.is_near_end());
  EXPECT_EQ(id.pe(), 7);
}

}  // namespace
}  // namespace anachron::event
