#include "engine/terms/run.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

#include <anachron/base/error.hpp>

#include "comm/fabric/make_channels.hpp"
#include "comm/transport/cluster.hpp"
#include "engine/memory_limit.hpp"
#include "engine/results/model_files.hpp"
#include "partition/profile/survey.hpp"
#include "pe/in_order.hpp"
#include "throttle/conservative.hpp"
#include "topo/clocks/clocks.hpp"

namespace anachron::engine {
namespace {

std::optional<Fault> fault_of(const std::optional<pe::HaltAt>& halt) {
  if (!halt || halt->halt.kind != event::Halt::Kind::fault) return std::nullopt;
  return Fault{halt->key, halt->lp, halt->event ? std::string(halt->event->event_name) : "start",
               halt->halt.cause};
}

/// Those from which rank 0 gets what is shown or written.
unsigned other_ranks_with_output(const Config& config, const lp::LpStore& lps,
                                 const fabric::RankLayout& layout) {
  const bool is_any = config.trace.show || !files_of(lps).empty();
  return is_any && layout.rank() == 0 ? layout.ranks() - 1 : 0;
}

}  // namespace

Run::Cores::Cores(const Config& config)
    : binding(config),
      core_swap(make_core_swap(config, binding)),
      time_slicing(make_time_slicing(config, binding)) {}

Run::Run(lp::LpStore& lps, const Config& config, Ranks* ranks)
    : lps_(lps),
      config_(config),
      ranks_(ranks),
      pe_ids_(ranks ? pe::PesOfRanks{ranks->layout().own(), ranks->layout().pes()}
                    : pe::PesOfRanks{{0, *config.pes}, *config.pes}),
      cores_(config),
      rules_(lps, config, may_change_workers(config)),
      budget_(config.memory.value_or(std::numeric_limits<std::int64_t>::max()), *config.pes,
              pe::runs_in_order(config) ? mem::Budget::Reserve::none : mem::Budget::Reserve::some),
      observers_{.tally = {},
                 .links = {},
                 .tracer = {},
                 .output{*config.pes, lps, &budget_,
                         ranks ? other_ranks_with_output(config, lps, ranks->layout()) : 0}},
      clocks_(*config.workers),
      mapping_(make_mapping(config)),
      active_(make_active_workers(config, rules_.exist(), cores_.time_slicing != nullptr)),
      scheduled_(*mapping_, *active_),
      gvt_manager_(config, pe_ids_.all, control_, budget_, clocks_, scheduled_, rules_.smallest_lookahead()),
      gvt_(ranks ? make_gvt(config, ranks->make_rounds(gvt_manager_))
                 : make_gvt(config, [this](auto summaries) { return gvt_manager_.conclude(summaries); })),
      fabric_(ranks
                  ? ranks->make_fabric(fabric::make_channels(config, pe_ids_.own, lps.types()), lps.owners())
                  : make_fabric(config, lps.types())),
      consolidation_(pes_, lps, *config.pes, pe::usual_mode(config)),
      recording_({.config = config,
                  .lps = lps,
                  .tick = times_.tick,
                  .control = control_,
                  .own_pes = pe_ids_.own,
                  .rank = ranks ? std::optional<unsigned>(ranks->layout().rank()) : std::nullopt},
                 clocks_, gvt_manager_, budget_),
      monitor_({config, lps, pes_, control_, gvt_manager_, cores_.binding, budget_, recording_, ranks}),
      team_(*config.workers) {
  budget_.take_fixed(ranks ? lps.bytes(pe_ids_.own) : lps.bytes());
  if (config.profile_lps > 0) {
    observers_.tally.emplace(lps.size());
    budget_.take_fixed(observers_.tally->bytes());
  }
  if (config.survey && config.survey->counted) observers_.links.emplace(lps.size());
  if (config.trace.show) make_tracer();
  if (ranks_) make_rank_output();
  if (ranks_) ranks_->count_in(&budget_);
  if (may_migrate(config, lps.types())) {
    migration_.emplace(lps, config, ranks ? &ranks->layout() : nullptr);
    gvt_manager_.balance_by(*migration_);
  }
  make_pes();
}

Run::~Run() {
  if (ranks_) ranks_->count_in(nullptr);
  if (std::none_of(pes_.begin(), pes_.end(), [](const auto& pe) { return pe->owns_resources(); })) return;
  for (auto& pe : pes_) pe->discard();
}

/// Over ranks the one of rank 0 shows all; the others tell it what there is.
void Run::make_tracer() {
  std::function<void(const observe::ShownEvent&)> elsewhere;
  if (ranks_ && ranks_->layout().rank() > 0)
    elsewhere = [this](const observe::ShownEvent& event) { ranks_->output()->send(event); };
  observers_.tracer.emplace(config_.trace, lps_, std::move(elsewhere));
}

/// Rank 0 waits for the bounds of all ranks. So each PE hands over from the beginning, also where nothing is
/// written.
void Run::make_rank_output() {
  std::vector<const ModelFile*> files = files_of(lps_);
  if (!observers_.tracer && files.empty()) return;
  ranks_->make_output(observers_.output, observers_.tracer ? &*observers_.tracer : nullptr, std::move(files),
                      budget_);
  observers_.output.begin_use();
}

void Run::make_pes() {
  EventNodes events = plan_event_nodes(config_, cores_.binding, pe_ids_, lps_.owners());
  budget_.place_events(std::move(events.nodes));
  started_.why_events_are_not_placed = std::move(events.why_not);
  const bool keeps =
      config_.check_rollback || (config_.sync == Sync::conservative && may_stop()) || pe::speculates(config_);
  for (std::size_t index = 0; index < *config_.pes; ++index)
    pes_.push_back(pe::make_pe({.self = static_cast<PeId>(pe_ids_.own.first + index),
                                .config = config_,
                                .lps = lps_,
                                .fabric = *fabric_,
                                .budget = budget_,
                                .keeping = keeps ? pe::Keeping::history : pe::Keeping::nothing,
                                .pes = pe_ids_,
                                .rules = rules_.exist() ? &rules_ : nullptr,
                                .watchers = {.tally = observers_.tally ? &*observers_.tally : nullptr,
                                             .links = observers_.links ? &*observers_.links : nullptr,
                                             .tracer = observers_.tracer ? &*observers_.tracer : nullptr,
                                             .output = &observers_.output,
                                             .control = &control_,
                                             .loads = migration_ ? &migration_->tally() : nullptr}}));
}

bool Run::may_stop() const {
  const auto types = lps_.types();
  return std::any_of(types.begin(), types.end(), throttle::may_stop);
}

void Run::set_up(const std::function<void(pe::Pe&)>& make_lps, const Callbacks& user) {
  const auto began = std::chrono::steady_clock::now();
  // First, so that memory which the PEs touch first is near.
  team_.begin([this](unsigned worker) { cores_.binding.bind_worker(worker); });
  team_.wait();
  gvt_manager_.start(0);
  begin_each_pe(make_lps);
  watch_over([&] { monitor_.watch_start(team_, user); });
  started_.is_set_up = !control_.is_interrupted();
  times_.setup_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

std::optional<Fault> Run::start(const std::function<void(const Progress&)>& progress,
                                const std::function<bool()>& interrupted) {
  const transport::Cluster::Running running(config_.cluster);
  set_up(
      [](pe::Pe& pe) {
        pe.start();
        pe.publish();
      },
      {progress, interrupted});
  for (const auto& pe : pes_)
    if (pe->halt() && (!started_.halt || pe->halt()->lp < started_.halt->lp)) started_.halt = pe->halt();
  control_.note_pending(pending());
  if (ranks_) return agree_on_start();
  return fault_of(started_.halt);
}

std::optional<Fault> Run::agree_on_start() {
  const Ranks::Start all = ranks_->agree({.is_set_up = started_.is_set_up,
                                          .has_halt = started_.halt.has_value(),
                                          .fault = fault_of(started_.halt)},
                                         started_.halt ? started_.halt->lp : 0);
  started_.is_set_up = all.is_set_up;
  started_.is_halted_elsewhere = all.has_halt;
  return all.fault;
}

void Run::watch_over(const std::function<void()>& monitor, const std::function<void()>& then) {
  try {
    monitor();
  } catch (...) {
    control_.abort(std::current_exception());
  }
  team_.wait();
  if (then) then();
  rethrow();
}

/// Over ranks a failure here is that of this rank alone, and no SimulationError: those all ranks know of.
void Run::rethrow() {
  try {
    control_.rethrow();
  } catch (const SimulationError& error) {
    recording_.write(Recording::kModelError);
    if (!ranks_) throw;
    throw std::runtime_error(error.what());
  } catch (const InputError&) {
    throw;  // it says all
  } catch (...) {
    recording_.write(Recording::kError);
    throw;
  }
}

Stretch Run::run(const std::function<void(const Progress&)>& progress,
                 const std::function<bool()>& interrupted) {
  const transport::Cluster::Running running(config_.cluster);
  control_.forget_interrupt();
  gvt_manager_.start(times_.wall_s);
  std::optional<Recording::Streaming> streaming(std::in_place, recording_);
  if (!started_.halt && !started_.is_halted_elsewhere && started_.is_set_up) {
    for (bool goes_on = true; goes_on; goes_on = ends_term()) {
      arrange();
      run_term({progress, interrupted});
    }
    if (!cores_.distance && is_one_faster()) measure_round_trip();
  }
  streaming.reset();
  rethrow();  // what could not be written
  return conclude();
}

std::uint64_t Run::committed() const {
  std::uint64_t sum = 0;
  for (const auto& pe : pes_) sum += pe->figures().committed;
  return sum;
}

std::uint64_t Run::pending() const {
  std::uint64_t sum = 0;
  for (const auto& pe : pes_) sum += pe->pending();
  return sum;
}

std::optional<pe::HaltAt> Run::ending() const {
  if (is_in_order()) return pes_.front()->halt();
  for (const auto& pe : pes_)
    if (gvt_manager_.halt() && pe->ending()) return pe->ending();
  return std::nullopt;
}

/// Over ranks a failure here is as in `rethrow`.
void Run::finish_output(const std::optional<event::EventKey>& end) {
  if (!ranks_) return observers_.output.finish(end);
  try {
    ranks_->output() ? ranks_->output()->finish(end) : observers_.output.finish(end);
  } catch (const SimulationError& error) {
    throw std::runtime_error(error.what());
  }
}

Stretch Run::conclude() {
  const bool is_halted_elsewhere =
      std::exchange(started_.is_halted_elsewhere, false) || (ranks_ && gvt_manager_.halt());
  std::optional<pe::HaltAt> halt = std::exchange(started_.halt, std::nullopt);
  if (!halt) halt = ending();
  const bool was_interrupted = is_in_order()
                                   ? control_.is_interrupted() && !pes_.front()->is_drained(config_.until)
                                   : gvt_manager_.verdict() == gvt::Verdict::interrupted;
  const bool ends_early = was_interrupted || !started_.is_set_up;
  Stretch stretch{.fault = fault_of(halt), .committed = committed()};
  if (stretch.fault) recording_.write(Recording::kModelError);
  finish_output(stretch.fault ? std::optional(stretch.fault->key) : std::nullopt);
  stretch.ending = halt || is_halted_elsewhere ? Ending::stopped
                   : ends_early                ? Ending::interrupted
                                               : Ending::finished;
  for (auto& pe : pes_) {
    stretch.last = std::max(stretch.last, pe->last_time());
    pe->forget_halts();
  }
  return ranks_ ? ranks_->agree(stretch) : stretch;
}

}  // namespace anachron::engine
