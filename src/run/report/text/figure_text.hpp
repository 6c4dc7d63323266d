// Figures of a model for people.
#pragma once

#include <string>

#include <anachron/model/results.hpp>

namespace anachron {

/// "none" for NaN.
std::string number_text(double number);
/// "1,234", "1.5 +- 0.1 (95%, 40 batches, 1,234 values)", "mean 1.5, sd 0.7, min 0, max 3 (1,234 values)".
std::string figure_text(const Results& results, const std::string& name, const Results::Figure& value);

}  // namespace anachron
