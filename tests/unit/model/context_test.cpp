// What a model sees of the engine, and what the engine sees of a model: handlers called through their tables,
// with the frame that the kernel would give them.
#include <anachron/model/context.hpp>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "rollback/undo.hpp"
#include "unit/model/stage.hpp"

namespace anachron::stage {
namespace {

constexpr Time kNaN = std::numeric_limits<Time>::quiet_NaN();

TEST(Context, TellsWhereAndWhenItIs) {
  Stage stage;
  stage.act(
      [](auto& cx, Actor&) {
        EXPECT_EQ(cx.now(), 4.5);
        EXPECT_EQ(cx.self(), Id<Actor>(7));
        EXPECT_EQ(cx.id(3), Id<Actor>(3));
        EXPECT_EQ(cx.template id<Other>(3), Id<Other>(3));
        EXPECT_EQ(cx.lp_count(), 10u);
        EXPECT_EQ(cx.template lp_count<Other>(), 5u);
        EXPECT_EQ(cx.template lp_count<Stranger>(), 0u);
        EXPECT_EQ(cx.params().mean, 2.5);
        EXPECT_EQ(cx.shared(), "shared");
      },
      4.5, 0, 7);
}

TEST(Context, SendMakesAnEvent) {
  Stage stage;
  stage.act([](auto& cx, Actor&) { cx.send(cx.template id<Other>(4), 0.5, Ping{9}); }, 2, 3);
  const event::Identity child = event::child_identity(stage.identity, 0);
  ASSERT_EQ(stage.sent().size(), 1u);
  const event::EventHeader& e = *stage.sent()[0];
  EXPECT_EQ(e.time, 2.5);
  EXPECT_EQ(event::step_of(e.order), 0u);
  EXPECT_EQ(e.order, event::make_order(0, event::make_tie(event::TieSeed(8), child)));
  EXPECT_EQ(e.sender, 2u);
  EXPECT_EQ(e.receiver, 14u);
  EXPECT_EQ(e.place(), event::place_of(child));
  EXPECT_EQ(e.match.pe(), 3);
  EXPECT_EQ(e.status, event::Status::pending);
  EXPECT_EQ(e.ops->event_name, "Ping");
  EXPECT_EQ(event::payload<Ping>(e).number, 9);
  EXPECT_EQ(stage.frame.sends, 1u);
  EXPECT_EQ(stage.counters, event::LpCounters{}) << "nothing to be rolled back";
  EXPECT_FALSE(stage.frame.halt);
}

TEST(Context, SendsAreCalledTheSameEachTimeAndNeverMatchTwice) {
  Stage stage;
  for (int round = 0; round < 2; ++round) {
    stage.act([](auto& cx, Actor&) {
      for (int i = 0; i < 3; ++i) cx.send(cx.template id<Other>(0), 1, i);
    });
    for (std::uint64_t i = 0; i < 3; ++i) {
      EXPECT_EQ(stage.sent()[i]->place(), event::place_of(event::child_identity(stage.identity, i)));
      EXPECT_EQ(stage.sent()[i]->match.value,
                event::MatchId::first_of(3).value + static_cast<std::uint64_t>(round) * 3 + i);
    }
  }
}

// One more send of another kind renames nothing.
TEST(Context, SendsInOrderHaveACountOfTheirOwn) {
  Stage stage;
  const auto act = [&](bool one_more) {
    stage.act([&](auto& cx, Actor&) {
      cx.send(cx.template id<Other>(0), 1, Ping{}, {.in_order = true});
      if (one_more) cx.send(cx.template id<Other>(0), 1, Ping{});
      cx.send(cx.template id<Other>(0), 1, Ping{}, {.in_order = true});
    });
  };
  act(true);
  EXPECT_EQ(stage.counters.in_order, 2u);
  EXPECT_EQ(stage.sent()[2]->place(), event::place_in_order(1));
  act(false);
  EXPECT_EQ(stage.counters.in_order, 4u) << "the count is the LP's";
  EXPECT_EQ(stage.sent()[1]->place(), event::place_in_order(3));
}

TEST(Context, ZeroDelayIsOneStepLater) {
  Stage stage;
  stage.act(
      [](auto& cx, Actor&) {
        cx.send(cx.template id<Other>(0), 0, Ping{});
        cx.send_at(cx.template id<Other>(0), cx.now(), Ping{});
        cx.send(cx.template id<Other>(0), 1e-30, Ping{});  // too short to be seen
        cx.send(cx.template id<Other>(0), 1, Ping{});
      },
      5, 6);
  ASSERT_EQ(stage.sent().size(), 4u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(stage.sent()[i]->time, 5);
    EXPECT_EQ(event::step_of(stage.sent()[i]->order), 7u);
  }
  EXPECT_EQ(event::step_of(stage.sent()[3]->order), 0u);
}

TEST(Context, ASendCanHaveAPriority) {
  Stage stage;
  stage.act(
      [](auto& cx, Actor&) {
        cx.send(cx.template id<Other>(4), 0.5, Ping{9}, {.priority = -3});
        const EventHandle sent = cx.send(cx.template id<Other>(4), 0, Ping{9}, {.priority = 127});
        EXPECT_EQ(event::priority_of(sent.order), 127);
        EXPECT_EQ(event::step_of(sent.order), 6u);
      },
      2, 5);
  ASSERT_EQ(stage.sent().size(), 2u);
  const auto tie = [&](std::uint64_t number) {
    return event::make_tie(event::TieSeed(8), event::child_identity(stage.identity, number));
  };
  EXPECT_EQ(stage.sent()[0]->order, event::make_order(0, tie(0), -3));
  EXPECT_EQ(stage.sent()[1]->order, event::make_order(6, tie(1), 127));
}

TEST(Context, APriorityThatIsNoneIsAFault) {
  for (const int priority : {-129, 128, std::numeric_limits<int>::max(), std::numeric_limits<int>::min()}) {
    Stage stage;
    stage.act(
        [&](auto& cx, Actor&) { cx.send(cx.template id<Other>(0), 1, Ping{}, {.priority = priority}); });
    EXPECT_TRUE(stage.sent().empty());
    EXPECT_EQ(stage.cause(),
              "sends event Ping with priority " + std::to_string(priority) + ": valid are -128 to 127");
    EXPECT_EQ(stage.frame.sends, 0u);
  }
}

TEST(Context, SendsInOrderShareTheirTie) {
  Stage stage;
  stage.act(
      [](auto& cx, Actor&) {
        for (int i = 0; i < 3; ++i) {
          const EventHandle sent = cx.send(cx.template id<Other>(0), 1, Ping{}, {.in_order = true});
          EXPECT_EQ(sent.order, cx.send_at(cx.template id<Other>(0), 2, Ping{}, {.in_order = true}).order);
        }
        cx.send(cx.template id<Other>(0), 3, Ping{}, {.in_order = true});
        cx.send(cx.template id<Other>(0), 1, Ping{});
      },
      1);
  ASSERT_EQ(stage.sent().size(), 8u);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(stage.sent()[i]->order, stage.sent()[0]->order);
  EXPECT_NE(stage.sent()[6]->order, stage.sent()[0]->order);
  EXPECT_NE(stage.sent()[7]->order, stage.sent()[0]->order);
}

// The queues sort times by their bits, in which -0.0 is the largest number of all.
TEST(Context, NegativeZeroIsZero) {
  Stage stage;
  stage.act(
      [](auto& cx, Actor&) {
        cx.send_at(cx.template id<Other>(0), -0.0, Ping{});
        cx.send(cx.template id<Other>(0), -0.0, Ping{});
      },
      0);
  ASSERT_EQ(stage.sent().size(), 2u);
  for (const event::EventHeader* e : stage.sent()) EXPECT_EQ(std::bit_cast<std::uint64_t>(e->time), 0u);
}

TEST(Context, ChainOfZeroDelaysEndsInAFault) {
  Stage stage;
  stage.act([](auto& cx, Actor&) { cx.send(cx.template id<Other>(0), 0, Ping{}); }, 1, event::kStepEnd - 1);
  EXPECT_TRUE(stage.sent().empty());
  EXPECT_NE(stage.cause().find("zero-delay"), std::string::npos) << stage.cause();
}

TEST(Context, TheLastNumberInOrderIsNotFollowedByTheFirst) {
  Stage stage;
  stage.counters.in_order = event::kInOrderEnd - 2;
  stage.act([](auto& cx, Actor&) {
    cx.send(cx.template id<Other>(0), 1, Ping{1}, {.in_order = true});
    cx.send(cx.template id<Other>(0), 1, Ping{2}, {.in_order = true});
    cx.send(cx.template id<Other>(0), 1, Ping{3});
  });
  ASSERT_EQ(stage.sent().size(), 2u);
  EXPECT_EQ(stage.sent()[0]->place(), event::place_in_order(event::kInOrderEnd - 2));
  EXPECT_EQ(stage.counters.in_order, event::kInOrderEnd - 1);
  EXPECT_EQ(stage.cause(), "sends more than 4294967295 events in order, which no LP can");

  // All numbers of a broadcast are below the end, or nobody gets it.
  event::Frame& frame = stage.frame;
  frame.halt.reset();
  const std::uint64_t first = event::kInOrderEnd - 5;
  stage.counters.in_order = static_cast<std::uint32_t>(first);
  frame.begin(1, 0, 2, stage.counters);
  EXPECT_EQ(event::make_multicast(frame, detail::event_ops<Other, Ping>(), {10, 6, nullptr}, 10, 2, first,
                                  {.in_order = true}),
            nullptr);
  EXPECT_EQ(stage.cause(), "sends more than 4294967295 events in order, which no LP can");
  EXPECT_EQ(stage.counters.in_order, first);
}

TEST(Context, SendsToImpossibleTimesAreFaults) {
  const Time times[] = {-1, 0.999, -std::numeric_limits<Time>::max(), kNaN, kForever, -kForever};
  for (const Time time : times) {
    Stage stage;
    stage.act([&](auto& cx, Actor&) { cx.send_at(cx.template id<Other>(0), time, Ping{}); });
    EXPECT_TRUE(stage.sent().empty());
    EXPECT_NE(stage.cause().find("Ping"), std::string::npos) << stage.cause();
    EXPECT_EQ(stage.frame.halt->kind, event::Halt::Kind::fault);
    EXPECT_EQ(stage.frame.sends, 0u);
  }
  Stage stage;
  stage.act(
      [](auto& cx, Actor&) { cx.send(cx.template id<Other>(0), std::numeric_limits<Time>::max(), Ping{}); },
      std::numeric_limits<Time>::max());
  EXPECT_NE(stage.cause().find("not finite"), std::string::npos) << stage.cause();
}

// Documented for `send`: a negative delay fails the event, also one that rounding would hide.
TEST(Context, TinyNegativeDelaysAreFaultsToo) {
  Stage stage;
  stage.act([](auto& cx, Actor&) { cx.send(cx.template id<Other>(0), -1e-30, Ping{}); }, 5);
  EXPECT_TRUE(stage.sent().empty());
  EXPECT_NE(stage.cause(), "none");
}

TEST(Context, SendsToUnknownLpsAreFaults) {
  Stage stage;
  stage.act([](auto& cx, Actor&) { cx.send(cx.template id<Other>(5), 1, Ping{}); });
  EXPECT_EQ(stage.cause(), "sends event Ping to an unknown LP, Other 5: there are 5");
  for (const std::uint64_t beyond : {std::uint64_t{0xffffffff}, std::uint64_t{1} << 32 | 1}) {
    stage.act([=](auto& cx, Actor&) { cx.send(cx.id(beyond), 1, Do{}); });
    EXPECT_EQ(stage.cause(), "sends event Do to an unknown LP, Actor 4294967295: there are 10");
  }
  stage.act([](auto& cx, Actor&) { cx.send(cx.template id<Stranger>(0), 1, Ping{}); });
  EXPECT_EQ(stage.cause(),
            "sends event Ping to LP type Stranger, which the simulation does not have: list it in `cli<..>` "
            "or `Simulation<..>`");
  EXPECT_TRUE(stage.sent().empty());
}

TEST(Context, MovesAnEventThatCannotBeCopied) {
  Stage stage;
  stage.act([](auto& cx, Actor&) { cx.send(cx.template id<Other>(0), 1, Parcel{std::make_unique<int>(5)}); });
  EXPECT_EQ(*event::payload<Parcel>(*stage.sent()[0]).content, 5);
  EXPECT_TRUE(stage.frame.owns_resources);
}

TEST(Context, CopiesAnEventThatIsKept) {
  Stage stage;
  stage.act([](auto& cx, Actor&) {
    const Ping ping{3};
    cx.send(cx.template id<Other>(0), 1, ping);
    Ping another{4};
    cx.send(cx.template id<Other>(0), 1, another);
  });
  EXPECT_EQ(event::payload<Ping>(*stage.sent()[0]).number, 3);
  EXPECT_EQ(event::payload<Ping>(*stage.sent()[1]).number, 4);
  EXPECT_FALSE(stage.frame.owns_resources);
}

TEST(Context, EventsInNoPoolMustBeDroppedOneByOne) {
  Stage stage;
  stage.act([](auto& cx, Actor&) { cx.send(cx.template id<Other>(0), 1, Big{}); });
  EXPECT_TRUE(stage.frame.owns_resources);
}

TEST(Context, TheFirstFaultCounts) {
  Stage stage;
  stage.act([](auto& cx, Actor&) {
    cx.send(cx.template id<Other>(99), 1, Ping{});
    cx.send(cx.template id<Other>(0), -1, Ping{});
    cx.stop();
    throw std::runtime_error("later");
  });
  EXPECT_EQ(stage.frame.halt->kind, event::Halt::Kind::fault);
  EXPECT_EQ(stage.cause(), "sends event Ping to an unknown LP, Other 99: there are 5");
}

TEST(Context, ExceptionsAreFaults) {
  Stage stage;
  stage.act([](auto&, Actor&) { throw std::runtime_error("no fuel"); });
  EXPECT_EQ(stage.cause(), "threw: no fuel");
  stage.act([](auto&, Actor&) { throw 5; });
  EXPECT_EQ(stage.cause(), "threw an exception that is not a std::exception");
  stage.act([](auto& cx, Actor&) { cx.rng().exponential(kNaN); });
  EXPECT_NE(stage.cause().find("exponential"), std::string::npos) << stage.cause();
}

TEST(Context, StopIsNoFault) {
  Stage stage;
  stage.act([](auto& cx, Actor&) { cx.stop(); });
  EXPECT_EQ(stage.frame.halt->kind, event::Halt::Kind::stop);
}

TEST(Context, RandomNumbersAreThoseOfTheEventAtItsReceiver) {
  Stage stage;
  const auto draw = [&](std::uint32_t lp, event::Identity identity) {
    std::uint64_t second = 0;
    stage.identity = identity;
    stage.act([&](auto& cx, Actor&) { cx.rng().bits(), second = cx.rng().bits(); }, 1, 0, lp);
    EXPECT_EQ(stage.frame.draws, 2u);
    return second;
  };
  const std::uint64_t first = draw(2, 5);
  EXPECT_EQ(draw(2, 5), first);
  EXPECT_NE(draw(3, 5), first);
  EXPECT_NE(draw(2, 6), first);
  EXPECT_EQ(stage.counters, event::LpCounters{}) << "nothing to be rolled back";
}

TEST(Context, OnCommitWaitsForTheCommit) {
  Stage stage;
  std::vector<int> done;
  stage.act([&](auto& cx, Actor&) {
    for (int i = 0; i < 3; ++i)
      cx.on_commit([i, &done, held = std::make_unique<int>(10 * i)] { done.push_back(i + *held); });
  });
  EXPECT_TRUE(done.empty());
  rollback::commit_effects(stage.frame.effects);
  EXPECT_EQ(done, (std::vector<int>{0, 11, 22}));
}

TEST(Context, OnCommitIsForgottenByAnUndo) {
  Stage stage;
  int done = 0;
  auto held = std::make_shared<int>();
  stage.act([&](auto& cx, Actor&) { cx.on_commit([&done, held] { ++done; }); });
  EXPECT_GT(held.use_count(), 1);
  stage.undo(&stage.actor);
  rollback::destroy_effects(std::exchange(stage.frame.effects, nullptr));
  EXPECT_EQ(done, 0);
  EXPECT_EQ(held.use_count(), 1);
}

TEST(Context, AnActionThatThrowsLeavesTheListWhole) {
  Stage stage;
  auto held = std::make_shared<int>();
  stage.act([&](auto& cx, Actor&) {
    for (int i = 0; i < 3; ++i)
      cx.on_commit([held, i] {
        if (i == 1) throw std::runtime_error("disk full");
      });
  });
  EXPECT_THROW(rollback::commit_effects(stage.frame.effects), std::runtime_error);
  rollback::destroy_effects(std::exchange(stage.frame.effects, nullptr));
  EXPECT_EQ(held.use_count(), 1);
}

}  // namespace
}  // namespace anachron::stage
