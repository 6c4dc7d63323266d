// Statistics are state: whatever is rolled back on the way, and however LPs are dealt to processing elements,
// the results have the bits of the sequential run.

#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <anachron/anachron.hpp>

#include "property/random_options.hpp"
#include "scale.hpp"

namespace anachron::test {
namespace {

struct Knock {};
struct Call {};
struct Note {};

/// An LP type has each statistic, and undoes events in each way.
struct Meter {
  struct Params {
    double spread = 1;
    double gap = 0;  // least delay
  };
  Tally tally;
  BasicHistogram<2, 4> histogram;  // so few bins that they move often
  TimeAverage average{2};
  Series series{0.25};
  BatchMeans batches;

  static double lookahead(const Params& params) { return params.gap; }
  void start(Context<Meter>& cx) {
    for (int i = 0; i < 4; ++i) pass_on(cx);
  }
  void on(Context<Meter>& cx, const Knock&) {
    const double x = draw(cx);
    tally.add(cx, x);
    histogram.add(cx, x);
    average.change(cx, x - 1);
    series.add(cx, x);
    batches.add(cx, x);
    pass_on(cx);
  }
  auto on(Context<Meter>& cx, const Call&) noexcept {
    const double x = draw(cx);
    const auto before = std::pair(tally, average);
    tally.add(cx, x);
    average.set(cx, x);
    pass_on(cx);
    return [before, bin = histogram.add_undoable(cx, x), interval = series.add_undoable(cx, x),
            batch = batches.add_undoable(cx, x)](Meter& meter) {
      meter.histogram.undo(bin);
      meter.series.undo(interval);
      meter.batches.undo(batch);
      meter.tally = before.first;
      meter.average = before.second;
    };
  }
  void on(Context<Meter>& cx, Logged<Meter>& log, const Note&) const {
    const double x = draw(cx);
    log.write(tally).add(cx, x);
    log.write(average).set(cx, -x);
    histogram.add(log, cx, x);
    series.add(log, cx, x);
    batches.add(log, cx, x);
    pass_on(cx);
  }
  void finish(Results& results) const {
    results.add("tally", tally);
    results.add("histogram", histogram);
    results.add("average", average);
    results.add("series", series);
    results.add("batches", batches);
    results.tally("mean of each", tally.count() ? tally.mean() : 0);
  }
  friend bool operator==(const Meter&, const Meter&) = default;

 private:
  static double draw(Context<Meter>& cx) {
    return cx.rng().bernoulli(0.1) ? 0 : cx.rng().exponential(cx.params().spread) * (1 + cx.now());
  }
  static void pass_on(Context<Meter>& cx) {
    const auto to = cx.id(cx.rng().below(cx.lp_count()));
    const double delay = cx.params().gap + (cx.rng().bernoulli(0.2) ? 0 : cx.rng().exponential(0.3));
    switch (cx.rng().below(3u)) {
      case 0:
        return (void)cx.send(to, delay, Knock{});
      case 1:
        return (void)cx.send(to, delay, Call{});
      default:
        return (void)cx.send(to, delay, Note{});
    }
  }
};

/// With all bits.
void append(const Results::Cell& cell, std::string& out) {
  char text[40];
  std::visit(
      [&](const auto& value) {
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, double>) {
          std::snprintf(text, sizeof text, "%a ", value);
          out += text;
        } else if constexpr (std::is_integral_v<std::decay_t<decltype(value)>>) {
          out += std::to_string(value) + ' ';
        } else {
          out += value + ' ';
        }
      },
      cell);
}

struct Outcome {
  std::uint64_t digest = 0;
  std::string results;
  std::vector<Meter> meters;

  friend bool operator==(const Outcome&, const Outcome&) = default;
};

Outcome outcome_of(std::uint32_t lps, const Config& config, double gap = 0) {
  Simulation<Meter> simulation;
  simulation.params<Meter>().gap = gap;
  simulation.lps<Meter>(lps);
  simulation.config = config;
  const Report report = simulation.run();
  EXPECT_TRUE(report.notes.empty());
  Outcome out;
  out.digest = report.digest;
  for (const auto& [name, figure] : report.results.figures()) {
    out.results += name + ": ";
    for (const auto& [part, value] : report.results.parts(figure)) append(value, out.results);
  }
  for (const auto& [name, table] : report.results.tables()) {
    out.results += name + ": ";
    for (const auto& row : table.rows)
      for (const auto& cell : row) append(cell, out.results);
  }
  for (std::uint32_t i = 0; i < lps; ++i) out.meters.push_back(simulation.lp<Meter>(i));
  return out;
}

TEST(Equivalence, StatisticsHaveTheSameBits) {
  for (int model = 0; model < scaled(12); ++model) {
    std::mt19937_64 random(static_cast<std::uint64_t>(model) + 7001);
    const auto lps = static_cast<std::uint32_t>(1 + random() % 40);
    Config base = sequential_run(random() % 1000 + 1, 1 + static_cast<double>(random() % 20));
    base.warm_up = random() % 2 ? 0 : 0.6;
    const Outcome expected = outcome_of(lps, base);
    ASSERT_NE(expected.results.find("average"), std::string::npos);
    for (int variant = 0; variant < 5; ++variant) {
      const Config config = random_optimistic(random, base);
      ASSERT_EQ(expected, outcome_of(lps, config)) << "model " << model << ", " << describe(config);
    }
    Config checked = random() % 2 ? base : random_optimistic(random, base);
    checked.check_rollback = true;
    ASSERT_EQ(expected, outcome_of(lps, checked)) << "model " << model << ", " << describe(checked);
  }
}

TEST(Equivalence, StatisticsHaveTheSameBitsInConservativeRuns) {
  for (const unsigned workers : {1u, 2u, 3u})
    for (const unsigned more_pes : {0u, 2u}) {
      Config config = sequential_run(workers, 20);
      config.warm_up = 1.5;
      const Outcome expected = outcome_of(30, config, 0.2);
      config.sync = Sync::conservative;
      config.workers = workers;
      config.pes = workers + more_pes;
      config.partition = Partition::round_robin;
      ASSERT_EQ(expected, outcome_of(30, config, 0.2)) << describe(config);
    }
}

// What is observed is no part of what is simulated.
TEST(Equivalence, AWarmUpChangesNoEvent) {
  Config config = sequential_run(5, 10);
  const Outcome all = outcome_of(10, config);
  config.warm_up = 5;
  const Outcome later = outcome_of(10, config);
  EXPECT_EQ(all.digest, later.digest);
  EXPECT_NE(all.results, later.results);
  EXPECT_LT(later.meters[0].tally.count(), all.meters[0].tally.count());
}

}  // namespace
}  // namespace anachron::test
