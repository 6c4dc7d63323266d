// Events that came from one PE, in order.
#include "comm/fabric/ranks/arrivals.hpp"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "scale.hpp"

namespace anachron::fabric {
namespace {

using event::EventHeader;

/// A list, and all that was ever put into it.
class ArrivalsList : public testing::Test {
 protected:
  void add(std::uint64_t match) {
    EventHeader& e = events_.emplace_back();
    e.match.value = match;
    arrivals_.add(e);
  }
  /// `released`: of the first.
  void check(std::size_t released) const {
    ASSERT_EQ(arrivals_.size(), events_.size() - std::min(released, events_.size()));
    for (std::size_t i = 0; i < events_.size(); ++i) {
      const EventHeader& e = events_[i];
      ASSERT_EQ(arrivals_.find(e.match.value), i < released ? nullptr : &e) << i << " of " << events_.size();
    }
  }

  Arrivals arrivals_;
  std::deque<EventHeader> events_;
};

TEST_F(ArrivalsList, FindsNothingWhereNothingIs) {
  EXPECT_EQ(arrivals_.find(0), nullptr);
  EXPECT_EQ(arrivals_.bytes(), 0u);
  arrivals_.release(0);
  add(7);
  for (const std::uint64_t match : {0, 6, 8}) EXPECT_EQ(arrivals_.find(match), nullptr) << match;
  check(0);
}

TEST_F(ArrivalsList, FindsWhatOneCauseHasSentInAnyOrder) {
  // As it comes: causes one after the other, what each has sent newest first; gaps went to others.
  for (const std::uint64_t match : {5, 3, 1, 9, 8, 12, 40, 33, 31, 30, 50}) add(match);
  check(0);
  for (const std::uint64_t match : {0, 2, 4, 7, 10, 35, 60})
    EXPECT_EQ(arrivals_.find(match), nullptr) << match;
}

TEST_F(ArrivalsList, FindsWhatIsFarFromItsPlace) {
  for (const std::uint64_t match : {90, 1, 80, 2, 70, 3, 60, 4}) add(match);
  check(0);
}

TEST_F(ArrivalsList, LooksAtFewWhereALongRollbackCancelsAll) {
  constexpr std::uint64_t kCauses = 10'000, kEach = 3;
  for (std::uint64_t cause = 0; cause < kCauses; ++cause)
    for (std::uint64_t n = kEach; n > 0; --n) add(kEach * cause + n);  // newest first
  std::uint64_t looks = 0;
  for (const EventHeader& e : events_) ASSERT_EQ(arrivals_.find(e.match.value, looks), &e);
  EXPECT_LT(looks, 30 * kCauses * kEach);  // log2 of their number, and a few beside it
}

TEST_F(ArrivalsList, LetsGoInTheOrderOfArrival) {
  for (const std::uint64_t match : {3, 2, 1, 6, 5, 4}) add(match);
  arrivals_.release(2);
  check(2);
  arrivals_.release(1);  // an older word
  check(2);
  add(7);
  arrivals_.release(7);
  check(7);
}

TEST_F(ArrivalsList, APromiseOfWhatIsOnItsWayHoldsWhenItIsGivenAgain) {
  arrivals_.release(3);
  add(1);
  check(0);
  arrivals_.release(3);
  check(1);
}

TEST_F(ArrivalsList, ShrinksWhenLittleIsLeft) {
  for (std::uint64_t match = 0; match < 10'000; ++match) add(match);
  const std::uint64_t most = arrivals_.bytes();
  EXPECT_GE(most, 10'000 * 2 * sizeof(void*));
  for (std::uint64_t released = 0; released <= 10'000; released += 10) arrivals_.release(released);
  EXPECT_LE(arrivals_.bytes(), most / 100);
  add(10'000);
  check(10'000);
}

TEST_F(ArrivalsList, DoesWhatASearchThroughAllDoes) {
  std::mt19937_64 random(1);
  std::uint64_t next = 1'000'000;
  std::size_t released = 0;
  for (int turn = 0; turn < test::scaled(400); ++turn) {
    std::vector<std::uint64_t> sent(1 + random() % 6);
    for (std::uint64_t& match : sent) match = next += 1 + random() % 3;
    if (random() % 8 != 0) std::reverse(sent.begin(), sent.end());
    for (const std::uint64_t match : sent) add(match);
    if (random() % 3 == 0) released += random() % (events_.size() - released + 1);
    arrivals_.release(released);
    if (turn % 16 == 0) check(released);
  }
}

TEST_F(ArrivalsList, ForgetsTheLastAndCountsTheNextInTheirPlace) {
  for (std::uint64_t match = 0; match < 5000; ++match) add(match);
  arrivals_.release(50);
  const std::uint64_t full = arrivals_.bytes();
  arrivals_.forget_since(100);
  events_.resize(100);
  EXPECT_EQ(arrivals_.count(), 100u);
  EXPECT_LT(arrivals_.bytes(), full);
  check(50);
  EXPECT_EQ(arrivals_.find(200), nullptr);
  for (std::uint64_t match = 6000; match < 6100; ++match) add(match);
  check(50);
  arrivals_.release(120);
  check(120);
}

}  // namespace
}  // namespace anachron::fabric
