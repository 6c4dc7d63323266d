// Stragglers, rollback and cancellation, step by step.
#include <cstdint>
#include <list>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "scale.hpp"
#include "unit/pe/pe_bench.hpp"

namespace anachron::pe {
namespace {

struct Note {
  int value = 0;
  struct Send;
  std::list<Send> sends{};
  bool only_if_first = false;  // does nothing unless it is the first event of its LP
  bool fails_if_first = false;
};
struct Note::Send {
  LpId to;
  Time time;
  Note note;
};

struct Script {
  std::vector<Note::Send> roots;
  mutable std::vector<int> committed{};
};

/// Writes the values it gets down.
struct Tape {
  using Shared = Script;
  std::vector<int> values;

  void start(Context<Tape>& cx) {
    for (const auto& root : cx.shared().roots)
      if (root.to == cx.self().index()) cx.send_at(cx.self(), root.time, root.note);
  }
  void on(Context<Tape>& cx, const Note& note) {
    const bool is_first = values.empty();
    values.push_back(note.value);
    cx.on_commit([value = note.value, &script = cx.shared()] { script.committed.push_back(value); });
    if (note.fails_if_first && is_first) throw std::runtime_error("first");
    if (note.only_if_first && !is_first) return;
    for (const auto& send : note.sends) cx.send_at(cx.id(send.to), send.time, send.note);
  }
};

/// LP k on PE k, unless told otherwise.
class Tapes : public ScriptBench<Tape> {
 public:
  using ScriptBench::ScriptBench;
  Tapes(unsigned pes, const Script& script) : ScriptBench(each_its_own(pes), script) {}

 private:
  static std::vector<PeId> each_its_own(unsigned pes) {
    std::vector<PeId> owners;
    for (unsigned pe = 0; pe < pes; ++pe) owners.push_back(static_cast<PeId>(pe));
    return owners;
  }
};

using Values = std::vector<int>;

TEST(Rollback, AStragglerIsExecutedInItsPlace) {
  const Script script{{{0, 10, {.value = 10}}, {1, 5, {.value = 5, .sends = {{0, 6, {.value = 6}}}}}}};
  Tapes tapes(2, script);
  tapes.begin();
  tapes.pe(0).execute(10);
  EXPECT_EQ(tapes.values(0), Values{10});
  tapes.pe(1).execute(10);
  tapes.pe(1).publish();
  EXPECT_EQ(tapes.pe(0).receive(), 1u);
  EXPECT_EQ(tapes.values(0), Values{});
  tapes.pe(0).execute(10);
  EXPECT_EQ(tapes.values(0), (Values{6, 10}));
  EXPECT_EQ(tapes.round().verdict, gvt::Verdict::finished);
  EXPECT_EQ(script.committed.size(), 3u);
  EXPECT_EQ(tapes.figures().rolled_back, 1u);
}

TEST(Rollback, AnEventLaterThanAllExecutedIsNoStraggler) {
  const Script script{{{0, 10, {.value = 10}}, {1, 5, {.value = 5, .sends = {{0, 11, {.value = 11}}}}}}};
  Tapes tapes(2, script);
  tapes.begin();
  tapes.pe(0).execute(10);
  tapes.pe(1).execute(10);
  tapes.round();
  tapes.pe(0).execute(10);
  EXPECT_EQ(tapes.values(0), (Values{10, 11}));
  EXPECT_EQ(tapes.figures().rolled_back, 0u);
}

/// LP 0 tells LP 1 something at 11, unless it hears of LP 2 first.
Script hasty_script() {
  return {{{0, 10, {.value = 10, .sends = {{1, 11, {.value = 11}}}, .only_if_first = true}},
           {1, 20, {.value = 20}},
           {2, 5, {.value = 5, .sends = {{0, 6, {.value = 6}}}}}}};
}

TEST(Rollback, AnEventTakenBackBeforeItArrivedIsNeverSeen) {
  const Script script = hasty_script();
  Tapes tapes(3, script);
  tapes.begin();
  tapes.pe(0).execute(10);
  tapes.pe(2).execute(10);
  tapes.pe(2).publish();
  tapes.pe(0).receive();
  tapes.pe(0).publish();
  EXPECT_EQ(tapes.pe(1).receive(), 2u);  // the event and its cancellation
  tapes.pe(1).execute(10);
  EXPECT_EQ(tapes.values(1), Values{20});
}

TEST(Rollback, AnEventTakenBackIsUndone) {
  const Script script = hasty_script();
  Tapes tapes(3, script);
  tapes.begin();
  tapes.pe(0).execute(10);
  tapes.pe(0).publish();
  tapes.pe(1).receive();
  tapes.pe(1).execute(10);
  EXPECT_EQ(tapes.values(1), (Values{11, 20}));
  tapes.pe(2).execute(10);
  tapes.pe(2).publish();
  tapes.pe(0).receive();
  tapes.pe(0).execute(10);
  EXPECT_EQ(tapes.values(0), (Values{6, 10}));
  tapes.pe(0).publish();
  tapes.pe(1).receive();
  EXPECT_EQ(tapes.values(1), Values{});
  tapes.pe(1).execute(10);
  EXPECT_EQ(tapes.values(1), Values{20});
  while (tapes.round().verdict == gvt::Verdict::go_on) {
  }
  EXPECT_EQ(tapes.figures().committed, 4u);
}

TEST(Rollback, AnEventTakenBackWhilePendingIsDropped) {
  const Script script = hasty_script();
  Tapes tapes(3, script);
  tapes.begin();
  tapes.pe(0).execute(10);
  tapes.pe(0).publish();
  tapes.pe(1).receive();
  tapes.pe(2).execute(10);
  tapes.pe(2).publish();
  tapes.pe(0).receive();
  tapes.pe(0).publish();
  tapes.pe(1).receive();
  tapes.pe(1).execute(10);
  EXPECT_EQ(tapes.values(1), Values{20});
}

TEST(Rollback, ReachesThroughLpsOfTheSamePe) {
  const Script script = hasty_script();
  Tapes tapes({0, 0, 1}, script);
  tapes.begin();
  tapes.pe(0).execute(10);
  EXPECT_EQ(tapes.values(1), (Values{11, 20}));
  tapes.pe(1).execute(10);
  tapes.pe(1).publish();
  tapes.pe(0).receive();
  EXPECT_EQ(tapes.values(0), Values{});
  EXPECT_EQ(tapes.values(1), Values{});
  tapes.pe(0).execute(10);
  EXPECT_EQ(tapes.values(0), (Values{6, 10}));
  EXPECT_EQ(tapes.values(1), Values{20});
}

// So many that the pending set is swept.
TEST(Rollback, ThousandsOfEventsTakenBack) {
  Script script = hasty_script();
  auto& sends = script.roots[0].note.sends;
  for (int i = 0; i < 10'000; ++i) sends.push_back({1, 11.0 + i, {.value = i}});
  for (const PeId owner_of_receiver : {PeId{0}, PeId{1}}) {
    script.committed.clear();
    Tapes tapes({0, owner_of_receiver, 1}, script);
    tapes.begin();
    tapes.pe(0).execute(100);
    tapes.pe(0).publish();
    if (owner_of_receiver == 1) tapes.pe(1).receive();
    tapes.pe(1).execute(1);  // LP 2 at 5
    tapes.pe(1).publish();
    tapes.pe(0).receive();
    for (int round = 0; round < 10; ++round) {
      for (std::size_t pe : {0u, 1u}) tapes.pe(pe).execute(1000);
      if (tapes.round().verdict != gvt::Verdict::go_on) break;
    }
    EXPECT_EQ(tapes.values(0), (Values{6, 10}));
    EXPECT_EQ(tapes.values(1), Values{20});
    EXPECT_EQ(script.committed.size(), 4u);
  }
}

TEST(Rollback, LeavesOtherGroupsAlone) {
  const Script script{{{0, 10, {.value = 10}},
                       {1, 20, {.value = 20}},
                       {2, 5, {.value = 5, .sends = {{0, 6, {.value = 6}}}}}}};
  for (const unsigned group : {1u, 2u}) {
    Config config = optimistic(2);
    config.lps_per_group = group;
    Tapes tapes({0, 0, 1}, script, config);
    tapes.begin();
    tapes.pe(0).execute(10);
    tapes.pe(1).execute(10);
    tapes.pe(1).publish();
    tapes.pe(0).receive();
    EXPECT_EQ(tapes.values(1), group == 1 ? Values{20} : Values{});
    EXPECT_EQ(tapes.figures().rolled_back, group);
  }
}

TEST(Rollback, OnlyWhatIsBelowGvtCommits) {
  const Script script{{{0, 10, {.value = 10}}, {1, 5, {.value = 5}}, {1, 15, {.value = 15}}}};
  Tapes tapes(2, script);
  tapes.begin();
  tapes.pe(0).execute(10);
  tapes.pe(1).execute(1);
  EXPECT_EQ(tapes.round().bound->time, 15);
  EXPECT_EQ(script.committed, (Values{10, 5}));  // in order per LP
  tapes.pe(1).execute(1);
  EXPECT_EQ(tapes.round().verdict, gvt::Verdict::finished);
  EXPECT_EQ(script.committed, (Values{10, 5, 15}));
}

TEST(Rollback, AFaultOfAStateThatNeverWasIsForgotten) {
  const Script script{{{0, 10, {.value = 10, .fails_if_first = true}},
                       {0, 11, {.value = 11}},
                       {1, 5, {.value = 5, .sends = {{0, 6, {.value = 6}}}}}}};
  Tapes tapes(2, script);
  tapes.begin();
  tapes.pe(0).execute(10);
  ASSERT_TRUE(tapes.pe(0).halt());
  EXPECT_EQ(tapes.pe(0).halt()->key.time, 10);
  EXPECT_EQ(tapes.values(0), Values{10});  // it does not go on behind the fault
  tapes.pe(1).execute(10);
  tapes.round();
  EXPECT_FALSE(tapes.pe(0).halt());
  tapes.pe(0).execute(10);
  EXPECT_EQ(tapes.values(0), (Values{6, 10, 11}));
  EXPECT_EQ(tapes.round().verdict, gvt::Verdict::finished);
}

TEST(Rollback, AFaultThatCommitsEndsTheRun) {
  const Script script{
      {{0, 10, {.value = 10, .fails_if_first = true}}, {1, 5, {.value = 5}}, {1, 15, {.value = 15}}}};
  Tapes tapes(2, script);
  tapes.begin();
  tapes.pe(0).execute(10);
  EXPECT_EQ(tapes.round().verdict, gvt::Verdict::go_on);
  tapes.pe(1).execute(10);
  EXPECT_EQ(tapes.round().verdict, gvt::Verdict::halted);
  EXPECT_EQ(tapes.halt()->halt.cause, "threw: first");
  EXPECT_EQ(script.committed, Values{5});  // not what was before the fault in time, and nothing behind it
  EXPECT_EQ(tapes.values(1), Values{5});
}

struct Push {
  bool fails = false;
};

/// Undone by its handler's reverser. Fails after it has changed its state.
struct Stack {
  int depth = 0;

  void start(Context<Stack>& cx) {
    if (cx.self().index() == 0) cx.send(cx.self(), 10, Push{true});
    if (cx.self().index() == 1) cx.send(cx.id(0), 6, Push{});
  }
  auto on(Context<Stack>&, const Push& push) {
    const int before = depth++;
    if (push.fails && before == 0) throw std::runtime_error("on the ground");
    return [before](Stack& s) { s.depth = before; };
  }
};

// The fault is forgotten with the event (design: "speculation never hurts"), so what the handler had done by
// then must be, too, although it left before it could return its reverser.
TEST(Rollback, AHandlerThatThrewInsteadOfReturningAReverserIsUndone) {
  PeBench bench({{&anachron::detail::lp_ops<Stack>(), 0, 2, nullptr, nullptr}}, {0, 1}, optimistic(2));
  bench.pe(0).start();
  EXPECT_EQ(bench.round().verdict, gvt::Verdict::go_on);  // PE 1 sleeps late: LP 0 only has the event at 10
  bench.pe(0).execute(10);
  ASSERT_TRUE(bench.pe(0).halt());
  bench.pe(1).start();
  bench.pe(1).publish();
  bench.pe(0).receive();
  EXPECT_FALSE(bench.pe(0).halt());
  EXPECT_EQ(bench.lp<Stack>(0).depth, 0);
  bench.pe(0).execute(10);
  EXPECT_EQ(bench.lp<Stack>(0).depth, 2);
}

}  // namespace
}  // namespace anachron::pe
