// Lazy cancellation: what an event sent before it was undone is compared with what it sends now.
#include <deque>
#include <vector>

#include <gtest/gtest.h>

#include "pe/messages/lazy_cancellation.hpp"

namespace anachron::pe {
namespace {

using event::EventHeader;

/// Payloads are equal when the match ids are: here they stand for them.
constexpr event::EventOps kOps = [] {
  event::EventOps ops{};
  ops.equal = [](const EventHeader& a, const EventHeader& b) { return a.match.value == b.match.value; };
  return ops;
}();

class LazyComparison : public testing::Test {
 protected:
  using Events = std::vector<EventHeader*>;

  EventHeader& send(std::uint64_t seq, std::uint64_t payload = 0) {
    EventHeader& e = events_.emplace_back();
    e = {};
    e.time = 1;
    e.set_place(event::place_in_order(seq));
    e.match.value = payload;
    e.set_ops(kOps, 0);
    return e;
  }
  /// Newest first.
  static EventHeader* linked(const Events& oldest_first) {
    EventHeader* newest = nullptr;
    for (EventHeader* e : oldest_first) {
      e->next = newest;
      newest = e;
    }
    return newest;
  }
  static Events of(EventHeader* newest) {
    Events list;
    for (; newest; newest = newest->next) list.push_back(newest);
    return list;
  }
  /// The event of the record was undone after sending these.
  void was_undone(const Events& sent) {
    record_.event = &cause_;
    record_.sent = linked(sent);
    lazy_.keep(record_);
    EXPECT_EQ(record_.sent, nullptr);
  }
  const LazyCancellation::Difference* again(const Events& sent) {
    record_.sent = linked(sent);
    return lazy_.compare(record_);
  }

  LazyCancellation lazy_;
  lp::Record record_{};
  EventHeader cause_{};

 private:
  std::deque<EventHeader> events_;
};

TEST_F(LazyComparison, KnowsNothingOfAnEventThatSentNothing) {
  was_undone({});
  EXPECT_TRUE(lazy_.empty());
  EXPECT_EQ(lazy_.bytes(), 0u);
  EXPECT_EQ(again({&send(1)}), nullptr);
}

TEST_F(LazyComparison, OfTheSameTheOldStays) {
  EventHeader &a = send(1), &b = send(2), &a2 = send(1), &b2 = send(2);
  was_undone({&a, &b});
  EXPECT_GT(lazy_.bytes(), 0u);
  const auto* difference = again({&a2, &b2});
  ASSERT_NE(difference, nullptr);
  EXPECT_EQ(difference->redundant, (Events{&b2, &a2}));
  EXPECT_TRUE(difference->wrong.empty());
  EXPECT_TRUE(difference->fresh.empty());
  EXPECT_EQ(of(record_.sent), (Events{&b, &a}));
  EXPECT_TRUE(lazy_.empty());
}

TEST_F(LazyComparison, AnotherPayloadIsAnotherEvent) {
  EventHeader &a = send(1, 7), &b = send(2), &a2 = send(1, 8), &b2 = send(2);
  was_undone({&a, &b});
  const auto* difference = again({&a2, &b2});
  EXPECT_EQ(difference->redundant, Events{&b2});
  EXPECT_EQ(difference->wrong, Events{&a});
  EXPECT_EQ(difference->fresh, Events{&a2});
  EXPECT_EQ(of(record_.sent), (Events{&b, &a2}));
}

TEST_F(LazyComparison, WhatIsNotSentAgainIsWrong) {
  EventHeader &a = send(1), &b = send(2), &c = send(3), &b2 = send(2);
  was_undone({&a, &b, &c});
  const auto* difference = again({&b2});
  EXPECT_EQ(difference->wrong, (Events{&c, &a}));
  EXPECT_EQ(difference->redundant, Events{&b2});
  EXPECT_EQ(of(record_.sent), Events{&b});
}

TEST_F(LazyComparison, WhatWasNotSentBeforeIsFresh) {
  EventHeader &b = send(2), &a2 = send(1), &b2 = send(2), &c2 = send(3);
  was_undone({&b});
  const auto* difference = again({&a2, &b2, &c2});
  EXPECT_EQ(difference->fresh, (Events{&c2, &a2}));
  EXPECT_TRUE(difference->wrong.empty());
  EXPECT_EQ(of(record_.sent), (Events{&c2, &b, &a2}));
}

TEST_F(LazyComparison, AllIsWrongWhenNothingIsSentAgain) {
  EventHeader &a = send(1), &b = send(2);
  was_undone({&a, &b});
  const auto* difference = again({});
  ASSERT_NE(difference, nullptr);
  EXPECT_EQ(difference->wrong, (Events{&b, &a}));
  EXPECT_EQ(record_.sent, nullptr);
}

TEST_F(LazyComparison, WhatIsTakenIsForgotten) {
  EventHeader &a = send(1), &b = send(2);
  was_undone({&a, &b});
  EXPECT_EQ(of(lazy_.take(cause_)), (Events{&b, &a}));
  EXPECT_EQ(lazy_.take(cause_), nullptr);
  was_undone({&a});
  EXPECT_EQ(of(lazy_.take_any()), Events{&a});
  EXPECT_EQ(lazy_.take_any(), nullptr);
}

}  // namespace
}  // namespace anachron::pe
