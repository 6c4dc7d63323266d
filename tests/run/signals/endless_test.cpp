// Runs that somebody wants to end: short ones, slow events, and handlers that do not return.
#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <anachron/anachron.hpp>

#include "run/fake_model.hpp"
#include "run/mode.hpp"

namespace anachron::test {
namespace {

using namespace std::chrono_literals;

std::string mode_name(const testing::TestParamInfo<Config>& mode) {
  constexpr std::array kNames{"Automatic", "Sequential", "Optimistic", "Conservative"};
  return kNames.at(static_cast<std::size_t>(*mode.param.sync)) + std::to_string(*mode.param.pes);
}

class Endless : public testing::TestWithParam<Config> {};

Config conservative() {
  Config config = with(Sync::conservative, 2, 2);
  config.lookahead = 1;
  return config;
}

INSTANTIATE_TEST_SUITE_P(Modes, Endless,
                         testing::Values(with(Sync::sequential, 1, 1), conservative(),
                                         with(Sync::optimistic, 2, 2), with(Sync::optimistic, 1, 3)),
                         mode_name);

struct Tick {};

/// Each event takes its time.
struct Sloth {
  void start(Context<Sloth>& cx) { cx.send(cx.self(), 1, Tick{}); }
  void on(Context<Sloth>& cx, const Tick&) {
    std::this_thread::sleep_for(5ms);
    cx.send(cx.self(), 1, Tick{});
  }
};

TEST_P(Endless, IsInterruptedBetweenTwoSlowEvents) {
  Simulation<Sloth> simulation;
  simulation.config = GetParam();
  simulation.config.until = 10'000;
  simulation.config.gvt_interval = 1'000'000;
  simulation.lps<Sloth>(2);
  const Report report = simulation.run({}, [] { return true; });
  EXPECT_EQ(report.ending, Ending::interrupted);
  EXPECT_LT(report.committed, 1500u) << "what was left of a batch or a GVT interval was executed first";
}

TEST_P(Endless, AskedAtLeastOnce) {
  Simulation<Sloth> simulation;
  simulation.config = GetParam();
  simulation.config.until = 2;
  simulation.lps<Sloth>(2);
  int asked = 0;
  const Report report = simulation.run({}, [&] { return ++asked > 0; });
  EXPECT_GE(asked, 1);
  EXPECT_EQ(report.ending, Ending::finished) << "it was over";
  EXPECT_EQ(report.committed, 2u);
}

struct Trap {
  std::atomic<bool> is_open{false};
};

/// LP 0 has an event that ends when the trap is opened.
struct Prisoner {
  struct Params {};
  struct Shared {
    explicit Shared(const Params&) {}
    mutable Trap trap;
  };
  static std::uint64_t count(const Params&) { return 2; }

  void start(Context<Prisoner>& cx) { cx.send(cx.self(), 1.5, Tick{}); }
  void on(Context<Prisoner>& cx, const Tick&) {
    if (cx.self().index() == 0)
      while (!cx.shared().trap.is_open.load()) std::this_thread::sleep_for(1ms);
  }
};

/// The event that was said to take long, when the trap was opened.
template <class Simulation>
std::optional<LongEvent> run_until_named(Simulation& simulation, Trap& trap) {
  std::optional<LongEvent> seen;
  simulation.run([&](const Progress& now) {
    if (!now.long_event) return;
    seen = now.long_event;
    trap.is_open = true;
  });
  return seen;
}

TEST_P(Endless, HandlerIsNamed) {
  Simulation<Prisoner> simulation;
  simulation.config = GetParam();
  simulation.config.until = 10;
  const auto shared = std::make_shared<const Prisoner::Shared>(Prisoner::Params{});
  simulation.shared<Prisoner::Shared>(shared);
  const std::optional<LongEvent> seen = run_until_named(simulation, shared->trap);
  ASSERT_TRUE(seen);
  EXPECT_EQ(seen->lp, "Prisoner 0");
  EXPECT_EQ(seen->event, "Tick");
  EXPECT_EQ(seen->time, 1.5);
  EXPECT_GT(seen->seconds, 3);
  EXPECT_EQ(seen->speculative, GetParam().sync == Sync::optimistic);
}

/// Each `start` waits until the trap is open; then the next one does.
struct Starter {
  struct Params {};
  struct Shared {
    explicit Shared(const Params&) {}
    mutable Trap trap;
    mutable std::atomic<int> started{0};
  };
  static std::uint64_t count(const Params&) { return 100; }

  void start(Context<Starter>& cx) {
    ++cx.shared().started;
    while (!cx.shared().trap.is_open.load()) std::this_thread::sleep_for(1ms);
    cx.send(cx.self(), 1, Tick{});
  }
  void on(Context<Starter>&, const Tick&) {}
  void finish(Results& results) const { results.count("finished"); }
};

TEST_P(Endless, SetUpIsInterrupted) {
  Simulation<Starter> simulation;
  simulation.config = GetParam();
  const auto shared = std::make_shared<const Starter::Shared>(Starter::Params{});
  simulation.shared<Starter::Shared>(shared);
  int asked = 0;
  const Report report =
      simulation.run([&](const Progress&) { shared->trap.is_open = true; },  // called after the run was told
                     [&] { return ++asked > 0; });
  EXPECT_EQ(report.ending, Ending::interrupted);
  EXPECT_EQ(report.committed, 0u);
  EXPECT_LE(shared->started.load(), static_cast<int>(*GetParam().pes)) << "those in progress, and no other";
  EXPECT_TRUE(report.results.figures().empty()) << "LPs that have not started have no results";
  ASSERT_FALSE(report.notes.empty());
  EXPECT_EQ(report.notes.back(), "there are no results: interrupted before every LP had started");
}

TEST_P(Endless, StartIsNamed) {
  Simulation<Starter> simulation;
  simulation.config = GetParam();
  const auto shared = std::make_shared<const Starter::Shared>(Starter::Params{});
  simulation.shared<Starter::Shared>(shared);
  const std::optional<LongEvent> seen = run_until_named(simulation, shared->trap);
  ASSERT_TRUE(seen);
  EXPECT_TRUE(seen->lp.starts_with("Starter ")) << seen->lp;
  EXPECT_EQ(seen->activity, Activity::start);
  EXPECT_FALSE(seen->speculative);
}

/// Never returns from its event, and asks for the end of the program from there.
struct Captive {
  void start(Context<Captive>& cx) { cx.send(cx.self(), 1.5, Tick{}); }
  void on(Context<Captive>& cx, const Tick&) {
    if (cx.self().index() == 0) raise(SIGTERM);
    const std::atomic<bool> is_over{false};
    while (cx.self().index() == 0 && !is_over.load()) std::this_thread::sleep_for(1ms);
  }
};

TEST(EndlessDeathTest, HandlerEndsTheProgramThatIsInterrupted) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  const auto program = [](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "captive");
    std::exit(cli<Captive>(static_cast<int>(arguments.size()), pointers(arguments).data()));
  };
  EXPECT_EXIT(program({"--lps", "2", "--sync", "sequential"}), testing::ExitedWithCode(1),
              "stopping, again to kill\n"
              "captive: waiting for Captive 0: event Tick at time 1.5, for [0-9]+ s\n"
              "captive: Captive 0: event Tick at time 1.5, for [0-9]+ s: does not return");
  EXPECT_EXIT(program({"--lps", "2", "--sync", "optimistic", "--workers", "2"}), testing::ExitedWithCode(1),
              "Captive 0: event Tick at time 1.5, for [0-9]+ s, speculative: does not return");
}

}  // namespace
}  // namespace anachron::test
