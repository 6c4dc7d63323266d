// A stretch that can be taken back: what has become certain in it.
#include "pe/parts/hold.hpp"

#include <gtest/gtest.h>

#include <anachron/mem/arena.hpp>

namespace anachron::pe {
namespace {

class Holds : public testing::Test {
 protected:
  lp::Record* append() { return history_.append(0); }

  mem::Arena arena_;
  lp::History history_{arena_};
  Hold hold_;
};

TEST_F(Holds, BeginWithWhatTheHistoryHasAsCertain) {
  append();
  append();
  EXPECT_FALSE(hold_.is_on());
  hold_.begin(history_, 17);
  EXPECT_TRUE(hold_.is_on());
  EXPECT_EQ(hold_.uncertain(history_), 0u);
  EXPECT_EQ(hold_.first_uncertain(history_), nullptr);
  lp::Record* const third = append();
  EXPECT_EQ(hold_.uncertain(history_), 1u);
  EXPECT_EQ(hold_.first_uncertain(history_), third);
  EXPECT_EQ(hold_.end(), 17u);
  EXPECT_FALSE(hold_.is_on());
}

TEST_F(Holds, PassInTheOrderOfExecution) {
  hold_.begin(history_, 0);
  lp::Record* const first = append();
  lp::Record* const second = append();
  EXPECT_EQ(hold_.first_uncertain(history_), first);
  EXPECT_EQ(hold_.uncertain(history_), 2u);
  hold_.pass(first);
  EXPECT_EQ(hold_.first_uncertain(history_), second);
  hold_.pass(second);
  EXPECT_EQ(hold_.first_uncertain(history_), nullptr);
  EXPECT_EQ(hold_.uncertain(history_), 0u);
  lp::Record* const third = append();
  EXPECT_EQ(hold_.first_uncertain(history_), third);
}

TEST_F(Holds, GoBackToAMarkWithAndWithoutRecords) {
  hold_.begin(history_, 0);
  lp::Record* const first = append();
  hold_.pass(first);
  hold_.pass(append());
  history_.forget_after(first, 1);
  hold_.go_back_to(first, 1);
  EXPECT_EQ(hold_.uncertain(history_), 0u);
  lp::Record* const again = append();
  EXPECT_EQ(hold_.first_uncertain(history_), again);
  history_.forget_after(nullptr, 0);
  hold_.go_back_to(nullptr, 0);
  EXPECT_EQ(hold_.first_uncertain(history_), nullptr);
  lp::Record* const anew = append();
  EXPECT_EQ(hold_.first_uncertain(history_), anew);
  EXPECT_EQ(hold_.uncertain(history_), 1u);
}

TEST_F(Holds, AnEventThatIsRefusedIsTakenOnce) {
  event::EventHeader e{};
  EXPECT_FALSE(hold_.has_refused());
  EXPECT_EQ(hold_.take_refused(), nullptr);
  hold_.refuse(e);
  EXPECT_TRUE(hold_.has_refused());
  EXPECT_EQ(hold_.take_refused(), &e);
  EXPECT_FALSE(hold_.has_refused());
}

}  // namespace
}  // namespace anachron::pe
