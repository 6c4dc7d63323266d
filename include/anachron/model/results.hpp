// The figures a model reports when a run has ended: filled by each LP's `finish(Results&) const`.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <anachron/base/time.hpp>
#include <anachron/model/statistics.hpp>

namespace anachron {
namespace detail {
class ResultsBytes;
class ResultsLog;
}  // namespace detail

/// Named figures and tables. `finish` is called for each LP in the order of LP ids, so that sums and merged
/// statistics are the same, to the last bit, in every mode. A name is used with one operation only
/// (InputError otherwise).
///
///     void finish(an::Results& r) const {
///       r.count("served", served);
///       r.row("tellers", {"teller", "hours"}, {std::int64_t{number}, hours});
///     }
class Results {
 public:
  /// What statistics have to know of the run.
  struct Span {
    Time warm_up = 0, end = 0;
    double confidence = 0.95;
  };
  /// Of a table.
  using Cell = std::variant<std::int64_t, double, std::string>;
  /// Rows of cells, one for each column.
  struct Table {
    std::vector<std::string> columns;
    std::vector<std::vector<Cell>> rows;
  };
  struct Mean {
    double sum = 0;
    std::uint64_t count = 0;
  };
  struct Lowest {
    double value;
  };
  struct Highest {
    double value;
  };
  using Figure = std::variant<std::int64_t, double, Mean, Lowest, Highest, Tally, WeightedTally, Distribution,
                              BatchMeans>;
  /// One of the numbers that make up a figure: "mean", "p99".
  using Part = std::pair<std::string_view, Cell>;

  /// The table that `complete` makes of all statistics.
  static constexpr std::string_view kStatistics = "statistics";

  Results() = default;
  explicit Results(const Span& span) : span_(span) {}
  /// Of a run on several ranks, where an LP's `finish` is called on its own rank. Each operation goes to
  /// `log`, which must outlive this, and nothing can be read that other LPs have reported.
  Results(const Span& span, detail::ResultsLog& log) : span_(span), log_(&log) {}

  /// Adds to a count.
  void count(std::string_view name, std::int64_t n = 1);
  /// Adds to a sum.
  void add(std::string_view name, double x);
  /// Takes a value, or `weight` values whose sum is `sum`, into an average.
  void mean(std::string_view name, double sum, std::uint64_t weight = 1);
  /// The report shows the least value of all calls.
  void min(std::string_view name, double x);
  /// The report shows the greatest value of all calls.
  void max(std::string_view name, double x);
  /// Takes a value into a tally: one value of each LP, say.
  void tally(std::string_view name, double x);
  /// Merges a statistic of an LP with those of the others. A time average is closed at the end of the run.
  void add(std::string_view name, const Tally& tally);
  void add(std::string_view name, const TimeAverage& average);
  /// The same for one that is closed already.
  void add(std::string_view name, const WeightedTally& levels);
  template <unsigned kPrecision, unsigned kOctaves>
  void add(std::string_view name, const BasicHistogram<kPrecision, kOctaves>& histogram) {
    add(name, histogram.distribution());
  }
  void add(std::string_view name, const Distribution& distribution);
  void add(std::string_view name, const BatchMeans& batches);
  /// The same for a series, which becomes a table of this name.
  void add(std::string_view name, const Series& series);
  /// Appends a row; the columns of the first call define the table, later calls must give the same.
  void row(std::string_view table, const std::vector<std::string>& columns, std::vector<Cell> cells);

  /// In order of first use.
  const std::vector<std::pair<std::string, Figure>>& figures() const { return figures_; }
  /// By name.
  const std::map<std::string, Table, std::less<>>& tables() const { return tables_; }
  /// A figure as a number (the mean of a Mean or a statistic; NaN for one without values). Throws
  /// std::out_of_range.
  double value(std::string_view name) const;
  /// A figure. Throws std::out_of_range.
  const Figure& figure(std::string_view name) const;
  /// A statistic as it was merged, such as `get<an::Tally>("waiting time")`; of histograms an::Distribution,
  /// of time averages an::WeightedTally. Throws std::out_of_range unless there is one of that kind.
  template <class Kind>
  const Kind& get(std::string_view name) const {
    if (const Kind* const found = std::get_if<Kind>(&figure(name))) return *found;
    fail_kind(name);
  }
  /// What a statistic consists of, in the order of the report; empty for a figure that is a single number.
  /// Counts are whole numbers; what is not known, such as the mean of nothing, is NaN.
  std::vector<Part> parts(const Figure& figure) const;

  /// There are statistics.
  bool has_statistics() const;
  /// There are some with a confidence interval.
  bool has_intervals() const;

  /// Warm-up and end of the run.
  const Span& span() const { return span_; }
  /// Makes the tables of series and statistics; the engine calls it behind the last `finish`.
  void complete();

 private:
  template <class Kind>
  Kind& figure(std::string_view name, Kind initial);
  /// Merges what `statistic` tells with what is there.
  template <class Statistic>
  void merge(std::string_view name, const Statistic& statistic);
  [[noreturn]] static void fail_kind(std::string_view name);
  friend detail::ResultsBytes;  // writes and reads all of it

  Span span_;
  std::vector<std::pair<std::string, Figure>> figures_;
  std::map<std::string, Table, std::less<>> tables_;
  std::map<std::string, Series, std::less<>> series_;
  detail::ResultsLog* log_ = nullptr;  // null: what is reported is applied here
};

}  // namespace anachron
