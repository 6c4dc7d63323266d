// What the reports of a run and of replications have in common as JSON.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include <anachron/base/config.hpp>
#include <anachron/model/results.hpp>
#include <anachron/run/machine.hpp>

namespace anachron::json {

using Json = nlohmann::ordered_json;

/// Null where `x` is not finite, which JSON has no number for.
Json number(double x);

Json config_json(const Config& config, const std::vector<std::pair<std::string, std::string>>& model_options);
Json machine_json(const Machine& machine);
Json cell_json(const Results::Cell& cell);
Json figures_json(const Results& results);

/// One member per line, as `dump(2)`. But an array of plain values is on one line, and one of others has one
/// element per line: a report stays readable, and rows stay rows. Ends with a newline.
std::string text_of(const Json& json);

}  // namespace anachron::json
