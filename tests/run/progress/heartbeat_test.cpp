// Lines of batch jobs: how far a run is, and for what it waits while GVT stands.
#include "run/progress/heartbeat.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>

#include <anachron/anachron.hpp>

#include "support/error_of.hpp"

namespace anachron {
namespace {

std::atomic<bool> is_seen{false};
std::chrono::steady_clock::time_point began;  // of the run

/// As long as the test has not seen the stall.
bool waits() { return !is_seen.load() && std::chrono::steady_clock::now() - began < std::chrono::minutes(2); }

struct Tick {};
/// Its second event does not return before the test has seen that.
struct Slow {
  int ticks = 0;
  void start(Context<Slow>& cx) { cx.send(cx.self(), 1, Tick{}); }
  void on(Context<Slow>& cx, const Tick&) {
    if (++ticks == 2)
      while (waits()) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    if (ticks < 3) cx.send(cx.self(), 1, Tick{});
  }
};
/// Sends itself events without delay until the test has seen that.
struct Circle {
  int ticks = 0;
  void start(Context<Circle>& cx) { cx.send(cx.self(), 1, Tick{}); }
  void on(Context<Circle>& cx, const Tick&) {
    if (++ticks < 3)
      cx.send(cx.self(), 1, Tick{});
    else if (waits())
      cx.send(cx.self(), 0, Tick{});
  }
};

/// The first stall for which something is named.
template <class Lp>
std::string stall_of(Sync sync) {
  is_seen = false;
  began = std::chrono::steady_clock::now();
  Simulation<Lp> simulation;
  simulation.template lps<Lp>(1);
  simulation.config.sync = sync;
  simulation.config.workers = 1;
  std::string waits_for;
  simulation.run([&](const Progress& now) {
    if (is_seen || !now.stall || now.stall->waits_for.empty() || now.stall->seconds < 0.5) return;
    waits_for = now.stall->waits_for;
    is_seen = true;
  });
  return waits_for;
}

TEST(Stalls, NameThePeThatDoesNotGetOn) {
  for (const Sync sync : {Sync::sequential, Sync::optimistic}) {
    const std::string text = stall_of<Slow>(sync);
    EXPECT_EQ(text, "PE 0, whose last event is Tick for Slow 0 at time 2");
  }
}

TEST(Stalls, NameEventsWithoutDelay) {
  const std::string text = stall_of<Circle>(Sync::optimistic);
  EXPECT_NE(text.find("does a cycle of LPs have no delay?"), std::string::npos) << text;
}

TEST(Heartbeat, SaysHowFarTheRunIs) {
  Progress now;
  now.gvt = 25;
  now.until = 100;
  now.committed = 5'000'000;
  now.wall_s = 10;
  now.memory = 1u << 30;
  RecentSpeed speed;
  speed.add(now);
  EXPECT_EQ(heartbeat_text(now, speed), "25.0%  time 25 of 100  500 k events/s  0:30 left  1.00 GiB");
}

TEST(Heartbeat, NeedsAnInterval) {
  ProgressLine line(ProgressLine::Mode::off);
  const auto with = [&](double seconds) {
    HeartbeatLines("program", {.every_s = seconds, .most_stall_s = {}}, line);
  };
  EXPECT_EQ(test::error_of([&] { with(-1); }),
            "--heartbeat: '-1' is not valid: expected seconds from one line to the next, or 0 for none");
  EXPECT_NO_THROW(with(0));
}

}  // namespace
}  // namespace anachron
