// The three ways in which an event is undone: copies, reversers, logged members.
#include <anachron/model/logged.hpp>

#include <string>
#include <type_traits>
#include <utility>

#include <gtest/gtest.h>

#include <anachron/model/lp_ops.hpp>

#include "unit/model/stage.hpp"

namespace anachron::stage {
namespace {

static_assert(detail::undo_kind<State, Set>() == event::UndoKind::reverse);
static_assert(detail::undo_kind<State, SetByLog>() == event::UndoKind::log);
static_assert(detail::undo_kind<Actor, Do>() == event::UndoKind::copy);

template <class E>
class UndoTest : public ::testing::Test {};
using Undone = ::testing::Types<Set, SetByLog, SetByRef, SetByKeep>;
TYPED_TEST_SUITE(UndoTest, Undone);

TYPED_TEST(UndoTest, RestoresTheState) {
  Stage stage;
  State state;
  const State before = state;
  stage.run(state, TypeParam{17}, 1, 0, 15);
  EXPECT_FALSE(state == before);
  stage.undo(&state);
  EXPECT_TRUE(state == before);
}

TYPED_TEST(UndoTest, KeepsNothingWhenNothingIsUndone) {
  Stage stage;
  stage.frame.keep_undo = false;
  State state;
  stage.run(state, TypeParam{17}, 1, 0, 15);
  EXPECT_EQ(stage.frame.effects, nullptr);
  EXPECT_FALSE(state == State());
}

TEST(Logged, KeepsNothingOfAnEmptyList) {
  Stage stage;
  State state;
  stage.frame.begin(1, 0, 2, stage.counters);
  Logged<State> log(stage.frame, state);
  EXPECT_TRUE(log.keeps());
  log.keep(std::span<const int>(), +[](State&, std::span<const int>) {});
  EXPECT_EQ(stage.frame.effects, nullptr);
  stage.frame.keep_undo = false;
  EXPECT_FALSE(log.keeps());
}

struct WithArrays {
  int counts[3] = {1, 2, 3};
  std::string names[2][2] = {{"a", "b"}, {"c", "d"}};
};

TEST(Logged, WritesToArrays) {
  Stage stage;
  WithArrays lp;
  stage.frame.begin(1, 0, 2, stage.counters);
  Logged<WithArrays> log(stage.frame, lp);
  log.write(&WithArrays::counts)[1] = 20;
  log.write(&WithArrays::names)[1][0] = "changed";
  log.write(lp.counts)[2] = 30;
  EXPECT_EQ(lp.counts[1], 20);
  stage.undo(&lp);
  EXPECT_EQ(lp.counts[1], 2);
  EXPECT_EQ(lp.counts[2], 3);
  EXPECT_EQ(lp.names[1][0], "c");
}

TEST(Logged, WritesToInheritedMembersByPointer) {
  // The type of &State::inherited is `int Base::*`.
  EXPECT_TRUE((std::is_same_v<decltype(std::declval<Logged<State>&>().write(&State::inherited)), int&>));
}

struct TakesTemporaries {
  template <class Log>
  static constexpr bool kAllowed = requires(Log& log) { log.write(int{5}); };
};

TEST(Logged, RefusesTemporaries) {
  EXPECT_FALSE(TakesTemporaries::kAllowed<Logged<State>>);  // what it returns would dangle
}

}  // namespace
}  // namespace anachron::stage
