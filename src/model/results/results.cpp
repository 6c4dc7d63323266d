#include <anachron/model/results.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <anachron/base/error.hpp>

#include "model/results/results_log.hpp"

namespace anachron {

namespace {

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};

std::string_view operation(const Results::Figure& figure) {
  return std::visit(
      Overloaded{[](std::int64_t) { return "count"; }, [](double) { return "add"; },
                 [](const Results::Mean&) { return "mean"; }, [](const Results::Lowest&) { return "min"; },
                 [](const Results::Highest&) { return "max"; }, [](const Tally&) { return "add of a Tally"; },
                 [](const WeightedTally&) { return "add of a TimeAverage"; },
                 [](const Distribution&) { return "add of a Histogram"; },
                 [](const BatchMeans&) { return "add of BatchMeans"; }},
      figure);
}

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

BatchMeans::Estimate estimate(const BatchMeans& batches, const Results::Span& span) {
  return batches.estimate(span.end - span.warm_up, span.confidence);
}

/// A row for each interval that began before the end of the run.
Results::Table table_of(const Series& series, Time end) {
  Results::Table table{{"from", "to", "count", "sum", "mean"}, {}};
  detail::Intervals sums = series.sums();
  if (end > 0 && std::isfinite(end)) sums.cover(std::nextafter(end, 0.0));
  for (std::size_t k = 0; k < sums.intervals().size(); ++k) {
    const auto& [sum, count] = sums.intervals()[k];
    const Time from = static_cast<double>(k) * sums.length();
    if (from >= end && count == 0) continue;
    table.rows.push_back(
        {from, from + sums.length(), static_cast<std::int64_t>(count), sum,
         count ? Results::Cell(sum / static_cast<double>(count)) : Results::Cell(std::string())});
  }
  return table;
}

}  // namespace

// Called for each LP, so with a linear scan: a model has a handful of figures, and comparing lengths first
// settles most of them.
template <class Kind>
Kind& Results::figure(std::string_view name, Kind initial) {
  for (auto& [known, figure] : figures_) {
    if (known != name) continue;
    if (Kind* const found = std::get_if<Kind>(&figure)) return *found;
    throw InputError(
        fmt::format("result '{}' is used with '{}' and with '{}': a name is used with one operation only",
                    name, operation(figure), operation(initial)));
  }
  return std::get<Kind>(figures_.emplace_back(std::string(name), std::move(initial)).second);
}

template <class Statistic>
void Results::merge(std::string_view name, const Statistic& statistic) {
  if (log_) return log_->add(name, statistic);
  const std::size_t before = figures_.size();
  Statistic& total = figure(name, statistic);
  if (figures_.size() == before) total.merge(statistic);  // or else this is the first
}

void Results::count(std::string_view name, std::int64_t n) {
  if (log_) return log_->count(name, n);
  auto& total = figure<std::int64_t>(name, 0);
  std::int64_t sum = 0;
  if (__builtin_add_overflow(total, n, &sum))
    throw InputError(fmt::format("result '{}': the count exceeds 64 bits", name));
  total = sum;
}

void Results::add(std::string_view name, double x) {
  if (log_) return log_->add(name, x);
  figure<double>(name, 0.0) += x;
}

void Results::mean(std::string_view name, double sum, std::uint64_t weight) {
  if (log_) return log_->mean(name, sum, weight);
  auto& mean = figure<Mean>(name, Mean{});
  mean.sum += sum;
  mean.count += weight;
}

void Results::min(std::string_view name, double x) {
  if (log_) return log_->min(name, x);
  auto& lowest = figure<Lowest>(name, Lowest{x});
  lowest.value = std::min(lowest.value, x);
}

void Results::max(std::string_view name, double x) {
  if (log_) return log_->max(name, x);
  auto& highest = figure<Highest>(name, Highest{x});
  highest.value = std::max(highest.value, x);
}

void Results::tally(std::string_view name, double x) {
  if (log_) return log_->tally(name, x);
  figure<Tally>(name, Tally()).add(x);
}

void Results::add(std::string_view name, const Tally& tally) { merge(name, tally); }
void Results::add(std::string_view name, const TimeAverage& average) {
  merge(name, average.until(span_.end, span_.warm_up));
}
void Results::add(std::string_view name, const WeightedTally& levels) { merge(name, levels); }
void Results::add(std::string_view name, const Distribution& distribution) { merge(name, distribution); }
void Results::add(std::string_view name, const BatchMeans& batches) { merge(name, batches); }
void Results::add(std::string_view name, const Series& series) {
  if (log_) return log_->add(name, series);
  if (tables_.contains(name))
    throw InputError(fmt::format("result '{}' is used with 'row' and with 'add of a Series'", name));
  const auto [total, is_first] = series_.try_emplace(std::string(name), series);
  if (!is_first) total->second.merge(series);
}

void Results::row(std::string_view table, const std::vector<std::string>& columns, std::vector<Cell> cells) {
  if (log_) return log_->row(table, columns, cells);
  if (cells.size() != columns.size())
    throw InputError(fmt::format("result table '{}': a row of {} cells for {} columns ({})", table,
                                 cells.size(), columns.size(), fmt::join(columns, ", ")));
  if (table == kStatistics || series_.contains(table))
    throw InputError(fmt::format("result table '{}': the name is taken by {}; choose another one", table,
                                 table == kStatistics ? "the table of the statistics" : "a Series"));
  auto found = tables_.find(table);
  if (found == tables_.end()) {
    found = tables_.emplace(std::string(table), Table{columns, {}}).first;
  } else if (found->second.columns != columns) {
    throw InputError(fmt::format("result table '{}': a row with columns ({}), but the first row had ({})",
                                 table, fmt::join(columns, ", "), fmt::join(found->second.columns, ", ")));
  }
  found->second.rows.push_back(std::move(cells));
}

const Results::Figure& Results::figure(std::string_view name) const {
  const auto found =
      std::find_if(figures_.begin(), figures_.end(), [&](const auto& f) { return f.first == name; });
  if (found == figures_.end() && log_)
    throw std::out_of_range(
        fmt::format("no result named '{}': on several ranks no LP sees what others report", name));
  if (found == figures_.end()) throw std::out_of_range(fmt::format("no result named '{}'", name));
  return found->second;
}

double Results::value(std::string_view name) const {
  return std::visit(
      Overloaded{[](std::int64_t n) { return static_cast<double>(n); }, [](double sum) { return sum; },
                 [](const Mean& m) { return m.count ? m.sum / static_cast<double>(m.count) : kNone; },
                 [](const Lowest& l) { return l.value; }, [](const Highest& h) { return h.value; },
                 [](const Tally& t) { return t.mean(); }, [](const WeightedTally& t) { return t.mean(); },
                 [](const Distribution& d) { return d.tally().mean(); },
                 [this](const BatchMeans& b) { return estimate(b, span_).mean; }},
      figure(name));
}

std::vector<Results::Part> Results::parts(const Figure& figure) const {
  const auto count = [](std::uint64_t n) { return Cell(static_cast<std::int64_t>(n)); };
  return std::visit(Overloaded{[](const auto&) { return std::vector<Part>(); },
                               [&](const Tally& t) {
                                 return std::vector<Part>{{"count", count(t.count())},
                                                          {"mean", t.mean()},
                                                          {"sd", t.sd()},
                                                          {"min", t.min()},
                                                          {"max", t.max()}};
                               },
                               [](const WeightedTally& t) {
                                 return std::vector<Part>{
                                     {"mean", t.mean()}, {"sd", t.sd()}, {"min", t.min()}, {"max", t.max()}};
                               },
                               [&](const Distribution& d) {
                                 const Tally& t = d.tally();
                                 return std::vector<Part>{{"count", count(t.count())},
                                                          {"mean", t.mean()},
                                                          {"sd", t.sd()},
                                                          {"min", t.min()},
                                                          {"p50", d.quantile(0.5)},
                                                          {"p90", d.quantile(0.9)},
                                                          {"p99", d.quantile(0.99)},
                                                          {"max", t.max()}};
                               },
                               [&](const BatchMeans& b) {
                                 const BatchMeans::Estimate e = estimate(b, span_);
                                 return std::vector<Part>{{"count", count(e.count)},
                                                          {"mean", e.mean},
                                                          {"half_width", e.half_width.value_or(kNone)},
                                                          {"batches", count(e.batches)},
                                                          {"correlation", e.correlation}};
                               }},
                    figure);
}

bool Results::has_statistics() const {
  return !series_.empty() || std::any_of(figures_.begin(), figures_.end(),
                                         [this](const auto& named) { return !parts(named.second).empty(); });
}

bool Results::has_intervals() const {
  return std::any_of(figures_.begin(), figures_.end(),
                     [](const auto& named) { return std::holds_alternative<BatchMeans>(named.second); });
}

void Results::complete() {
  for (const auto& [name, series] : series_) tables_[name] = table_of(series, span_.end);
  Table statistics{{"name", "count", "mean", "sd", "min", "p50", "p90", "p99", "max", "half_width"}, {}};
  for (const auto& [name, figure] : figures_) {
    const std::vector<Part> parts = this->parts(figure);
    if (parts.empty()) continue;
    auto& row = statistics.rows.emplace_back();
    row.emplace_back(name);
    for (std::size_t column = 1; column < statistics.columns.size(); ++column) {
      const auto found = std::find_if(parts.begin(), parts.end(), [&](const Part& part) {
        return part.first == statistics.columns[column];
      });
      row.push_back(found == parts.end() ? Cell(std::string()) : found->second);
    }
  }
  if (!statistics.rows.empty()) tables_[std::string(kStatistics)] = std::move(statistics);
}

void Results::fail_kind(std::string_view name) {
  throw std::out_of_range(fmt::format("result '{}' is a statistic of another kind", name));
}

}  // namespace anachron
