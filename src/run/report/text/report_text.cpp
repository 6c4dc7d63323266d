#include <anachron/run/report_text.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <set>
#include <string>

#include <fmt/format.h>
#include <anachron/base/parse.hpp>

#include "pe/in_order.hpp"
#include "run/report/format.hpp"
#include "run/report/text/figure_text.hpp"
#include "run/report/text/precision_text.hpp"

namespace anachron {

namespace {

class Table {
 public:
  void line(std::string_view label, std::string_view text) {
    lines_.emplace_back(label, text);
    width_ = std::max(width_, label.size());
  }
  void gap() { lines_.emplace_back(); }

  std::string str() const {
    std::string out;
    for (const auto& [label, text] : lines_)
      out += label.empty() ? "\n" : fmt::format("{:<{}}  {}\n", label, width_, text);
    return out;
  }

 private:
  std::vector<std::pair<std::string, std::string>> lines_;
  std::size_t width_ = 14;
};

std::string ending_text(const Report& report) {
  switch (report.ending) {
    case Ending::finished:
      break;
    case Ending::stopped:
      return fmt::format("stopped by the model at time {}", figure(report.end_time));
    case Ending::interrupted:
      return fmt::format("INTERRUPTED at time {}", figure(report.end_time));
  }
  return fmt::format("finished at time {}", figure(report.end_time));
}

bool is_sequential(const Report& report) { return report.config.sync == Sync::sequential; }
bool is_in_order(const Report& report) { return pe::runs_in_order(report.config); }

/// "2 on 1 host over Open MPI 4.1.4; 25.3 events per message, 45% of the looks for messages found some".
std::string ranks_text(const Report& report) {
  std::set<std::string> hosts;
  for (const RankFigures& rank : report.ranks) hosts.insert(rank.host);
  std::string text =
      fmt::format("{} on {} over {}", report.ranks.size(), plural(hosts.size(), "host"), report.transport);
  if (const auto events = report.events_per_message())
    text += fmt::format("; {:.1f} events per message", *events);
  if (const auto found = report.successful_probes())
    text += fmt::format(", {} of the looks for messages found some", percent(*found));
  return text;
}

/// "vm, 2 workers: 25.1% of the events, 12.3 MiB sent in 1,234 messages, 60.3 MiB of memory".
std::string rank_text(const RankFigures& rank, std::uint64_t committed) {
  return fmt::format(
      "{}, {}{}: {} of the events, {} sent in {}, {} of memory", rank.host, plural(rank.workers, "worker"),
      rank.comm_thread ? " and one that communicates" : "",
      percent(committed ? static_cast<double>(rank.committed) / static_cast<double>(committed) : 0),
      bytes(rank.bytes_sent), plural(rank.messages_sent, "message"), bytes(rank.peak_rss));
}

/// "130 LPs moved 3 times, and back 1 time; 1.41 times as fast after a move".
std::string migration_text(const Report& report) {
  std::string text =
      fmt::format("{} moved {}", plural(report.migrated_lps, "LP"), plural(report.migrations, "time"));
  if (report.migrations_taken_back > 0)
    text += fmt::format(", and back {}", plural(report.migrations_taken_back, "time"));
  if (report.migration_gain)
    text += fmt::format("; {:.2f} times as fast after a move", *report.migration_gain);
  return text;
}

/// "2: 13.1 M events/s, 1: 10.2 M events/s, 1.97 active on average".
std::string workers_tried_text(const Report& report) {
  std::string text;
  for (const WorkerTrial& trial : report.workers_tried)
    if (trial.rate)
      text += fmt::format("{}{}: {} events/s, ", trial.workers, trial.in_windows ? " in windows" : "",
                          scaled(*trial.rate));
  return fmt::format("{}{:.2f} active on average", text, report.active_workers());
}

std::string mode_text(const Report& report) {
  if (is_sequential(report)) return "sequential";
  const unsigned workers = report.config.workers.value_or(1), pes = report.config.pes.value_or(workers);
  Sync sync = report.config.sync.value_or(Sync::automatic);
  if (sync == Sync::automatic && !report.had_windows()) sync = Sync::optimistic;
  std::string text = fmt::format("{}, ", to_string(sync));
  if (!report.ranks.empty()) text += fmt::format("{} of ", plural(report.ranks.size(), "rank"));
  text += plural(workers, "worker");
  if (pes != workers) text += fmt::format(", {}", plural(pes, "PE"));
  return text;
}

/// "cores 0-3, 8, 10": numbers that follow one another are put together.
std::string cores_text(const std::vector<std::optional<unsigned>>& cores) {
  std::string out;
  for (std::size_t i = 0; i < cores.size();) {
    std::size_t end = i + 1;
    while (cores[i] && end < cores.size() && cores[end] == *cores[i] + (end - i)) ++end;
    if (!out.empty()) out += ", ";
    out += cores[i] ? std::to_string(*cores[i]) : "none";
    if (end - i > 1) out += fmt::format("-{}", *cores[end - 1]);
    i = end;
  }
  return fmt::format("core{} {}", cores.size() == 1 ? "" : "s", out);
}

std::string binding_text(const WorkerBinding& binding) {
  if (binding.cores.empty()) return fmt::format("not bound: {}", binding.why_not);
  const std::string cores = fmt::format("workers stay on {}", cores_text(binding.cores));
  return binding.why_not.empty() ? cores : fmt::format("{}: {}", cores, binding.why_not);
}

std::string footprint_text(const Report& report) {
  const auto whole = [](double n) { return bytes(static_cast<std::uint64_t>(std::llround(n))); };
  const std::string lp = fmt::format("{} per LP", whole(report.bytes_per_lp()));
  const auto event = report.bytes_per_pending_event();
  return event ? fmt::format("{} per pending event (at most {}), {}", whole(*event),
                             grouped(report.peak_pending), lp)
               : lp;
}

std::string copies_text(const Report& report) {
  unsigned least = kMostCheckpointInterval, most = 1;
  for (const PeReport& pe : report.pes) {
    least = std::min(least, pe.checkpoint_interval);
    most = std::max(most, pe.checkpoint_interval);
  }
  const std::string copies = scaled(static_cast<double>(report.state_copies));
  if (most == 1 && report.coasted == 0) return copies;
  const std::string interval = least < most ? fmt::format("{} to {}", least, most) : fmt::format("{}", most);
  return fmt::format("{}, every {} events of an LP; {} events executed again", copies, interval,
                     scaled(static_cast<double>(report.coasted)));
}

// The workers' time.
double share_of_time(const Report& report, double seconds) {
  const double available = report.wall_s * report.active_workers();
  return available > 0 ? seconds / available : 0;
}

/// Where the events were sent that made others be rolled back; empty: there were none.
std::string rollbacks_text(const Report& report) {
  const std::uint64_t all = report.rollbacks_local + report.rollbacks_regional + report.rollbacks_remote;
  std::string out;
  for (const auto& [count, where] :
       {std::pair(report.rollbacks_local, "the same PE"), std::pair(report.rollbacks_regional, "another PE"),
        std::pair(report.rollbacks_remote, "another rank")}) {
    if (count == 0) continue;
    const double share = static_cast<double>(count) / static_cast<double>(all);
    out += fmt::format("{}{} {}", out.empty() ? "by events from " : ", ", where, percent(share));
  }
  return out;
}

std::string gvt_text(const Report& report) {
  return fmt::format("{}, each {} long; {} of the time; every {} events of a PE, batches of {}",
                     grouped(report.gvt_rounds), duration(report.gvt_latency_s),
                     percent(share_of_time(report, report.gvt_s)), grouped(report.last_gvt_interval),
                     report.last_batch);
}

std::string waiting_text(const Report& report) {
  return fmt::format("{} of the workers' time", percent(share_of_time(report, report.waiting_s)));
}

/// "execution 71.2%, routing 5.1%, rollback 3.0%, GVT rounds 0.9%, commit 12.2%, idle 7.6%".
std::string time_split_text(const TimeSplit& spent) {
  const double all = spent.sum();
  std::string text;
  for (const auto& [what, seconds] :
       {std::pair("execution", spent.execution_s), std::pair("routing", spent.routing_s),
        std::pair("rollback", spent.rollback_s), std::pair("GVT rounds", spent.rounds_s),
        std::pair("commit", spent.commit_s), std::pair("idle", spent.idle_s)})
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", what, percent(all > 0 ? seconds / all : 0));
  return text;
}

/// The LPs with most of a figure, a line each. The JSON has all that was asked for.
template <class Text>
void add_most(Table& table, std::string_view label, std::size_t asked, std::vector<LpFigures> lps,
              std::uint64_t LpFigures::* figure, const Text& text) {
  constexpr std::size_t kMostLines = 10;
  std::erase_if(lps, [figure](const LpFigures& lp) { return lp.*figure == 0; });
  std::stable_sort(lps.begin(), lps.end(),
                   [figure](const LpFigures& a, const LpFigures& b) { return a.*figure > b.*figure; });
  if (lps.size() > std::min(asked, kMostLines)) lps.resize(std::min(asked, kMostLines));
  for (const LpFigures& lp : lps) {
    table.line(label, fmt::format("{} {}: {}", lp.type, lp.index, text(lp)));
    label = " ";
  }
}

/// What it takes that the memory of an event is used again only when GVT has passed it.
std::string event_blocks_text(const Report& report) {
  std::string text = fmt::format("{} waited for GVT on average, {} at most", scaled(report.waiting_blocks),
                                 scaled(static_cast<double>(report.most_waiting_blocks)));
  if (const auto recycled = report.recycled()) text += fmt::format("; {} recycled", percent(*recycled));
  return text;
}

std::string numa_text(const NumaFigures& numa) {
  std::string text;
  for (const NodeFigures& node : numa.nodes)
    text += fmt::format("{}node {}: {} for {}", text.empty() ? "" : "; ", node.node, bytes(node.pool_bytes),
                        plural(node.pes, "processing element"));
  return text;
}

void add_profile(Table& table, const Report& report) {
  if (report.lp_profile.empty()) return;
  table.gap();
  const std::size_t asked = report.config.profile_lps;
  const auto most = [&](std::string_view label, std::uint64_t LpFigures::* figure, const auto& text) {
    add_most(table, label, asked, report.lp_profile, figure, text);
  };
  most("most events", &LpFigures::committed,
       [](const LpFigures& lp) { return fmt::format("{} on PE {}", grouped(lp.committed), lp.pe); });
  most("most rollbacks", &LpFigures::rollbacks, [](const LpFigures& lp) {
    return fmt::format("{}, {} undone", plural(lp.rollbacks, "rollback"), plural(lp.rolled_back, "event"));
  });
  most("caused most", &LpFigures::rollbacks_caused,
       [](const LpFigures& lp) { return plural(lp.rollbacks_caused, "rollback"); });
}

void add_critical_path(Table& table, const Report& report) {
  const auto parallelism = report.available_parallelism();
  if (!parallelism) return;
  const std::string length =
      report.event_times ? fmt::format("{} in handlers", duration(report.event_times->critical_path_s))
                         : plural(*report.critical_path, "event");
  table.line("critical path",
             fmt::format("{} that follow one another: at most {:.1f} times as fast as one core", length,
                         *parallelism));
}

/// What is of interest where events could be undone or several workers ran.
void add_parallel(Table& table, const Report& report) {
  table.line("efficiency", fmt::format("{} ({} executed, {} rolled back in {})", percent(report.efficiency()),
                                       scaled(static_cast<double>(report.executed)),
                                       scaled(static_cast<double>(report.rolled_back)),
                                       plural(report.rollbacks, "rollback")));
  if (const std::string causes = rollbacks_text(report); !causes.empty()) table.line("rollbacks", causes);
  const bool is_cut = report.dealt_by == Partition::metis && report.config.partition_file.empty();
  table.line("remote", fmt::format("{} of the events sent{}, {} cancelled by anti-message",
                                   percent(report.remote_events()), is_cut ? ", LPs dealt by METIS" : "",
                                   scaled(static_cast<double>(report.anti_messages))));
  add_critical_path(table, report);
  if (report.config.cancellation == Cancellation::lazy)
    table.line("lazy", fmt::format("{} that rolled-back events had sent were right",
                                   plural(report.lazy_hits, "event")));
  if (report.state_copies > 0) table.line("state copies", copies_text(report));
  if (report.config.events == Events::copied)
    table.line("copied", fmt::format("{}, {}, and {} of cancellations", plural(report.copied, "event"),
                                     bytes(report.copied_bytes), bytes(report.recall_bytes)));
  table.line("event blocks", event_blocks_text(report));
  if (!report.numa.nodes.empty()) table.line("numa", numa_text(report.numa));
  table.line("GVT rounds", gvt_text(report));
  table.line("waiting", waiting_text(report));
  table.line("time split", time_split_text(report.spent));
  if (!report.workers_tried.empty()) table.line("workers", workers_tried_text(report));
  if (report.migrations > 0) table.line("migration", migration_text(report));
  table.line("binding", binding_text(report.binding));
  if (report.core_swaps > 0)
    table.line("core swaps", fmt::format("{} a worker gave its core to one that others had stopped",
                                         plural(report.core_swaps, "time")));
  if (report.time_slices > 0)
    table.line("time slices", fmt::format("{} a second worker went on in the place of the only one",
                                          plural(report.time_slices, "time")));
}

void add_ranks(Table& table, const Report& report) {
  table.line("ranks", ranks_text(report));
  constexpr std::size_t kMostLines = 16;
  for (std::size_t rank = 0; rank < std::min(report.ranks.size(), kMostLines); ++rank)
    table.line(fmt::format("rank {}", rank), rank_text(report.ranks[rank], report.committed));
  if (report.ranks.size() > kMostLines)
    table.line(" ", fmt::format("and {} more, which the JSON report has", report.ranks.size() - kMostLines));
}

void add_memory(Table& table, const Report& report) {
  table.line("memory", fmt::format("{} (event pools {}, history {})", bytes(report.peak_rss),
                                   bytes(report.pool_bytes), bytes(report.history_bytes)));
  table.line("footprint", footprint_text(report));
  if (report.retreats > 0)
    table.line("memory limit",
               fmt::format("{} of {} taken; optimism taken back {} times", bytes(report.memory_peak),
                           bytes(report.memory_limit), grouped(report.retreats)));
}

void add_results(Table& table, const Report& report) {
  const auto& figures = report.results.figures();
  const auto& tables = report.results.tables();
  for (const auto& [name, value] : figures) table.line(name, figure_text(report.results, name, value));
  if (tables.empty()) return;
  std::string text;
  for (const auto& [name, rows] : tables)
    text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", name, plural(rows.rows.size(), "row"));
  table.line("tables", text + ": --out DIR writes them");
}

/// "4.50 M events/s: 9,000,000 events in 2.00 s".
std::string speed_text(const Report& report) {
  return fmt::format("{} events/s: {} in {}", scaled(report.rate()),
                     plural(report.committed - report.committed_before, "event"), duration(report.wall_s));
}

void add_speed(Table& table, const Report& report) {
  table.line("speed", speed_text(report));
  table.line("mode", mode_text(report));
  table.line("digest", fmt::format("{:016x}", report.digest));
  if (report.checkpoints > 0)
    table.line("checkpoints",
               fmt::format("{} in {}; the last, of {}: {}", report.checkpoints, duration(report.checkpoint_s),
                           bytes(report.checkpoint_bytes), report.checkpoint));
}

/// What the engine did.
void add_engine(Table& table, const Report& report) {
  table.gap();
  table.line("time", fmt::format("set-up {}, run {}, CPU {}", duration(report.setup_s),
                                 duration(report.wall_s), duration(report.cpu_s)));
  if (const auto normalised = report.normalised_s())
    table.line("normalised",
               fmt::format("{} with cores at {:.2f} GHz", duration(*normalised), *report.nominal_hz / 1e9));
  if (!is_in_order(report))
    add_parallel(table, report);
  else if (report.event_times)
    add_critical_path(table, report);
  if (!report.ranks.empty()) add_ranks(table, report);
  add_memory(table, report);
}

}  // namespace

std::string report_text(const Report& report, const Machine& machine, Detail detail) {
  Table table;
  table.line(report.model, fmt::format("{}; {}", plural(report.lps, "LP"), ending_text(report)));
  add_results(table, report);
  table.gap();
  add_speed(table, report);
  if (detail == Detail::verbose) add_engine(table, report);
  add_profile(table, report);

  const std::string hint = speed_hint(report, machine);
  if (!hint.empty() || !report.notes.empty()) table.gap();
  for (const std::string& note : report.notes) table.line("note", note);
  if (!hint.empty()) table.line("hint", hint);
  return table.str();
}

std::string replications_text(const Replications& replications) {
  Table table;
  const auto& reports = replications.reports;
  const std::uint64_t first = replications.config.seed, wanted = replications.wanted;
  table.line(reports.empty() ? "replications" : reports.front().model,
             fmt::format("{}, seeds {} to {}{}", plural(wanted, "replication"), first, first + wanted - 1,
                         replications.is_interrupted()
                             ? fmt::format("; INTERRUPTED when {} had ended", reports.size())
                         : replications.failure.empty()
                             ? ""
                             : fmt::format("; FAILED, {} before had ended", reports.size())));
  std::uint64_t committed = 0;
  for (const Report& report : reports) committed += report.committed;
  table.line("committed", plural(committed, "event"));
  table.line("time",
             fmt::format("{}, {} at a time", duration(replications.wall_s), replications.side_by_side));
  table.line("intervals",
             fmt::format("mean +- half width, {} confidence", percent(replications.config.confidence)));
  if (replications.precision) table.line("precision", precision_text(replications));
  const auto estimates = replications.estimates();
  if (!estimates.empty()) table.gap();
  for (const auto& [name, values, half_width] : estimates)
    table.line(name, fmt::format("{} +- {}, sd {}, min {}, max {}", number_text(values.mean()),
                                 half_width ? figure(*half_width) : "unknown", number_text(values.sd()),
                                 number_text(values.min()), number_text(values.max())));
  return table.str();
}

}  // namespace anachron
