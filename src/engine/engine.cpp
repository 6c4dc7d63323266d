#include "engine/engine.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include <anachron/base/error.hpp>
#include <anachron/model/reflect.hpp>

#include "engine/results/state_digest.hpp"
#include "engine/terms/run.hpp"
#include "partition/profile/survey.hpp"
#include "pe/digest.hpp"
#include "pe/in_order.hpp"
#include "pe/parts/event_timer.hpp"

namespace anachron::engine {

void sum_up(Outcome& outcome) {
  outcome.of_pes = {};
  for (const PeReport& pe : outcome.pes) {
    const unsigned largest = std::max(outcome.of_pes.checkpoint_interval, pe.checkpoint_interval);
    detail::with_members(outcome.of_pes, [&](auto&... sums) {
      detail::with_members(pe, [&](const auto&... more) { ((sums += more), ...); });
    });
    outcome.of_pes.checkpoint_interval = largest;
    outcome.of_pes.node = 0;
  }
  outcome.of_workers = {};
  for (const WorkerReport& worker : outcome.workers) {
    WorkerReport& sum = outcome.of_workers;
    sum.waiting_s += worker.waiting_s;
    sum.core_swaps += worker.core_swaps;
    sum.time_slices += worker.time_slices;
    sum.gvt_s += worker.gvt_s;
    sum.spent += worker.spent;
    sum.asleep_s += worker.asleep_s;
  }
}

constexpr std::size_t kMostPairs = 10;  // in a report

void Run::report_pes(Outcome& outcome, double tick_s) const {
  for (const auto& pe : pes_) {
    outcome.pes.push_back(pe->figures());
    outcome.pes.back().spent = spent_on(pe->index(), tick_s);
    const auto pairs = pe->rollback_pairs().all();
    outcome.pairs.insert(outcome.pairs.end(), pairs.begin(), pairs.end());
    if (budget_.nodes()) outcome.pes.back().node = budget_.nodes()->number(budget_.nodes()->of_pe(pe->id()));
    for (const rollback::Unchecked& unchecked : pe->unchecked()) {
      auto note = fmt::format("rollback check: {}", rollback::to_text(unchecked));
      if (std::find(outcome.notes.begin(), outcome.notes.end(), note) == outcome.notes.end())
        outcome.notes.push_back(std::move(note));
    }
  }
}

Outcome Run::outcome() const {
  Outcome outcome;
  const double tick_s = times_.tick.seconds();
  report_pes(outcome, tick_s);
  for (unsigned worker = 0; worker < clocks_.size(); ++worker)
    outcome.workers.push_back(worker_report(worker, tick_s));
  lps_.for_each_of(pe_ids_.own, [&](LpId id) {
    outcome.digest += pe::part_of_run(lps_.identity(id), lps_.cell(id).counters.digest);
  });
  if (started_.is_set_up) outcome.sum_of_states = sum_of_states(lps_, pe_ids_.own);
  report_critical_path(outcome);
  if (observers_.links) outcome.links = observers_.links->profile();
  if (observers_.tally && ranks_)
    outcome.lp_profile = ranks_->sum_of(*observers_.tally).most(config_.profile_lps, lps_);
  else if (observers_.tally)
    outcome.lp_profile = observers_.tally->most(config_.profile_lps, lps_);
  outcome.wall_s = times_.wall_s;
  outcome.setup_s = times_.setup_s;
  outcome.cpu_s = times_.cpu_s;
  outcome.core_counts = times_.core_counts.total();
  outcome.gvt_rounds = gvt_manager_.rounds();
  if (outcome.gvt_rounds > 0)
    outcome.gvt_latency_s = gvt_->latency_s() / static_cast<double>(outcome.gvt_rounds);
  outcome.last_batch = gvt_manager_.interval().batch();
  outcome.last_gvt_interval = gvt_manager_.interval().gvt_interval();
  outcome.peak_pending = control_.peak_pending();
  outcome.binding = cores_.binding.figures();
  outcome.numa = numa_figures();
  outcome.rounds = gvt_manager_.series();
  outcome.workers_tried = active_->tried();
  if (migration_) migration_->report(outcome);
  outcome.committed_in_order = consolidation_.done().committed;
  outcome.sent_in_order = consolidation_.done().sent;
  if (cores_.distance) outcome.round_trip_s = cores_.distance->seconds();
  outcome.retreats = gvt_manager_.memory_guard().retreats();
  outcome.is_set_up = started_.is_set_up;
  outcome.single_event_bytes = pes_.size() == 1
                                   ? pes_.front()->most_single_bytes()
                                   : std::max(gvt_manager_.memory_guard().single_peak(), budget_.single());
  outcome.memory_peak =
      pe::runs_in_order(config_)
          ? lps_.bytes() + pes_.front()->most_bytes()
          : std::max({consolidation_.memory_peak(), gvt_manager_.memory_guard().peak(), budget_.taken()});
  outcome.own_pes = pe_ids_.own;
  observe::keep_most(outcome.pairs, kMostPairs);
  sum_up(outcome);
  if (ranks_) ranks_->put_together(outcome);
  observe::keep_most(outcome.pairs, kMostPairs);
  return outcome;
}

/// A message that lazy cancellation keeps has the depth of the event that sent it first.
void Run::report_critical_path(Outcome& outcome) const {
  if (config_.cancellation == Cancellation::lazy && pe::speculates(config_)) return;
  std::uint32_t longest = 0;
  lps_.for_each_of(pe_ids_.own, [&](LpId id) { longest = std::max(longest, lps_.cell(id).counters.depth); });
  if (config_.time_events) {
    EventTimes& times = outcome.event_times.emplace();
    times.critical_path_s = pe::PathLength{longest}.seconds();
    for (const auto& pe : pes_) times.handlers_s += pe->handlers_s();
  } else if (longest != event::EventHeader::kDeepest) {  // or even more
    outcome.critical_path = longest;
  }
}

bool Run::is_one_faster() const {
  const auto tried = active_->tried();
  const auto best = std::max_element(tried.begin(), tried.end(),
                                     [](const auto& a, const auto& b) { return a.rate < b.rate; });
  return tried.size() > 1 && best->workers == 1;
}

void Run::measure_round_trip() {
  cores_.distance.emplace();
  cores_.binding.bind_again();
  team_.begin([this](unsigned worker) {
    if (worker < 2) cores_.distance->take_part(worker);
  });
  team_.wait();
}

/// By all workers.
TimeSplit Run::spent_on(std::size_t pe, double tick_s) const {
  topo::PhaseTicks sum;
  for (const topo::WorkerClock& clock : clocks_) sum += clock.phases.of_pe(pe);
  return sum.split(tick_s);
}

WorkerReport Run::worker_report(unsigned worker, double tick_s) const {
  const topo::WorkerClock& clock = clocks_[worker];
  const topo::PhaseTicks spent = clock.phases.total();
  const bool slices = cores_.time_slicing && worker < sched::TimeSlicing::kWorkers;
  return {.waiting_s = clock.waiting_s(),
          .gvt_s = clock.gvt_s(),
          .core_swaps = cores_.core_swap ? cores_.core_swap->given_by(worker) : 0,
          .time_slices = slices ? cores_.time_slicing->given_by(worker) : 0,
          .spent = spent.split(tick_s),
          .asleep_s = spent.seconds(topo::Phase::asleep, tick_s)};
}

NumaFigures Run::numa_figures() const {
  NumaFigures figures{.nodes = {}, .why_not = started_.why_events_are_not_placed};
  const mem::Nodes* const nodes = budget_.nodes();
  for (std::size_t node = 0; nodes && node < nodes->count(); ++node) {
    NodeFigures& of_node = figures.nodes.emplace_back();
    of_node.node = nodes->number(node);
    for (const auto& pe : pes_) {
      of_node.pes += nodes->of_pe(pe->id()) == node;
      of_node.pool_bytes += pe->pool_bytes_on(node);
    }
  }
  return figures;
}

void check(const std::vector<event::LpTypeEntry>& types, const Config& config) {
  if (*config.pes > kMostPesOfRank)
    throw InputError(fmt::format("--pes: {} is more than {}", *config.pes, kMostPesOfRank));
  observe::check_trace(config.trace, types);
  if (config.survey && config.survey->counted && !(config.sync == Sync::sequential))
    throw std::logic_error("anachron: what LPs send to each other is counted in sequential runs");
  if (config.rollback != Rollback::copy) return;
  for (const auto& type : types)
    if (!type.ops->is_copyable() && !type.ops->irrevocable)
      throw InputError(
          fmt::format("--rollback copy: LP type {} cannot be copied; use --rollback auto", type.name()));
}

}  // namespace anachron::engine
