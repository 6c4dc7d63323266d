#include "engine/ranks/outcome_of_ranks.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <sys/resource.h>

#include "engine/ranks/archived.hpp"
#include "topo/clocks.hpp"
#include "topo/processors.hpp"

namespace anachron::engine {
namespace {

/// What only the rank knows that has concluded the GVT rounds.
struct GvtFigures {
  double wall_s = 0;
  std::uint64_t rounds = 0;
  double latency_s = 0;
  std::uint64_t retreats = 0;
  std::vector<RoundSample> samples;
};

/// What a rank tells the others.
struct Told {
  RankFigures rank;
  std::optional<CoreCounts> core_counts;
  double setup_s = 0;
  std::uint64_t digest = 0, peak_pending = 0, single_event_bytes = 0;
  std::optional<std::uint64_t> sum_of_states, critical_path;
  std::vector<PeReport> pes;
  std::vector<WorkerReport> workers;
  std::vector<NodeFigures> nodes;
  std::vector<std::string> notes;
  std::vector<observe::LpPair> pairs;
  std::optional<GvtFigures> gvt;
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

/// Empties the lists of `outcome` that it takes.
Told told_by(Outcome& outcome, const OwnOutcome& own) {
  Told told{.rank = rank_figures(outcome, own),
            .core_counts = outcome.core_counts,
            .setup_s = outcome.setup_s,
            .digest = outcome.digest,
            .peak_pending = outcome.peak_pending,
            .single_event_bytes = outcome.single_event_bytes,
            .sum_of_states = outcome.sum_of_states,
            .critical_path = outcome.critical_path,
            .pes = std::exchange(outcome.pes, {}),
            .workers = std::exchange(outcome.workers, {}),
            .nodes = std::exchange(outcome.numa.nodes, {}),
            .notes = std::exchange(outcome.notes, {}),
            .pairs = std::exchange(outcome.pairs, {}),
            .gvt = {}};
  if (own.is_first)
    told.gvt = {.wall_s = outcome.wall_s,
                .rounds = outcome.gvt_rounds,
                .latency_s = outcome.gvt_latency_s,
                .retreats = outcome.retreats,
                .samples = std::exchange(outcome.rounds, {})};
  return told;
}

template <class T>
void append(std::vector<T>& all, const std::vector<T>& more) {
  all.insert(all.end(), more.begin(), more.end());
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
  // None on one rank is none on all, but for depths that no event knows: then there is none at all.
  all.critical_path = all.critical_path && told.critical_path
                          ? std::optional(std::max(*all.critical_path, *told.critical_path))
                          : std::nullopt;
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
  if (!told.gvt) return;
  all.wall_s = told.gvt->wall_s;
  all.gvt_rounds = told.gvt->rounds;
  all.gvt_latency_s = told.gvt->latency_s;
  all.retreats = told.gvt->retreats;
  all.rounds = std::move(told.gvt->samples);
}

}  // namespace

void put_together(Outcome& outcome, const OwnOutcome& own, transport::Exchange& exchange) {
  const std::vector<transport::Bytes> all = exchange.gather_for_all(archived(told_by(outcome, own)));
  outcome.cpu_s = outcome.setup_s = 0;
  outcome.digest = outcome.peak_pending = outcome.single_event_bytes = outcome.memory_peak = 0;
  outcome.sum_of_states = outcome.critical_path = 0;
  topo::CoreTally core_counts;
  for (const transport::Bytes& rank : all) {
    auto told = unarchived<Told>(rank);
    core_counts.add(told.core_counts);
    add(outcome, told);
  }
  outcome.core_counts = core_counts.total();
}

}  // namespace anachron::engine
