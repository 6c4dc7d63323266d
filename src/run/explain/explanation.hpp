// Why a run was fast or slow, in sentences for people who do not know the engine.
#pragma once

#include <string>

#include "run/report/json_parts.hpp"

namespace anachron {

/// At most ten lines, of a sentence or two. `report`: what report_json has written. Throws
/// json::Json::exception when something is not there.
std::string explanation(const json::Json& report);

}  // namespace anachron
