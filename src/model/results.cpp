#include <anachron/model/results.hpp>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <anachron/base/error.hpp>

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
                 [](const Results::Highest&) { return "max"; }},
      figure);
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
  return std::get<Kind>(figures_.emplace_back(std::string(name), initial).second);
}

void Results::count(std::string_view name, std::int64_t n) {
  auto& total = figure<std::int64_t>(name, 0);
  std::int64_t sum = 0;
  if (__builtin_add_overflow(total, n, &sum))
    throw InputError(fmt::format("result '{}': the count exceeds 64 bits", name));
  total = sum;
}

void Results::add(std::string_view name, double x) { figure<double>(name, 0.0) += x; }

void Results::mean(std::string_view name, double sum, std::uint64_t weight) {
  auto& mean = figure<Mean>(name, Mean{});
  mean.sum += sum;
  mean.count += weight;
}

void Results::min(std::string_view name, double x) {
  auto& lowest = figure<Lowest>(name, Lowest{x});
  lowest.value = std::min(lowest.value, x);
}

void Results::max(std::string_view name, double x) {
  auto& highest = figure<Highest>(name, Highest{x});
  highest.value = std::max(highest.value, x);
}

void Results::row(std::string_view table, const std::vector<std::string>& columns, std::vector<Cell> cells) {
  if (cells.size() != columns.size())
    throw InputError(fmt::format("result table '{}': a row of {} cells for {} columns ({})", table,
                                 cells.size(), columns.size(), fmt::join(columns, ", ")));
  auto found = tables_.find(table);
  if (found == tables_.end()) {
    found = tables_.emplace(std::string(table), Table{columns, {}}).first;
  } else if (found->second.columns != columns) {
    throw InputError(fmt::format("result table '{}': a row with columns ({}), but the first row had ({})",
                                 table, fmt::join(columns, ", "), fmt::join(found->second.columns, ", ")));
  }
  found->second.rows.push_back(std::move(cells));
}

double Results::value(std::string_view name) const {
  const auto found =
      std::find_if(figures_.begin(), figures_.end(), [&](const auto& f) { return f.first == name; });
  if (found == figures_.end()) throw std::out_of_range(fmt::format("no result named '{}'", name));
  return std::visit(
      Overloaded{[](std::int64_t n) { return static_cast<double>(n); }, [](double sum) { return sum; },
                 [](const Mean& m) {
                   return m.count ? m.sum / static_cast<double>(m.count)
                                  : std::numeric_limits<double>::quiet_NaN();
                 },
                 [](const Lowest& l) { return l.value; }, [](const Highest& h) { return h.value; }},
      found->second);
}

}  // namespace anachron
