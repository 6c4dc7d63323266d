// Columns of a table of results, by name.
#pragma once

#include <string>
#include <vector>

#include <anachron/model/results.hpp>

#include "run/plot/scale.hpp"

namespace anachron::plot {

class Columns {
 public:
  /// Throws Undrawable when there is no such table, or nothing in it.
  Columns(const Results& results, const std::string& table);

  std::size_t rows() const { return table_.rows.size(); }
  /// NaN where a cell is no finite number. Throws Undrawable when there is no such column.
  std::vector<double> numbers(const std::string& column) const;
  std::vector<std::string> texts(const std::string& column) const;

 private:
  std::size_t find(const std::string& column) const;

  const std::string name_;
  const Results::Table& table_;
};

/// Of those that are numbers.
Range range_of(const std::vector<double>& values);

/// The part of the values' range that has the share `covered` of them: without as many of the least as of the
/// greatest. All of it for 1. Throws Undrawable when there is no number.
Range covered_range(const std::vector<double>& values, double covered);

}  // namespace anachron::plot
