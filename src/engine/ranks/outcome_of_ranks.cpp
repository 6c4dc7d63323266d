#include "engine/ranks/outcome_of_ranks.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <sys/resource.h>

#include <anachron/base/bytes.hpp>

#include "comm/transport/plain_bytes.hpp"
#include "topo/clocks.hpp"
#include "topo/processors.hpp"

namespace anachron::engine {
namespace {

using transport::Bytes;

std::uint64_t peak_rss() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

}  // namespace

void put_together(Outcome& outcome, const OwnOutcome& of_rank, transport::Exchange& exchange) {
  RankFigures own = of_rank.rank;
  own.host = topo::host_name();
  for (const PeReport& pe : outcome.pes) {
    own.committed += pe.committed;
    own.executed += pe.executed;
    own.rolled_back += pe.rolled_back;
  }
  const fabric::AggregatorFigures& aggregator = of_rank.aggregator;
  const std::array<std::uint64_t, 10> figures{own.committed,         own.executed,
                                              own.rolled_back,       peak_rss(),
                                              outcome.memory_peak,   aggregator.messages_sent,
                                              aggregator.bytes_sent, aggregator.events_sent,
                                              aggregator.probes,     aggregator.successful_probes};

  Bytes bytes;
  ByteWriter out(bytes);
  transport::write_text(out, own.host);
  out.number(own.workers);
  out.number(own.pes);
  out.flag(own.has_comm_thread);
  transport::write_plain(out, figures);
  out.number(outcome.cpu_s);
  transport::write_plain(out, outcome.core_counts);
  out.number(outcome.setup_s);
  out.number(outcome.digest);
  out.number(outcome.peak_pending);
  out.number(outcome.single_event_bytes);
  transport::write_rows(out, outcome.pes);
  transport::write_rows(out, outcome.workers);
  transport::write_rows(out, outcome.numa.nodes);
  out.length(outcome.notes.size());
  for (const std::string& note : outcome.notes) transport::write_text(out, note);
  if (of_rank.is_first) {
    out.number(outcome.wall_s);
    out.number(outcome.gvt_rounds);
    out.number(outcome.gvt_latency_s);
    out.number(outcome.retreats);
    transport::write_rows(out, outcome.rounds);
  }

  const std::vector<Bytes> all = exchange.gather_for_all(std::move(bytes));
  outcome.cpu_s = outcome.setup_s = 0;
  outcome.digest = outcome.peak_pending = outcome.single_event_bytes = outcome.memory_peak = 0;
  outcome.pes.clear();
  outcome.workers.clear();
  outcome.rounds.clear();
  outcome.numa.nodes.clear();
  std::vector<std::string> notes;
  topo::CoreTally core_counts;
  for (const Bytes& rank : all) {
    ByteReader in(rank);
    RankFigures& row = outcome.ranks.emplace_back();
    row.host = transport::read_text(in);
    row.workers = in.number<unsigned>();
    row.pes = in.number<unsigned>();
    row.has_comm_thread = in.flag();
    const auto sums = transport::read_plain<std::array<std::uint64_t, 10>>(in);
    row.committed = sums[0];
    row.executed = sums[1];
    row.rolled_back = sums[2];
    row.peak_rss = sums[3];
    row.memory_peak = sums[4];
    row.messages_sent = sums[5];
    row.bytes_sent = sums[6];
    row.events_sent = sums[7];
    row.probes = sums[8];
    row.successful_probes = sums[9];
    row.cpu_s = in.number<double>();
    outcome.cpu_s += row.cpu_s;
    core_counts.add(transport::read_plain<std::optional<CoreCounts>>(in));
    outcome.memory_peak += row.memory_peak;
    outcome.setup_s = std::max(outcome.setup_s, in.number<double>());
    outcome.digest += in.number<std::uint64_t>();
    outcome.peak_pending += in.number<std::uint64_t>();
    outcome.single_event_bytes += in.number<std::uint64_t>();
    transport::read_rows(in, outcome.pes);
    transport::read_rows(in, outcome.workers);
    std::vector<NodeFigures> nodes;
    transport::read_rows(in, nodes);
    for (NodeFigures& node : nodes) {
      node.rank = static_cast<unsigned>(outcome.ranks.size() - 1);
      outcome.numa.nodes.push_back(node);
    }
    for (std::size_t n = in.length_of(1); n > 0; --n)
      if (std::string note = transport::read_text(in);
          std::find(notes.begin(), notes.end(), note) == notes.end())
        notes.push_back(std::move(note));
    if (outcome.ranks.size() > 1) continue;
    outcome.wall_s = in.number<double>();
    outcome.gvt_rounds = in.number<std::uint64_t>();
    outcome.gvt_latency_s = in.number<double>();
    outcome.retreats = in.number<std::uint64_t>();
    transport::read_rows(in, outcome.rounds);
  }
  outcome.core_counts = core_counts.total();
  outcome.notes = std::move(notes);
}

}  // namespace anachron::engine
