// What is shown in the order of all events is the same in all modes, to the last byte: the trace of chosen
// LPs, and what handlers leave to be done in order.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "property/random_options.hpp"
#include "property/tangle.hpp"
#include "scale.hpp"
#include "support/error_of.hpp"
#include "support/odd_parts.hpp"

namespace anachron::test {
namespace {

std::string line_of(const CommittedEvent& e) {
  return fmt::format("{} {} {} {} {} {} {}", e.time, e.lp_type, e.lp, e.event, e.sender_type, e.sender,
                     e.payload);
}

/// The lines of a run's trace; `config` has the rest of the trace.
std::vector<std::string> trace_of(const TangleParams& params, Config config) {
  std::vector<std::string> lines;
  config.trace.show = [&lines](const CommittedEvent& e) { lines.push_back(line_of(e)); };
  run_tangle(params, config);
  return lines;
}

TangleParams some_params(std::mt19937_64& random) {
  TangleParams params;
  params.lps_per_type = static_cast<std::uint32_t>(2 + random() % 10);
  params.life = static_cast<std::uint32_t>(5 + random() % 10);
  params.zero_delay = 0.3;
  return params;
}

TEST(Trace, IsTheSameInEveryMode) {
  std::size_t lines = 0;
  for (int model = 0; model < scaled(6); ++model) {
    std::mt19937_64 random(static_cast<std::uint64_t>(model) + 14001);
    TangleParams params = some_params(random);
    if (model % 2) params.gap = 0.5;
    Config base;
    base.sync = Sync::sequential;
    base.seed = random() % 1000 + 1;
    if (model % 3) base.trace.lps = {{"Bag", 0, 1}, {"Gate"}, {"Ledger", 1, 1}};
    if (model % 2) base.trace.from = 1;
    if (model % 4 == 1) base.trace.to = 2.5;
    const std::vector<std::string> expected = trace_of(params, base);
    lines += expected.size();
    for (int variant = 0; variant < 5; ++variant) {
      Config config = random_optimistic(random, base);
      config.check_rollback = variant == 3;
      if (variant == 4 && params.gap > 0) {
        config = base;
        config.sync = Sync::conservative;
        config.workers = 3;
      }
      ASSERT_EQ(trace_of(params, config), expected) << "model " << model << ", " << describe(config);
    }
  }
  EXPECT_GT(lines, 1000u);
}

TEST(Trace, HasTheCommittedEventsOfItsLpsAndNoOthers) {
  TangleParams params;
  Config config;
  config.sync = Sync::sequential;
  std::uint64_t all = 0, chosen = 0, wrong = 0;
  Time last = 0;
  config.trace.show = [&](const CommittedEvent& e) {
    ++all;
    wrong += e.time < last;
    last = e.time;
  };
  const TangleResult result = run_tangle(params, config);
  EXPECT_EQ(all, result.report.committed);
  config.trace.lps = {{"Cell", 2, 3}};
  config.trace.from = 0.5;
  config.trace.to = 2;
  config.trace.show = [&](const CommittedEvent& e) {
    ++chosen;
    wrong += e.lp_type != "Cell" || e.lp < 2 || e.lp > 3 || e.time < 0.5 || e.time >= 2;
  };
  run_tangle(params, config);
  EXPECT_GT(chosen, 0u);
  EXPECT_EQ(wrong, 0u);
}

TEST(Trace, RefusesLpsThatDoNotExist) {
  const auto message = [](TracedLps lps) -> std::string {
    Config config;
    config.sync = Sync::sequential;
    config.trace.lps = {std::move(lps)};
    return test::error_of([&] { run_tangle({}, config); });
  };
  EXPECT_EQ(message({"Sell"}),
            "--trace-lp: 'Sell' is not valid: expected an LP type: one of Cell, Bag, Gate, Ledger");
  EXPECT_EQ(message({"Cell", 5, 8}), "--trace-lp: 'Cell:8' is not valid: expected at most Cell:7");
  EXPECT_EQ(message({"Cell", 9}), "--trace-lp: 'Cell:9' is not valid: expected at most Cell:7");
}

/// Writes numbers, of all LPs to one vector.
struct Step {
  std::uint32_t left = 0;
};
struct Walker {
  struct Journal {
    explicit Journal(const NoParams&) {}
    mutable std::vector<std::uint64_t> lines;
    mutable bool throws = false;
  };
  using Shared = Journal;
  std::uint64_t steps = 0;

  void start(Context<Walker>& cx) {
    note(cx, 0);
    cx.send(cx.self(), cx.rng().exponential(1), Step{20});
  }
  void on(Context<Walker>& cx, const Step& step) {
    note(cx, ++steps);
    note(cx, 1000 + steps);
    if (step.left == 3)
      cx.in_order([&throws = cx.shared().throws] {
        if (throws) throw std::runtime_error("enough");
      });
    if (step.left > 0)
      cx.send(cx.id(cx.rng().below(cx.lp_count())), cx.rng().exponential(1), Step{step.left - 1});
  }

 private:
  void note(Context<Walker>& cx, std::uint64_t what) {
    cx.in_order(
        [&lines = cx.shared().lines, line = cx.self().index() * 10'000 + what] { lines.push_back(line); });
  }
};

Simulation<Walker> walkers(Sync sync, unsigned workers, unsigned chaos,
                           const std::shared_ptr<const Walker::Journal>& journal) {
  Simulation<Walker> simulation;
  simulation.lps<Walker>(12);
  simulation.config.sync = sync;
  simulation.config.workers = workers;
  simulation.config.test_chaos = chaos;
  simulation.shared<Walker::Journal>(journal);
  return simulation;
}

TEST(InOrder, IsDoneInTheOrderOfAllEvents) {
  const auto expected = std::make_shared<const Walker::Journal>(NoParams());
  walkers(Sync::sequential, 1, 0, expected).run();
  ASSERT_EQ(expected->lines.size(), 12 + 2 * 12 * 21u);
  for (unsigned run = 1; run < 8; ++run) {
    const auto journal = std::make_shared<const Walker::Journal>(NoParams());
    walkers(Sync::optimistic, 1 + run % 3, run, journal).run();
    ASSERT_EQ(journal->lines, expected->lines) << run;
  }
}

/// An event leaves a thousand things to be done.
struct Talker {
  struct Word {};
  void start(Context<Talker>& cx) {
    for (int i = 1; i <= 40; ++i) cx.send(cx.self(), i, Word{});
  }
  void on(Context<Talker>& cx, const Word&) {
    for (int i = 0; i < 1000; ++i) cx.in_order([text = std::array<char, 1000>{}] { (void)text; });
  }
};

TEST(InOrder, CountsAsMemory) {
  Simulation<Talker> simulation;
  simulation.lps<Talker>(1);
  simulation.config.sync = Sync::sequential;
  EXPECT_GE(simulation.run().memory_peak, 16'000'000u) << "of the first batch of events";
  simulation.config.memory = 4'000'000;
  EXPECT_THROW(simulation.run(), InputError);
}

// Starts were at other PEs.
TEST(InOrder, IsDoneInOrderWhereOneWorkerBegins) {
  const auto expected = std::make_shared<const Walker::Journal>(NoParams());
  walkers(Sync::sequential, 1, 0, expected).run();
  const auto journal = std::make_shared<const Walker::Journal>(NoParams());
  Simulation<Walker> simulation = walkers(Sync::optimistic, 3, 0, journal);
  simulation.config.seams = one_in_order();
  simulation.run();
  EXPECT_EQ(journal->lines, expected->lines);
}

TEST(InOrder, WaitsForASessionToAccept) {
  const auto expected = std::make_shared<const Walker::Journal>(NoParams());
  walkers(Sync::sequential, 1, 0, expected).run();
  for (const unsigned workers : {1u, 2u}) {
    const auto journal = std::make_shared<const Walker::Journal>(NoParams());
    auto session = walkers(workers == 1 ? Sync::sequential : Sync::optimistic, workers, 0, journal).open();
    session.run_until(2);
    const std::vector<std::uint64_t> before = journal->lines;
    const Mark mark = session.mark();
    session.run_until(9);
    session.rewind(mark);
    session.run_until(4);
    EXPECT_EQ(journal->lines, before);
    session.accept(mark);
    EXPECT_GT(journal->lines.size(), before.size());
    session.run_until(kForever);
    EXPECT_EQ(journal->lines, expected->lines);
  }
}

TEST(InOrder, AnExceptionEndsTheRunAndNamesTheEvent) {
  const auto message = [](Sync sync, unsigned workers) -> std::string {
    const auto journal = std::make_shared<const Walker::Journal>(NoParams());
    journal->throws = true;
    try {
      walkers(sync, workers, 0, journal).run();
    } catch (const SimulationError& error) {
      return error.what();
    }
    return "none";
  };
  const std::string expected = message(Sync::sequential, 1);
  EXPECT_EQ(expected.rfind("Walker ", 0), 0u) << expected;
  EXPECT_NE(expected.find("event Step at time "), std::string::npos) << expected;
  EXPECT_NE(expected.find("threw in order at commit: enough"), std::string::npos) << expected;
  EXPECT_EQ(message(Sync::optimistic, 2), expected);
}

}  // namespace
}  // namespace anachron::test
