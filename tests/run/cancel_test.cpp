// Taking events back that were sent: in time, too late, by the same handler call, at other LPs.
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <anachron/anachron.hpp>

#include "run/mode.hpp"

namespace anachron {
namespace {

struct Ring {
  std::shared_ptr<int> held = std::make_shared<int>(0);  // counts who holds it
};
struct Act {
  int what;
};

struct Clock;
using Script = void (*)(Context<Clock>&, Clock&, int what);

struct Scripts {
  Script script = nullptr;
  explicit Scripts(const NoParams&) {}
  explicit Scripts(Script given) : script(given) {}
};

/// Does what the script says at each Act, and counts rings.
struct Clock {
  using Shared = Scripts;
  static std::uint64_t count(const NoParams&, const Scripts&) { return 2; }
  static double lookahead(const NoParams&) { return 0.5; }
  EventHandle alarm;
  std::vector<Time> rings;
  std::vector<bool> answers;

  void start(Context<Clock>& cx) {
    if (cx.self().index() == 0) cx.shared().script(cx, *this, 0);
  }
  void on(Context<Clock>& cx, const Act& act) { cx.shared().script(cx, *this, act.what); }
  void on(Context<Clock>& cx, const Ring&) { rings.push_back(cx.now()); }
};

class Cancelling : public testing::TestWithParam<Config> {
 protected:
  Report run(Script script) {
    clocks_ = std::make_unique<Simulation<Clock>>();
    clocks_->config = GetParam();
    clocks_->shared(std::make_shared<const Scripts>(Scripts{script}));
    return clocks_->run();
  }
  const Clock& clock(std::uint32_t k) { return clocks_->lp<Clock>(k); }

  std::unique_ptr<Simulation<Clock>> clocks_;
};

INSTANTIATE_TEST_SUITE_P(Modes, Cancelling,
                         testing::Values(with(Sync::sequential, 1, 1), with(Sync::conservative, 2, 2),
                                         with(Sync::optimistic, 1, 2), with(Sync::optimistic, 2, 2)),
                         [](const auto& mode) {
                           return std::string(to_string(*mode.param.sync)) +
                                  std::to_string(*mode.param.workers) + "w" +
                                  std::to_string(*mode.param.pes) + "p";
                         });

TEST_P(Cancelling, WhatIsCancelledDoesNotHappen) {
  const Report report = run([](Context<Clock>& cx, Clock& clock, int what) {
    if (what == 0) {
      cx.send(cx.self(), 3, Act{1});
      clock.alarm = cx.send(cx.self(), 10, Ring{});
      cx.send(cx.self(), 11, Ring{});
    } else {
      clock.answers.push_back(cx.cancel(clock.alarm));
    }
  });
  EXPECT_EQ(clock(0).rings, std::vector<Time>{11});
  EXPECT_EQ(clock(0).answers, std::vector<bool>{true});
  EXPECT_EQ(report.committed, 2u);  // one Act, one Ring
}

TEST_P(Cancelling, WhatAnotherLpWouldGetIsTakenBackToo) {
  run([](Context<Clock>& cx, Clock& clock, int what) {
    if (what == 0) {
      cx.send(cx.self(), 3, Act{1});
      clock.alarm = cx.send(cx.id(1), 10, Ring{});
      cx.send(cx.id(1), 9, Ring{});
    } else {
      clock.answers.push_back(cx.cancel(clock.alarm));
    }
  });
  EXPECT_EQ(clock(1).rings, std::vector<Time>{9});
}

TEST_P(Cancelling, TooLateIsAnAnswer) {
  const Report report = run([](Context<Clock>& cx, Clock& clock, int what) {
    if (what == 0) {
      cx.send(cx.self(), 3, Act{1});
      clock.alarm = cx.send(cx.self(), 2, Ring{});
    } else {
      clock.answers.push_back(cx.cancel(clock.alarm));
      clock.answers.push_back(cx.cancel({}));
    }
  });
  EXPECT_EQ(clock(0).rings, std::vector<Time>{2});
  EXPECT_EQ(clock(0).answers, (std::vector<bool>{false, false}));
  EXPECT_EQ(report.committed, 2u);
}

// At equal times the order of events decides, which is not that of sending.
TEST_P(Cancelling, AtTheSameTimeWhatHasHappenedStays) {
  run([](Context<Clock>& cx, Clock& clock, int what) {
    if (what == 0) {
      clock.alarm = cx.send(cx.self(), 4, Ring{});
      for (int i = 0; i < 4; ++i) cx.send(cx.self(), 4, Act{1});
    } else {
      const bool waits = clock.alarm && clock.rings.empty();
      clock.answers.push_back(cx.cancel(clock.alarm) == waits);
      clock.alarm = {};
    }
  });
  EXPECT_EQ(clock(0).answers, (std::vector<bool>{true, true, true, true}));
}

TEST_P(Cancelling, ByTheCallThatHasSentItLeavesNoTrace) {
  const Report report = run([](Context<Clock>& cx, Clock& clock, int what) {
    if (what != 0) return;
    Ring ring;
    const auto held = ring.held;
    const EventHandle sent = cx.send(cx.self(), 10, std::move(ring));
    cx.send(cx.self(), 1, Act{1});
    clock.answers.push_back(cx.cancel(sent));
    clock.answers.push_back(held.use_count() == 1);
  });
  EXPECT_EQ(clock(0).answers, (std::vector<bool>{true, true}));
  EXPECT_TRUE(clock(0).rings.empty());
  EXPECT_EQ(report.committed, 1u);
}

TEST_P(Cancelling, TwiceDoesNoHarm) {
  run([](Context<Clock>& cx, Clock& clock, int what) {
    if (what == 0) {
      clock.alarm = cx.send(cx.self(), 10, Ring{});
      for (const Time at : {1, 2, 3}) cx.send(cx.self(), at, Act{1});
    } else {
      clock.answers.push_back(cx.cancel(clock.alarm) && cx.cancel(clock.alarm));
    }
  });
  EXPECT_TRUE(clock(0).rings.empty());
  EXPECT_EQ(clock(0).answers, (std::vector<bool>{true, true, true}));
}

TEST_P(Cancelling, OnlyItsSenderCan) {
  try {
    run([](Context<Clock>& cx, Clock&, int what) {
      if (what == 0) return (void)cx.send(cx.id(1), 1, Act{1});
      cx.cancel({.time = 5, .order = 0, .place = 1, .sender = 0, .receiver = 1});
    });
    FAIL();
  } catch (const SimulationError& error) {
    EXPECT_NE(std::string(error.what()).find("cancels an event that another LP has sent"), std::string::npos)
        << error.what();
  }
}

TEST(ConservativeCancelling, KeepsTheLookaheadAtOtherLps) {
  Simulation<Clock> clocks;
  clocks.config = with(Sync::conservative, 2, 2);
  clocks.shared(std::make_shared<const Scripts>([](Context<Clock>& cx, Clock& clock, int what) {
    if (what == 0) {
      clock.alarm = cx.send(cx.id(1), 4, Ring{});
      cx.send(cx.self(), 3.75, Act{1});
    } else {
      cx.cancel(clock.alarm);
    }
  }));
  try {
    clocks.run();
    FAIL();
  } catch (const SimulationError& error) {
    EXPECT_NE(std::string(error.what()).find("sends event cancel to Clock 1 with delay 0.25"),
              std::string::npos)
        << error.what();
  }
}

// ---- Irrevocable events: one that waits to be certain can still be cancelled.

struct Bell {
  static constexpr auto execution = irrevocable;
  int rings = 0;
  void on(Context<Bell>&, const Ring&) { ++rings; }
};
struct Ringer {
  EventHandle alarm;
  int turns = 0;
  void start(Context<Ringer>& cx) { cx.send(cx.self(), 1, Act{0}); }
  void on(Context<Ringer>& cx, const Act&) {
    if (alarm && ++turns % 2 == 0) cx.cancel(alarm);
    alarm = cx.send(cx.id<Bell>(cx.self().index() % cx.lp_count<Bell>()), 2, Ring{});
    if (cx.now() < 300) cx.send(cx.self(), 1, Act{0});
  }
};

TEST(IrrevocableCancelling, GivesTheSequentialDigest) {
  const auto run = [](const Config& config) {
    Simulation<Ringer, Bell> bells;
    bells.config = config;
    bells.lps<Ringer>(5);
    bells.lps<Bell>(3);
    return bells.run();
  };
  const Report expected = run(with(Sync::sequential, 1, 1));
  EXPECT_GT(expected.committed, 1000u);
  for (const unsigned workers : {1u, 2u}) {
    Config config = with(Sync::optimistic, workers, 4);
    config.throttle = Throttle::none;
    config.test_chaos = 7;
    const Report report = run(config);
    EXPECT_EQ(report.digest, expected.digest);
    EXPECT_EQ(report.committed, expected.committed);
  }
}

}  // namespace
}  // namespace anachron
