#include "lp/events_aside.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace anachron::lp {
namespace {

using event::EventHeader;

constexpr event::EventOps kPlain{};
constexpr event::EventOps kIrrevocable = [] {
  event::EventOps ops{};
  ops.irrevocable = true;
  return ops;
}();

class Aside : public testing::Test {
 protected:
  EventHeader& make(Time time, const event::EventOps& ops) {
    EventHeader& e = events_.emplace_back();
    e.time = time;
    e.order = 0;
    e.sender = 0;
    e.set_place(event::place_in_order(0));  // events of the same time have the same key
    e.status = event::Status::pending;
    e.set_ops(ops, 0);
    return e;
  }
  std::vector<Time> remove(const LpCell& group, EventHeader& e) {
    std::vector<Time> released;
    aside_.remove(&group, e, [&](EventHeader& waiting) {
      EXPECT_EQ(waiting.status, event::Status::pending);
      released.push_back(waiting.time);
    });
    EXPECT_EQ(e.status, event::Status::pending);
    return released;
  }

  EventsAside aside_;
  LpCell a_{}, b_{};

 private:
  std::deque<EventHeader> events_;
};

TEST_F(Aside, AnIrrevocableEventBlocksWhatComesAfterItInItsGroup) {
  EventHeader& wait = make(2, kIrrevocable);
  aside_.put(&a_, wait);
  EXPECT_EQ(wait.status, event::Status::aside);
  EXPECT_EQ(aside_.first(), &wait);
  EXPECT_TRUE(aside_.block(&a_, make(3, kPlain)));
  EXPECT_FALSE(aside_.block(&a_, make(1, kPlain)));
  EXPECT_FALSE(aside_.block(&b_, make(3, kPlain)));
}

TEST_F(Aside, RemovingTheFirstReleasesUpToTheNextIrrevocable) {
  EventHeader& first = make(1, kIrrevocable);
  EventHeader& second = make(4, kIrrevocable);
  aside_.put(&a_, second);
  aside_.put(&a_, make(5, kPlain));
  aside_.put(&a_, first);
  aside_.put(&a_, make(2, kPlain));
  aside_.put(&a_, make(3, kPlain));
  aside_.put(&b_, make(2.5, kIrrevocable));
  EXPECT_EQ(aside_.size(), 6u);
  EXPECT_EQ(remove(a_, first), (std::vector<Time>{2, 3}));
  EXPECT_EQ(aside_.first()->time, 2.5);
  EXPECT_EQ(remove(a_, second), std::vector<Time>{5});
  EXPECT_EQ(aside_.size(), 1u);
}

TEST_F(Aside, RemovingAnotherReleasesNone) {
  EventHeader& waiting = make(2, kPlain);
  aside_.put(&a_, make(1, kIrrevocable));
  aside_.put(&a_, waiting);
  EXPECT_TRUE(remove(a_, waiting).empty());
  EXPECT_EQ(aside_.size(), 1u);
}

// The one that was taken back and the one sent again.
TEST_F(Aside, EventsOfTheSameKeyAreToldApart) {
  EventHeader& old = make(1, kIrrevocable);
  EventHeader& again = make(1, kIrrevocable);
  aside_.put(&a_, old);
  aside_.put(&a_, again);
  EXPECT_EQ(aside_.size(), 2u);
  EXPECT_TRUE(remove(a_, old).empty());
  EXPECT_EQ(aside_.first(), &again);
  EXPECT_TRUE(remove(a_, again).empty());
  EXPECT_TRUE(aside_.empty());
}

// Against a list that is searched.
TEST_F(Aside, TheFirstIsTheSmallestOfAll) {
  std::mt19937 random(1);
  std::vector<LpCell> groups(5);
  std::vector<std::pair<LpCell*, EventHeader*>> in;
  for (int step = 0; step < 3000; ++step) {
    LpCell& group = groups[random() % groups.size()];
    if (in.size() < 40 && random() % 3) {
      EventHeader& e = make(static_cast<Time>(random() % 1000), random() % 2 ? kIrrevocable : kPlain);
      if (!e.ops->irrevocable && !aside_.block(&group, e)) continue;
      aside_.put(&group, e);
      in.emplace_back(&group, &e);
    } else if (!in.empty()) {
      const auto [its_group, e] = in[random() % in.size()];
      aside_.remove(its_group, *e, [&](EventHeader& released) {
        std::erase_if(in, [&](const auto& entry) { return entry.second == &released; });
      });
      std::erase_if(in, [e = e](const auto& entry) { return entry.second == e; });
    }
    ASSERT_EQ(aside_.size(), in.size());
    ASSERT_EQ(aside_.empty(), in.empty());
    if (in.empty()) continue;
    Time smallest = kForever;
    for (const auto& [its_group, e] : in) smallest = std::min(smallest, e->time);
    ASSERT_EQ(aside_.first()->time, smallest);
    ASSERT_TRUE(aside_.first()->ops->irrevocable);
  }
  std::size_t cleared = 0;
  aside_.clear([&](EventHeader&) { ++cleared; });
  EXPECT_EQ(cleared, in.size());
  EXPECT_TRUE(aside_.empty());
}

}  // namespace
}  // namespace anachron::lp
