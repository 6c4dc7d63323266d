// What a model sees of the engine, and what the engine sees of a model: handlers called through their tables,
// with the frame that the kernel would give them.
#include <anachron/model/context.hpp>

#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <anachron/model/logged.hpp>
#include <anachron/model/lp_ops.hpp>

#include "mem/budget.hpp"
#include "rollback/undo.hpp"

namespace anachron {
namespace {

constexpr Time kNaN = std::numeric_limits<Time>::quiet_NaN();

struct Do;
struct Stranger;

struct Settings {
  double mean = 2.5;
};

/// Does what it is told.
struct Actor {
  using Params = Settings;
  using Shared = std::string;
  int count = 0;
  std::vector<int> list{};

  void on(Context<Actor>& cx, const Do& what);
  bool operator==(const Actor&) const = default;
};
struct Do {
  std::function<void(Context<Actor>&, Actor&)> action;
};
void Actor::on(Context<Actor>& cx, const Do& what) { what.action(cx, *this); }

struct Ping {
  int number = 0;
};
struct Parcel {
  std::unique_ptr<int> content;
};
struct Big {
  char bytes[5000];
};

struct Other {
  int pings = 0;
  void on(Context<Other>&, const Ping&) {}
  void on(Context<Other>&, const Parcel&) {}
  void on(Context<Other>&, const Big&) {}
  void on(Context<Other>&, const int&) {}
};
/// No part of the simulation.
struct Stranger {
  void on(Context<Stranger>&, const Ping&) {}
};

// Three ways to be undone.

struct Set {
  int value = 0;
};
struct SetByLog {
  int value = 0;
};
struct SetByRef {
  int value = 0;
};

struct Base {
  int inherited = 1;
};
struct State : Base {
  int x = 1;
  std::vector<int> list{1, 2, 3};
  std::string text = "text";

  auto on(Context<State>&, const Set& set) {
    return [before = std::exchange(x, set.value), kept = std::make_unique<int>(5)](State& s) {
      s.x = before + *kept - 5;
    };
  }
  void on(Context<State>&, Logged<State>& log, const SetByLog& set) const {
    log.write(&State::x) = set.value;
    log.write(&State::x) = set.value + 1;
    log.write(&State::list).push_back(set.value);
    log.write(&State::text) = std::string(100, 'y');
  }
  void on(Context<State>&, Logged<State>& log, const SetByRef& set) const {
    log.write(list[1]) = set.value;
    log.write(inherited) = set.value;
    log.write(text) += '!';
  }
  bool operator==(const State& s) const {
    return x == s.x && list == s.list && text == s.text && inherited == s.inherited;
  }
};
/// A kernel that only calls one handler.
class Stage {
 public:
  Stage() {
    frame.pool = &pool_;
    frame.arena = &arena_;
    frame.types = types_;
    frame.seed = 7;
    frame.tie_seed = 8;
    frame.next_match = event::MatchId::first_of(3);
    frame.keep_undo = true;
  }
  ~Stage() { finish(); }

  /// Lets Actor number `index` do something.
  void act(std::function<void(Context<Actor>&, Actor&)> action, Time now = 1, std::uint32_t step = 0,
           std::uint32_t index = 2) {
    run<Actor>(actor, Do{std::move(action)}, now, step, index);
  }

  template <class Lp, class E>
  void run(Lp& lp, E content, Time now = 1, std::uint32_t step = 0, LpId id = 2) {
    finish();
    const event::EventOps& ops = detail::event_ops<Lp, E>();
    auto* const e = static_cast<event::EventHeader*>(::operator new(ops.bytes, std::align_val_t{64}));
    std::construct_at(&event::payload<E>(*e), std::move(content));
    frame.halt.reset();
    frame.begin(now, step, id, counters);
    ops.execute(frame, &lp, *e);
    std::destroy_at(&event::payload<E>(*e));
    ::operator delete(e, ops.bytes, std::align_val_t{64});
  }

  void undo(void* lp) {
    for (auto* effect = frame.effects; effect; effect = effect->next)
      if (effect->ops->undo) effect->ops->undo(*effect, lp);
  }

  /// What was sent, oldest first.
  std::vector<event::EventHeader*> sent() const {
    std::vector<event::EventHeader*> all;
    for (auto* e = frame.sent; e; e = e->next) all.insert(all.begin(), e);
    return all;
  }
  std::string cause() const { return frame.halt ? frame.halt->cause : "none"; }

  event::Frame frame;
  event::LpCounters counters;
  Actor actor;

 private:
  void finish() {
    rollback::destroy_effects(std::exchange(frame.effects, nullptr));
    for (event::EventHeader* e : sent()) {
      if (e->ops->destroy) e->ops->destroy(*e);
      pool_.release(e, e->ops->bytes);
    }
    frame.sent = nullptr;
  }

  Settings settings_;
  std::string shared_ = "shared";
  mem::Budget budget_{std::uint64_t{1} << 40, 1, mem::Budget::Reserve::none};
  mem::Allowance allowance_{budget_, 0};
  mem::EventPool pool_{allowance_};
  mem::Arena arena_;
  event::LpTypeEntry types_[3] = {{&detail::lp_ops<Actor>(), 0, 10, &settings_, &shared_},
                                  {&detail::lp_ops<Other>(), 10, 5, nullptr, nullptr},
                                  {&detail::lp_ops<State>(), 15, 1, nullptr, nullptr}};
};

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
  stage.counters.next_seq = 41;
  stage.act([](auto& cx, Actor&) { cx.send(cx.template id<Other>(4), 0.5, Ping{9}); }, 2, 3);
  ASSERT_EQ(stage.sent().size(), 1u);
  const event::EventHeader& e = *stage.sent()[0];
  EXPECT_EQ(e.time, 2.5);
  EXPECT_EQ(event::step_of(e.order), 0u);
  EXPECT_EQ(e.order, event::make_order(0, event::make_tie(8, 2, 41)));
  EXPECT_EQ(e.sender, 2u);
  EXPECT_EQ(e.receiver, 14u);
  EXPECT_EQ(e.seq(), 41u);
  EXPECT_EQ(e.match.pe(), 3);
  EXPECT_EQ(e.status, event::Status::pending);
  EXPECT_EQ(e.ops->event_name, "Ping");
  EXPECT_EQ(event::payload<Ping>(e).number, 9);
  EXPECT_EQ(stage.counters.next_seq, 42u);
  EXPECT_FALSE(stage.frame.halt);
}

TEST(Context, SendsAreNumberedAndNeverMatchTwice) {
  Stage stage;
  for (int round = 0; round < 2; ++round) {
    stage.counters.next_seq = 0;  // as after a rollback
    stage.act([](auto& cx, Actor&) {
      for (int i = 0; i < 3; ++i) cx.send(cx.template id<Other>(0), 1, i);
    });
    for (std::uint64_t i = 0; i < 3; ++i) {
      EXPECT_EQ(stage.sent()[i]->seq(), i);
      EXPECT_EQ(stage.sent()[i]->match.value,
                event::MatchId::first_of(3).value + static_cast<std::uint64_t>(round) * 3 + i);
    }
  }
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
  stage.counters.next_seq = 41;
  stage.act(
      [](auto& cx, Actor&) {
        cx.send(cx.template id<Other>(4), 0.5, Ping{9}, {.priority = -3});
        const EventHandle sent = cx.send(cx.template id<Other>(4), 0, Ping{9}, {.priority = 127});
        EXPECT_EQ(event::priority_of(sent.order), 127);
        EXPECT_EQ(event::step_of(sent.order), 6u);
      },
      2, 5);
  ASSERT_EQ(stage.sent().size(), 2u);
  EXPECT_EQ(stage.sent()[0]->order, event::make_order(0, event::make_tie(8, 2, 41), -3));
  EXPECT_EQ(stage.sent()[1]->order, event::make_order(6, event::make_tie(8, 2, 42), 127));
}

TEST(Context, APriorityThatIsNoneIsAFault) {
  for (const int priority : {-129, 128, std::numeric_limits<int>::max(), std::numeric_limits<int>::min()}) {
    Stage stage;
    stage.act(
        [&](auto& cx, Actor&) { cx.send(cx.template id<Other>(0), 1, Ping{}, {.priority = priority}); });
    EXPECT_TRUE(stage.sent().empty());
    EXPECT_EQ(stage.cause(),
              "sends event Ping with priority " + std::to_string(priority) + ": valid are -128 to 127");
    EXPECT_EQ(stage.counters.next_seq, 0u);
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

TEST(Context, TheLastSequenceNumberIsNotFollowedByTheFirst) {
  Stage stage;
  stage.counters.next_seq = event::EventHeader::kSeqEnd - 1;
  stage.act([](auto& cx, Actor&) {
    cx.send(cx.template id<Other>(0), 1, Ping{1});
    cx.send(cx.template id<Other>(0), 1, Ping{2});
  });
  ASSERT_EQ(stage.sent().size(), 1u);
  EXPECT_EQ(stage.sent()[0]->seq(), event::EventHeader::kSeqEnd - 1);
  EXPECT_EQ(stage.counters.next_seq, event::EventHeader::kSeqEnd);
  EXPECT_EQ(stage.cause(), "sends more than 140737488355328 events, which no LP can");

  // All numbers of a broadcast are below the end, or nobody gets it.
  event::Frame& frame = stage.frame;
  frame.halt.reset();
  const std::uint64_t first = event::EventHeader::kSeqEnd - 5;
  stage.counters.next_seq = first;
  frame.begin(1, 0, 2, stage.counters);
  EXPECT_EQ(event::make_carrier(frame, detail::event_ops<Other, Ping>(), {10, 6, nullptr}, 10, 2, first),
            nullptr);
  EXPECT_EQ(stage.cause(), "sends more than 140737488355328 events, which no LP can");
  EXPECT_EQ(stage.counters.next_seq, first);
}

TEST(Context, SendsToImpossibleTimesAreFaults) {
  const Time times[] = {-1, 0.999, -std::numeric_limits<Time>::max(), kNaN, kForever, -kForever};
  for (const Time time : times) {
    Stage stage;
    stage.act([&](auto& cx, Actor&) { cx.send_at(cx.template id<Other>(0), time, Ping{}); });
    EXPECT_TRUE(stage.sent().empty());
    EXPECT_NE(stage.cause().find("Ping"), std::string::npos) << stage.cause();
    EXPECT_EQ(stage.frame.halt->kind, event::Halt::Kind::fault);
    EXPECT_EQ(stage.counters.next_seq, 0u);
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

TEST(Context, LargeEventsMustBeDroppedOneByOne) {
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

TEST(Context, RandomNumbersFollowTheCounters) {
  Stage stage;
  std::uint64_t first = 0, third = 0, again = 0, other = 0;
  stage.act([&](auto& cx, Actor&) { first = cx.rng().bits(), cx.rng().bits(), third = cx.rng().bits(); });
  EXPECT_EQ(stage.counters.draws, 3u);
  stage.counters.draws = 2;
  stage.act([&](auto& cx, Actor&) { again = cx.rng().bits(); });
  EXPECT_EQ(again, third);
  stage.counters.draws = 0;
  stage.act([&](auto& cx, Actor&) { other = cx.rng().bits(); }, 1, 0, 3);
  EXPECT_NE(other, first);
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

// ---- The three ways to be undone.

static_assert(detail::undo_kind<State, Set>() == event::UndoKind::reverse);
static_assert(detail::undo_kind<State, SetByLog>() == event::UndoKind::log);
static_assert(detail::undo_kind<Actor, Do>() == event::UndoKind::copy);

template <class E>
class UndoTest : public ::testing::Test {};
using Undone = ::testing::Types<Set, SetByLog, SetByRef>;
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
}  // namespace anachron
