// A run: its PEs and the threads that run them, in terms with a number of active workers each, and what a
// session does with it between two stretches.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/engine.hpp"
#include "engine/event_nodes.hpp"
#include "engine/migration/lp_migration.hpp"
#include "engine/migration/pe_consolidation.hpp"
#include "engine/parts.hpp"
#include "engine/ranks/ranks.hpp"
#include "engine/watch/monitor.hpp"
#include "engine/watch/recording.hpp"
#include "gvt/gvt_manager.hpp"
#include "observe/event_log.hpp"
#include "observe/output/tracer.hpp"
#include "observe/tallies/link_tally.hpp"
#include "observe/tallies/lp_tally.hpp"
#include "pe/pe.hpp"
#include "pe/send_rules.hpp"
#include "sched/binding.hpp"
#include "sched/core_distance.hpp"
#include "sched/scheduled_workers.hpp"
#include "sched/team.hpp"
#include "sched/worker.hpp"
#include "topo/clocks/clocks.hpp"

namespace anachron::checkpoint {
class StateWriter;
}
namespace anachron::event {
class TypeTable;
}

namespace anachron::engine {

/// Does what a Session asks for. Between two calls no thread runs a PE.
class Run {
 public:
  /// `config` may get another end time before each `run`. `ranks`: null in a run of one rank. All that is
  /// referred to must outlive the run.
  Run(lp::LpStore& lps, const Config& config, Ranks* ranks);
  ~Run();

  /// Constructs the LPs, runs their `start`. Returns the failure of one. Calls `progress` and polls
  /// `interrupted`, if any, as `run` does, from the first `start` on; if it is interrupted, so are the runs.
  std::optional<Fault> start(const std::function<void(const Progress&)>& progress,
                             const std::function<bool()>& interrupted);
  /// Runs to the configuration's end time.
  Stretch run(const std::function<void(const Progress&)>& progress, const std::function<bool()>& interrupted);
  /// All but how and when it ended.
  Outcome outcome() const;

  // For sessions: run_session.cpp.
  /// Sends an event from outside, the LP-like sender that `outside` counts for. Null: the receiver is on
  /// another rank, which sends it; here it is only counted.
  event::EventHeader* schedule(const event::EventOps& ops, LpId receiver, Time time, Order among,
                               event::Outside& outside,
                               const std::function<void(event::EventHeader&)>& construct);
  // Over ranks all of them do the same, in the same order.

  /// Marks are numbered from 0. From mark 0 on nothing commits.
  void mark();
  /// Back to a mark, from where `scheduled` was scheduled since. Later marks are forgotten.
  void rewind(std::size_t mark, std::span<event::EventHeader* const> scheduled);
  /// Forgets this mark and later ones. Without any, what was executed commits.
  void accept(std::size_t mark);
  /// Keeps all that commits from now on, one log per PE: see observe/event_log.hpp. Precondition: there is
  /// one rank, and the logs outlive the run. The room interrupts it.
  void keep_in(std::span<const std::unique_ptr<observe::EventLog>> logs, observe::LogRoom& room);

  // For checkpoints: run_checkpoint.cpp.
  bool is_set_up() const { return started_.is_set_up; }
  /// Before `save`, on all ranks. Precondition: there are no marks.
  void prepare_to_save();
  /// Writes the LPs of this rank and what waits for them.
  void save(checkpoint::StateWriter& to);
  void save_part(pe::Pe& pe, checkpoint::StateWriter& to) const;
  /// Instead of `start`: the LPs and what waits for them are as other ranks have saved them. `table`: of the
  /// LP types. Throws InputError, on all ranks the same.
  void restore(std::span<const std::filesystem::path> files, const event::TypeTable& table,
               const std::function<void(const Progress&)>& progress,
               const std::function<bool()>& interrupted);

 private:
  void make_tracer();
  void make_rank_output();
  void make_pes();
  bool may_stop() const;

  /// Once for each PE, on the thread that runs it in the fixed mapping, near whose memory it is.
  template <class Action>
  void for_each_pe(const Action& action) {
    begin_each_pe(action);
    team_.wait();
    rethrow();
  }
  template <class Action>
  void begin_each_pe(const Action& action) {
    team_.begin([this, action](unsigned worker) {
      try {
        for (std::size_t pe = worker; pe < pes_.size(); pe += *config_.workers) action(*pes_[pe]);
      } catch (...) {
        control_.abort(std::current_exception());
      }
    });
  }
  /// Calls `monitor` until the team is done, then `then`. Throws what a callback of `monitor` or the team
  /// threw.
  void watch_over(const std::function<void()>& monitor, const std::function<void()>& then = {});
  /// Throws what a thread of the last term has left.
  void rethrow();
  /// Until nothing is under way any more, on any rank. What PEs take in may make them send again.
  void deliver_all();
  /// The PE that executes an LP of this rank.
  pe::Pe& pe_of(LpId lp) const;

  // Terms: run_terms.cpp.

  /// Before a term: as many workers as are to be active in it.
  void arrange();
  void migrate();
  bool has_room_to_expand();
  void move(std::span<const lp::Move> moves);
  void migrate_over_ranks();
  LpMigration::Plan agree_on_moves();
  void number_histories_anew();
  void import_moved(const transport::Bytes& from);
  pe::SyncMode next_mode() const;
  std::optional<LpMigration::Way> way_to_migrate() const;
  std::size_t pes_for(unsigned workers) const;
  /// Some workers run PEs, until the run is over, or it is to go on with more or fewer of them.
  void run_term(const Callbacks& user);
  /// After a term: whether another one follows.
  bool ends_term();
  void run_worker(unsigned index);
  void run_in_order(sched::Worker& worker, unsigned index);
  void serve_until(const std::stop_token& stop);
  /// While a session may be taken back, each PE knows what it has executed.
  bool may_regroup() const { return marks_.empty(); }
  bool is_in_order() const;
  /// For a while what moves from PE to PE takes memory at both.
  bool has_room_to_move() const { return budget_.taken() <= budget_.limit() / 2; }
  unsigned patience() const;
  gvt::TermFacts term_facts() const { return {.wall_s = gvt_manager_.elapsed(), .committed = committed()}; }
  std::uint64_t committed() const;
  std::uint64_t pending() const;
  NumaFigures numa_figures() const;
  void report_critical_path(Outcome& outcome) const;
  void report_pes(Outcome& outcome, double tick_s) const;
  TimeSplit spent_on(std::size_t pe, double tick_s) const;
  WorkerReport worker_report(unsigned worker, double tick_s) const;

  /// Of the numbers of workers that were tried.
  bool is_one_faster() const;
  /// Tells why it may be: what is sent from core to core takes so long.
  void measure_round_trip();

  /// Has each PE make its LPs, near the thread that runs it.
  void set_up(const std::function<void(pe::Pe&)>& make_lps, const Callbacks& user);
  std::optional<Fault> agree_on_start();
  /// The halt that ended the last stretch.
  std::optional<pe::HaltAt> ending() const;
  void finish_output(const std::optional<event::EventKey>& end);
  Stretch conclude();

  lp::LpStore& lps_;
  const Config& config_;
  Ranks* const ranks_;  // null: there is one
  const pe::PesOfRanks pe_ids_;
  struct Cores {
    explicit Cores(const Config& config);

    sched::Binding binding;
    const std::unique_ptr<sched::CoreSwap> core_swap;        // null: no worker gives its core away
    const std::unique_ptr<sched::TimeSlicing> time_slicing;  // null: a worker in order has no second one
    std::optional<sched::CoreDistance> distance;             // once it was measured
  } cores_;
  observe::RunControl control_;
  const pe::SendRules rules_;
  mem::Budget budget_;
  struct Observers {
    std::optional<observe::LpTally> tally;
    std::optional<observe::LinkTally> links;
    std::optional<observe::Tracer> tracer;
    observe::OrderedOutput output;
  } observers_;
  struct Times {
    const topo::TickLength tick;
    double setup_s = 0, wall_s = 0;
    std::mutex mutex;  // guards the rest while workers run
    double cpu_s = 0;
    topo::CoreTally core_counts;
  } times_;
  std::vector<topo::WorkerClock> clocks_;
  std::unique_ptr<sched::Mapping> mapping_;
  std::unique_ptr<sched::ActiveWorkers> active_;
  sched::ScheduledWorkers scheduled_;
  gvt::GvtManager gvt_manager_;
  std::unique_ptr<gvt::Gvt> gvt_;
  std::unique_ptr<fabric::Fabric> fabric_;
  std::vector<std::unique_ptr<pe::Pe>> pes_;
  PeConsolidation consolidation_;
  std::optional<LpMigration> migration_;
  Recording recording_;
  Monitor monitor_;

  std::vector<std::vector<pe::PeMark>> marks_;  // by mark and PE

  struct Started {
    std::string why_events_are_not_placed;
    std::optional<pe::HaltAt> halt;    // takes effect when the run is to begin
    bool is_halted_elsewhere = false;  // the same, on another rank
    bool is_set_up = true;
  } started_;
  sched::Team team_;  // last: its threads use the rest
};

}  // namespace anachron::engine
