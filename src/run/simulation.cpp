#include <anachron/run/simulation.hpp>

#include <algorithm>
#include <limits>
#include <optional>
#include <stdexcept>

#include <fmt/format.h>
#include <sys/resource.h>

#include <anachron/base/error.hpp>

#include "engine/memory_limit.hpp"
#include "engine/ranks/finish_together.hpp"
#include "engine/results/finish.hpp"
#include "engine/results/model_files.hpp"
#include "engine/results/state_digest.hpp"
#include "mem/too_little_memory.hpp"
#include "pe/in_order.hpp"
#include "run/rank.hpp"
#include "run/report/report_of.hpp"
#include "run/signals/checkpoint_signal.hpp"
#include "topo/clocks/counters.hpp"

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

void add_named(Report& report, const observe::LpPair& pair, const lp::LpStore& lps) {
  if (pair.sender >= lps.size()) return;  // a session's
  const event::LpTypeEntry &from = lps.type_of(pair.sender), &to = lps.type_of(pair.receiver);
  report.rollback_pairs.push_back({.sender_type = from.name(),
                                   .sender = pair.sender - from.first,
                                   .receiver_type = to.name(),
                                   .receiver = pair.receiver - to.first,
                                   .rollbacks = pair.rollbacks});
}

}  // namespace

Report report_of(engine::Outcome& outcome, const lp::LpStore& lps, const Config& config,
                 const std::function<bool()>& interrupted) {
  Report report;
  static_cast<RunFigures&>(report) = std::move(outcome);  // the lists leave `outcome`
  report.config = config;
  report.nominal_hz = topo::nominal_frequency();
  report.peak_rss = peak_rss_bytes();
  report.lp_bytes = lps.bytes();
  report.memory_limit = report.config.memory.value();
  for (const observe::LpPair& pair : outcome.pairs) add_named(report, pair, lps);
  static_cast<PeReport&>(report) = outcome.of_pes;
  report.committed += report.committed_before;
  report.executed += report.committed_before;
  report.lps = lps.size();
  report.pool_bytes += outcome.single_event_bytes;
  report.event_bytes += outcome.single_event_bytes;
  report.waiting_s = outcome.of_workers.waiting_s;
  report.core_swaps = outcome.of_workers.core_swaps;
  report.time_slices = outcome.of_workers.time_slices;
  report.gvt_s = outcome.of_workers.gvt_s;
  report.spent = outcome.of_workers.spent;
  report.asleep_s = outcome.of_workers.asleep_s;
  if (!report.ranks.empty()) report.peak_rss = 0;
  for (const RankFigures& rank : report.ranks) report.peak_rss += rank.peak_rss;
  report.results = Results({config.warm_up, report.end_time, config.confidence});
  report.why_no_state_digest = "the results are not complete";
  if (!outcome.is_set_up) {
    report.notes.emplace_back("there are no results: interrupted before every LP had started");
    return report;
  }
  const engine::LastLines last_lines(lps, config);
  const engine::Finished finished =
      pe::is_over_ranks(config) ? engine::finish_together(config.cluster->exchange(), outcome.own_pes, lps,
                                                          report.end_time, report.results, interrupted)
                                : engine::finish(lps, report.end_time, report.results, interrupted);
  last_lines.write(report.end_time, report.notes);
  if (finished.failure) {
    report.notes.push_back(
        fmt::format("the results are not complete: 'finish' of {} threw", finished.failure->lp()));
    throw FinishError(*finished.failure, std::move(report));
  }
  if (finished.next < lps.size()) {
    report.ending = Ending::interrupted;
    report.notes.push_back(fmt::format("the results are not complete: interrupted before 'finish' of {}",
                                       lps.name(finished.next)));
    return report;
  }
  report.why_no_state_digest = engine::why_not_encoded(lps.types());
  if (outcome.sum_of_states)
    report.state_digest = engine::state_digest(*outcome.sum_of_states, finished.hash_of_results);
  else if (report.why_no_state_digest.empty())
    report.why_no_state_digest = "the state of an LP cannot be encoded";
  return report;
}

std::pair<Report, std::shared_ptr<const FinishedRun>> run_kernel(std::vector<event::LpTypeEntry> types,
                                                                 const Config& config,
                                                                 const ProgressCallback& progress,
                                                                 const std::function<bool()>& interrupted) {
  Config resolved = resolve(over_ranks(config), usable_cores(), usable_memory());
  std::optional<CheckpointSignal> signal;
  if (!resolved.checkpoint.folder.empty() && !resolved.checkpoint.asked && CheckpointSignal::is_free()) {
    signal.emplace();
    resolved.checkpoint.asked = CheckpointSignal::take;
  }
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
