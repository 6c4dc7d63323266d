// The figures a model reports when a run has ended: filled by each LP's `finish(Results&) const`.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace anachron {

/// Named figures and tables. `finish` is called for each LP in the order of LP ids, so that sums are the
/// same, to the last bit, in every mode. A name is used with one operation only (InputError otherwise).
class Results {
 public:
  using Cell = std::variant<std::int64_t, double, std::string>;
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
  using Figure = std::variant<std::int64_t, double, Mean, Lowest, Highest>;

  /// Adds to a count.
  void count(std::string_view name, std::int64_t n = 1);
  /// Adds to a sum.
  void add(std::string_view name, double x);
  /// Takes a value, or `weight` values whose sum is `sum`, into an average.
  void mean(std::string_view name, double sum, std::uint64_t weight = 1);
  void min(std::string_view name, double x);
  void max(std::string_view name, double x);
  /// Appends a row; the columns of the first call define the table, later calls must give the same.
  void row(std::string_view table, const std::vector<std::string>& columns, std::vector<Cell> cells);

  /// In order of first use.
  const std::vector<std::pair<std::string, Figure>>& figures() const { return figures_; }
  const std::map<std::string, Table, std::less<>>& tables() const { return tables_; }
  /// A figure as a number (the mean of a Mean; NaN for one without values). Throws std::out_of_range.
  double value(std::string_view name) const;

 private:
  template <class Kind>
  Kind& figure(std::string_view name, Kind initial);

  std::vector<std::pair<std::string, Figure>> figures_;
  std::map<std::string, Table, std::less<>> tables_;
};

}  // namespace anachron
