#include "run/plot/columns.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <anachron/base/parse.hpp>

#include "run/plot/kinds/draw.hpp"

namespace anachron::plot {

namespace {

const Results::Table& table_of(const Results& results, const std::string& name) {
  const auto found = results.tables().find(name);
  if (found == results.tables().end() || found->second.rows.empty())
    throw Undrawable(fmt::format("the results have no table '{}'", name));
  return found->second;
}

}  // namespace

Columns::Columns(const Results& results, const std::string& table)
    : name_(table), table_(table_of(results, table)) {}

std::size_t Columns::find(const std::string& column) const {
  const auto found = std::find(table_.columns.begin(), table_.columns.end(), column);
  if (found == table_.columns.end())
    throw Undrawable(fmt::format("table '{}' has no column '{}'; it has {}", name_, column,
                                 fmt::join(table_.columns, ", ")));
  return static_cast<std::size_t>(found - table_.columns.begin());
}

std::vector<double> Columns::numbers(const std::string& column) const {
  const std::size_t at = find(column);
  std::vector<double> values;
  values.reserve(rows());
  for (const auto& row : table_.rows) {
    double value = std::numeric_limits<double>::quiet_NaN();
    if (const auto* const whole = std::get_if<std::int64_t>(&row[at]))
      value = static_cast<double>(*whole);
    else if (const auto* const real = std::get_if<double>(&row[at]); real && std::isfinite(*real))
      value = *real;
    values.push_back(value);
  }
  return values;
}

std::vector<std::string> Columns::texts(const std::string& column) const {
  const std::size_t at = find(column);
  std::vector<std::string> values;
  values.reserve(rows());
  for (const auto& row : table_.rows) {
    if (const auto* const text = std::get_if<std::string>(&row[at]))
      values.push_back(*text);
    else if (const auto* const whole = std::get_if<std::int64_t>(&row[at]))
      values.push_back(std::to_string(*whole));
    else
      values.push_back(format_real(std::get<double>(row[at])));
  }
  return values;
}

Range range_of(const std::vector<double>& values) {
  Range range;
  for (const double value : values)
    if (!std::isnan(value)) range.add(value);
  return range;
}

Range covered_range(const std::vector<double>& values, double covered) {
  std::vector<double> known;
  std::copy_if(values.begin(), values.end(), std::back_inserter(known),
               [](double value) { return !std::isnan(value); });
  if (known.empty()) throw Undrawable("there is no number to draw");
  const auto beyond =
      static_cast<std::size_t>((1 - covered) / 2 * static_cast<double>(known.size()) + 1e-9);  // at each end
  const auto nth = [&known](std::size_t n) {
    const auto at = known.begin() + static_cast<std::ptrdiff_t>(n);
    std::nth_element(known.begin(), at, known.end());
    return *at;
  };
  Range range;
  range.add(nth(beyond));
  range.add(nth(known.size() - 1 - beyond));
  return range;
}

}  // namespace anachron::plot
