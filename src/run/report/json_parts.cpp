#include "run/report/json_parts.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <variant>

#include "run/trace_file.hpp"

namespace anachron::json {
namespace {

template <class T>
Json or_auto(const std::optional<T>& value) {
  if (!value) return "auto";
  if constexpr (std::is_enum_v<T>)
    return to_string(*value);
  else if constexpr (std::is_floating_point_v<T>)
    return number(*value);
  else
    return *value;
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
  out["sync"] = or_auto(config.sync);
  out["workers"] = or_auto(config.workers);
  out["pes"] = or_auto(config.pes);
  out["until"] = number(config.until);
  out["seed"] = config.seed;
  out["tie-seed"] = config.tie_seed;
  out["warm-up"] = number(config.warm_up);
  out["confidence"] = number(config.confidence);
  out["mapping"] = to_string(config.mapping);
  out["detector"] = to_string(config.detector);
  out["detection-interval"] = or_auto(config.detection_interval);
  out["reactivation"] = to_string(config.reactivation);
  out["core-swap"] = to_string(config.core_swap);
  out["channel"] = to_string(config.channel);
  out["channel-queues"] = or_auto(config.channel_queues);
  out["channel-capacity"] = config.channel_capacity;
  out["events"] = to_string(config.events);
  out["pool"] = to_string(config.pool);
  out["numa"] = to_string(config.numa);
  out["bind"] = to_string(config.bind);
  out["queue"] = to_string(config.queue);
  out["partition"] = config.partition_file.empty() ? to_string(config.partition) : config.partition_file;
  out["levels"] = to_string(config.levels);
  out["rollback"] = to_string(config.rollback);
  out["checkpoint-interval"] = or_auto(config.checkpoint_interval);
  out["throttle"] = to_string(config.throttle);
  out["window"] = or_auto(config.window);
  out["batch"] = or_auto(config.batch);
  out["gvt"] = to_string(config.gvt);
  out["gvt-interval"] = or_auto(config.gvt_interval);
  out["lps-per-group"] = config.lps_per_group;
  out["run-lookahead"] = or_auto(config.lookahead);
  out["cancellation"] = to_string(config.cancellation);
  out["history"] = to_string(config.history);
  out["comm"] = to_string(config.comm);
  out["message-size"] = or_auto(config.message_size);
  out["consolidation"] = to_string(config.consolidation);
  out["polling-period"] = or_auto(config.polling_period);
  out["emulate-latency"] = number(config.emulate_latency);
  out["check-rollback"] = config.check_rollback;
  out["test-chaos"] = config.test_chaos;
  out["memory"] = or_auto(config.memory);
  out["profile-lps"] = config.profile_lps;
  out["trace-lp"] = format_traced_lps(config.trace.lps);
  out["trace-from"] = number(config.trace.from);
  out["trace-to"] = number(config.trace.to);
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
