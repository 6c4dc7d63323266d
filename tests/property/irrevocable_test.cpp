// Irrevocable events are executed once, at the right time, in every mode: what their handlers do cannot be
// undone, and is compared with the sequential run.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include <anachron/anachron.hpp>

#include "property/random_options.hpp"
#include "scale.hpp"
#include "support/odd_parts.hpp"

namespace anachron::test {
namespace {

struct MillParams {
  std::uint32_t grinders = 8, printers = 2;
  std::uint32_t roots = 3, life = 10;
  double announced = 0.2, printed = 0.2;  // shares of irrevocable events
  double zero_delay = 0.2, tie = 0.2;
  double gap = 0;  // least delay of sends to others
  double stops = 0, faults = 0;
};

/// What irrevocable handlers have written themselves, per LP, and what at commit, which comes later.
struct MillOutput {
  explicit MillOutput(const MillParams& params)
      : of_lp(params.grinders + params.printers), at_commit(params.grinders) {}
  mutable std::vector<std::vector<std::uint64_t>> of_lp, at_commit;
};

struct Grind {
  std::uint32_t life = 0;
  std::uint64_t value = 0;
};
struct Turn : Grind {
  static constexpr Order order{.in_order = true};
};
struct Announce : Grind {
  static constexpr auto execution = irrevocable;
};
struct Print : Grind {
  static constexpr Order order{.priority = 1, .in_order = true};
};

struct MillBase {
  using Params = MillParams;
  using Shared = MillOutput;
  static double lookahead(const Params& params) { return params.gap; }
  static bool may_stop(const Params& params) { return params.stops > 0; }
};

struct Printer;

/// Some of its events are irrevocable; the others are undone by copies, rare ones too, and by reversers.
struct Grinder : MillBase {
  std::uint64_t sum = 0;
  std::vector<std::uint64_t> recent;

  static std::uint32_t count(const Params& params) { return params.grinders; }
  void start(Context<Grinder>& cx);
  void on(Context<Grinder>& cx, const Grind& grind);
  void on(Context<Grinder>& cx, const Announce& announce);
  auto on(Context<Grinder>& cx, const Turn& turn);
  friend bool operator==(const Grinder& a, const Grinder& b) {
    return a.sum == b.sum && a.recent == b.recent;
  }
};

/// All its events are irrevocable: it cannot even be copied.
struct Printer : MillBase {
  static constexpr auto execution = irrevocable;
  std::unique_ptr<std::uint64_t> total = std::make_unique<std::uint64_t>(0);

  static std::uint32_t count(const Params& params) { return params.printers; }
  void on(Context<Printer>& cx, const Print& print);
};

template <class Lp>
void pass_on(Context<Lp>& cx, std::uint32_t life, std::uint64_t value) {
  const MillParams& params = cx.params();
  Rng& rng = cx.rng();
  if (params.stops > 0 && rng.bernoulli(params.stops)) cx.stop();
  if (params.faults > 0 && rng.bernoulli(params.faults)) throw std::runtime_error("broken");
  if (life == 0) return;
  const auto send = [&](auto to, bool is_self, auto event) {
    event.life = life - 1;
    event.value = value * 6364136223846793005u + rng.below(100u);
    const double gap = is_self ? 0 : params.gap, kind = rng.uniform();
    const int priority = static_cast<int>(rng.below(3u)) - 1;
    if (kind < params.zero_delay)
      cx.send(to, gap, event);
    else if (kind < params.zero_delay + params.tie / 2)
      cx.send_at(to, std::ceil(cx.now() + gap) + 1, event,
                 {.priority = priority, .in_order = event.value % 2 > 0});
    else if (kind < params.zero_delay + params.tie)
      cx.send_at(to, std::ceil(cx.now() + gap) + 1, event);
    else
      cx.send(to, gap + rng.exponential(1.0), event);
  };
  for (std::uint32_t n = rng.below(3u); n > 0; --n) {
    const std::uint32_t k = rng.below(cx.template lp_count<Grinder>());
    const auto grinder = cx.template id<Grinder>(k);
    const bool is_self = std::is_same_v<Lp, Grinder> && k == cx.self().index();
    const double kind = rng.uniform();
    if (kind < params.printed)
      send(cx.template id<Printer>(rng.below(cx.template lp_count<Printer>())), false, Print{});
    else if (kind < params.printed + params.announced)
      send(grinder, is_self, Announce{});
    else if (rng.bernoulli(0.3))
      send(grinder, is_self, Turn{});
    else
      send(grinder, is_self, Grind{});
  }
}

void Grinder::start(Context<Grinder>& cx) {
  for (std::uint32_t i = 0; i < cx.params().roots; ++i) {
    cx.send(cx.self(), cx.rng().exponential(1.0), Grind{cx.params().life, cx.rng().bits()});
    cx.send(cx.self(), cx.rng().exponential(1.0), Announce{{cx.params().life, cx.rng().bits()}});
  }
}
void Grinder::on(Context<Grinder>& cx, const Grind& grind) {
  sum = sum * 31 + grind.value;
  recent.push_back(grind.value);
  if (recent.size() > 20) recent.erase(recent.begin());
  cx.on_commit([&then = cx.shared().at_commit[cx.self().index()], value = sum] { then.push_back(value); });
  pass_on(cx, grind.life, sum);
}
auto Grinder::on(Context<Grinder>& cx, const Turn& turn) {
  sum += turn.value;
  pass_on(cx, turn.life, sum);
  return [value = turn.value](Grinder& grinder) { grinder.sum -= value; };
}
void Grinder::on(Context<Grinder>& cx, const Announce& announce) {
  sum ^= announce.value;
  auto& output = cx.shared().of_lp[cx.self().index()];
  output.push_back(sum + recent.size());
  output.push_back(static_cast<std::uint64_t>(cx.now() * 1e6));
  cx.on_commit([&then = cx.shared().at_commit[cx.self().index()], value = sum] { then.push_back(value); });
  pass_on(cx, announce.life, sum);
}
void Printer::on(Context<Printer>& cx, const Print& print) {
  *total = *total * 31 + print.value;
  cx.shared().of_lp[cx.params().grinders + cx.self().index()].push_back(*total);
  pass_on(cx, print.life, *total);
}

struct MillResult {
  std::string error = "none";
  Report report;
  std::vector<Grinder> grinders;
  std::vector<std::uint64_t> totals;
  std::vector<std::vector<std::uint64_t>> output, at_commit;
};

MillResult run_mill(const MillParams& params, const Config& config) {
  Simulation<Grinder, Printer> mill;
  mill.config = config;
  mill.params<MillParams>() = params;
  const auto output = std::make_shared<const MillOutput>(params);
  mill.shared<MillOutput>(output);
  MillResult result;
  try {
    result.report = mill.run();
    for (std::uint32_t i = 0; i < params.grinders; ++i) result.grinders.push_back(mill.lp<Grinder>(i));
    for (std::uint32_t i = 0; i < params.printers; ++i) result.totals.push_back(*mill.lp<Printer>(i).total);
  } catch (const SimulationError& error) {
    result.error = error.what();
  }
  result.output = output->of_lp;
  result.at_commit = output->at_commit;
  return result;
}

std::string difference(const MillResult& a, const MillResult& b) {
  if (a.error != b.error) return "error: " + a.error + " and " + b.error;
  if (a.report.committed != b.report.committed) return "committed";
  if (a.report.digest != b.report.digest) return "digest";
  if (a.report.ending != b.report.ending) return "ending";
  if (a.grinders != b.grinders) return "state of a Grinder";
  if (a.totals != b.totals) return "state of a Printer";
  if (a.output != b.output) return "output of irrevocable events";
  if (a.at_commit != b.at_commit) return "output at commit";
  return {};
}

MillParams random_params(std::mt19937_64& random) {
  MillParams params;
  params.grinders = static_cast<std::uint32_t>(1 + random() % 12);
  params.printers = static_cast<std::uint32_t>(1 + random() % 3);
  params.life = static_cast<std::uint32_t>(4 + random() % 8);
  params.announced = one_of(random, {0.0, 0.05, 0.3});
  params.printed = one_of(random, {0.0, 0.05, 0.3});
  params.zero_delay = static_cast<double>(random() % 4) * 0.1;
  params.tie = static_cast<double>(random() % 4) * 0.1;
  return params;
}

Config sequential(std::mt19937_64& random) {
  Config config;
  config.sync = Sync::sequential;
  config.seed = random() % 1000 + 1;
  config.tie_seed = random() % 1000;
  config.until = random() % 3 ? kForever : 4.5;
  return config;
}

Config parallel(std::mt19937_64& random, Config config) {
  config.sync = Sync::optimistic;
  config.workers = one_of(random, {1u, 2u, 2u, 3u});
  config.pes = *config.workers + one_of(random, {0u, 0u, 1u, 3u});
  config.queue = one_of(random, {Queue::radix, Queue::heap, Queue::ladder, Queue::splay});
  config.partition = one_of(random, {Partition::block, Partition::round_robin, Partition::random});
  config.checkpoint_interval = one_of<std::optional<unsigned>>(random, {std::nullopt, 1u, 2u, 7u, 100u});
  config.throttle = one_of(random, {Throttle::none, Throttle::fixed});
  config.batch = one_of(random, {1u, 2u, 7u, 64u});
  if (random() % 2) config.gvt_interval = one_of(random, {1u, 10u, 100u});
  config.lps_per_group = one_of(random, {1u, 1u, 2u, 1000u});
  config.test_chaos = random() % 2 ? static_cast<unsigned>(1 + random() % 1000) : 0;
  if (random() % 2) config.seams = odd_parts(random() % 1000);
  return config;
}

void expect_same(const MillParams& params, const Config& base, const MillResult& expected,
                 std::mt19937_64& random) {
  for (int variant = 0; variant < 5; ++variant) {
    const Config config = parallel(random, base);
    ASSERT_EQ(difference(expected, run_mill(params, config)), "") << describe(config);
  }
}

TEST(Irrevocable, AreExecutedOnceInRandomModelsUnderRandomOptions) {
  for (int model = 0; model < scaled(20); ++model) {
    std::mt19937_64 random(static_cast<std::uint64_t>(model) + 1);
    const MillParams params = random_params(random);
    const Config base = sequential(random);
    const MillResult expected = run_mill(params, base);
    for (int variant = 0; variant < 6; ++variant) {
      const Config config = parallel(random, base);
      ASSERT_EQ(difference(expected, run_mill(params, config)), "")
          << "model " << model << ", " << describe(config);
    }
  }
}

// Sequentially and in parallel; a Printer has nothing to compare, and no note says so: it is not checked.
TEST(Irrevocable, AreNotRepeatedByTheRollbackCheck) {
  for (int model = 0; model < scaled(6); ++model) {
    std::mt19937_64 random(static_cast<std::uint64_t>(model) + 1001);
    const MillParams params = random_params(random);
    const Config base = sequential(random);
    const MillResult expected = run_mill(params, base);
    Config checked = base;
    for (int variant = 0; variant < 3; ++variant) {
      checked.check_rollback = true;
      const MillResult actual = run_mill(params, checked);
      ASSERT_EQ(difference(expected, actual), "")
          << "model " << model << (variant ? ", " + describe(checked) : std::string(", sequential"));
      EXPECT_TRUE(actual.report.notes.empty());
      checked = parallel(random, base);
    }
  }
}

TEST(Irrevocable, NoneIsExecutedBeyondAStop) {
  int stopped = 0;
  for (int model = 0; model < scaled(15); ++model) {
    SCOPED_TRACE(model);
    std::mt19937_64 random(static_cast<std::uint64_t>(model) + 2001);
    MillParams params = random_params(random);
    params.stops = 0.03;
    const Config base = sequential(random);
    const MillResult expected = run_mill(params, base);
    stopped += expected.report.ending == Ending::stopped;
    expect_same(params, base, expected, random);
  }
  EXPECT_GT(stopped, 0);
}

TEST(Irrevocable, NoneIsExecutedBeyondAFailure) {
  int failures = 0;
  for (int model = 0; model < scaled(15); ++model) {
    SCOPED_TRACE(model);
    std::mt19937_64 random(static_cast<std::uint64_t>(model) + 3001);
    MillParams params = random_params(random);
    params.faults = 0.03;
    const Config base = sequential(random);
    const MillResult expected = run_mill(params, base);
    failures += expected.error != "none";
    expect_same(params, base, expected, random);
  }
  EXPECT_GT(failures, 0);
}

// Without history they are certain at once; with it, kept where the model may stop, they wait for it.
TEST(Irrevocable, ConservativeRunsGiveTheSame) {
  for (int model = 0; model < scaled(12); ++model) {
    std::mt19937_64 random(static_cast<std::uint64_t>(model) + 4001);
    MillParams params = random_params(random);
    params.gap = one_of(random, {0.1, 0.5, 1.0});
    if (model % 2) params.stops = 0.01;
    const Config base = sequential(random);
    const MillResult expected = run_mill(params, base);
    for (int variant = 0; variant < 4; ++variant) {
      Config config = parallel(random, base);
      config.sync = Sync::conservative;
      config.check_rollback = variant == 3;
      ASSERT_EQ(difference(expected, run_mill(params, config)), "")
          << "model " << model << ", " << describe(config);
    }
  }
}

/// The end of what `session` was told to run, or where an irrevocable event was due in a stretch that could
/// be taken back.
std::optional<Time> refusal(Session<Grinder, Printer>& session, Time until) {
  try {
    session.run_until(until);
  } catch (const SimulationError& error) {
    EXPECT_NE(std::string(error.what()).find("after a mark"), std::string::npos) << error.what();
    return error.time();
  }
  return std::nullopt;
}

/// The same in steps, between which it looks ahead, often into a refusal, and goes back.
MillResult run_mill_with_looks_ahead(const MillParams& params, const Config& config, std::uint64_t seed,
                                     std::vector<std::optional<Time>>& refusals) {
  std::mt19937_64 random(seed);
  Simulation<Grinder, Printer> mill;
  mill.config = config;
  mill.params<MillParams>() = params;
  const auto output = std::make_shared<const MillOutput>(params);
  mill.shared<MillOutput>(output);
  auto session = mill.open();
  MillResult result;
  for (Time time = 0; time < 5; time += static_cast<double>(random() % 4) * 0.3) {
    session.run_until(std::min(time, config.until));
    const auto of_lp = output->of_lp, at_commit = output->at_commit;
    const Mark mark = session.mark();
    for (auto attempts = random() % 3; attempts > 0; --attempts) {
      const Time far = session.now() + static_cast<double>(random() % 8) * 0.5;
      const auto refused = refusal(session, far);
      refusals.push_back(refused);
      if (refused) {
        EXPECT_THROW(session.accept(mark), std::logic_error);
        EXPECT_THROW(session.run_until(kForever), std::logic_error);
      }
      EXPECT_EQ(output->of_lp, of_lp) << "an irrevocable event was executed in a stretch";
      EXPECT_EQ(output->at_commit, at_commit) << "nothing commits in a stretch";
      session.rewind(mark);
      // Up to the refused event all may be kept.
      if (refused && *refused >= session.now() && *refused <= config.until && random() % 2) {
        EXPECT_EQ(refusal(session, *refused), std::nullopt);
        if (random() % 2) session.rewind(mark);
      }
    }
    session.accept(mark);
    time = std::max(time, session.now());
  }
  session.run_until(config.until);
  result.report = session.report();
  for (std::uint32_t i = 0; i < params.grinders; ++i) result.grinders.push_back(session.lp<Grinder>(i));
  for (std::uint32_t i = 0; i < params.printers; ++i) result.totals.push_back(*session.lp<Printer>(i).total);
  result.output = output->of_lp;
  result.at_commit = output->at_commit;
  return result;
}

// In a stretch that can be taken back they are refused, always the same one, and afterwards all is as if
// there had been no stretch.
TEST(Irrevocable, SessionsRefuseThemBehindAMarkAndExecuteThemLater) {
  std::size_t refused = 0;
  for (int model = 0; model < scaled(15); ++model) {
    std::mt19937_64 random(static_cast<std::uint64_t>(model) + 5001);
    MillParams params = random_params(random);
    params.printed = one_of(random, {0.05, 0.3});
    if (model % 3 == 0) params.gap = 0.5;
    Config base = sequential(random);
    if (base.until != kForever) base.until = 6;  // behind all looks ahead
    const MillResult expected = run_mill(params, base);
    const std::uint64_t seed = random();
    std::optional<std::vector<std::optional<Time>>> expected_refusals;
    for (int variant = 0; variant < 6; ++variant) {
      Config config = variant ? parallel(random, base) : base;
      if (params.gap > 0 && variant == 1) config.sync = Sync::conservative;
      config.check_rollback = variant == 5;
      const std::string how = variant ? describe(config) : "--sync sequential";
      SCOPED_TRACE(testing::Message() << "model " << model << ", " << how);
      std::vector<std::optional<Time>> refusals;
      ASSERT_EQ(difference(expected, run_mill_with_looks_ahead(params, config, seed, refusals)), "");
      if (!expected_refusals) expected_refusals = refusals;
      ASSERT_EQ(refusals, *expected_refusals);
      refused += static_cast<std::size_t>(
          std::ranges::count_if(refusals, [](const auto& time) { return time.has_value(); }));
      if (testing::Test::HasFailure()) return;
    }
  }
  EXPECT_GT(refused, 0u);
}

TEST(Irrevocable, AnLpTypeOfIrrevocableEventsNeedsNoCopies) {
  std::mt19937_64 random(1);
  const MillParams params;
  const Config base = sequential(random);
  Config config = parallel(random, base);
  config.rollback = Rollback::copy;
  EXPECT_EQ(difference(run_mill(params, base), run_mill(params, config)), "");
}

}  // namespace
}  // namespace anachron::test
