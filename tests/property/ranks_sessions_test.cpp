// Sessions over ranks, which are threads here: random walks give what one sequential session gives, and calls
// that differ are errors on all ranks.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "comm/transport/cluster.hpp"
#include "property/random_options.hpp"
#include "property/random_ranks.hpp"
#include "property/tangle.hpp"
#include "property/tangle_session.hpp"
#include "scale.hpp"
#include "support/rank_threads.hpp"

namespace anachron::test {
namespace {

/// A session's layout and options, drawn at random.
struct Drawn {
  RankShape shape;
  Config config;
  transport::LocalCluster::Options links;

  Drawn(std::mt19937_64& random, const Config& base)
      : shape(one_of<RankShape>(random, {{1, 2}, {2, 1}, {2, 1}, {2, 2}, {3, 1}, {2, 3}, {4, 1}, {3, 2}})),
        config(random_rank_config(random, base, shape)),
        links(random_rank_links(random)) {
    config.check_rollback = random() % 8 == 0;
  }
  std::string description(int model) const {
    return fmt::format("model {}, {} ranks,{}", model, shape.ranks, describe(config));
  }
  TangleResult walk(const TangleParams& params, const std::function<void(TangleSession&)>& walk) const {
    return walk_over_ranks(params, config, shape.ranks, links, walk);
  }
};

TEST(RankSessions, StepsGiveTheResultsOfOneRun) {
  for (int model = 0; model < scaled(10); ++model) {
    std::mt19937_64 random(static_cast<std::uint64_t>(model) + 15001);
    TangleParams params = model % 2 ? random_medley(random) : random_tangle(random);
    params.stops = 0;
    const Config base = sequential_run(random() % 1000 + 1, random() % 2 ? kForever : 5);
    const TangleResult expected = run_tangle(params, base);
    for (int variant = 0; variant < 3; ++variant) {
      const Drawn drawn(random, base);
      const std::uint64_t plan = random();
      const TangleResult actual = drawn.walk(params, [&](TangleSession& session) {
        std::mt19937_64 choices(plan);
        for (Time time = 0; time < 5; time += static_cast<double>(choices() % 4) * 0.5)
          EXPECT_EQ(session.steps().run_until(time), Ending::finished);
        session.steps().run_until(base.until);
      });
      ASSERT_EQ(difference(expected, actual), "") << drawn.description(model);
    }
  }
}

/// Walks with detours against a sequential one without.
void try_detours(const TangleParams& params, const Config& base, std::mt19937_64& random, int model,
                 const std::function<void(Config&)>& change) {
  const std::uint64_t plan = random();
  Config alone = base;
  change(alone);
  alone.sync = Sync::sequential;
  alone.lookahead.reset();
  TangleSession session(params, alone);
  const std::vector<std::uint64_t> digests = wander(session, plan, std::nullopt);
  const TangleResult expected = session.result();
  for (int variant = 0; variant < 4; ++variant) {
    Drawn drawn(random, base);
    change(drawn.config);
    const std::optional<std::uint64_t> detours = variant ? std::optional(random()) : std::nullopt;
    const TangleResult actual = drawn.walk(params, [&](TangleSession& over_ranks) {
      EXPECT_EQ(wander(over_ranks, plan, detours), digests) << drawn.description(model);
    });
    ASSERT_EQ(difference(expected, actual), "") << drawn.description(model);
  }
}

TEST(RankSessions, WhatWasTakenBackHasNeverBeen) {
  for (int model = 0; model < scaled(12); ++model) {
    std::mt19937_64 random(static_cast<std::uint64_t>(model) + 16001);
    const TangleParams params = random_tangle(random);
    try_detours(params, sequential_run(random() % 1000 + 1, kForever), random, model, [](Config&) {});
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(LongRankSessions, FiveHundredRandomWalks) {
  for (int model = 1000; model < 1125; ++model) {
    std::mt19937_64 random(static_cast<std::uint64_t>(model) + 16001);
    const TangleParams params = random_tangle(random);
    try_detours(params, sequential_run(random() % 1000 + 1, kForever), random, model, [](Config&) {});
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(RankSessions, ConservativelyToo) {
  for (int model = 0; model < scaled(6); ++model) {
    std::mt19937_64 random(static_cast<std::uint64_t>(model) + 17001);
    TangleParams params = random_tangle(random);
    params.gap = 0.25;
    try_detours(params, sequential_run(random() % 1000 + 1, kForever), random, model, [](Config& config) {
      config.sync = Sync::conservative;
      config.lookahead = 0.25;
      config.window.reset();
      config.throttle = Throttle::balanced;
    });
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(RankSessions, BranchesAreIndependent) {
  for (int model = 0; model < scaled(6); ++model) {
    std::mt19937_64 random(static_cast<std::uint64_t>(model) + 18001);
    const TangleParams params = random_tangle(random);
    const Config base = sequential_run(random() % 1000 + 1, kForever);
    std::vector<std::function<void(Steps&)>> alternatives;
    for (const std::uint64_t choice : {random(), random(), random()})
      alternatives.push_back(
          [&params, choice](Steps& steps) { TangleSession::disturb(steps, params, choice); });
    const auto digests_of = [&](TangleSession& session) {
      session.steps().run_until(1.5);
      std::vector<std::uint64_t> digests;
      for (const Report& report : session.steps().branch(alternatives, 3)) digests.push_back(report.digest);
      session.steps().run_until(kForever);
      return digests;
    };
    TangleSession alone(params, base);
    const std::vector<std::uint64_t> digests = digests_of(alone);
    const TangleResult expected = run_tangle(params, base);
    for (int variant = 0; variant < 3; ++variant) {
      const Drawn drawn(random, base);
      const TangleResult actual = drawn.walk(params, [&](TangleSession& session) {
        EXPECT_EQ(digests_of(session), digests) << drawn.description(model);
      });
      ASSERT_EQ(difference(expected, actual), "") << drawn.description(model);
    }
  }
}

/// Also to earlier times than those that the ranks had reached when they were stopped.
TEST(RankSessions, GoOnBehindAStop) {
  int with_stops = 0;  // models without one show nothing
  for (int model = 0; with_stops < scaled(8); ++model) {
    std::mt19937_64 random(static_cast<std::uint64_t>(model) + 19001);
    TangleParams params = random_tangle(random);
    params.stops = 0.005;
    const Config base = sequential_run(random() % 1000 + 1, kForever);
    const auto stops_of = [](TangleSession& session, bool with_detours) {
      Steps& steps = session.steps();
      std::vector<Time> times;
      for (int step = 0; step < 12; ++step) {
        std::optional<Mark> mark;
        if (with_detours) {
          mark = steps.mark();
          for (int n = 0; n < 2 && steps.run_until(kForever) == Ending::stopped; ++n) session.disturb(7);
          steps.rewind(*mark);
        }
        const Ending ending = steps.run_until(step % 3 ? kForever : steps.now() + 0.3);
        if (mark) steps.accept(*mark);
        times.push_back(steps.now());
        if (ending == Ending::finished && step % 3) break;
        session.disturb(times.size());
      }
      return times;
    };
    TangleSession alone(params, base);
    const std::vector<Time> times = stops_of(alone, false);
    if (times.size() < 4) continue;
    const TangleResult expected = alone.result();
    ++with_stops;
    for (int variant = 0; variant < 3; ++variant) {
      const Drawn drawn(random, base);
      const TangleResult actual = drawn.walk(params, [&](TangleSession& session) {
        EXPECT_EQ(stops_of(session, variant % 2), times) << drawn.description(model);
      });
      ASSERT_EQ(difference(expected, actual), "") << drawn.description(model);
    }
  }
}

TEST(RankSessions, AreTakenBackFromAFault) {
  int failures = 0;  // models without one show nothing
  for (int model = 0; failures < scaled(6); ++model) {
    std::mt19937_64 random(static_cast<std::uint64_t>(model) + 20001);
    TangleParams params = random_tangle(random);
    params.faults = 0.01;
    const Config base = sequential_run(random() % 1000 + 1, kForever);
    std::optional<SimulationError> expected;
    try {
      run_tangle(params, base);
    } catch (const SimulationError& error) {
      expected = error;
    }
    if (!expected || expected->time() == 0) continue;
    ++failures;
    TangleSession alone(params, base);
    alone.steps().run_until(expected->time());
    const TangleResult before_it = alone.result();
    for (int variant = 0; variant < 3; ++variant) {
      const Drawn drawn(random, base);
      const TangleResult actual = drawn.walk(params, [&](TangleSession& session) {
        Steps& steps = session.steps();
        steps.run_until(expected->time() / 2);
        const Mark mark = steps.mark();
        for (int attempt = 0; attempt < 2; ++attempt) {
          try {
            steps.run_until(kForever);
            ADD_FAILURE() << "no failure: " << drawn.description(model);
          } catch (const SimulationError& error) {
            EXPECT_STREQ(error.what(), expected->what());
          }
          EXPECT_THROW(steps.run_until(kForever), std::logic_error);
          steps.rewind(mark);
        }
        steps.run_until(expected->time());
        steps.accept(mark);
      });
      ASSERT_EQ(difference(before_it, actual), "") << drawn.description(model);
    }
  }
}

/// Rank 0 shows the events of all, each when it commits for good.
TEST(RankSessions, TheTraceIsThatOfOneProcess) {
  std::size_t lines = 0;
  for (int model = 0; model < scaled(6); ++model) {
    std::mt19937_64 random(static_cast<std::uint64_t>(model) + 21001);
    const TangleParams params = random_tangle(random);
    const Config base = sequential_run(random() % 1000 + 1, kForever);
    const std::uint64_t plan = random();
    const auto shown_into = [](Config config, std::vector<std::string>& shown) {
      config.trace.show = [&shown](const CommittedEvent& e) {
        shown.push_back(fmt::format("{} {} {} {} {}", e.time, e.lp_type, e.lp, e.event, e.payload));
      };
      return config;
    };
    std::vector<std::string> expected;
    TangleSession alone(params, shown_into(base, expected));
    wander(alone, plan, std::nullopt);
    lines += expected.size();
    for (int variant = 0; variant < 3; ++variant) {
      Drawn drawn(random, base);
      const std::optional<std::uint64_t> detours = variant ? std::optional(random()) : std::nullopt;
      std::vector<std::string> actual;
      drawn.config = shown_into(drawn.config, actual);
      drawn.walk(params, [&](TangleSession& session) { wander(session, plan, detours); });
      ASSERT_EQ(actual, expected) << drawn.description(model);
    }
  }
  EXPECT_GT(lines, 500u);
}

/// Of two ranks that each do `act` with a session: the InputErrors that they get.
std::vector<std::string> errors_of(const std::function<void(Steps&, unsigned)>& act) {
  std::vector<std::string> errors(2);
  transport::LocalCluster local(2);
  for_all_ranks(2, [&](unsigned rank) {
    transport::Cluster cluster(local.transport(rank));
    Config config;
    config.workers = 1;
    config.cluster = &cluster;
    TangleParams params;
    params.lps_per_type = 8;
    {
      TangleSession session(params, config);
      try {
        act(session.steps(), rank);
      } catch (const InputError& error) {
        errors[rank] = error.what();
        EXPECT_THROW(session.steps().mark(), std::logic_error);
      }
    }
    cluster.transport().finish();
  });
  return errors;
}

TEST(RankSessions, DifferentCallsAreErrorsOnBothRanks) {
  const auto expect = [](const std::string& calls, const std::function<void(Steps&, unsigned)>& act) {
    const std::string message = "ranks 0 and 1 make different calls of the session: " + calls;
    EXPECT_EQ(errors_of(act), std::vector<std::string>(2, message));
  };
  expect("run_until(1) and run_until(2)", [](Steps& steps, unsigned rank) { steps.run_until(1 + rank); });
  expect("mark() and report()",
         [](Steps& steps, unsigned rank) { rank ? (void)steps.report() : (void)steps.mark(); });
  expect("accept(mark 1) and rewind(mark 1)", [](Steps& steps, unsigned rank) {
    const Mark mark = steps.mark();
    rank ? steps.rewind(mark) : steps.accept(mark);
  });
  expect("schedule(Cell 3, 2, Ping) and schedule(Cell 4, 2, Ping)", [](Steps& steps, unsigned rank) {
    steps.run_until(1);
    steps.schedule(steps.id<Cell>(2), 2, Ping{});
    steps.schedule(steps.id<Cell>(3 + rank), 2, Ping{});
    steps.run_until(3);
  });
  expect("run_until(3) and schedule(Bag 1, 2, Ping, priority 1, in order)", [](Steps& steps, unsigned rank) {
    if (rank) steps.schedule(steps.id<Bag>(1), 2, Ping{}, {.priority = 1, .in_order = true});
    steps.run_until(3);
  });
  expect("report() and schedule(Gate 0, 2, Ping)", [](Steps& steps, unsigned rank) {
    for (int n = 0; n < 5000 && rank == 1; ++n) steps.schedule(steps.id<Gate>(0), 2, Ping{});
    steps.report();
  });
}

TEST(RankSessions, ARankThatEndsItsSessionLeavesNoOtherWaiting) {
  std::vector<std::string> errors(2);
  transport::LocalCluster local(2);
  for_all_ranks(2, [&](unsigned rank) {
    transport::Cluster cluster(local.transport(rank));
    Config config;
    config.workers = 1;
    config.cluster = &cluster;
    try {
      TangleSession session({}, config);
      if (rank == 0) session.steps().run_until(1);
    } catch (const InputError& error) {
      errors[rank] = error.what();
    }
    cluster.transport().finish();
  });
  EXPECT_EQ(errors[0],
            "ranks 0 and 1 make different calls of the session: run_until(1) and the end of the session");
  EXPECT_EQ(errors[1], "");
}

/// What all ranks ask for alike is refused on all of them, and does the session no harm.
TEST(RankSessions, WrongArgumentsAreRefusedOnAllRanks) {
  const auto errors = errors_of([](Steps& steps, unsigned) {
    steps.run_until(2);
    EXPECT_THROW(steps.run_until(1), InputError);
    EXPECT_THROW(steps.schedule(steps.id<Cell>(0), 1, Ping{}), InputError);
    EXPECT_THROW(steps.schedule(steps.id<Cell>(99), 3, Ping{}), InputError);
    EXPECT_THROW(steps.rewind(Mark(7)), std::invalid_argument);
    steps.schedule(steps.id<Cell>(0), 3, Ping{});
    EXPECT_EQ(steps.run_until(4), Ending::finished);
  });
  EXPECT_EQ(errors, std::vector<std::string>(2));
}

TEST(RankSessions, GatherTellsAllRanksOfAllLps) {
  TangleParams params;
  params.lps_per_type = 9;
  TangleSession alone(params, sequential_run(3));
  alone.steps().run_until(4);
  const auto read = [](const Cell& cell) { return std::vector<std::uint64_t>{cell.sum, cell.pings}; };
  const auto expected = alone.steps().gather<Cell>(read);
  EXPECT_EQ(expected[5], read(alone.steps().lp<Cell>(5)));
  Config config = sequential_run(3);
  config.sync = Sync::optimistic;
  config.workers = 1;
  std::vector<int> here(9);
  walk_over_ranks(params, config, 3, {}, [&](TangleSession& session) {
    Steps& steps = session.steps();
    steps.run_until(4);
    EXPECT_EQ(steps.gather<Cell>(read), expected);
    const std::vector<unsigned> rank_of = steps.gather<Cell>([&](const Cell&) { return steps.rank(); });
    for (std::uint32_t k = 0; k < 9; ++k) {
      EXPECT_EQ(steps.is_here<Cell>(k), rank_of[k] == steps.rank());
      if (!steps.is_here<Cell>(k)) {
        EXPECT_THROW(steps.lp<Cell>(k), std::out_of_range);
      }
    }
    EXPECT_FALSE(steps.is_here<Cell>(9));
  });
}

/// What ranks keep of the messages between them goes when a stretch is taken back.
TEST(RankSessions, MemoryDoesNotGrowWithTheStretchesThatWereTakenBack) {
  TangleParams params;
  params.lps_per_type = 20;
  params.roots = 6;
  Config config = sequential_run(5);
  config.sync = Sync::optimistic;
  config.workers = config.pes = 1;
  walk_over_ranks(params, config, 2, {}, [](TangleSession& session) {
    Steps& steps = session.steps();
    const auto most_waiting = [&] {
      std::uint64_t most = 0;
      for (const PeReport& pe : steps.report().pes) most = std::max(most, pe.most_waiting_blocks);
      return most;
    };
    steps.run_until(0.5);
    const Mark mark = steps.mark();
    const auto go_and_come_back = [&](int times) {
      for (; times > 0; --times) {
        steps.run_until(kForever);
        steps.rewind(mark);
      }
    };
    go_and_come_back(2);
    const std::uint64_t before = most_waiting();
    EXPECT_GT(before, 1000u);
    go_and_come_back(20);
    EXPECT_LT(most_waiting(), 3 * before);
    steps.accept(mark);
  });
}

TEST(RankSessions, NoRunIsPossibleBesideASession) {
  const auto errors = errors_of([](Steps& steps, unsigned) { steps.run_until(1); });
  EXPECT_EQ(errors, std::vector<std::string>(2));
  transport::LocalCluster local(2);
  for_all_ranks(2, [&](unsigned rank) {
    transport::Cluster cluster(local.transport(rank));
    Config config;
    config.until = 2;
    config.workers = 1;
    config.cluster = &cluster;
    {
      TangleSession session({}, config);
      EXPECT_THROW(run_tangle({}, config), std::logic_error);
      session.steps().run_until(1);
    }
    run_tangle({}, config);
    cluster.transport().finish();
  });
}

}  // namespace
}  // namespace anachron::test
