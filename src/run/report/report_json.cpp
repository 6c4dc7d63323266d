#include <anachron/run/report_json.hpp>

#include <cstdint>
#include <optional>

#include <fmt/format.h>

#include "run/report/json_parts.hpp"

namespace anachron {

namespace {

using namespace json;

Json binding_json(const WorkerBinding& binding) {
  Json cores = Json::array();
  for (const auto& core : binding.cores) cores.push_back(core ? Json(*core) : Json(nullptr));
  return {{"cores", std::move(cores)},
          {"why_not", binding.why_not.empty() ? Json(nullptr) : Json(binding.why_not)}};
}

Json numa_json(const NumaFigures& numa) {
  Json nodes = Json::array();
  for (const NodeFigures& node : numa.nodes)
    nodes.push_back(
        {{"rank", node.rank}, {"node", node.node}, {"pes", node.pes}, {"pool_bytes", node.pool_bytes}});
  return {{"nodes", std::move(nodes)},
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

Json pes_json(const std::vector<PeReport>& pes) {
  Json out = Json::array();
  for (const PeReport& pe : pes)
    out.push_back({{"pe", out.size()},
                   {"lps", pe.lps},
                   {"committed", pe.committed},
                   {"executed", pe.executed},
                   {"rolled_back", pe.rolled_back},
                   {"rollbacks", pe.rollbacks},
                   {"rollbacks_local", pe.rollbacks_local},
                   {"rollbacks_regional", pe.rollbacks_regional},
                   {"rollbacks_remote", pe.rollbacks_remote},
                   {"anti_messages", pe.anti_messages},
                   {"sent", pe.sent},
                   {"sent_remote", pe.sent_remote},
                   {"state_copies", pe.state_copies},
                   {"coasted", pe.coasted},
                   {"lazy_hits", pe.lazy_hits},
                   {"checkpoint_interval", pe.checkpoint_interval},
                   {"node", pe.node},
                   {"copied", pe.copied},
                   {"copied_bytes", pe.copied_bytes},
                   {"recall_bytes", pe.recall_bytes},
                   {"waiting_blocks", number(pe.mean_waiting_blocks())},
                   {"most_waiting_blocks", pe.most_waiting_blocks},
                   {"new_blocks", pe.new_blocks},
                   {"rebalanced_blocks", pe.rebalanced_blocks},
                   {"pool_bytes", pe.pool_bytes},
                   {"event_bytes", pe.event_bytes},
                   {"queue_bytes", pe.queue_bytes},
                   {"history_bytes", pe.history_bytes}});
  return out;
}

Json workers_json(const std::vector<WorkerReport>& workers) {
  Json out = Json::array();
  for (const WorkerReport& worker : workers)
    out.push_back({{"worker", out.size()},
                   {"waiting_s", number(worker.waiting_s)},
                   {"gvt_s", number(worker.gvt_s)},
                   {"core_swaps", worker.core_swaps},
                   {"time_slices", worker.time_slices}});
  return out;
}

Json lp_profile_json(const std::vector<LpFigures>& lps) {
  Json out = Json::array();
  for (const LpFigures& lp : lps)
    out.push_back({{"type", lp.type},
                   {"index", lp.index},
                   {"pe", lp.pe},
                   {"committed", lp.committed},
                   {"rolled_back", lp.rolled_back},
                   {"rollbacks", lp.rollbacks},
                   {"rollbacks_caused", lp.rollbacks_caused}});
  return out;
}

Json workers_tried_json(const std::vector<WorkerTrial>& tried) {
  Json out = Json::array();
  for (const WorkerTrial& trial : tried)
    out.push_back({{"workers", trial.workers},
                   {"in_windows", trial.in_windows},
                   {"rate", trial.rate ? Json(*trial.rate) : Json(nullptr)},
                   {"wall_s", trial.wall_s}});
  return out;
}

Json rounds_json(const std::vector<RoundSample>& rounds) {
  Json out;
  for (const char* name :
       {"gvt", "wall_s", "committed", "executed", "horizon", "active_workers", "imbalance"})
    out[name] = Json::array();
  for (const RoundSample& round : rounds) {
    out["gvt"].push_back(number(round.gvt));
    out["wall_s"].push_back(number(round.wall_s));
    out["committed"].push_back(round.committed);
    out["executed"].push_back(round.executed);
    out["horizon"].push_back(number(round.horizon));
    out["active_workers"].push_back(round.active_workers);
    out["imbalance"].push_back(round.imbalance ? number(*round.imbalance) : Json(nullptr));
  }
  return out;
}

Json ranks_json(const std::vector<RankFigures>& ranks) {
  Json out = Json::array();
  for (const RankFigures& rank : ranks)
    out.push_back({{"rank", out.size()},
                   {"host", rank.host},
                   {"workers", rank.workers},
                   {"pes", rank.pes},
                   {"comm_thread", rank.has_comm_thread},
                   {"committed", rank.committed},
                   {"executed", rank.executed},
                   {"rolled_back", rank.rolled_back},
                   {"cpu_s", number(rank.cpu_s)},
                   {"peak_rss", rank.peak_rss},
                   {"memory_peak", rank.memory_peak},
                   {"messages_sent", rank.messages_sent},
                   {"bytes_sent", rank.bytes_sent},
                   {"events_sent", rank.events_sent},
                   {"probes", rank.probes},
                   {"successful_probes", rank.successful_probes}});
  return out;
}

}  // namespace

std::string report_json(const Report& report, const Machine& machine) {
  const auto known = [](const std::optional<double>& x) { return x ? number(*x) : Json(nullptr); };
  const auto counted = [&report](const auto& of) {
    const auto count =
        report.core_counts ? std::optional<std::uint64_t>(of(*report.core_counts)) : std::nullopt;
    return count ? Json(*count) : Json(nullptr);
  };
  Json out;
  out["schema"] = kReportSchema;
  out["model_name"] = report.model;
  out["digest"] = fmt::format("{:016x}", report.digest);
  out["ending"] = to_string(report.ending);
  out["interrupted"] = report.ending == Ending::interrupted;
  out["end_time"] = number(report.end_time);
  out["lps"] = report.lps;
  out["committed"] = report.committed;
  out["executed"] = report.executed;
  out["rolled_back"] = report.rolled_back;
  out["rollbacks"] = report.rollbacks;
  out["rollbacks_local"] = report.rollbacks_local;
  out["rollbacks_regional"] = report.rollbacks_regional;
  out["rollbacks_remote"] = report.rollbacks_remote;
  out["efficiency"] = number(report.efficiency());
  out["rollback_efficiency"] = number(report.rollback_efficiency());
  out["anti_messages"] = report.anti_messages;
  out["sent"] = report.sent;
  out["sent_remote"] = report.sent_remote;
  out["remote_events"] = number(report.remote_events());
  out["dealt_by"] = report.config.partition_file.empty() ? to_string(report.dealt_by) : "file";
  out["copied"] = report.copied;
  out["copied_bytes"] = report.copied_bytes;
  out["recall_bytes"] = report.recall_bytes;
  out["waiting_blocks"] = number(report.waiting_blocks);
  out["most_waiting_blocks"] = report.most_waiting_blocks;
  out["new_blocks"] = report.new_blocks;
  out["rebalanced_blocks"] = report.rebalanced_blocks;
  out["recycled"] = known(report.recycled());
  out["imbalance"] = number(report.imbalance());
  out["state_copies"] = report.state_copies;
  out["coasted"] = report.coasted;
  out["lazy_hits"] = report.lazy_hits;
  out["rate"] = number(report.rate());
  out["wall_s"] = number(report.wall_s);
  out["setup_s"] = number(report.setup_s);
  out["cpu_s"] = number(report.cpu_s);
  out["normalised_s"] = known(report.normalised_s());
  out["nominal_hz"] = known(report.nominal_hz);
  out["cycles"] = counted([](const CoreCounts& all) { return std::optional(all.cycles); });
  out["instructions"] = counted([](const CoreCounts& all) { return all.instructions; });
  out["cache_misses"] = counted([](const CoreCounts& all) { return all.cache_misses; });
  out["gvt_rounds"] = report.gvt_rounds;
  out["gvt_latency_s"] = number(report.gvt_latency_s);
  out["gvt_s"] = number(report.gvt_s);
  out["waiting_s"] = number(report.waiting_s);
  out["core_swaps"] = report.core_swaps;
  out["time_slices"] = report.time_slices;
  out["last_batch"] = report.last_batch;
  out["last_gvt_interval"] = report.last_gvt_interval;
  out["peak_rss"] = report.peak_rss;
  out["pool_bytes"] = report.pool_bytes;
  out["history_bytes"] = report.history_bytes;
  out["event_bytes"] = report.event_bytes;
  out["queue_bytes"] = report.queue_bytes;
  out["lp_bytes"] = report.lp_bytes;
  out["peak_pending"] = report.peak_pending;
  const auto per_event = report.bytes_per_pending_event();
  out["bytes_per_pending_event"] = per_event ? number(*per_event) : Json(nullptr);
  out["bytes_per_lp"] = number(report.bytes_per_lp());
  out["memory_limit"] = report.memory_limit;
  out["memory_peak"] = report.memory_peak;
  out["retreats"] = report.retreats;
  out["binding"] = binding_json(report.binding);
  out["numa"] = numa_json(report.numa);
  out["config"] = config_json(report.config, report.model_options);
  out["machine"] = machine_json(machine);
  out["model"] = figures_json(report.results);
  out["tables"] = tables_json(report.results);
  out["pes"] = pes_json(report.pes);
  out["workers"] = workers_json(report.workers);
  out["workers_tried"] = workers_tried_json(report.workers_tried);
  out["committed_in_order"] = report.committed_in_order;
  out["sent_in_order"] = report.sent_in_order;
  out["round_trip_s"] = report.round_trip_s ? Json(*report.round_trip_s) : Json(nullptr);
  out["transport"] = report.transport.empty() ? Json(nullptr) : Json(report.transport);
  out["events_per_message"] = known(report.events_per_message());
  out["successful_probes"] = known(report.successful_probes());
  out["gvt_counts"] = report.gvt_counts;
  out["ranks"] = ranks_json(report.ranks);
  out["lp_profile"] = lp_profile_json(report.lp_profile);
  out["rounds"] = rounds_json(report.rounds);
  out["notes"] = report.notes;

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
  out["notes"] = reports.empty() ? std::vector<std::string>() : reports.front().notes;

  return text_of(out);
}

}  // namespace anachron
