// What is sent waits to be sorted, without a branch per event.
#include "pe/messages/send_buffer.hpp"

#include <array>
#include <vector>

#include <gtest/gtest.h>

#include <anachron/model/lp_ops.hpp>

#include "lp/own_lps.hpp"

namespace anachron {
namespace {

event::EventHeader event_at(Time time, LpId receiver = 0) {
  event::EventHeader e{};
  e.time = time;
  e.receiver = receiver;
  return e;
}

TEST(SendBuffer, KnowsTheEarliest) {
  pe::SendBuffer buffer;
  EXPECT_TRUE(buffer.is_empty());
  EXPECT_EQ(buffer.earliest(), kForever);
  std::array events{event_at(3), event_at(1), event_at(2)};
  for (event::EventHeader& e : events) buffer.put(e);
  EXPECT_EQ(buffer.earliest(), 1);
  ASSERT_EQ(buffer.events().size(), 3u);
  for (std::size_t i = 0; i < events.size(); ++i) EXPECT_EQ(buffer.events()[i], &events[i]) << "in order";
  buffer.clear();
  EXPECT_TRUE(buffer.is_empty());
  EXPECT_EQ(buffer.earliest(), kForever);
}

TEST(SendBuffer, IsFullWhenItIs) {
  pe::SendBuffer buffer;
  event::EventHeader e = event_at(0);
  for (std::size_t i = 0; i < pe::SendBuffer::kRoom; ++i) {
    EXPECT_FALSE(buffer.is_full());
    buffer.put(e);
  }
  EXPECT_TRUE(buffer.is_full());
}

TEST(SendBuffer, DoesNotPayWhereItIsEmptiedEarly) {
  pe::SendBuffer buffer;
  event::EventHeader e = event_at(0);
  const auto use = [&](int times, int events) {
    for (int i = 0; i < times; ++i) {
      for (int k = 0; k < events; ++k) buffer.put(e);
      buffer.clear();
    }
  };
  EXPECT_TRUE(buffer.pays());
  use(10, 16);
  EXPECT_TRUE(buffer.pays());
  EXPECT_TRUE(buffer.pays()) << "a round in which nothing was sent says nothing";
  use(10, 2);
  EXPECT_FALSE(buffer.pays());
  int rounds = 1;
  while (!buffer.pays()) ASSERT_LT(++rounds, 1000) << "it is tried again";
  EXPECT_GT(rounds, 10) << "but seldom";
  use(10, 2);
  EXPECT_FALSE(buffer.pays());
}

struct Cell {};

/// `hosts`: so many PEs stand in for the three.
void splits(const std::vector<PeId>& owners, unsigned hosts = 3) {
  std::vector<event::LpTypeEntry> types(1);
  types[0].ops = &detail::lp_ops<Cell>();
  types[0].count = static_cast<std::uint32_t>(owners.size());
  lp::LpStore store(types, Owners(owners));
  std::vector<event::EventHeader> events;
  for (int i = 0; i < 16; ++i)
    events.push_back(event_at(i, static_cast<LpId>(static_cast<std::size_t>(i * 5) % owners.size())));
  std::vector<event::EventHeader*> all;
  for (event::EventHeader& e : events) all.push_back(&e);
  for (PeId pe = 0; pe < 3; ++pe) {
    lp::OwnLps lps(store, pe);
    lps.construct(1);
    if (hosts < 3) {
      store.consolidate(hosts, 3);
      lps.look_again();
    }
    std::array<event::EventHeader*, 16> own{}, others{};
    const std::size_t count = lps.split(all, own, others);
    std::vector<event::EventHeader*> expected_own, expected_others;
    for (event::EventHeader* e : all)
      (owners[e->receiver] * hosts / 3 == pe ? expected_own : expected_others).push_back(e);
    ASSERT_EQ(count, expected_own.size());
    EXPECT_EQ(lps.is_idle(), expected_own.empty());
    EXPECT_TRUE(std::equal(expected_own.begin(), expected_own.end(), own.begin()));
    EXPECT_TRUE(std::equal(expected_others.begin(), expected_others.end(), others.begin()));
  }
}

TEST(OwnLps, SplitsEventsWhereItsLpsAreARow) { splits({0, 0, 0, 1, 1, 2, 2}); }
TEST(OwnLps, SplitsEventsWhereTheyAreNot) { splits({0, 1, 2, 0, 1, 2, 0}); }
TEST(OwnLps, SplitsEventsWhereItHasNone) { splits({0, 0, 0, 1, 1, 1, 1}); }
TEST(OwnLps, SplitsEventsWhereOnePeStandsInForAnother) {
  splits({0, 0, 0, 1, 1, 2, 2}, 2);
  splits({0, 1, 2, 0, 1, 2, 0}, 2);
}
TEST(OwnLps, SplitsEventsWhereOneStandsInForAll) { splits({0, 1, 2, 0, 1, 2, 0}, 1); }

}  // namespace
}  // namespace anachron
