#include "run/replicate/precision_rule.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <anachron/base/parse.hpp>
#include <anachron/model/stats/student.hpp>

#include "run/replicate/replicated_numbers.hpp"

namespace anachron {

bool PrecisionRule::add(const Results& results) {
  ++seen_;
  const NamedNumbers numbers =
      wanted_.figure.empty() ? headlines_of(results) : number_called(wanted_.figure, results);
  for (const auto& [name, value] : numbers) {
    if (!std::isfinite(value)) continue;
    auto known = std::find_if(means_.begin(), means_.end(), [&](const Mean& m) { return m.name == name; });
    if (known == means_.end()) known = means_.insert(known, {name, {}});
    known->values.add(value);
  }
  if (seen_ < Precision::kFirst) return false;
  if (seen_ == Precision::kFirst && means_.empty() && !wanted_.figure.empty()) {
    std::vector<std::string> valid;
    for (const auto& number : replicated_numbers(results)) valid.push_back(number.first);
    throw bad_choice("precision-of", wanted_.figure, valid);
  }
  return !means_.empty() &&
         std::all_of(means_.begin(), means_.end(), [this](const Mean& mean) { return is_precise(mean); });
}

std::vector<Imprecise> PrecisionRule::missed() const {
  std::vector<Imprecise> out;
  for (const Mean& mean : means_)
    if (!is_precise(mean)) out.push_back({mean.name, reached(mean)});
  return out;
}

double PrecisionRule::reached(const Mean& mean) const {
  const std::optional<double> half = half_width(mean.values, confidence_);
  if (!half) return std::numeric_limits<double>::infinity();
  if (*half == 0) return 0;
  return *half / std::abs(mean.values.mean());
}

}  // namespace anachron
