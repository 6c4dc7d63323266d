#include <anachron/run/simulation.hpp>

#include <limits>
#include <stdexcept>

#include <fmt/format.h>
#include <sys/resource.h>

#include <anachron/base/error.hpp>

#include "engine/finish.hpp"
#include "engine/memory_limit.hpp"
#include "engine/ranks/finish_together.hpp"
#include "mem/too_little_memory.hpp"
#include "pe/parts/in_order.hpp"
#include "run/rank.hpp"
#include "run/report/report_of.hpp"
#include "topo/counters.hpp"

namespace anachron {

/// Keeps the LPs of a finished run.
class FinishedRun {
 public:
  explicit FinishedRun(std::unique_ptr<lp::LpStore> lps) : lps_(std::move(lps)) {}
  const lp::LpStore& lps() const { return *lps_; }

 private:
  std::unique_ptr<lp::LpStore> lps_;
};

namespace detail {
namespace {

std::uint64_t peak_rss_bytes() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

}  // namespace

Report report_of(engine::Outcome& outcome, const lp::LpStore& lps, const Config& config,
                 const std::function<bool()>& interrupted) {
  Report report;
  report.config = config;
  report.ending = outcome.ending;
  report.end_time = outcome.end_time;
  report.digest = outcome.digest;
  report.dealt_by = outcome.dealt_by;
  report.wall_s = outcome.wall_s;
  report.setup_s = outcome.setup_s;
  report.cpu_s = outcome.cpu_s;
  report.core_counts = outcome.core_counts;
  report.nominal_hz = topo::nominal_frequency();
  report.gvt_rounds = outcome.gvt_rounds;
  if (outcome.gvt_rounds > 0)
    report.gvt_latency_s = outcome.gvt_latency_s / static_cast<double>(outcome.gvt_rounds);
  report.last_batch = outcome.last_batch;
  report.last_gvt_interval = outcome.last_gvt_interval;
  report.peak_rss = peak_rss_bytes();
  report.lps = lps.size();
  report.lp_bytes = lps.bytes();
  report.peak_pending = outcome.peak_pending;
  report.binding = std::move(outcome.binding);
  report.numa = std::move(outcome.numa);
  report.workers_tried = std::move(outcome.workers_tried);
  report.committed_in_order = outcome.committed_in_order;
  report.sent_in_order = outcome.sent_in_order;
  report.round_trip_s = outcome.round_trip_s;
  report.memory_limit = report.config.memory.value();
  report.memory_peak = outcome.memory_peak;
  report.retreats = outcome.retreats;
  for (const PeReport& pe : outcome.pes) {
    report.committed += pe.committed;
    report.executed += pe.executed;
    report.rolled_back += pe.rolled_back;
    report.rollbacks += pe.rollbacks;
    report.rollbacks_local += pe.rollbacks_local;
    report.rollbacks_regional += pe.rollbacks_regional;
    report.rollbacks_remote += pe.rollbacks_remote;
    report.anti_messages += pe.anti_messages;
    report.sent += pe.sent;
    report.sent_remote += pe.sent_remote;
    report.copied += pe.copied;
    report.copied_bytes += pe.copied_bytes;
    report.recall_bytes += pe.recall_bytes;
    report.waiting_blocks += pe.mean_waiting_blocks();
    report.most_waiting_blocks += pe.most_waiting_blocks;
    report.new_blocks += pe.new_blocks;
    report.rebalanced_blocks += pe.rebalanced_blocks;
    report.state_copies += pe.state_copies;
    report.coasted += pe.coasted;
    report.lazy_hits += pe.lazy_hits;
    report.pool_bytes += pe.pool_bytes;
    report.event_bytes += pe.event_bytes;
    report.queue_bytes += pe.queue_bytes;
    report.history_bytes += pe.history_bytes;
  }
  report.pool_bytes += outcome.single_event_bytes;
  report.event_bytes += outcome.single_event_bytes;
  for (const WorkerReport& worker : outcome.workers) {
    report.waiting_s += worker.waiting_s;
    report.core_swaps += worker.core_swaps;
    report.time_slices += worker.time_slices;
    report.gvt_s += worker.gvt_s;
  }
  report.pes = std::move(outcome.pes);
  report.workers = std::move(outcome.workers);
  if (!outcome.ranks.empty()) report.peak_rss = 0;
  for (const RankFigures& rank : outcome.ranks) report.peak_rss += rank.peak_rss;
  report.ranks = std::move(outcome.ranks);
  report.transport = std::move(outcome.transport);
  report.gvt_counts = outcome.gvt_counts;
  report.lp_profile = std::move(outcome.lp_profile);
  report.rounds = std::move(outcome.rounds);
  report.notes = std::move(outcome.notes);
  report.results = Results({config.warm_up, outcome.end_time, config.confidence});
  if (!outcome.is_set_up) {
    report.notes.emplace_back("there are no results: interrupted before every LP had started");
    return report;
  }
  const engine::Finished finished =
      pe::is_over_ranks(config) ? engine::finish_together(config.cluster->exchange(), outcome.own_pes, lps,
                                                          outcome.end_time, report.results, interrupted)
                                : engine::finish(lps, outcome.end_time, report.results, interrupted);
  report.results.complete();
  if (finished.failure) {
    report.notes.push_back(
        fmt::format("the results are not complete: 'finish' of {} threw", finished.failure->lp()));
    throw FinishError(*finished.failure, std::move(report));
  }
  if (finished.next < lps.size()) {
    report.ending = Ending::interrupted;
    report.notes.push_back(fmt::format("the results are not complete: interrupted before 'finish' of {}",
                                       lps.name(finished.next)));
  }
  return report;
}

std::pair<Report, std::shared_ptr<const FinishedRun>> run_kernel(std::vector<event::LpTypeEntry> types,
                                                                 const Config& config,
                                                                 const ProgressCallback& progress,
                                                                 const std::function<bool()>& interrupted) {
  const Config resolved = resolve(over_ranks(config), usable_cores(), usable_memory());
  RanksAtWork ranks(resolved);
  try {
    engine::Outcome outcome = engine::run(std::move(types), resolved, progress, interrupted);
    Report report = report_of(outcome, *outcome.lps, resolved, interrupted);
    ranks.succeeded();
    return {std::move(report), std::make_shared<const FinishedRun>(std::move(outcome.lps))};
  } catch (const SimulationError&) {
    ranks.succeeded();  // all of them have heard of it
    throw;
  } catch (const mem::TooLittleMemory& error) {
    if (config.memory) throw;
    throw InputError(error.of_default());
  }
}

const void* state_of(const lp::LpStore& lps, std::size_t type, std::uint32_t index) {
  const auto& entry = lps.types()[type];
  if (index >= entry.count)
    throw std::out_of_range(
        fmt::format("anachron: no {} {}: there are {}", entry.name(), index, entry.count));
  const LpId id = entry.first + index;
  if (!lps.is_here(id)) throw std::out_of_range(fmt::format("anachron: {} is on another rank", lps.name(id)));
  return lps.state(id);
}

const void* final_state(const FinishedRun* run, std::size_t type, std::uint32_t index) {
  if (!run) throw std::out_of_range("anachron: the simulation has not been run");
  return state_of(run->lps(), type, index);
}

bool has_final_state(const FinishedRun& run, std::size_t type, std::uint32_t index) {
  return run.lps().is_here(run.lps().types()[type].first + index);
}

void check_lp_count(std::string_view type, std::uint64_t count, std::uint64_t so_far) {
  constexpr std::uint64_t kMost = std::numeric_limits<LpId>::max();
  if (count == 0) throw InputError(fmt::format("number of LPs of type {}: 0 is less than 1", type));
  if (count > kMost - so_far)
    throw InputError(fmt::format("number of LPs of type {}: {} is too many; all LPs together are at most {}",
                                 type, count, kMost));
}

void fail_without_count(std::string_view type) {
  throw InputError(
      fmt::format("number of LPs of type {} is not set: call simulation.lps<{}>(n), or give the type a "
                  "`static std::uint64_t count(const Params&)`",
                  type, type));
}

}  // namespace detail
}  // namespace anachron
