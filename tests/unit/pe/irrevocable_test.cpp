// One PE by hand: when an irrevocable event is executed, what waits behind it, and where a run ends that is
// interrupted after one.

#include <gtest/gtest.h>

#include <anachron/model/lp_ops.hpp>
#include <anachron/model/model.hpp>

#include "comm/fabric/spsc_mesh.hpp"
#include "pe/pe.hpp"
#include "queue/baselines/dary_heap.hpp"

namespace anachron::pe {
namespace {

struct Step {};
struct Toll {
  static constexpr auto execution = irrevocable;
};
struct Walker {  // steps at odd times, tolls at even ones
  int steps = 0, tolls = 0;
  void start(Context<Walker>& cx) {
    for (int i = 1; i <= 10; i += 2) {
      cx.send(cx.self(), i, Step{});
      cx.send(cx.self(), i + 1, Toll{});
    }
  }
  void on(Context<Walker>&, const Step&) { ++steps; }
  void on(Context<Walker>&, const Toll&) { ++tolls; }
};

/// The PE with the only LP, of `pes` PEs. The test is the other one.
class OnePe {
 public:
  explicit OnePe(unsigned pes)
      : config_(config(pes)),
        lps_(types(), Owners({0})),
        fabric_(2),
        pe_(make_pe({.self = 0,
                     .config = config_,
                     .lps = lps_,
                     .fabric = fabric_,
                     .budget = budget_,
                     .keeping = Keeping::history,
                     .pes = {{0, pes}, pes}})) {
    pe_->start();
  }
  ~OnePe() { pe_->discard(); }

  Pe* operator->() { return pe_.get(); }
  const Walker& lp() { return *static_cast<const Walker*>(lps_.state(0)); }
  /// A toll from the other PE. The message is on the way when this returns.
  event::EventHeader& send_toll(Time time) {
    event::Frame frame;
    frame.pool = &other_pool_;
    frame.next_match = event::MatchId::first_of(1);
    event::LpCounters counters;
    frame.begin(0, 0, 1, counters);
    event::EventHeader& e = *frame.make_event(detail::event_ops<Walker, Toll>(), 0, time);
    push(fabric::Message::event(&e));
    return e;
  }
  void push(fabric::Message message) { fabric_.port(1).hand_over(0, {&message, 1}); }
  /// The outcome of a round: what `summary` reports is the bound.
  static gvt::Round round(const gvt::Summary& summary) {
    return {.bound = summary.earliest,
            .certain = summary.earliest,
            .horizon = kForever,
            .verdict = gvt::Verdict::go_on};
  }

 private:
  static Config config(unsigned pes) {
    Config c;
    c.sync = Sync::optimistic;
    c.workers = 1;
    c.pes = pes;
    return c;
  }
  static std::vector<event::LpTypeEntry> types() {
    static constexpr NoParams kParams;
    return {{&detail::lp_ops<Walker>(), 0, 1, &kParams, nullptr}};
  }

  Config config_;
  lp::LpStore lps_;
  mem::Budget budget_{std::uint64_t{1} << 40, 2, mem::Budget::Reserve::some};
  mem::Allowance of_other_{budget_, 1};
  mem::EventPool other_pool_{of_other_};
  fabric::SpscMesh fabric_;
  std::unique_ptr<Pe> pe_;
};

TEST(IrrevocableEvent, WaitsUntilItIsAtTheBoundAndOthersBehindIt) {
  OnePe pe(2);
  pe->adopt(OnePe::round(pe->summary()));
  EXPECT_EQ(pe->execute(100), 1u);
  EXPECT_EQ(pe->pending(), 9u) << "those held are pending";
  EXPECT_EQ(pe->execute(100), 0u) << "the bound is the step at 1";
  EXPECT_EQ(pe->summary().earliest->time, 2) << "a held event counts";
  pe->adopt(OnePe::round(pe->summary()));
  EXPECT_EQ(pe.lp().tolls, 0);
  EXPECT_EQ(pe->execute(100), 2u) << "the toll at 2 and the step at 3";
  EXPECT_EQ(pe.lp().tolls, 1);
  EXPECT_EQ(pe.lp().steps, 2);
  EXPECT_EQ(pe->figures().rolled_back, 0u);
}

// The bound may be the key of an event whose cancellation is under way.
TEST(IrrevocableEvent, IsNotExecutedWhenItIsBeingCancelled) {
  OnePe pe(2);
  pe->adopt(OnePe::round(pe->summary()));
  event::EventHeader& toll = pe.send_toll(0.5);
  EXPECT_EQ(pe->receive(), 1u);
  EXPECT_EQ(pe->execute(100), 0u) << "all wait for the toll";
  pe.push(fabric::Message::cancellation(&toll));
  pe->adopt({.bound = toll.key(), .certain = toll.key(), .horizon = kForever});
  EXPECT_EQ(pe->execute(100), 1u) << "the step at 1";
  EXPECT_EQ(pe.lp().tolls, 0);
  EXPECT_EQ(pe.lp().steps, 1);
}

TEST(IrrevocableEvent, IsExecutedWhenItIsCertain) {
  OnePe pe(2);
  pe->adopt(OnePe::round(pe->summary()));
  event::EventHeader& toll = pe.send_toll(0.5);
  pe->receive();
  pe->execute(100);
  pe->adopt({.bound = toll.key(), .horizon = kForever});
  EXPECT_EQ(pe->execute(100), 0u) << "a cancellation may have been refused";
  pe->adopt({.bound = toll.key(), .certain = toll.key(), .horizon = kForever});
  EXPECT_EQ(pe->execute(100), 2u) << "the toll and the step at 1";
  EXPECT_EQ(pe.lp().tolls, 1);
}

TEST(IrrevocableEvent, NeedNotWaitOnASinglePe) {
  OnePe pe(1);
  pe->adopt(OnePe::round(pe->summary()));
  EXPECT_EQ(pe->execute(100), 10u);
  EXPECT_EQ(pe.lp().tolls, 5);
}

// The round was concluded before the toll was paid, the run ends after it.
TEST(IrrevocableEvent, IsNotTakenBackByAnInterrupt) {
  OnePe pe(1);
  pe->adopt(OnePe::round(pe->summary()));
  gvt::Round last = OnePe::round(pe->summary());
  last.verdict = gvt::Verdict::interrupted;
  EXPECT_EQ(last.bound->time, 1);
  EXPECT_EQ(pe->execute(3), 3u);
  pe->settle(last);
  EXPECT_EQ(pe->figures().committed, 2u);
  EXPECT_EQ(pe.lp().tolls, 1);
  EXPECT_EQ(pe.lp().steps, 1);
}

}  // namespace
}  // namespace anachron::pe
