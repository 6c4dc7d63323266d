#include "engine/run.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <thread>
#include <utility>

#include <anachron/base/error.hpp>

#include "comm/fabric/make_channels.hpp"
#include "comm/transport/cluster.hpp"
#include "engine/memory_limit.hpp"
#include "mem/too_little_memory.hpp"
#include "partition/survey.hpp"
#include "pe/in_order.hpp"
#include "throttle/conservative.hpp"
#include "topo/clocks.hpp"

namespace anachron::engine {
namespace {

std::optional<Fault> fault_of(const std::optional<pe::HaltAt>& halt) {
  if (!halt || halt->halt.kind != event::Halt::Kind::fault) return std::nullopt;
  return Fault{halt->key, halt->lp, halt->event ? std::string(halt->event->event_name) : "start",
               halt->halt.cause};
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
      output_(*config.pes, lps, &budget_,
              ranks && ranks->layout().rank() == 0 ? ranks->layout().ranks() - 1 : 0),
      consolidation_(pes_, lps, *config.pes, pe::usual_mode(config)),
      recording_({.config = config,
                  .lps = lps,
                  .tick = tick_,
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
  if (ranks_) ranks_->count_in(&budget_);
  if (may_migrate(config)) {
    migration_.emplace(lps, config);
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
    elsewhere = [this](const observe::ShownEvent& event) { ranks_->trace()->send(event); };
  observers_.tracer.emplace(config_.trace, lps_, std::move(elsewhere));
  if (ranks_) ranks_->make_trace(output_, *observers_.tracer, budget_);
}

void Run::make_pes() {
  EventNodes events = plan_event_nodes(config_, cores_.binding, pe_ids_, lps_.owners());
  budget_.place_events(std::move(events.nodes));
  why_events_are_not_placed_ = std::move(events.why_not);
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
                                             .output = &output_,
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
    if (!core_distance_ && is_one_faster()) measure_round_trip();
  }
  streaming.reset();
  rethrow();  // what could not be written
  return conclude();
}

void Run::arrange() {
  if (pe::runs_in_order(config_) || ranks_ || !may_regroup()) return;
  const pe::SyncMode mode = next_mode(), before = consolidation_.mode();
  const std::size_t pes = mode == pe::SyncMode::in_order ? 1 : pes_for(active_->count());
  const bool moves = migration_ && migration_->is_due() && pes == pes_.size();
  if (mode == before && pes == consolidation_.present() && !moves) return;
  for_each_pe([](pe::Consolidable& pe) { pe.forget_undone(); });
  deliver_all();
  if (moves) migration_->move();
  consolidation_.arrange(pes, mode, [this](const auto& action) { for_each_pe(action); });
  if (before != pe::usual_mode(config_)) gvt_manager_.skip(consolidation_.totals());
}

pe::SyncMode Run::next_mode() const {
  if (active_->goes_in_order()) return pe::SyncMode::in_order;
  return active_->goes_in_windows() && rules_.exist() ? pe::SyncMode::in_windows : pe::usual_mode(config_);
}

/// As many for each worker as there are when all are active.
std::size_t Run::pes_for(unsigned workers) const {
  return (pes_.size() * workers + *config_.workers - 1) / *config_.workers;
}

void Run::run_term(const Callbacks& user) {
  gvt_manager_.begin_term(ranks_ ? pe_ids_.all : consolidation_.present(),
                          consolidation_.mode() == pe::SyncMode::in_windows, may_regroup());
  gvt_->restart(consolidation_.absent());
  output_.restart();
  output_.expect_only(consolidation_.present());
  control_.expect_settlement(consolidation_.present());
  if (consolidation_.is_in_order()) {
    cores_.binding.let_roam(sched::TimeSlicing::kWorkers);
    cores_.binding.end_watch();
    if (cores_.time_slicing) cores_.time_slicing->begin();
  } else {
    cores_.binding.bind_again();
    cores_.binding.start_watch();
  }
  mapping_->begin_term(active_->count(), static_cast<unsigned>(consolidation_.present()));
  gvt::TermFacts now = term_facts();
  if (migration_) migration_->begin_term(way_to_migrate(), now.wall_s);
  now.pending = pending();
  control_.note_pending(now.pending);  // with what was under way after the start, where one worker begins
  active_->begin_term(now);
  std::jthread service;
  if (ranks_ && ranks_->has_thread())
    service = std::jthread([this](const std::stop_token& stop) { serve_until(stop); });
  team_.begin([this](unsigned worker) { run_worker(worker); });
  watch_over([&] { monitor_.watch_run(team_, user); },
             [&] {
               times_.wall_s = gvt_manager_.elapsed();
               service = {};  // has it stop, and waits for it
             });
  if (ranks_) ranks_->quiesce();
}

void Run::serve_until(const std::stop_token& stop) {
  try {
    ranks_->serve_until(stop);
  } catch (...) {
    control_.abort(std::current_exception());
  }
}

bool Run::ends_term() {
  if (is_in_order() ? !consolidation_.has_left() : gvt_manager_.verdict() != gvt::Verdict::regroup)
    return false;
  if (gvt_manager_.has_balance_ended()) return true;
  const bool is_short = consolidation_.is_in_order() && pes_.front()->is_short_of_memory();
  active_->choose(term_facts(), is_short || !has_room_to_move() ? sched::ActiveWorkers::Cause::no_memory
                                                                : sched::ActiveWorkers::Cause::asked);
  return true;
}

void Run::run_worker(unsigned index) {
  const auto counters = open_counters(config_);
  const double cpu = topo::thread_cpu_seconds();
  try {
    sched::SharedByWorkers shared{pes_, *mapping_, *gvt_, control_, cores_.core_swap.get()};
    if (ranks_ && !ranks_->has_thread()) shared.serve = [this](bool waits) { ranks_->serve(waits); };
    sched::Worker worker(index, shared, clocks_[index], patience(), config_.detection_interval);
    if (is_in_order()) {
      if (index == 0 || (cores_.time_slicing && index < sched::TimeSlicing::kWorkers))
        run_in_order(worker, index);
    } else if (index < active_->count()) {
      worker.run();
    }
  } catch (...) {
    control_.abort(std::current_exception());
    if (cores_.time_slicing) cores_.time_slicing->end();
  }
  const double used = topo::thread_cpu_seconds() - cpu;
  const auto counted = counters ? counters->read() : std::nullopt;
  const std::scoped_lock lock(times_.mutex);
  times_.cpu_s += used;
  times_.core_counts.add(counted);
}

/// A second worker may be time-sliced in.
void Run::run_in_order(sched::Worker& worker, unsigned index) {
  bool is_over = false;
  if (index == 0)
    consolidation_.begin_term();
  else if (!cores_.time_slicing->wait_for_first(index))
    return;
  worker.run_in_order(config_.until + 0.0, [&] {  // no -0.0
    const gvt::Totals now = consolidation_.totals();
    control_.show({.gvt = now.time,
                   .committed = now.committed,
                   .executed = now.executed,
                   .horizon = config_.until,
                   .active_workers = 1});
    control_.note_pending(pes_.front()->pending());
    if (!consolidation_.is_in_order()) return true;
    gvt_manager_.note_in_order(now);
    consolidation_.note_memory(budget_.taken());
    if (!pes_.front()->halt() && may_regroup() && active_->ends_term(term_facts())) consolidation_.leave();
    if (consolidation_.has_left()) return false;
    if (!cores_.time_slicing) return true;
    const bool slices = active_->is_time_sliced();
    const topo::PhaseClock::Within timed(slices ? &clocks_[index].phases : nullptr, topo::Phase::asleep);
    is_over = !cores_.time_slicing->go_on(index, slices);
    return !is_over;
  });
  if (is_over) return;
  if (cores_.time_slicing) cores_.time_slicing->end();
  consolidation_.end_term();
  const pe::Pe& pe = *pes_.front();
  if (!pe.is_short_of_memory() || pe.halt() || control_.is_interrupted() ||
      pes_.front()->is_drained(config_.until))
    return;
  // Several workers can take optimism back to save memory; a run that keeps nothing has none to save.
  if (!consolidation_.is_in_order() || !may_regroup()) mem::throw_too_little_memory(budget_, pe.last_time());
  consolidation_.leave();
}

/// LPs move when all PEs execute the events of their own.
std::optional<LpMigration::Way> Run::way_to_migrate() const {
  if (!may_regroup() || is_in_order() || consolidation_.present() < pes_.size()) return std::nullopt;
  return LpMigration::Way{.workers = active_->count(), .mode = consolidation_.mode()};
}

bool Run::is_in_order() const { return consolidation_.is_in_order() || pe::runs_in_order(config_); }

unsigned Run::patience() const {
  const bool is_crowded =
      ranks_ ? !ranks_->have_cores() : active_->count() > std::thread::hardware_concurrency();
  return is_crowded ? Backoff::kFewSpins : Backoff::kManySpins;
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
  if (!ranks_) return output_.finish(end);
  try {
    ranks_->trace() ? ranks_->trace()->finish(end) : output_.finish(end);
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
