// `anachron what-if MODEL --changes FILE`: a run, and what it would have been with some changes.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "run/commands/model_run.hpp"

namespace anachron {

/// Throws as `run_model`, and InputError for a model without changes, and for a file that is not valid.
Status what_if(AnyModel& model, const Invocation& invocation, std::span<const std::string> arguments);

/// A line for each variant: `NAME: CHANGE; CHANGE`. Empty lines and what follows a `#` do not count. `path`
/// is named in errors, with the line.
std::vector<NamedVariant> parse_variants(std::string_view text, const std::string& path);

/// For people: how much was executed, and the figures that differ.
std::string what_if_text(const WhatIfReport& report);
/// One JSON object, `schema` anachron-what-if/1.
std::string what_if_json(const WhatIfReport& report);

}  // namespace anachron
