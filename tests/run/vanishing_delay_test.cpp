// A positive delay that is below the resolution of time is an error, not a delay of 0.
#include <string>

#include <gtest/gtest.h>

#include <anachron/anachron.hpp>

namespace anachron {
namespace {

struct Tick {};
struct Late {
  struct Params {
    Time start = 1e15, delay = 1e-3;
    bool broadcasts = false;
  };
  static constexpr Time until = 1e16;
  int ticks = 0;
  static std::uint64_t count(const Params&) { return 1; }
  void start(Context<Late>& cx) { cx.send_at(cx.self(), cx.params().start, Tick{}); }
  void on(Context<Late>& cx, const Tick&) {
    if (++ticks > 3) return;
    if (cx.params().broadcasts)
      cx.broadcast<Late>(cx.params().delay, Tick{});
    else
      cx.send(cx.self(), cx.params().delay, Tick{});
  }
};

std::string error_of(const Late::Params& params, Sync sync) {
  Simulation<Late> simulation;
  simulation.config.sync = sync;
  simulation.params<Late>() = params;
  try {
    simulation.run();
  } catch (const SimulationError& error) {
    return error.what();
  }
  return "none";
}

TEST(VanishingDelay, IsAnErrorThatNamesLpEventTimeAndDelay) {
  for (const Sync sync : {Sync::sequential, Sync::optimistic})
    for (const bool broadcasts : {false, true})
      EXPECT_EQ(error_of({.broadcasts = broadcasts}, sync),
                "Late 0: event Tick at time 1e+15: sends event Tick with delay 0.001, which is below the "
                "resolution "
                "of time: at time 1e+15 the least delay is 0.125, and 0 is allowed");
}

TEST(VanishingDelay, WhatTimeCanTellApartIsNone) {
  EXPECT_EQ(error_of({.delay = 0.125}, Sync::sequential), "none");
  EXPECT_EQ(error_of({.delay = 0}, Sync::sequential), "none");
  EXPECT_EQ(error_of({.start = 0, .delay = 1e-300}, Sync::sequential), "none");
}

}  // namespace
}  // namespace anachron
