// States that are copied before some events only.
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <anachron/base/error.hpp>

#include "unit/pe/pe_bench.hpp"

namespace anachron::pe {
namespace {

struct Pulse {
  int number = 0;
};

/// Sends itself pulses, one per unit of time. Undone by copies.
struct Pulsar {
  static inline int handled = 0;  // of all
  int pulses = 0;
  std::uint64_t drawn = 0;

  void start(Context<Pulsar>& cx) { cx.send(cx.self(), 1, Pulse{1}); }
  void on(Context<Pulsar>& cx, const Pulse& pulse) {
    ++handled;
    ++pulses;
    drawn ^= cx.rng().bits();
    if (pulse.number < 100) cx.send(cx.self(), 1, Pulse{pulse.number + 1});
  }
  bool operator==(const Pulsar&) const = default;
};

Config sparse(unsigned interval) {
  Config config = optimistic(1);
  config.checkpoint_interval = interval;
  return config;
}

class Pulsars : public PeBench {
 public:
  Pulsars(const Config& config, std::uint32_t lps)
      : PeBench({{&anachron::detail::lp_ops<Pulsar>(), 0, lps, nullptr, nullptr}},
                std::vector<PeId>(lps, PeId{0}), config) {
    start();
    round();
    Pulsar::handled = 0;
  }
  PeReport report() { return pe(0).figures(); }
};

TEST(SparseCopies, AreTakenBeforeEveryNthEventOfAnLp) {
  for (const unsigned lps : {1u, 3u}) {
    Pulsars pulsars(sparse(4), lps);
    pulsars.pe(0).execute(10 * lps);  // of which 1, 5 and 9 are copied
    EXPECT_EQ(pulsars.report().state_copies, 3 * lps);
    EXPECT_EQ(pulsars.report().coasted, 0u);
  }
}

TEST(SparseCopies, AStateBetweenTwoIsBroughtBack) {
  for (const bool copies_always : {false, true}) {
    Config config = sparse(4);
    if (copies_always) config.rollback = Rollback::copy;
    Pulsars pulsars(config, 1);
    pulsars.pe(0).execute(10);
    const Pulsar after = pulsars.lp<Pulsar>(0);
    EXPECT_EQ(pulsars.report().sent, 11u);
    Pulsar::handled = 0;
    pulsars.round();  // GVT is 11: nothing more to undo, and nothing to keep but for later
    pulsars.pe(0).execute(7);
    pulsars.pe(0).settle({.bound = event::EventKey{.time = 10.5}});
    EXPECT_EQ(pulsars.report().committed, 10u);
    EXPECT_TRUE(pulsars.lp<Pulsar>(0) == after);
    EXPECT_EQ(Pulsar::handled, 7 + 2);  // from the copy before event 9 over two committed ones
    EXPECT_EQ(pulsars.report().coasted, 2u);
    EXPECT_EQ(pulsars.report().sent, 18u);  // nothing was sent again
    EXPECT_EQ(pulsars.report().rolled_back, 7u);
  }
}

// The memory of committed events is given back, although not at once.
TEST(SparseCopies, CommittedEventsAreDroppedInTime) {
  for (const unsigned interval : {1u, 4u}) {
    Pulsars pulsars(sparse(interval), 2);
    std::uint64_t most = 0;
    for (int i = 0; i < 20; ++i) {
      pulsars.pe(0).execute(6);
      pulsars.round();
      most = std::max(most, pulsars.pe(0).kept());
    }
    EXPECT_LE(most, interval == 1 ? 0u : 2 * 4 + 2 * 6u);
  }
}

/// Draws more often than its state says.
struct Fickle {
  static inline int handled = 0;
  int pulses = 0;

  void start(Context<Fickle>& cx) { cx.send(cx.self(), 1, Pulse{1}); }
  void on(Context<Fickle>& cx, const Pulse& pulse) {
    ++pulses;
    if (++handled > 15) cx.rng().bits();
    if (pulse.number < 100) cx.send(cx.self(), 1, Pulse{pulse.number + 1});
  }
  bool operator==(const Fickle&) const = default;
};

TEST(SparseCopies, AHandlerThatDoesSomethingElseTheSecondTimeIsReported) {
  Fickle::handled = 0;
  PeBench bench({{&anachron::detail::lp_ops<Fickle>(), 0, 1, nullptr, nullptr}}, {0}, sparse(100));
  bench.start();
  bench.round();
  bench.pe(0).execute(12);
  try {
    bench.pe(0).settle({.bound = event::EventKey{.time = 10.5}});
    FAIL() << "nothing was reported";
  } catch (const SimulationError& error) {
    EXPECT_EQ(error.event(), "Pulse");
    EXPECT_NE(error.cause().find("not part of the state"), std::string::npos);
  }
}

}  // namespace
}  // namespace anachron::pe
