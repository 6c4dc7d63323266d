// `anachron explain`: says why a run was fast or slow, from its report.
#pragma once

#include <span>
#include <string>

#include "run/commands/model_run.hpp"

namespace anachron {

/// Prints the explanation of the report in the one file named. Throws InputError for a file that cannot be
/// read or has no report of a run.
Status explain_report(std::span<const std::string> arguments);

}  // namespace anachron
