// Lazy cancellation and retractions: what was taken back by the model may be sent otherwise, or not be taken
// back, when its sender is executed again, while the retraction stays where it is.
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "unit/pe/pe_bench.hpp"

namespace anachron::pe {
namespace {

struct Letter {
  int value;
};
struct Write {};
struct Regret {};
struct Tell {
  int mood;
};
struct Mood {
  int mood;
};

struct Plan {
  std::uint32_t second;  // who gets the letter in mood 2
  bool regrets;          // then, too
};

/// LP 0 writes LP 1 a letter, and takes it back. Others change its mood. In mood 1 it writes none.
struct Desk {
  using Shared = Plan;
  std::vector<int> values;
  EventHandle sent;
  int mood = 0;

  void start(Context<Desk>& cx) {
    const std::uint32_t self = cx.self().index();
    if (self == 0) cx.send_at(cx.self(), 10, Write{});
    if (self == 0) cx.send_at(cx.self(), 12, Regret{});
    if (self == 1 || self == 2) cx.send_at(cx.self(), 40, Letter{40});
    if (self >= 3) cx.send_at(cx.self(), 5, Tell{static_cast<int>(self - 2)});
  }
  void on(Context<Desk>& cx, const Tell& tell) { cx.send_at(cx.id(0), 5 + tell.mood, Mood{tell.mood}); }
  void on(Context<Desk>&, const Mood& event) { mood = event.mood; }
  void on(Context<Desk>& cx, const Write&) {
    if (mood != 1) sent = cx.send_at(cx.id(mood == 0 ? 1 : cx.shared().second), 20, Letter{20 + mood});
  }
  void on(Context<Desk>& cx, const Regret&) {
    if (mood == 0 || cx.shared().regrets) cx.cancel(sent);
  }
  void on(Context<Desk>&, const Letter& letter) { values.push_back(letter.value); }
};

/// LP 0 has a PE, LPs 1 and 2 share one; of those that change its mood LP 3 is on PE 2 and LP 4 on PE 3.
class Desks : public ScriptBench<Desk> {
 public:
  explicit Desks(const Plan& plan) : ScriptBench({0, 1, 1, 2, 3}, plan, Cancellation::lazy) {
    begin();
    step(0);
    step(1);
    EXPECT_EQ(values(1), std::vector<int>{40}) << "the letter was taken back";
  }
  /// LP 3 or 4 does it; LP 0 writes again, and does not come to regret it yet.
  void change_mood(std::size_t pe) {
    step(pe);
    step(0, 2);
    step(1);
  }
};

// The retraction for LP 1 is reached while a letter with the key of the one that was taken back is there for
// LP 2.
TEST(LazyRetraction, TakesNothingThatIsForAnotherLp) {
  const Plan plan{.second = 2, .regrets = false};
  Desks desks(plan);
  desks.change_mood(3);
  EXPECT_EQ(desks.values(2), (std::vector<int>{22, 40}));
  EXPECT_EQ(desks.finish(), gvt::Verdict::finished);
  EXPECT_EQ(desks.values(1), std::vector<int>{40});
  EXPECT_EQ(desks.values(2), (std::vector<int>{22, 40}));
}

TEST(LazyRetraction, TakesWhatComesLater) {
  const Plan plan{.second = 1, .regrets = true};
  Desks desks(plan);
  desks.change_mood(2);  // no letter; its retraction stays, and has nothing to take
  desks.change_mood(3);
  EXPECT_EQ(desks.values(1), std::vector<int>{40});
  EXPECT_EQ(desks.finish(), gvt::Verdict::finished);
  EXPECT_EQ(desks.values(1), std::vector<int>{40});
}

struct First {};
struct Second {};

/// Sends itself two events for one time, in order. The first takes back the second.
struct Hasty {
  struct Shared {};
  int seconds = 0;
  EventHandle second;

  void start(Context<Hasty>& cx) {
    cx.send_at(cx.self(), 20, First{}, Order{.in_order = true});
    second = cx.send_at(cx.self(), 20, Second{}, Order{.in_order = true});
  }
  void on(Context<Hasty>& cx, const First&) { cx.cancel(second); }
  void on(Context<Hasty>&, const Second&) { ++seconds; }
};

// The retraction sorts right behind the event that sends it, so between the two is no place for one that
// takes back the retraction.
TEST(LazyRetraction, DoesNotUndoItsSender) {
  ScriptBench<Hasty> bench({0, 1}, Hasty::Shared{}, Cancellation::lazy);
  bench.begin();
  EXPECT_EQ(bench.finish(), gvt::Verdict::finished);
  EXPECT_EQ(bench.figures().rolled_back, 0u);
  EXPECT_EQ(bench.lp<Hasty>(0).seconds, 0);
}

}  // namespace
}  // namespace anachron::pe
