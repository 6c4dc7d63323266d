// Results that several ranks have logged are, to the last bit, those of one process.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include <anachron/base/error.hpp>
#include <anachron/model/results.hpp>

#include "model/results/results_bytes.hpp"
#include "model/results/results_log.hpp"
#include "scale.hpp"

namespace anachron::detail {
namespace {

using Bytes = std::vector<std::byte>;
using Operation = std::function<void(Results&)>;
/// What an LP does in its `finish`.
struct Script {
  std::vector<Operation> operations;
  bool throws = false;
};

/// What statistics ask of an LP.
struct At {
  Time time = 0;
  Time now() const { return time; }
  Time warm_up() const { return 1; }
};

/// Makes scripts. Few are wrong, as nothing is applied behind them.
class Author {
 public:
  explicit Author(std::uint64_t seed) : rng_(seed) {}

  std::uint64_t below(std::uint64_t n) { return rng_() % n; }
  Script script(bool may_be_wrong) {
    Script script;
    for (auto left = below(6); left > 0; --left) script.operations.push_back(operation(below(12)));
    if (may_be_wrong && below(40) == 0) script.operations.push_back(wrong_operation());
    script.throws = may_be_wrong && below(60) == 0;
    return script;
  }

 private:
  double real() {
    switch (below(8)) {
      case 0:
        return 0.0;
      case 1:
        return -0.0;
      case 2:
        return static_cast<double>(below(1000));
      case 3:
        return std::numeric_limits<double>::denorm_min();
      default:
        return std::ldexp(static_cast<double>(rng_()), static_cast<int>(below(120)) - 120) *
               (below(2) ? 1 : -1);
    }
  }
  std::int64_t whole() { return static_cast<std::int64_t>(rng_()) >> (2 + below(62)); }
  std::string name(const char* kind) { return kind + std::to_string(below(3)); }
  template <class Add>
  void observe(Add&& add) {
    Time time = 0;
    for (auto left = below(5); left > 0; --left) add(At{time += std::abs(real())}, real());
  }

  Operation operation(std::uint64_t kind) {
    switch (kind) {
      case 0:
        return [name = name("count"), n = whole() / 1000](Results& r) { r.count(name, n); };
      case 1:
        return [name = name("sum"), x = real()](Results& r) { r.add(name, x); };
      case 2:
        return [name = name("mean"), x = real(), n = below(300)](Results& r) { r.mean(name, x, n); };
      case 3:
        return [name = name("min"), x = real()](Results& r) { r.min(name, x); };
      case 4:
        return [name = name("max"), x = real()](Results& r) { r.max(name, x); };
      case 5:
        return [name = name("tally"), x = real()](Results& r) { r.tally(name, x); };
      default:
        return statistic(kind);
    }
  }
  Operation statistic(std::uint64_t kind) {
    switch (kind) {
      case 6: {
        Tally tally;
        observe([&](At at, double x) { tally.add(at, x); });
        return [name = name("tally"), tally](Results& r) { r.add(name, tally); };
      }
      case 7: {
        TimeAverage level(real());
        observe([&](At at, double x) { level.set(at, x); });
        return [name = name("level"), level](Results& r) { r.add(name, level); };
      }
      case 8: {
        BasicHistogram<3, 4> histogram;
        observe([&](At at, double x) { histogram.add(at, std::abs(x)); });
        return [name = name("spread"), histogram](Results& r) { r.add(name, histogram); };
      }
      case 9: {
        BatchMeans batches;
        observe([&](At at, double x) { batches.add(at, x); });
        return [name = name("batches"), batches](Results& r) { r.add(name, batches); };
      }
      case 10: {
        Series series(0.25);
        observe([&](At at, double x) { series.add(at, x); });
        return [name = name("series"), series](Results& r) { r.add(name, series); };
      }
      default:
        return [name = name("row"), n = whole(), x = real(), text = std::string(below(20), 'x')](Results& r) {
          r.row(name, {"n", "x", "text"}, {n, x, text});
        };
    }
  }
  Operation wrong_operation() {
    switch (below(6)) {
      case 0:
        return [name = name("count")](Results& r) { r.mean(name, 1); };
      case 1:
        return [name = name("mean")](Results& r) { r.count(name); };
      case 2:
        return [name = name("row")](Results& r) { r.row(name, {"n"}, {std::int64_t{1}, 2.0}); };
      case 3:
        return [name = name("spread")](Results& r) { r.add(name, Histogram()); };
      case 4:
        return [name = name("tally")](Results& r) { r.tally(name, std::nan("")); };
      default:
        return
            [name = name("count")](Results& r) { r.count(name, std::numeric_limits<std::int64_t>::max()); };
    }
  }

  std::mt19937_64 rng_;
};

constexpr Results::Span kSpan{1, 20, 0.9};

/// Calls all of a script. Returns why it failed, if so.
std::optional<std::string> perform(const Script& script, Results& results) {
  try {
    for (const Operation& operation : script.operations) operation(results);
    if (script.throws) throw std::runtime_error("no ink");
  } catch (const std::exception& error) {
    return std::string("threw: ") + error.what();
  }
  return std::nullopt;
}

LogEnding perform_all(const std::vector<Script>& scripts, LpId before, Results& results) {
  for (LpId lp = 0; lp < before; ++lp)
    if (auto cause = perform(scripts[lp], results)) return {lp + 1, std::move(cause)};
  return {before, std::nullopt};
}

/// What the rank `self` logs, if it is interrupted before LP `before`.
Bytes log_of(const std::vector<Script>& scripts, const std::vector<unsigned>& owners, unsigned self,
             LpId before) {
  ResultsLog log;
  Results results(kSpan, log);
  for (LpId lp = 0; lp < before; ++lp) {
    if (owners[lp] != self) continue;
    log.begin(lp);
    if (auto cause = perform(scripts[lp], results)) return std::move(log).end({lp + 1, std::move(cause)});
  }
  return std::move(log).end({before, std::nullopt});
}

LogEnding replay_all(const std::vector<Bytes>& logs, std::size_t lps, Results& results) {
  std::vector<std::span<const std::byte>> spans(logs.begin(), logs.end());
  return replay(spans, static_cast<LpId>(lps), results);
}

bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}
bool same_cell(const Results::Cell& a, const Results::Cell& b) {
  const double *const x = std::get_if<double>(&a), *const y = std::get_if<double>(&b);
  return x && y ? same_bits(*x, *y) : a == b;
}
bool same_parts(const Results& a, const Results& b, const std::string& name) {
  const auto parts_a = a.parts(a.figure(name)), parts_b = b.parts(b.figure(name));
  if (parts_a.size() != parts_b.size()) return false;
  for (std::size_t i = 0; i < parts_a.size(); ++i)
    if (parts_a[i].first != parts_b[i].first || !same_cell(parts_a[i].second, parts_b[i].second))
      return false;
  return true;
}

void expect_same(const Results& expected, const Results& actual) {
  ASSERT_EQ(expected.figures().size(), actual.figures().size());
  for (std::size_t i = 0; i < expected.figures().size(); ++i) {
    const auto& [name, figure] = expected.figures()[i];
    EXPECT_EQ(name, actual.figures()[i].first);
    EXPECT_EQ(figure.index(), actual.figures()[i].second.index());
    EXPECT_TRUE(same_bits(expected.value(name), actual.value(name))) << name;
    EXPECT_TRUE(same_parts(expected, actual, name)) << name;
    if (const auto* const spread = std::get_if<Distribution>(&figure)) {
      EXPECT_EQ(*spread, actual.get<Distribution>(name));
    }
  }
  ASSERT_EQ(expected.tables().size(), actual.tables().size());
  for (const auto& [name, table] : expected.tables()) {
    const Results::Table& other = actual.tables().at(name);
    EXPECT_EQ(table.columns, other.columns);
    ASSERT_EQ(table.rows.size(), other.rows.size()) << name;
    for (std::size_t row = 0; row < table.rows.size(); ++row)
      EXPECT_TRUE(std::equal(table.rows[row].begin(), table.rows[row].end(), other.rows[row].begin(),
                             other.rows[row].end(), same_cell))
          << name << " row " << row;
  }
  EXPECT_EQ(encoded(expected), encoded(actual)) << "what cannot be asked for: series, sums of statistics";
}

/// LPs with their scripts, dealt to ranks, each of which may be interrupted.
struct Case {
  std::vector<Script> scripts;
  std::vector<unsigned> owners;
  std::vector<LpId> before;  // by rank

  Case(std::uint64_t seed, bool may_be_wrong) {
    Author author(seed);
    const auto lps = author.below(80);
    const auto ranks = static_cast<unsigned>(1 + author.below(8));
    const bool blocks = author.below(2) == 0;
    for (std::uint64_t lp = 0; lp < lps; ++lp) {
      scripts.push_back(author.script(may_be_wrong));
      owners.push_back(static_cast<unsigned>(blocks ? lp * ranks / lps : author.below(ranks)));
    }
    for (unsigned rank = 0; rank < ranks; ++rank)
      before.push_back(
          static_cast<LpId>(may_be_wrong && author.below(20) == 0 ? author.below(lps + 1) : lps));
  }
  std::vector<Bytes> logs() const {
    std::vector<Bytes> logs;
    for (unsigned rank = 0; rank < before.size(); ++rank)
      logs.push_back(log_of(scripts, owners, rank, before[rank]));
    return logs;
  }
};

TEST(ResultsLog, ReplayIsTheDirectCall) {
  int failed = 0, complete = 0;
  for (int i = 0; i < test::scaled(500); ++i) {
    SCOPED_TRACE(i);
    const Case c(static_cast<std::uint64_t>(i), i % 2 == 0);
    Results expected(kSpan), actual(kSpan);
    const LpId before = *std::min_element(c.before.begin(), c.before.end());
    const LogEnding direct = perform_all(c.scripts, before, expected);
    const LogEnding merged = replay_all(c.logs(), c.scripts.size(), actual);
    EXPECT_EQ(direct.next, merged.next);
    EXPECT_EQ(direct.cause, merged.cause);
    expected.complete();
    actual.complete();
    expect_same(expected, actual);
    failed += merged.cause.has_value();
    complete += merged.next == c.scripts.size();
    if (HasFailure()) return;
  }
  EXPECT_GT(failed, 0);
  EXPECT_GT(complete, 0);
}

TEST(ResultsLog, BytesOfResultsAreTheResults) {
  for (int i = 0; i < test::scaled(150); ++i) {
    SCOPED_TRACE(i);
    const Case c(static_cast<std::uint64_t>(i), false);
    Results results(kSpan);
    perform_all(c.scripts, static_cast<LpId>(c.scripts.size()), results);
    if (i % 2) results.complete();
    Results copy = decoded_results(encoded(results));
    EXPECT_EQ(copy.span().warm_up, kSpan.warm_up);
    EXPECT_EQ(copy.span().end, kSpan.end);
    EXPECT_EQ(copy.span().confidence, kSpan.confidence);
    expect_same(results, copy);
    results.complete();  // from the series, too
    copy.complete();
    expect_same(results, copy);
    if (HasFailure()) return;
  }
}

/// Reads changed bytes: they are refused, or are others.
template <class Read>
void read_damaged(Bytes bytes, std::mt19937_64& rng, Read&& read) {
  if (bytes.empty()) return;
  if (rng() % 3 == 0) {
    bytes.resize(rng() % bytes.size());
    EXPECT_THROW(read(bytes), InputError);
    return;
  }
  bytes[rng() % bytes.size()] ^= static_cast<std::byte>(1 + rng() % 255);
  if (rng() % 2) bytes[rng() % bytes.size()] = static_cast<std::byte>(rng());
  try {
    read(bytes);
  } catch (const InputError&) {
  }
}

TEST(ResultsLog, DamagedBytesAreInputErrors) {
  std::mt19937_64 rng(7);
  for (int i = 0; i < test::scaled(1000); ++i) {
    SCOPED_TRACE(i);
    const Case c(static_cast<std::uint64_t>(i % 50), false);
    const auto lps = static_cast<LpId>(c.scripts.size());
    const std::vector<unsigned> one_rank(lps, 0);
    read_damaged(log_of(c.scripts, one_rank, 0, lps), rng, [lps](const Bytes& log) {
      Results results(kSpan);
      replay_all({log}, lps, results);
    });
    Results results(kSpan);
    perform_all(c.scripts, lps, results);
    read_damaged(encoded(results), rng, [](const Bytes& bytes) { decoded_results(bytes).complete(); });
  }
}

TEST(ResultsLog, AnLpIsInOneLogOnly) {
  std::vector<Script> scripts(1);
  scripts[0].operations.emplace_back([](Results& r) { r.count("x"); });
  const Bytes log = log_of(scripts, {0}, 0, 1);
  Results results;
  EXPECT_THROW(replay_all({log, log}, 1, results), InputError);
}

TEST(ResultsLog, FailureComesBeforeInterruptionBehindIt) {
  std::vector<Script> scripts(4);
  for (Script& script : scripts) script.operations.emplace_back([](Results& r) { r.count("lps"); });
  scripts[1].throws = true;
  const std::vector<unsigned> owners{0, 1, 0, 1};
  for (const LpId interrupted : {0u, 1u, 2u, 3u, 4u}) {
    Results results;
    const LogEnding ending = replay_all(
        {log_of(scripts, owners, 0, interrupted), log_of(scripts, owners, 1, 4)}, scripts.size(), results);
    const LpId reported = std::min(interrupted, 2u);
    EXPECT_EQ(ending.next, reported);
    EXPECT_EQ(ending.cause.has_value(), interrupted >= 2);
    EXPECT_EQ(results.figures().empty() ? 0 : results.value("lps"), reported);
  }
}

TEST(ResultsLog, ALpThatReportsLittleTakesFewBytes) {
  constexpr LpId kLps = 10'000;
  ResultsLog log;
  Results results(kSpan, log);
  for (LpId lp = 0; lp < kLps; ++lp) {
    log.begin(lp);
    results.count("served", 1000);
    results.add("busy", 1.0 / (lp + 1));
    results.add("queue", BatchMeans());
  }
  const std::size_t bytes = std::move(log).end({kLps, std::nullopt}).size();
  EXPECT_LT(bytes, 30u * kLps);
}

TEST(ResultsLog, WhatOthersReportCannotBeRead) {
  ResultsLog log;
  Results results(kSpan, log);
  log.begin(0);
  results.count("x");
  EXPECT_TRUE(results.figures().empty());
  EXPECT_THROW(results.value("x"), std::out_of_range);
}

}  // namespace
}  // namespace anachron::detail
