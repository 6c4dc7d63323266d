// Multicast of broadcasts that were expanded: until when they are kept.
#include "pe/messages/multicast.hpp"

#include <deque>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

namespace anachron::pe {
namespace {

using event::EventHeader;
using event::Status;

event::EventKey bound(Time time) { return {.time = time}; }

class KeptCarriers : public testing::Test {
 protected:
  using Times = std::vector<Time>;

  EventHeader& expanded(Time time) {
    Block& block = blocks_.emplace_back();
    block.header = {};
    block.header.time = time;
    block.header.status = Status::expanded;
    multicast_.keep(block.header);
    return block.header;
  }
  Times release(const std::optional<event::EventKey>& below) {
    Times times;
    multicast_.release(below, [&](const EventHeader& e) { times.push_back(e.time); });
    return times;
  }
  Times fold(const std::optional<event::EventKey>& not_below, Time from) {
    Times times;
    multicast_.fold(not_below, from, [&](const EventHeader& e) { times.push_back(e.time); });
    return times;
  }

  struct Block {
    EventHeader header;
    event::MulticastHeader multicast;
  };
  static_assert(offsetof(Block, multicast) == event::kPayloadOffset<event::MulticastHeader>);

  lp::LpStore none_{{}, {}};
  Multicast multicast_{none_};

 private:
  std::deque<Block> blocks_;
};

TEST_F(KeptCarriers, GoUpToTheFirstThatIsNotBelowTheBound) {
  for (const Time time : {1, 3, 2, 5, 4}) expanded(time);
  EXPECT_EQ(release(bound(3)), Times{1}) << "3 is not below, and 2 is behind it";
  EXPECT_EQ(release(bound(3.5)), (Times{3, 2}));
  EXPECT_EQ(release(std::nullopt), (Times{5, 4}));
  EXPECT_TRUE(release(std::nullopt).empty());
}

TEST_F(KeptCarriers, ThoseCancelledHoldNothingUp) {
  EventHeader& late = expanded(9);
  expanded(1);
  Multicast::recall(late);
  EXPECT_EQ(release(bound(2)), (Times{9, 1}));
}

TEST_F(KeptCarriers, ARecalledOneGivesWhatCameOfIt) {
  EventHeader& multicast = expanded(1);
  EventHeader one{}, two{};
  two.next = &one;
  event::multicast_header(multicast).expanded = &two;
  EXPECT_EQ(Multicast::recall(multicast), &two);
  EXPECT_EQ(multicast.status, Status::cancelled);
  EXPECT_EQ(Multicast::recall(multicast), nullptr) << "once";
}

TEST_F(KeptCarriers, ThoseCancelledGoFromAnywhere) {
  expanded(1);
  Multicast::recall(expanded(2));
  expanded(3);
  Multicast::recall(expanded(4));
  Times dropped;
  multicast_.release_cancelled([&](const EventHeader& e) { dropped.push_back(e.time); });
  EXPECT_EQ(dropped, (Times{2, 4}));
  EXPECT_EQ(release(std::nullopt), (Times{1, 3}));
}

TEST_F(KeptCarriers, AreFoldedFromATimeOnUnlessTheyAreCertain) {
  for (const Time time : {1, 2, 3, 4}) expanded(time);
  Multicast::recall(expanded(5));
  EXPECT_EQ(fold(std::nullopt, 0), Times{}) << "no bound: all are certain";
  EXPECT_EQ(fold(bound(2), 3), (Times{3, 4}));
  EXPECT_EQ(fold(bound(2), 0), Times{2});
  EXPECT_EQ(release(std::nullopt), (Times{1, 5}));
}

TEST_F(KeptCarriers, ClearDropsAll) {
  expanded(1);
  Multicast::recall(expanded(2));
  int dropped = 0;
  multicast_.clear([&](const EventHeader&) { ++dropped; });
  EXPECT_EQ(dropped, 2);
  EXPECT_TRUE(release(std::nullopt).empty());
}

}  // namespace
}  // namespace anachron::pe
