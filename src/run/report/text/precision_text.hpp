// How precise the means of replications are, compared with what was asked for.
#pragma once

#include <string>

#include <anachron/run/replications.hpp>

#include "run/report/json_parts.hpp"

namespace anachron {

/// "1.0% of the mean of stay; reached", where a precision was asked for.
std::string precision_text(const Replications& replications);

/// Which means missed the precision, and what they have; empty: none.
std::string precision_note(const Replications& replications);

/// `relative`, `of` and, of each mean that missed it, what it has; null: none was asked for.
json::Json precision_json(const Replications& replications);

}  // namespace anachron
