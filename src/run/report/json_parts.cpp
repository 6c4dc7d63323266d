#include "run/report/json_parts.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <type_traits>
#include <variant>

#include "base/option_table.hpp"

namespace anachron::json {
namespace {

/// Numbers as numbers, all else as on the command line.
template <class T>
Json option_json(const OptionFacts& facts, const T& value) {
  if constexpr (is_optional_value<T>)
    return value ? option_json(facts, *value) : Json(kAuto);
  else if constexpr (std::is_floating_point_v<T>)
    return number(value);
  else if constexpr (std::is_arithmetic_v<T>)
    return value;
  else
    return option_text(facts, value);
}

Json figure_json(const Results& results, const std::string& name, const Results::Figure& figure) {
  if (const auto* count = std::get_if<std::int64_t>(&figure)) return *count;
  const auto parts = results.parts(figure);
  if (parts.empty()) return number(results.value(name));
  Json out;
  for (const auto& [part, value] : parts) out[std::string(part)] = cell_json(value);
  return out;
}

std::string compact(const Json& json) {
  return json.dump(-1, ' ', false,
                   Json::error_handler_t::replace);  // a bad UTF-8 byte must not lose a report
}

void write(const Json& json, std::size_t indent, std::string& out) {
  const auto line = [&](std::size_t depth) { out.append("\n").append(depth, ' '); };
  const bool plain = !json.is_structured() || json.empty() ||
                     (json.is_array() && std::none_of(json.begin(), json.end(), [](const Json& element) {
                        return element.is_structured();
                      }));
  if (plain) {
    out += compact(json);
    return;
  }
  out += json.is_object() ? '{' : '[';
  bool first = true;
  for (const auto& [key, value] : json.items()) {
    if (!first) out += ',';
    first = false;
    line(indent + 2);
    if (json.is_object()) {
      out.append(compact(Json(key))).append(": ");
      write(value, indent + 2, out);
    } else {
      out += compact(value);
    }
  }
  line(indent);
  out += json.is_object() ? '}' : ']';
}

}  // namespace

Json number(double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); }

Json config_json(const Config& config,
                 const std::vector<std::pair<std::string, std::string>>& model_options) {
  Json out;
  for_each_option([&](const OptionFacts& facts, auto of) {
    out[std::string(facts.name)] = option_json(facts, std::invoke(of, config));
  });
  if (!config.partition_file.empty()) out["partition"] = config.partition_file;
  Json& model = out["model"] = Json::object();
  for (const auto& [name, text] : model_options) model[name] = text;
  return out;
}

Json machine_json(const Machine& machine) {
  return {{"cpu", machine.cpu},
          {"cores", machine.cores},
          {"usable_cores", machine.usable_cores},
          {"memory", machine.memory},
          {"os", machine.os},
          {"compiler", machine.compiler},
          {"optimized", machine.optimized},
          {"anachron", machine.version},
          {"built_with", machine.built_with}};
}

Json cell_json(const Results::Cell& cell) {
  return std::visit(
      [](const auto& value) -> Json {
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, double>)
          return number(value);
        else
          return value;
      },
      cell);
}

Json figures_json(const Results& results) {
  Json out = Json::object();
  for (const auto& [name, figure] : results.figures()) out[name] = figure_json(results, name, figure);
  return out;
}

std::string text_of(const Json& json) {
  std::string text;
  write(json, 0, text);
  return text + '\n';
}

}  // namespace anachron::json
