// Lazy cancellation: what an undone event sent is cancelled only when it turns out to be wrong.
#include <list>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "unit/pe/pe_bench.hpp"

namespace anachron::pe {
namespace {

struct Note {
  int value = 0;
  struct Send;
  std::list<Send> sends{};
  bool only_if_first = false;  // sends nothing unless it is the first event of its LP
  bool tells_count = false;    // sends the number of events that its LP had instead of the value
  bool fails = false;
  friend bool operator==(const Note&, const Note&);
};
struct Note::Send {
  LpId to;
  Time time;
  Note note;
  bool operator==(const Send&) const = default;
};
bool operator==(const Note& a, const Note& b) {
  return a.value == b.value && a.sends == b.sends && a.only_if_first == b.only_if_first &&
         a.tells_count == b.tells_count && a.fails == b.fails;
}

/// Like a Note with a value, but nobody can tell two of them apart.
struct Riddle {
  std::string value;
};

struct Script {
  std::vector<Note::Send> roots;
  bool in_riddles = false;
  bool in_order = false;  // events of an LP for one time share their tie, and are numbered
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
    if (note.fails) throw std::runtime_error("as told");
    if (note.only_if_first && !is_first) return;
    for (const auto& send : note.sends) {
      Note sent = send.note;
      if (note.tells_count) sent.value = static_cast<int>(values.size());
      if (cx.shared().in_riddles)
        cx.send_at(cx.id(send.to), send.time, Riddle{std::to_string(sent.value)});
      else
        cx.send_at(cx.id(send.to), send.time, sent, {.in_order = cx.shared().in_order});
    }
  }
  void on(Context<Tape>&, const Riddle& riddle) { values.push_back(std::stoi(riddle.value)); }
};

class Tapes : public ScriptBench<Tape> {
 public:
  Tapes(std::vector<PeId> owners, const Script& script, Cancellation cancellation = Cancellation::lazy)
      : ScriptBench(std::move(owners), script, cancellation) {
    begin();
  }
};

using Values = std::vector<int>;

/// LP 0 tells LP 1 something at 11 and at 12. LP 2 makes it think again.
Script told_early(Note first) {
  first.value = 10;
  first.sends = {{1, 11, {.value = 11}}, {1, 12, {.value = 12}}};
  return {.roots = {{0, 10, first}, {2, 5, {.value = 5, .sends = {{0, 6, {.value = 6}}}}}}};
}

/// What LP 0 sent is at LP 1, executed; then LP 0 has been rolled back.
void send_and_roll_back(Tapes& tapes) {
  tapes.step(0);
  tapes.step(1);
  EXPECT_EQ(tapes.values(1), (Values{11, 12}));
  tapes.step(2);
  tapes.step(0, 0);
  EXPECT_EQ(tapes.values(0), Values{});
  tapes.step(1);
}

TEST(LazyCancellation, WhatIsSentAgainStays) {
  const Script script = told_early({});
  Tapes tapes({0, 1, 2}, script);
  send_and_roll_back(tapes);
  EXPECT_EQ(tapes.values(1), (Values{11, 12})) << "nothing is known to be wrong";
  EXPECT_EQ(tapes.finish(), gvt::Verdict::finished);
  EXPECT_EQ(tapes.values(0), (Values{6, 10}));
  EXPECT_EQ(tapes.values(1), (Values{11, 12}));
  const PeReport figures = tapes.figures();
  EXPECT_EQ(figures.lazy_hits, 2u);
  EXPECT_EQ(figures.anti_messages, 0u);
  EXPECT_EQ(figures.rolled_back, 1u) << "LP 0 only";
  EXPECT_EQ(figures.sent, 5u) << "none twice";
}

TEST(LazyCancellation, AggressivelyItGoesAtOnce) {
  const Script script = told_early({});
  Tapes tapes({0, 1, 2}, script, Cancellation::aggressive);
  send_and_roll_back(tapes);
  EXPECT_EQ(tapes.values(1), Values{});
  EXPECT_EQ(tapes.finish(), gvt::Verdict::finished);
  EXPECT_EQ(tapes.values(1), (Values{11, 12}));
  EXPECT_EQ(tapes.figures().lazy_hits, 0u);
  EXPECT_EQ(tapes.figures().anti_messages, 2u);
}

TEST(LazyCancellation, WhatIsNotSentAgainIsCancelled) {
  for (const PeId receiver : {PeId{1}, PeId{0}}) {
    const Script script = told_early({.only_if_first = true});
    Tapes tapes({0, receiver, 2}, script);
    send_and_roll_back(tapes);
    EXPECT_EQ(tapes.finish(), gvt::Verdict::finished);
    EXPECT_EQ(tapes.values(0), (Values{6, 10}));
    EXPECT_EQ(tapes.values(1), Values{});
    EXPECT_EQ(tapes.figures().lazy_hits, 0u);
    EXPECT_EQ(tapes.figures().anti_messages, receiver == 0 ? 0u : 2u);
    EXPECT_EQ(tapes.figures().committed, 3u);
  }
}

TEST(LazyCancellation, AnotherContentIsSentInstead) {
  const Script script = told_early({.tells_count = true});
  Tapes tapes({0, 1, 2}, script);
  tapes.step(0);
  tapes.step(1);
  EXPECT_EQ(tapes.values(1), (Values{1, 1}));
  tapes.step(2);
  EXPECT_EQ(tapes.finish(), gvt::Verdict::finished);
  EXPECT_EQ(tapes.values(1), (Values{2, 2}));
  EXPECT_EQ(tapes.figures().lazy_hits, 0u);
}

TEST(LazyCancellation, ContentThatCannotBeComparedIsSentAgain) {
  Script script = told_early({});
  script.in_riddles = true;
  Tapes tapes({0, 1, 2}, script);
  send_and_roll_back(tapes);
  EXPECT_EQ(tapes.finish(), gvt::Verdict::finished);
  EXPECT_EQ(tapes.values(0), (Values{6, 10}));
  EXPECT_EQ(tapes.values(1), (Values{11, 12}));
  EXPECT_EQ(tapes.figures().lazy_hits, 0u);
  EXPECT_EQ(tapes.figures().anti_messages, 2u);
}

// LP 0 takes back what it told LP 1, so what LP 1 told LP 3 goes too, whether LP 1 had been rolled back
// before or not.
TEST(LazyCancellation, AnEventThatIsCancelledTakesWhatItSentWithIt) {
  for (const bool is_undone_first : {false, true}) {
    Script script{.roots = {{0, 10, {.value = 10, .only_if_first = true}},
                            {2, 5, {.value = 5, .sends = {{0, 6, {.value = 6}}}}},
                            {4, 1, {.value = 1, .sends = {{1, 10.5, {.value = 105}}}}}}};
    script.roots[0].note.sends = {{1, 11, {.value = 11, .sends = {{3, 12, {.value = 12}}}}}};
    Tapes tapes({0, 1, 2, 3, 4}, script);
    for (const std::size_t pe : {0u, 1u, 3u}) tapes.step(pe);
    EXPECT_EQ(tapes.values(3), Values{12});
    if (is_undone_first) {
      tapes.step(4);
      tapes.step(1, 0);
      EXPECT_EQ(tapes.values(1), Values{});
    }
    tapes.step(2);
    tapes.step(0);
    tapes.step(1, 0);
    tapes.step(3);
    EXPECT_EQ(tapes.values(3), Values{}) << is_undone_first;
    EXPECT_EQ(tapes.finish(), gvt::Verdict::finished);
    EXPECT_EQ(tapes.values(1), Values{105});
    EXPECT_EQ(tapes.values(3), Values{});
    EXPECT_EQ(tapes.figures().committed, 5u);
  }
}

TEST(LazyCancellation, NothingIsCommittedThatMayStillBeCancelled) {
  const Script script = told_early({.only_if_first = true});
  Tapes tapes({0, 1, 2}, script);
  send_and_roll_back(tapes);
  EXPECT_EQ(tapes.round().bound->time, 6);
  EXPECT_EQ(tapes.figures().committed, 1u);
  tapes.step(0, 1);
  EXPECT_EQ(tapes.round().bound->time, 10);
  EXPECT_EQ(tapes.figures().committed, 2u);
  tapes.step(0, 1);
  EXPECT_EQ(tapes.round().verdict, gvt::Verdict::finished);
  EXPECT_EQ(tapes.figures().committed, 3u);
  EXPECT_EQ(tapes.values(1), Values{});
}

// The straggler's send has the number in order, and so the key, of the send that is to be cancelled, and both
// fail. When the wrong one goes, the failure of the right one stays.
TEST(LazyCancellation, AFailureIsNotForgottenWithAnotherOfTheSameKey) {
  const Script script{
      .roots = {{0, 10, {.value = 10, .sends = {{1, 20, {.fails = true}}}, .only_if_first = true}},
                {3, 5, {.value = 5, .sends = {{0, 6, {.value = 6, .sends = {{2, 20, {.fails = true}}}}}}}}},
      .in_order = true};
  Tapes tapes({0, 1, 1, 2}, script);
  tapes.step(0);
  tapes.step(1);
  ASSERT_TRUE(tapes.pe(1).halt());
  EXPECT_EQ(tapes.pe(1).halt()->lp, 1u);
  tapes.step(2);
  tapes.step(0, 1);  // the straggler only
  tapes.step(1);
  EXPECT_EQ(tapes.values(2), Values{0}) << "executed beside the other";
  tapes.step(0);
  tapes.step(1, 0);
  EXPECT_EQ(tapes.values(1), Values{});
  ASSERT_TRUE(tapes.pe(1).halt());
  EXPECT_EQ(tapes.pe(1).halt()->lp, 2u);
  EXPECT_EQ(tapes.finish(), gvt::Verdict::halted);
  EXPECT_EQ(tapes.halt()->lp, 2u);
}

}  // namespace
}  // namespace anachron::pe
