#include <anachron/run/report_json.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <anachron/model/reflect.hpp>
#include <anachron/run/report_text.hpp>

#include "run/report/json_parts.hpp"
#include "run/report/text/precision_text.hpp"

namespace anachron {

namespace {

using namespace json;

Json or_null(const std::optional<double>& x) { return x ? number(*x) : Json(nullptr); }

template <class T>
Json member_json(const T& value) {
  if constexpr (std::is_same_v<T, std::optional<double>>)
    return or_null(value);
  else if constexpr (std::is_same_v<T, double>)
    return number(value);
  else
    return value;
}

template <class Aggregate>
void add_members(const Aggregate& object, Json& out);

template <class T>
void add_member(std::string_view name, const T& value, Json& out) {
  if constexpr (std::is_same_v<T, TimeSplit>)
    add_members(value, out);
  else
    out[std::string(name)] = member_json(value);
}

/// Each member of `object` under its name; of a TimeSplit its members.
template <class Aggregate>
void add_members(const Aggregate& object, Json& out) {
  detail::with_members(object, [&out](const auto&... members) {
    std::size_t index = 0;
    (add_member(detail::member_names<Aggregate>()[index++], members, out), ...);
  });
}

/// `number`: the key for the number of a row; empty: rows have none.
template <class Row>
Json rows_json(const std::vector<Row>& rows, const std::string& number = {}) {
  Json out = Json::array();
  for (const Row& row : rows) {
    Json object = Json::object();
    if (!number.empty()) object[number] = out.size();
    add_members(row, object);
    out.push_back(std::move(object));
  }
  return out;
}

Json binding_json(const WorkerBinding& binding) {
  Json cores = Json::array();
  for (const auto& core : binding.cores) cores.push_back(core ? Json(*core) : Json(nullptr));
  return {{"cores", std::move(cores)},
          {"why_not", binding.why_not.empty() ? Json(nullptr) : Json(binding.why_not)}};
}

Json numa_json(const NumaFigures& numa) {
  return {{"nodes", rows_json(numa.nodes)},
          {"why_not", numa.why_not.empty() ? Json(nullptr) : Json(numa.why_not)}};
}

Json tables_json(const Results& results) {
  std::size_t total = 0;
  for (const auto& [name, table] : results.tables()) total += table.rows.size();
  Json out = Json::object();
  for (const auto& [name, table] : results.tables()) {
    Json& entry = out[name];
    entry["row_count"] = table.rows.size();
    entry["columns"] = table.columns;
    if (total > kMostTableRows) continue;
    Json& rows = entry["rows"] = Json::array();
    for (const auto& row : table.rows) {
      Json& cells = rows.emplace_back(Json::array());
      for (const auto& cell : row) cells.push_back(cell_json(cell));
    }
  }
  return out;
}

Json rounds_json(const std::vector<RoundSample>& rounds) {
  Json out;
  for (const char* name :
       {"gvt", "wall_s", "committed", "executed", "horizon", "active_workers", "imbalance", "memory"})
    out[name] = Json::array();
  for (const RoundSample& round : rounds) {
    out["gvt"].push_back(number(round.gvt));
    out["wall_s"].push_back(number(round.wall_s));
    out["committed"].push_back(round.committed);
    out["executed"].push_back(round.executed);
    out["horizon"].push_back(number(round.horizon));
    out["active_workers"].push_back(round.active_workers);
    out["imbalance"].push_back(round.imbalance ? number(*round.imbalance) : Json(nullptr));
    out["memory"].push_back(round.memory);
  }
  return out;
}

void add_times(const Report& report, Json& out) {
  const auto counted = [&report](const auto& of) {
    const auto count =
        report.core_counts ? std::optional<std::uint64_t>(of(*report.core_counts)) : std::nullopt;
    return count ? Json(*count) : Json(nullptr);
  };
  out["rate"] = number(report.rate());
  out["wall_s"] = number(report.wall_s);
  out["setup_s"] = number(report.setup_s);
  out["cpu_s"] = number(report.cpu_s);
  out["normalised_s"] = or_null(report.normalised_s());
  out["nominal_hz"] = or_null(report.nominal_hz);
  out["cycles"] = counted([](const CoreCounts& all) { return std::optional(all.cycles); });
  out["instructions"] = counted([](const CoreCounts& all) { return all.instructions; });
  out["cache_misses"] = counted([](const CoreCounts& all) { return all.cache_misses; });
  out["gvt_rounds"] = report.gvt_rounds;
  out["gvt_latency_s"] = number(report.gvt_latency_s);
  out["gvt_s"] = number(report.gvt_s);
  out["waiting_s"] = number(report.waiting_s);
  out["asleep_s"] = number(report.asleep_s);
  out["core_swaps"] = report.core_swaps;
  out["time_slices"] = report.time_slices;
  out["last_batch"] = report.last_batch;
  out["last_gvt_interval"] = report.last_gvt_interval;
  out["gvt_interval_iterations"] = or_null(report.gvt_interval_iterations());
}

void add_migrations(const Report& report, Json& out) {
  out["migrations"] = report.migrations;
  out["migrated_lps"] = report.migrated_lps;
  out["migrations_taken_back"] = report.migrations_taken_back;
  out["migration_gain"] = or_null(report.migration_gain);
}

void add_memory(const Report& report, Json& out) {
  out["peak_rss"] = report.peak_rss;
  out["lp_bytes"] = report.lp_bytes;
  out["peak_pending"] = report.peak_pending;
  out["bytes_per_pending_event"] = or_null(report.bytes_per_pending_event());
  out["bytes_per_lp"] = number(report.bytes_per_lp());
  out["memory_limit"] = report.memory_limit;
  out["memory_peak"] = report.memory_peak;
  out["retreats"] = report.retreats;
}

void add_checkpoints(const Report& report, Json& out) {
  out["committed_before"] = report.committed_before;
  out["checkpoint"] = report.checkpoint.empty() ? Json(nullptr) : Json(report.checkpoint);
  out["checkpoints"] = report.checkpoints;
  out["checkpoint_s"] = number(report.checkpoint_s);
  out["checkpoint_bytes"] = report.checkpoint_bytes;
}

}  // namespace

std::string report_json(const Report& report, const Machine& machine) {
  Json out;
  out["schema"] = kReportSchema;
  out["model_name"] = report.model;
  out["digest"] = fmt::format("{:016x}", report.digest);
  out["state_digest"] =
      report.state_digest ? Json(fmt::format("{:016x}", *report.state_digest)) : Json(nullptr);
  out["why_no_state_digest"] =
      report.why_no_state_digest.empty() ? Json(nullptr) : Json(report.why_no_state_digest);
  add_checkpoints(report, out);
  out["is_out_of_time"] = report.is_out_of_time;
  out["ending"] = to_string(report.ending);
  out["interrupted"] = report.ending == Ending::interrupted;
  out["end_time"] = number(report.end_time);
  add_members<PeReport>(report, out);
  out.erase("node");
  out["efficiency"] = number(report.efficiency());
  out["rollback_efficiency"] = number(report.rollback_efficiency());
  out["remote_events"] = number(report.remote_events());
  out["dealt_by"] = report.config.partition_file.empty() ? to_string(report.dealt_by) : "file";
  out["recycled"] = or_null(report.recycled());
  out["probes_per_lookup"] = or_null(report.probes_per_lookup());
  out["probes_per_insertion"] = or_null(report.probes_per_insertion());
  out["imbalance"] = number(report.imbalance());
  out["critical_path"] = or_null(report.critical_path);
  const auto& timed = report.event_times;
  out["critical_path_s"] = timed ? number(timed->critical_path_s) : Json(nullptr);
  out["handlers_s"] = timed ? number(timed->handlers_s) : Json(nullptr);
  out["available_parallelism"] = or_null(report.available_parallelism());
  add_times(report, out);
  add_memory(report, out);
  out["binding"] = binding_json(report.binding);
  out["numa"] = numa_json(report.numa);
  out["config"] = config_json(report.config, report.model_options);
  out["machine"] = machine_json(machine);
  out["model"] = figures_json(report.results);
  out["tables"] = tables_json(report.results);
  out["pes"] = rows_json(report.pes, "pe");
  out["workers"] = rows_json(report.workers, "worker");
  out["workers_tried"] = rows_json(report.workers_tried);
  add_migrations(report, out);
  out["committed_in_order"] = report.committed_in_order;
  out["sent_in_order"] = report.sent_in_order;
  out["round_trip_s"] = or_null(report.round_trip_s);
  out["transport"] = report.transport.empty() ? Json(nullptr) : Json(report.transport);
  out["events_per_message"] = or_null(report.events_per_message());
  out["successful_probes"] = or_null(report.successful_probes());
  out["gvt_counts"] = report.gvt_counts;
  out["ranks"] = rows_json(report.ranks, "rank");
  out["lp_profile"] = rows_json(report.lp_profile);
  out["rollback_pairs"] = rows_json(report.rollback_pairs);
  out["rounds"] = rounds_json(report.rounds);
  out["notes"] = report.notes;
  const std::string hint = speed_hint(report, machine);
  out["hint"] = hint.empty() ? Json(nullptr) : Json(hint);

  return text_of(out);
}

std::string replications_json(const Replications& replications, const Machine& machine) {
  Json out;
  const auto& reports = replications.reports;
  out["schema"] = kReplicationsSchema;
  out["model_name"] = reports.empty() ? "" : reports.front().model;
  out["replications"] = replications.wanted;
  out["ended"] = reports.size();
  out["interrupted"] = replications.is_interrupted();
  out["failure"] = replications.failure.empty() ? Json(nullptr) : Json(replications.failure);
  out["side_by_side"] = replications.side_by_side;
  out["wall_s"] = number(replications.wall_s);
  out["confidence"] = number(replications.config.confidence);
  out["precision"] = precision_json(replications);
  Json& estimates = out["estimates"] = Json::object();
  for (const auto& [name, values, half_width] : replications.estimates())
    estimates[name] = {{"count", values.count()},
                       {"mean", number(values.mean())},
                       {"half_width", half_width ? number(*half_width) : Json(nullptr)},
                       {"sd", number(values.sd())},
                       {"min", number(values.min())},
                       {"max", number(values.max())}};
  Json& runs = out["runs"] = Json::array();
  for (const Report& report : reports)
    runs.push_back({{"seed", report.config.seed},
                    {"digest", fmt::format("{:016x}", report.digest)},
                    {"ending", to_string(report.ending)},
                    {"end_time", number(report.end_time)},
                    {"committed", report.committed},
                    {"wall_s", number(report.wall_s)},
                    {"model", figures_json(report.results)}});
  using Options = std::vector<std::pair<std::string, std::string>>;
  out["config"] =
      config_json(replications.config, reports.empty() ? Options() : reports.front().model_options);
  out["machine"] = machine_json(machine);
  auto notes = reports.empty() ? std::vector<std::string>() : reports.front().notes;
  if (std::string missed = precision_note(replications); !missed.empty()) notes.push_back(std::move(missed));
  out["notes"] = std::move(notes);

  return text_of(out);
}

}  // namespace anachron
