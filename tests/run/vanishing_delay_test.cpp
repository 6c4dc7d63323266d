// Positive delays below the resolution of time are an error where they go on, so that time stands still.
#include <string>

#include <gtest/gtest.h>

#include <anachron/anachron.hpp>

namespace anachron {
namespace {

struct Tick {};
struct Late {
  struct Params {
    Time start = 1e15, delay = 1e-3;
    Time more = 0;  // of every second tick
    bool broadcasts = false;
  };
  static constexpr Time until = 1e16;
  int ticks = 0;
  static std::uint64_t count(const Params&) { return 1; }
  void start(Context<Late>& cx) { cx.send_at(cx.self(), cx.params().start, Tick{}); }
  void on(Context<Late>& cx, const Tick&) {
    if (++ticks > 100) return;
    const Time delay = cx.params().delay + (ticks % 2 ? cx.params().more : 0);
    if (cx.params().broadcasts)
      cx.broadcast<Late>(delay, Tick{});
    else
      cx.send(cx.self(), delay, Tick{});
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
                "Late 0: event Tick at time 1000000000000000: sends event Tick with delay 0.001, which is "
                "below the "
                "resolution of time: at time 1000000000000000 the least delay is 0.125, and this is step 16 "
                "at that time");
}

// As a draw at random may be.
TEST(VanishingDelay, MayHappenOnce) {
  EXPECT_EQ(error_of({.delay = 0.06, .more = 0.125}, Sync::sequential), "none");
}

TEST(VanishingDelay, WhatTimeCanTellApartIsNone) {
  EXPECT_EQ(error_of({.delay = 0.125}, Sync::sequential), "none");
  EXPECT_EQ(error_of({.delay = 0}, Sync::sequential), "none");
  EXPECT_EQ(error_of({.start = 0, .delay = 1e-300}, Sync::sequential), "none");
}

}  // namespace
}  // namespace anachron
