#include "engine/ranks/outcome_of_ranks.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <sys/resource.h>

#include "engine/ranks/archived.hpp"
#include "topo/clocks/clocks.hpp"
#include "topo/processors.hpp"

namespace anachron::engine {
namespace {

/// What a rank tells rank 0.
struct Told {
  RankFigures rank;
  std::optional<CoreCounts> core_counts;
  double setup_s = 0;
  std::uint64_t digest = 0, peak_pending = 0, single_event_bytes = 0;
  std::optional<std::uint64_t> sum_of_states, critical_path;
  std::optional<EventTimes> event_times;
  std::vector<PeReport> pes;
  std::vector<WorkerReport> workers;
  std::vector<NodeFigures> nodes;
  std::vector<std::string> notes;
  std::vector<observe::LpPair> pairs;
};

/// What rank 0 tells the others: figures of all, and those that it alone knows, as it has concluded the GVT
/// rounds.
struct OfAll {
  double wall_s = 0, cpu_s = 0, setup_s = 0, gvt_latency_s = 0;
  std::uint64_t digest = 0, memory_peak = 0, peak_pending = 0, single_event_bytes = 0;
  std::uint64_t gvt_rounds = 0, retreats = 0;
  std::optional<std::uint64_t> sum_of_states, critical_path;
  std::optional<EventTimes> event_times;
  std::optional<CoreCounts> core_counts;
  PeReport of_pes;
  WorkerReport of_workers;
  std::vector<RankFigures> ranks;
  std::vector<NodeFigures> nodes;
  std::vector<std::string> notes;
};

std::uint64_t peak_rss() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

RankFigures rank_figures(const Outcome& outcome, const OwnOutcome& own) {
  RankFigures rank = own.rank;
  rank.host = topo::host_name();
  for (const PeReport& pe : outcome.pes) {
    rank.committed += pe.committed;
    rank.executed += pe.executed;
    rank.rolled_back += pe.rolled_back;
  }
  rank.peak_rss = peak_rss();
  rank.memory_peak = outcome.memory_peak;
  rank.cpu_s = outcome.cpu_s;
  rank.messages_sent = own.aggregator.messages_sent;
  rank.bytes_sent = own.aggregator.bytes_sent;
  rank.events_sent = own.aggregator.events_sent;
  rank.cancellations_sent = own.aggregator.cancellations_sent;
  rank.probes = own.aggregator.probes;
  rank.successful_probes = own.aggregator.successful_probes;
  return rank;
}

Told told_by(const Outcome& outcome, const OwnOutcome& own) {
  return {.rank = rank_figures(outcome, own),
          .core_counts = outcome.core_counts,
          .setup_s = outcome.setup_s,
          .digest = outcome.digest,
          .peak_pending = outcome.peak_pending,
          .single_event_bytes = outcome.single_event_bytes,
          .sum_of_states = outcome.sum_of_states,
          .critical_path = outcome.critical_path,
          .event_times = outcome.event_times,
          .pes = outcome.pes,
          .workers = outcome.workers,
          .nodes = outcome.numa.nodes,
          .notes = outcome.notes,
          .pairs = outcome.pairs};
}

template <class T>
void append(std::vector<T>& all, const std::vector<T>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

/// None on one rank is none on all.
void add(std::optional<EventTimes>& all, const std::optional<EventTimes>& more) {
  if (all && more)
    all = {.critical_path_s = std::max(all->critical_path_s, more->critical_path_s),
           .handlers_s = all->handlers_s + more->handlers_s};
  else
    all.reset();
}

void add(Outcome& all, Told& told) {
  all.cpu_s += told.rank.cpu_s;
  all.memory_peak += told.rank.memory_peak;
  all.setup_s = std::max(all.setup_s, told.setup_s);
  all.digest += told.digest;
  all.sum_of_states = all.sum_of_states && told.sum_of_states
                          ? std::optional(*all.sum_of_states + *told.sum_of_states)
                          : std::nullopt;
  all.peak_pending += told.peak_pending;
  all.critical_path = all.critical_path && told.critical_path
                          ? std::optional(std::max(*all.critical_path, *told.critical_path))
                          : std::nullopt;
  add(all.event_times, told.event_times);
  all.single_event_bytes += told.single_event_bytes;
  append(all.pes, told.pes);
  append(all.workers, told.workers);
  append(all.pairs, told.pairs);
  for (NodeFigures& node : told.nodes) node.rank = static_cast<unsigned>(all.ranks.size());
  append(all.numa.nodes, told.nodes);
  all.ranks.push_back(std::move(told.rank));
  for (std::string& note : told.notes)
    if (std::find(all.notes.begin(), all.notes.end(), note) == all.notes.end())
      all.notes.push_back(std::move(note));
}

/// On rank 0.
void add_all(Outcome& outcome, std::span<const transport::Bytes> ranks) {
  outcome.cpu_s = outcome.setup_s = 0;
  outcome.digest = outcome.peak_pending = outcome.single_event_bytes = outcome.memory_peak = 0;
  outcome.sum_of_states = outcome.critical_path = 0;
  outcome.event_times.emplace();
  outcome.pes.clear();
  outcome.workers.clear();
  outcome.numa.nodes.clear();
  outcome.notes.clear();
  outcome.pairs.clear();
  topo::CoreTally core_counts;
  for (const transport::Bytes& rank : ranks) {
    auto told = unarchived<Told>(rank);
    core_counts.add(told.core_counts);
    add(outcome, told);
  }
  outcome.core_counts = core_counts.total();
  sum_up(outcome);
}

/// Calls `copy(there, here)` for each figure of all.
template <class Copy>
void for_each_figure(OfAll& all, Outcome& outcome, Copy&& copy) {
  copy(all.wall_s, outcome.wall_s);
  copy(all.cpu_s, outcome.cpu_s);
  copy(all.setup_s, outcome.setup_s);
  copy(all.gvt_latency_s, outcome.gvt_latency_s);
  copy(all.digest, outcome.digest);
  copy(all.memory_peak, outcome.memory_peak);
  copy(all.peak_pending, outcome.peak_pending);
  copy(all.single_event_bytes, outcome.single_event_bytes);
  copy(all.gvt_rounds, outcome.gvt_rounds);
  copy(all.retreats, outcome.retreats);
  copy(all.sum_of_states, outcome.sum_of_states);
  copy(all.critical_path, outcome.critical_path);
  copy(all.event_times, outcome.event_times);
  copy(all.core_counts, outcome.core_counts);
  copy(all.of_pes, outcome.of_pes);
  copy(all.of_workers, outcome.of_workers);
  copy(all.ranks, outcome.ranks);
  copy(all.nodes, outcome.numa.nodes);
  copy(all.notes, outcome.notes);
}

}  // namespace

void put_together(Outcome& outcome, const OwnOutcome& own, transport::Exchange& exchange) {
  const std::vector<transport::Bytes> ranks = exchange.gather(archived(told_by(outcome, own)));
  const bool is_first = !ranks.empty();
  OfAll all;
  if (is_first) {
    add_all(outcome, ranks);
    for_each_figure(all, outcome, [](auto& there, const auto& here) { there = here; });
  }
  const transport::Bytes told = exchange.broadcast(is_first ? archived(all) : transport::Bytes());
  if (is_first) return;
  all = unarchived<OfAll>(told);
  for_each_figure(all, outcome, [](auto& there, auto& here) { here = std::move(there); });
}

}  // namespace anachron::engine
