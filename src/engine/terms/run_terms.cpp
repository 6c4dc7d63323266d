// Run, in terms: each with a number of active workers, a way to execute, and LPs that stay where they are.
// Between two of them nothing is uncommitted.
#include <stop_token>
#include <thread>

#include "engine/terms/run.hpp"
#include "mem/too_little_memory.hpp"
#include "pe/in_order.hpp"

namespace anachron::engine {

void Run::arrange() {
  if (pe::runs_in_order(config_) || !may_regroup()) return;
  if (ranks_) {
    if (gvt_manager_.verdict() != gvt::Verdict::regroup) return;
    prepare_to_save();
    finish_output(std::nullopt);  // what an LP has said is shown by the rank that it is on
    return migrate_over_ranks();
  }
  const pe::SyncMode mode = next_mode(), before = consolidation_.mode();
  const std::size_t pes = mode == pe::SyncMode::in_order ? 1 : pes_for(active_->count());
  const bool moves = migration_ && migration_->is_due() && pes == pes_.size() && has_room_to_move();
  if (mode == before && pes == consolidation_.present() && !moves) return;
  for_each_pe([](pe::Consolidable& pe) { pe.forget_undone(); });
  deliver_all();
  if (moves) migrate();
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
  observers_.output.restart();
  observers_.output.expect_only(consolidation_.present());
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
  if (ranks_ || gvt_manager_.has_balance_ended()) return true;  // LPs are to move
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

}  // namespace anachron::engine
