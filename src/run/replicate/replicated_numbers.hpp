// Which numbers of a run's results replications have means of.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <anachron/model/results.hpp>

namespace anachron {

using NamedNumbers = std::vector<std::pair<std::string, double>>;

/// All that a report's figures consist of, but for what says how sure one of them is: "arrived",
/// "stay.mean", "stay.sd". NaN where it is not known.
NamedNumbers replicated_numbers(const Results& results);

/// Of those the figures that are a single number, and the means of statistics: "arrived", "stay.mean".
NamedNumbers headlines_of(const Results& results);

/// One of them. "stay" is "stay.mean", if stay is a statistic. Empty: none has this name.
NamedNumbers number_called(std::string_view name, const Results& results);

}  // namespace anachron
