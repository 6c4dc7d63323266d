// A stretch that can be taken back: what has become certain in it.
#include "pe/parts/rewind_interval.hpp"

#include <gtest/gtest.h>

#include <anachron/mem/arena.hpp>

namespace anachron::pe {
namespace {

class Holds : public testing::Test {
 protected:
  lp::Record* append() { return history_.append(0); }

  mem::Arena arena_;
  lp::History history_{arena_};
  RewindInterval rewind_interval_;
};

TEST_F(Holds, BeginWithWhatTheHistoryHasAsCertain) {
  append();
  append();
  EXPECT_FALSE(rewind_interval_.is_on());
  rewind_interval_.begin(history_, 17);
  EXPECT_TRUE(rewind_interval_.is_on());
  EXPECT_EQ(rewind_interval_.uncertain(history_), 0u);
  EXPECT_EQ(rewind_interval_.first_uncertain(history_), nullptr);
  lp::Record* const third = append();
  EXPECT_EQ(rewind_interval_.uncertain(history_), 1u);
  EXPECT_EQ(rewind_interval_.first_uncertain(history_), third);
  EXPECT_EQ(rewind_interval_.end(), 17u);
  EXPECT_FALSE(rewind_interval_.is_on());
}

TEST_F(Holds, PassInTheOrderOfExecution) {
  rewind_interval_.begin(history_, 0);
  lp::Record* const first = append();
  lp::Record* const second = append();
  EXPECT_EQ(rewind_interval_.first_uncertain(history_), first);
  EXPECT_EQ(rewind_interval_.uncertain(history_), 2u);
  rewind_interval_.pass(first);
  EXPECT_EQ(rewind_interval_.first_uncertain(history_), second);
  rewind_interval_.pass(second);
  EXPECT_EQ(rewind_interval_.first_uncertain(history_), nullptr);
  EXPECT_EQ(rewind_interval_.uncertain(history_), 0u);
  lp::Record* const third = append();
  EXPECT_EQ(rewind_interval_.first_uncertain(history_), third);
}

TEST_F(Holds, GoBackToAMarkWithAndWithoutRecords) {
  rewind_interval_.begin(history_, 0);
  lp::Record* const first = append();
  rewind_interval_.pass(first);
  rewind_interval_.pass(append());
  history_.forget_after(first, 1);
  rewind_interval_.go_back_to(first, 1);
  EXPECT_EQ(rewind_interval_.uncertain(history_), 0u);
  lp::Record* const again = append();
  EXPECT_EQ(rewind_interval_.first_uncertain(history_), again);
  history_.forget_after(nullptr, 0);
  rewind_interval_.go_back_to(nullptr, 0);
  EXPECT_EQ(rewind_interval_.first_uncertain(history_), nullptr);
  lp::Record* const anew = append();
  EXPECT_EQ(rewind_interval_.first_uncertain(history_), anew);
  EXPECT_EQ(rewind_interval_.uncertain(history_), 1u);
}

TEST_F(Holds, AnEventThatIsRefusedIsTakenOnce) {
  event::EventHeader e{};
  EXPECT_FALSE(rewind_interval_.has_refused());
  EXPECT_EQ(rewind_interval_.take_refused(), nullptr);
  rewind_interval_.refuse(e);
  EXPECT_TRUE(rewind_interval_.has_refused());
  EXPECT_EQ(rewind_interval_.take_refused(), &e);
  EXPECT_FALSE(rewind_interval_.has_refused());
}

}  // namespace
}  // namespace anachron::pe
