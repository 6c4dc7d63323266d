#include <anachron/run/report.hpp>

namespace anachron {
namespace {

std::uint64_t sum(const std::vector<RankFigures>& ranks, std::uint64_t RankFigures::* figure) {
  std::uint64_t total = 0;
  for (const RankFigures& rank : ranks) total += rank.*figure;
  return total;
}

std::optional<double> ratio(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) return std::nullopt;
  return static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

unsigned Report::all_workers() const {
  if (ranks.empty()) return config.workers.value_or(1);
  unsigned total = 0;
  for (const RankFigures& rank : ranks) total += rank.workers;
  return total;
}

double Report::active_workers() const {
  double tried_s = 0, worked_s = 0;
  for (const WorkerTrial& trial : workers_tried) {
    tried_s += trial.wall_s;
    worked_s += trial.wall_s * trial.workers;
  }
  return tried_s > 0 ? worked_s / tried_s : all_workers();
}

bool Report::had_windows() const {
  return std::any_of(workers_tried.begin(), workers_tried.end(),
                     [](const WorkerTrial& trial) { return trial.in_windows; });
}

std::optional<double> Report::probes_per_lookup() const { return ratio(lookup_probes, lookups); }

std::optional<double> Report::probes_per_insertion() const { return ratio(insertion_probes, copied); }

std::optional<double> Report::gvt_interval_iterations() const {
  return ratio(batches, gvt_rounds * pes.size());
}

std::optional<double> Report::events_per_message() const {
  return ratio(sum(ranks, &RankFigures::events_sent), sum(ranks, &RankFigures::messages_sent));
}

std::optional<double> Report::successful_probes() const {
  return ratio(sum(ranks, &RankFigures::successful_probes), sum(ranks, &RankFigures::probes));
}

}  // namespace anachron
