// Conservative runs give the sequential results, for random models with lookahead under random options; what
// they refuse, and how they end.

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>

#include "engine/seams.hpp"
#include "gvt/gvt_manager.hpp"
#include "property/random_options.hpp"
#include "property/tangle.hpp"
#include "scale.hpp"
#include "sched/scheduled_workers.hpp"
#include "support/odd_parts.hpp"

namespace anachron::test {
namespace {

/// With a lookahead that is often exactly a delay or the distance of whole times: many ties at the horizon.
TangleParams random_params(std::mt19937_64& random) {
  TangleParams params = random_tangle(random);
  params.gap = one_of(random, {0.1, 0.25, 0.5, 1.0});
  params.clusters = one_of(random, {0u, 1u, 3u, 5u});
  return params;
}

Config conservative(std::mt19937_64& random, Config config) {
  config.sync = Sync::conservative;
  config.workers = one_of(random, {1u, 2u, 2u, 3u});
  config.pes = *config.workers + one_of(random, {0u, 0u, 1u, 4u});
  config.queue = one_of(random, {Queue::radix, Queue::heap, Queue::ladder, Queue::splay});
  config.partition = random_partition(random);
  config.batch = one_of(random, {1u, 2u, 7u, 64u, 1000u});
  if (random() % 2) config.gvt_interval = one_of(random, {1u, 10u, 100u, 2000u});
  config.gvt = one_of(random, {Gvt::epoch, Gvt::barrier});
  config.lps_per_group = one_of(random, {1u, 2u, 1000u});
  config.test_chaos = random() % 2 ? static_cast<unsigned>(1 + random() % 1000) : 0;
  if (random() % 2) config.seams = odd_parts(random() % 1000);
  config.migration = one_of(random, {Migration::automatic, Migration::on, Migration::off});
  return config;
}

std::string description(const TangleParams& params, const Config& config) {
  return "gap " + std::to_string(params.gap) + ", clusters " + std::to_string(params.clusters) +
         test::describe(config);
}

std::string failure(const TangleParams& params, const Config& config) {
  try {
    run_tangle(params, config);
  } catch (const SimulationError& error) {
    return error.what();
  }
  return "none";
}

TEST(Conservative, RandomModelsUnderRandomOptions) {
  for (int model = 0; model < scaled(20); ++model) {
    std::mt19937_64 random(static_cast<std::uint64_t>(model) + 5001);
    const TangleParams params = random_params(random);
    const Config base = sequential_run(random() % 1000 + 1, random() % 3 ? kForever : 4.5);
    const TangleResult expected = run_tangle(params, base);
    ASSERT_GT(expected.report.committed, 0u);
    for (int variant = 0; variant < 5; ++variant) {
      const Config config = conservative(random, base);
      const TangleResult actual = run_tangle(params, config);
      ASSERT_EQ(difference(expected, actual), "") << "model " << model << ", " << description(params, config);
      EXPECT_EQ(actual.report.executed, actual.report.committed) << "nothing is executed in vain";
      EXPECT_EQ(actual.report.state_copies, 0u);
    }
  }
}

/// Terms in windows and ahead alternately, with some of the workers or all.
class AlternatingTerms final : public sched::ActiveWorkers {
 public:
  AlternatingTerms(unsigned most, std::uint64_t seed, std::atomic<int>& terms_in_windows)
      : most_(most), random_(seed), terms_in_windows_(terms_in_windows) {}
  unsigned count() const override { return count_; }
  bool goes_in_order() const override { return is_in_order_; }
  bool goes_in_windows() const override { return is_in_windows_; }
  void begin_term(const gvt::TermFacts&) override { looks_ = 1 + random_() % 4; }
  bool ends_term(const gvt::TermFacts&) override { return looks_ > 0 && --looks_ == 0; }
  void choose(const gvt::TermFacts&, Cause cause) override {
    terms_in_windows_ += is_in_windows_;
    is_in_order_ = cause == Cause::asked && random_() % 5 == 0;
    is_in_windows_ = !is_in_order_ && random_() % 2 == 0;
    count_ = is_in_order_ ? 1 : 1 + static_cast<unsigned>(random_() % most_);
  }

 private:
  const unsigned most_;
  unsigned count_ = 1;
  bool is_in_order_ = false, is_in_windows_ = true;
  std::mt19937_64 random_;
  std::uint64_t looks_ = 1;
  std::atomic<int>& terms_in_windows_;
};

// What a term leaves behind is what the next one, of another way, begins with.
TEST(Conservative, TermsInWindowsAmongOthers) {
  std::atomic<int> terms_in_windows = 0;
  for (int model = 0; model < scaled(20); ++model) {
    std::mt19937_64 random(static_cast<std::uint64_t>(model) + 9001);
    const TangleParams params = random_params(random);
    const Config base = sequential_run(random() % 1000 + 1, random() % 3 ? kForever : 4.5);
    const TangleResult expected = run_tangle(params, base);
    for (int variant = 0; variant < 5; ++variant) {
      Config config = random_optimistic(random, base);
      config.sync = Sync::automatic;
      config.mapping = Mapping::automatic;
      config.throttle = Throttle::balanced;
      config.window.reset();
      auto parts =
          config.seams ? std::make_shared<engine::Seams>(*config.seams) : std::make_shared<engine::Seams>();
      parts->active_workers = [&, seed = random()](const Config& c) {
        return std::make_unique<AlternatingTerms>(*c.workers, seed, terms_in_windows);
      };
      config.seams = std::move(parts);
      ASSERT_EQ(difference(expected, run_tangle(params, config)), "")
          << "model " << model << ", " << description(params, config);
    }
  }
  EXPECT_GT(terms_in_windows, scaled(20));
}

// Then nothing is before the horizon, and each round lets the first event of all happen.
TEST(Conservative, ALookaheadLostInRoundingIsSlowButRight) {
  std::mt19937_64 random(77);
  for (const bool checks : {false, true}) {
    TangleParams params;
    params.life = 4;
    params.gap = 1e-300;
    const Config base = sequential_run(5);
    const TangleResult expected = run_tangle(params, base);
    Config config = conservative(random, base);
    config.workers = 2;
    config.pes = 3;
    config.check_rollback = checks;
    EXPECT_EQ(difference(expected, run_tangle(params, config)), "") << description(params, config);
  }
}

TEST(Conservative, StopEndsAtTheSameEvent) {
  for (int model = 0; model < scaled(15); ++model) {
    std::mt19937_64 random(static_cast<std::uint64_t>(model) + 6001);
    TangleParams params = random_params(random);
    params.stops = 0.005;
    const Config base = sequential_run(random() % 1000 + 1);
    const TangleResult expected = run_tangle(params, base);
    for (int variant = 0; variant < 5; ++variant) {
      Config config = conservative(random, base);
      config.checkpoint_interval = one_of<std::optional<unsigned>>(random, {std::nullopt, 1u, 7u});
      ASSERT_EQ(difference(expected, run_tangle(params, config)), "")
          << "model " << model << ", " << description(params, config);
    }
  }
}

TEST(Conservative, AFaultIsTheSameAsSequentially) {
  int failures = 0;
  for (int model = 0; model < scaled(15); ++model) {
    std::mt19937_64 random(static_cast<std::uint64_t>(model) + 7001);
    TangleParams params = random_params(random);
    params.faults = 0.03;
    const Config base = sequential_run(random() % 1000 + 1);
    const std::string expected = failure(params, base);
    failures += expected != "none";
    for (int variant = 0; variant < 5; ++variant) {
      const Config config = conservative(random, base);
      ASSERT_EQ(expected, failure(params, config))
          << "model " << model << ", " << description(params, config);
    }
  }
  EXPECT_GT(failures, 0);
}

TEST(Conservative, TheRollbackCheckPassesAndChangesNothing) {
  for (int model = 0; model < scaled(5); ++model) {
    std::mt19937_64 random(static_cast<std::uint64_t>(model) + 8001);
    const TangleParams params = random_params(random);
    const Config base = sequential_run(random() % 1000 + 1);
    const TangleResult expected = run_tangle(params, base);
    Config config = conservative(random, base);
    config.check_rollback = true;
    ASSERT_EQ(difference(expected, run_tangle(params, config)), "")
        << "model " << model << ", " << description(params, config);
  }
}

// Whoever promises too much is told, the same in every partition and with the rollback check.
TEST(Conservative, ASendBelowTheLookaheadFailsAtTheFirst) {
  TangleParams params;
  params.gap = 0.25;
  std::mt19937_64 random(1);
  const Config base = sequential_run(3);
  std::string expected;
  for (int variant = 0; variant < 12; ++variant) {
    Config config = conservative(random, base);
    config.lookahead = 0.5;
    config.check_rollback = variant % 3 == 0;
    const std::string actual = failure(params, config);
    if (expected.empty()) expected = actual;
    EXPECT_EQ(expected, actual) << description(params, config);
  }
  EXPECT_NE(expected.find("which is below the lookahead 0.5 of LP type "), std::string::npos) << expected;
}

struct Nudge {};
struct Clock {  // each LP to the next, or to itself
  struct Params {
    double delay = 1;
    bool has_stop = false;
    bool declares = false;
  };
  std::uint32_t ticks = 0;
  static std::uint32_t count(const Params&) { return 4; }
  static bool may_stop(const Params& params) { return params.declares; }
  void start(Context<Clock>& cx) { cx.send_at(cx.self(), 1, Nudge{}); }
  void on(Context<Clock>& cx, const Nudge&) {
    if (++ticks == 5 && cx.params().has_stop && cx.self().index() == 2) cx.stop();
    if (ticks < 50) cx.send(cx.id((cx.self().index() + 1) % 4), cx.params().delay, Nudge{});
  }
};

template <class Error>
std::string refusal(Simulation<Clock>& simulation) {
  simulation.config.sync = Sync::conservative;
  simulation.config.workers = 2;
  try {
    simulation.run();
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

TEST(Conservative, AModelWithoutLookaheadIsTold) {
  Simulation<Clock> simulation;
  EXPECT_EQ(refusal<InputError>(simulation),
            "--sync conservative: LP type Clock declares no lookahead: give it a `static double "
            "lookahead(const Params&)`, the least delay of what its LPs send to others, or the run one with "
            "--run-lookahead");
  simulation.config.lookahead = 1;
  EXPECT_EQ(refusal<InputError>(simulation), "none");
}

TEST(Conservative, ALookaheadOfZeroIsRefused) {
  for (const double gap : {0.0, -1.0}) {
    TangleParams params;
    params.gap = gap;
    Config config = sequential_run(1);
    config.sync = Sync::conservative;
    try {
      run_tangle(params, config);
      FAIL() << "no error";
    } catch (const InputError& error) {
      EXPECT_NE(
          std::string(error.what()).find("the lookahead of LP type Cell is " + std::to_string(int(gap))),
          std::string::npos)
          << error.what();
    }
  }
}

TEST(Conservative, ATooEarlySendNamesBothLps) {
  Simulation<Clock> simulation;
  simulation.params<Clock>().delay = 0.75;
  simulation.config.lookahead = 1;
  const std::string error = refusal<SimulationError>(simulation);
  ASSERT_EQ(error.substr(0, 6), "Clock ");
  const int sender = error[6] - '0';  // all send at the same time: the tie decides
  EXPECT_EQ(error, "Clock " + std::to_string(sender) +
                       ": event Nudge at time 1: sends event Nudge to Clock " +
                       std::to_string((sender + 1) % 4) +
                       " with delay 0.75, which is below the lookahead 1 of LP type Clock (--sync "
                       "conservative)");
}

TEST(Conservative, AStopMustBeDeclared) {
  Simulation<Clock> simulation;
  simulation.params<Clock>().has_stop = true;
  simulation.config.lookahead = 1;
  EXPECT_EQ(refusal<SimulationError>(simulation),
            "Clock 2: event Nudge at time 5: stops the run, which other LPs may have passed: --sync "
            "conservative needs a `static bool may_stop(const Params&)` in LP type Clock that returns true");
  simulation.params<Clock>().declares = true;
  const Report report = (simulation.config.sync = Sync::conservative, simulation.run());
  simulation.config.sync = Sync::sequential;
  simulation.config.workers = 1;
  simulation.config.lookahead.reset();
  EXPECT_EQ(report.digest, simulation.run().digest);
  EXPECT_EQ(report.ending, Ending::stopped);
}

// An LP that sends to itself only has an endless lookahead.
struct Hermit {
  std::uint32_t ticks = 0;
  static std::uint32_t count(const NoParams&) { return 5; }
  static double lookahead(const NoParams&) { return kForever; }
  void start(Context<Hermit>& cx) { cx.send(cx.self(), 1, Nudge{}); }
  void on(Context<Hermit>& cx, const Nudge&) {
    if (++ticks < 100) cx.send(cx.self(), cx.rng().exponential(1), Nudge{});
  }
};

TEST(Conservative, AnEndlessLookaheadNeedsNoWindow) {
  Simulation<Hermit> simulation;
  simulation.config.sync = Sync::sequential;
  const Report expected = simulation.run();
  simulation.config.sync = Sync::conservative;
  simulation.config.workers = 2;
  simulation.config.gvt_interval = 1'000'000;
  const Report actual = simulation.run();
  EXPECT_EQ(expected.digest, actual.digest);
  EXPECT_EQ(expected.state_digest, actual.state_digest);
  EXPECT_LE(actual.gvt_rounds, 2u);
}

// An interrupted run ends when all PEs have come to the horizon, so that a time separates what was executed.
TEST(Conservative, AnInterruptLetsTheWindowEnd) {
  Config config;
  config.sync = Sync::conservative;
  config.workers = config.pes = 1;
  observe::RunControl control;
  const mem::Budget plenty(std::uint64_t{1} << 40, 1, mem::Budget::Reserve::none);
  const sched::FixedMapping mapping(1, 1);
  sched::AllWorkers all(1);
  sched::ScheduledWorkers workers(mapping, all);
  gvt::GvtManager manager(config, 1, control, plenty, {}, workers, 10.0);
  const auto conclude = [&](Time earliest) {
    const gvt::Summary summary{.earliest = event::EventKey{.time = earliest}, .halt = {}};
    return manager.conclude({&summary, 1});
  };
  EXPECT_EQ(conclude(1).horizon, 11);
  control.interrupt();
  const gvt::Round closing = conclude(5);
  EXPECT_EQ(closing.verdict, gvt::Verdict::go_on);
  EXPECT_EQ(closing.horizon, 11);
  EXPECT_EQ(conclude(10.5).verdict, gvt::Verdict::go_on);
  EXPECT_EQ(conclude(11).verdict, gvt::Verdict::interrupted);
}

TEST(Conservative, AnInterruptBeforeTheFirstRoundEndsAtOnce) {
  Config config;
  config.sync = Sync::conservative;
  config.workers = config.pes = 1;
  observe::RunControl control;
  const mem::Budget plenty(std::uint64_t{1} << 40, 1, mem::Budget::Reserve::none);
  const sched::FixedMapping mapping(1, 1);
  sched::AllWorkers all(1);
  sched::ScheduledWorkers workers(mapping, all);
  gvt::GvtManager manager(config, 1, control, plenty, {}, workers, 10.0);
  control.interrupt();
  const gvt::Summary summary{.earliest = event::EventKey{.time = 1}, .halt = {}};
  EXPECT_EQ(manager.conclude({&summary, 1}).verdict, gvt::Verdict::interrupted);
}

}  // namespace
}  // namespace anachron::test
