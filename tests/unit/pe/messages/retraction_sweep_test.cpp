// Retractions are dropped before their time, but not while they may be cancelled.
#include "pe/messages/retraction_sweep.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "unit/pe/pe_bench.hpp"

namespace anachron::pe {
namespace {

constexpr std::size_t kMany = 2 * RetractionSweep::kFew;

struct Timer {
  int value;
};
struct Set {};
struct Clear {};
struct Tell {};
struct Late {};
struct Plan {};

/// LP 0 sets timers at LP 1, and takes them back. LP 2 tells it something before that, and once more later:
/// then LP 0 sets twice as many.
struct Clock {
  using Shared = Plan;
  std::vector<int> values;
  std::vector<EventHandle> timers;

  void start(Context<Clock>& cx) {
    if (cx.self().index() == 0) cx.send_at(cx.self(), 10, Set{});
    if (cx.self().index() == 0) cx.send_at(cx.self(), 12, Clear{});
    if (cx.self().index() == 2) cx.send_at(cx.self(), 5, Tell{});
    if (cx.self().index() == 2) cx.send_at(cx.self(), 50, Tell{});
  }
  void on(Context<Clock>& cx, const Tell&) { cx.send(cx.id(0), 1, Late{}); }
  void on(Context<Clock>& cx, const Late&) {
    if (cx.now() < 50) return;
    set(cx, 2 * kMany);
    cx.send(cx.self(), 1, Clear{});
  }
  void on(Context<Clock>& cx, const Set&) { set(cx, kMany); }
  void on(Context<Clock>& cx, const Clear&) {
    for (const EventHandle& timer : timers) cx.cancel(timer);
    timers.clear();
  }
  void on(Context<Clock>&, const Timer& timer) { values.push_back(timer.value); }

  void set(Context<Clock>& cx, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) timers.push_back(cx.send_at(cx.id(1), 1000, Timer{1}));
  }
};

class Clocks : public ScriptBench<Clock> {
 public:
  Clocks() : ScriptBench({0, 1, 2}, plan_) {
    begin();
    step(0);
    deliver();
    EXPECT_EQ(pe(1).pending(), 2 * kMany) << "timers and retractions";
  }
  /// What PE 0 has sent, which is more than the channel holds.
  void deliver() {
    do {
      pe(1).receive();
      pe(0).publish();
    } while (pe(0).has_mail());
    pe(1).receive();
  }

 private:
  static constexpr Plan plan_{};
};

TEST(RetractionSweep, DropsWhatIsTakenBackForCertain) {
  Clocks clocks;
  clocks.step(2, 1);
  clocks.step(0);  // a straggler: it sets them anew
  clocks.deliver();
  clocks.round();
  EXPECT_EQ(clocks.pe(1).pending(), 2 * kMany) << "before the next round nothing is settled";
  clocks.step(2);
  clocks.step(0);
  clocks.deliver();
  for (unsigned share = 0; share < RetractionSweep::kShares; ++share) clocks.round();
  EXPECT_EQ(clocks.pe(1).pending(), 4 * kMany) << "those that were set last are not";
  EXPECT_EQ(clocks.finish(), gvt::Verdict::finished);
  EXPECT_TRUE(clocks.values(1).empty());
}

// Between the reports of PE 1 and of PE 0 all timers are cancelled, and set anew: GVT is past that, while the
// cancellations are still under way.
TEST(RetractionSweep, LeavesWhatIsAboutToBeCancelled) {
  Clocks clocks;
  clocks.step(2, 1);
  const gvt::Round round = clocks.round([&] { clocks.step(0); });
  ASSERT_TRUE(round.bound);
  EXPECT_GT(round.bound->time, 12) << "they were set for certain";
  EXPECT_LT(round.settled, 10);
  EXPECT_EQ(clocks.pe(1).pending(), 2 * kMany);
  EXPECT_EQ(clocks.finish(), gvt::Verdict::finished);
  EXPECT_TRUE(clocks.values(1).empty());
}

}  // namespace
}  // namespace anachron::pe
