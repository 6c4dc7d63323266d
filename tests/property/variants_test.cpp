// Exact what-if: variants of random runs, with random changes, in any mode, are bit for bit what a sequential
// run with the changes is.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <anachron/run/report_json.hpp>

#include "property/random_options.hpp"
#include "property/tangle.hpp"
#include "property/tangle_session.hpp"
#include "scale.hpp"

namespace anachron::test {
namespace {

Steps open(const TangleParams& params, const Config& config) {
  Tangle tangle;
  tangle.config = config;
  tangle.params<TangleParams>() = params;
  return tangle.open();
}

/// An event or a change of a state, for a session or for a variant of one; `instead`: at that time.
template <class To>
EventHandle put(To& to, std::uint32_t lps, Time end, std::mt19937_64& random,
                std::optional<Time> instead = {}) {
  const auto k = static_cast<std::uint32_t>(random() % lps);
  const Time exact = static_cast<double>(random() % 1000) * 0.001 * end;
  Time time = random() % 2 ? exact : std::floor(exact);  // often whole, where others are
  if (instead) time = *instead;
  const std::uint64_t value = random();
  const auto life = static_cast<std::uint32_t>(value % 6);
  Order among;
  if (value % 5 < 2) among = {.priority = static_cast<int>(value % 3) - 1, .in_order = value % 2 == 0};
  const auto handle = [](const auto& made) {
    if constexpr (std::is_same_v<std::decay_t<decltype(made)>, EventHandle>)
      return made;
    else
      return EventHandle{};
  };
  switch (random() % 7) {
    case 0:
      return handle(to.schedule(Id<Cell>(k), time, Ping{life, value}, among));
    case 1:
      return handle(to.schedule(Id<Bag>(k), time,
                                Parcel{life, std::vector<std::uint64_t>(value % 4, value), "new"}, among));
    case 2:
      return handle(to.schedule(Id<Gate>(k), time, Ping{life, value}, among));
    case 3:
      return handle(to.schedule(Id<Ledger>(k), time, Ping{life, value}, among));
    case 4:
      return handle(to.template edit<Cell>(Id<Cell>(k), time, [value](Cell& cell) { cell.sum += value; }));
    case 5:
      return handle(to.template edit<Bag>(Id<Bag>(k), time, [](Bag& bag) { bag.text += "edited"; }));
    default:
      return handle(to.template edit<Gate>(Id<Gate>(k), time, [value](Gate& gate) { gate.sum ^= value; }));
  }
}

template <class Lp, class From>
std::string difference_of(const From& variant, const Steps& full) {
  for (std::uint32_t k = 0; k < full.lp_count<Lp>(); ++k)
    if (!(variant.template lp<Lp>(k) == full.lp<Lp>(k)))
      return "state of " + std::string(detail::short_name<Lp>()) + " " + std::to_string(k);
  return {};
}

std::string results_of(const Report& report) {
  Report only;
  only.results = report.results;
  return report_json(only, {});
}

template <class Result>
std::string difference_from(const Result& variant, const Steps& full) {
  const Report expected = full.report();
  if (variant.report.committed != expected.committed)
    return "committed " + std::to_string(variant.report.committed) + ", not " +
           std::to_string(expected.committed);
  if (variant.report.digest != expected.digest) return "digest";
  if (variant.report.end_time != expected.end_time) return "end time";
  if (results_of(variant.report) != results_of(expected)) return "results";
  if (!expected.state_digest || variant.report.state_digest != expected.state_digest) return "state digest";
  for (const std::string& of : {difference_of<Cell>(variant, full), difference_of<Bag>(variant, full),
                                difference_of<Gate>(variant, full), difference_of<Ledger>(variant, full)})
    if (!of.empty()) return of;
  return {};
}

/// What the engine tells of how a variant differs from the run, whatever it had to execute for that.
std::string told(const VariantReport& report) {
  std::string out = std::to_string(report.added) + " " + std::to_string(report.removed);
  for (const LpDifference& lp : report.lps)
    out += "\n" + lp.type + " " + std::to_string(lp.index) + " " + std::to_string(lp.first) + " " + lp.event +
           " " + lp.cause + " " + std::to_string(lp.differs_at_end);
  return out;
}

struct Counts {
  std::uint64_t variants = 0, executed = 0, of_full_runs = 0, rejoined = 0, full_runs = 0, shared = 0;
  std::uint64_t from_checkpoints = 0;
};

/// What a variant changes: a copy of an earlier one may go on.
struct Plan {
  std::vector<std::uint64_t> changes;
  std::vector<std::size_t> cancelled;
};

enum class Room : bool { enough, little };

/// One model, kept under random options, and some variants of it.
void try_model(std::uint64_t seed, TangleParams (*draw)(std::mt19937_64&), Room room, Counts& counts) {
  std::mt19937_64 random(seed);
  const TangleParams params = draw(random);
  const Time end = random() % 2 ? kForever : static_cast<double>(1 + random() % 8);
  const Time last = end == kForever ? 6 : end;  // of changes
  const Config base = sequential_run(random() % 1000 + 1, end);
  Config config = random() % 3 ? random_optimistic(random, base) : base;
  config.cancellation = random() % 3 ? Cancellation::aggressive : Cancellation::lazy;

  const std::uint64_t plan = random();
  const auto schedule = [&](Steps& steps, const std::vector<std::size_t>& but = {}) {
    std::mt19937_64 choices(plan);
    std::vector<EventHandle> names;
    for (std::uint64_t n = choices() % 4; n > 0; --n) {
      const bool is_cancelled = std::find(but.begin(), but.end(), names.size()) != but.end();
      names.push_back(put(steps, params.lps_per_type, last, choices,
                          is_cancelled ? std::optional(end + 1) : std::nullopt));
    }
    return names;
  };
  if (room == Room::little) config.memory = 4 << 20;
  Steps kept = open(params, config);
  kept.keep_history();
  const std::vector<EventHandle> names = schedule(kept);
  if (random() % 2) kept.run_until(last / 2);
  if (room == Room::little)
    for (int step = 1; step < 20; ++step)
      kept.run_until(std::max(kept.now(), last * static_cast<double>(step) / 20));
  kept.run_until(end);

  std::vector<Variant<Cell, Bag, Gate, Ledger>> variants;
  std::vector<Plan> plans;
  for (std::size_t n = 0; n < 5; ++n) {
    const bool goes_on = n > 0 && random() % 2;
    const std::size_t from = goes_on ? random() % n : 0;
    auto variant = goes_on ? variants[from] : kept.variant();
    Plan of = goes_on ? plans[from] : Plan();
    if (!names.empty() && end < kForever && random() % 2) {
      const std::size_t name = random() % names.size();
      if (std::find(of.cancelled.begin(), of.cancelled.end(), name) == of.cancelled.end()) {
        of.cancelled.push_back(name);
        variant.cancel(names[name]);
      }
    }
    for (std::uint64_t more = random() % 4; more > 0; --more) {
      of.changes.push_back(random());
      std::mt19937_64 choices(of.changes.back());
      put(variant, params.lps_per_type, last, choices);
    }
    variants.push_back(std::move(variant));
    plans.push_back(std::move(of));
  }
  const auto results = kept.run(variants, 2);
  for (std::size_t n = 0; n < variants.size(); ++n) {
    const std::string what = "model " + std::to_string(seed) + ", variant " + std::to_string(n) + ", " +
                             (*config.sync == Sync::sequential ? "sequential" : describe(config)) + " " +
                             results[n].full_run;
    Steps full = open(params, base);
    schedule(full, plans[n].cancelled);  // what is cancelled comes when all is over
    for (const std::uint64_t change : plans[n].changes) {
      std::mt19937_64 choices(change);
      put(full, params.lps_per_type, last, choices);
    }
    full.run_until(end);
    ASSERT_EQ(difference_from(results[n], full), "") << what;
    if (results[n].shared > 0) {
      ASSERT_EQ(told(results[n]), told(kept.run(variants[n]))) << what;
    }
    ++counts.variants;
    counts.executed += results[n].executed;
    counts.of_full_runs += results[n].report.committed;
    counts.rejoined += results[n].rejoined;
    counts.full_runs += !results[n].full_run.empty();
    counts.from_checkpoints += results[n].full_run.find("so it was run from") != std::string::npos;
    counts.shared += results[n].shared;
  }
}

void try_models(std::uint64_t first, int models, TangleParams (*draw)(std::mt19937_64&)) {
  Counts counts;
  for (int model = 0; model < models && !testing::Test::HasFatalFailure(); ++model)
    try_model(first + static_cast<std::uint64_t>(model), draw, Room::enough, counts);
  EXPECT_LT(counts.full_runs, counts.variants / 2);
  EXPECT_GT(counts.rejoined, 0u);
  EXPECT_GT(counts.shared, 0u);
  EXPECT_LT(counts.executed, counts.of_full_runs);
  std::printf("%llu variants, %.1f%% executed, %llu events shared, %llu rejoined, %llu full runs\n",
              static_cast<unsigned long long>(counts.variants),
              100.0 * double(counts.executed) / double(counts.of_full_runs),
              static_cast<unsigned long long>(counts.shared),
              static_cast<unsigned long long>(counts.rejoined),
              static_cast<unsigned long long>(counts.full_runs));
}

TEST(Variants, AreWhatARunWithTheChangesIs) { try_models(1, scaled(100), random_tangle); }

/// One with so many events that the history does not fit.
TangleParams long_tangle(std::mt19937_64& random) {
  TangleParams params = random_tangle(random);
  params.roots = std::max(params.roots, 8u);
  params.life *= 2;
  return params;
}

// Older history becomes checkpoints, and variants go on from these.
TEST(Variants, OfAHistoryThatDoesNotFit) {
  Counts counts;
  const int models = scaled(30);
  for (int model = 0; model < models || (counts.from_checkpoints == 0 && model < 200); ++model) {
    if (HasFatalFailure()) return;
    try_model(50'000 + static_cast<std::uint64_t>(model), long_tangle, Room::little, counts);
  }
  std::printf("%llu variants, %llu in full, %llu of them from checkpoints\n",
              static_cast<unsigned long long>(counts.variants),
              static_cast<unsigned long long>(counts.full_runs),
              static_cast<unsigned long long>(counts.from_checkpoints));
  EXPECT_GT(counts.from_checkpoints, 0u);
  EXPECT_LT(counts.full_runs, counts.variants);
}

/// What ends a run: nothing, a stop, an error.
template <class Go>
std::string outcome_of(const Go& go) {
  try {
    return go();
  } catch (const SimulationError& error) {
    return error.what();
  }
}

// Where a run or a variant of it stops, variants are full runs; where one fails, it has the same error.
TEST(Variants, StopAndFailAsARunWithTheChanges) {
  int stopped = 0, failed = 0;
  const auto models = static_cast<std::uint64_t>(scaled(120));
  for (std::uint64_t model = 1; model < models || ((stopped == 0 || failed == 0) && model < 500); ++model) {
    std::mt19937_64 random(model + 77'000);
    TangleParams params = random_tangle(random);
    (model % 2 ? params.stops : params.faults) = 0.002;
    const Config base = sequential_run(random() % 1000 + 1, 6);
    Config config = random() % 2 ? random_optimistic(random, base) : base;
    Steps kept = open(params, config);
    kept.keep_history();
    if (outcome_of([&] { return kept.run_until(6), std::string(); }) != "") continue;
    for (int n = 0; n < 3; ++n) {
      const std::uint64_t change = random();
      auto variant = kept.variant();
      Steps full = open(params, base);
      for (int times = 0; times < 4; ++times) {
        std::mt19937_64 a(change + static_cast<std::uint64_t>(times)), b = a;
        put(variant, params.lps_per_type, 3, a);
        put(full, params.lps_per_type, 3, b);
      }
      const std::string expected = outcome_of([&] { return full.run_until(6), std::string(); });
      const std::string actual = outcome_of([&] {
        const auto result = kept.run(variant);
        stopped += !result.full_run.empty();
        return difference_from(result, full);
      });
      ASSERT_EQ(actual, expected) << "model " << model;
      failed += !expected.empty();
    }
  }
  EXPECT_GT(stopped, 0);
  EXPECT_GT(failed, 0);
}

TEST(LongVariants, AHundredThousand) { try_models(100'000, 25'000, random_tangle); }

}  // namespace
}  // namespace anachron::test
