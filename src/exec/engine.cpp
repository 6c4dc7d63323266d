#include "exec/engine.hpp"

#include <algorithm>
#include <ctime>
#include <limits>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include <anachron/base/error.hpp>

#include "exec/binding.hpp"
#include "exec/digest.hpp"
#include "exec/in_order.hpp"
#include "exec/judge.hpp"
#include "exec/link_tally.hpp"
#include "exec/lp_tally.hpp"
#include "exec/memory_limit.hpp"
#include "exec/monitor.hpp"
#include "exec/parts.hpp"
#include "exec/pe.hpp"
#include "exec/ranks.hpp"
#include "exec/round_trip.hpp"
#include "exec/stand_in.hpp"
#include "exec/team.hpp"
#include "exec/tracer.hpp"
#include "exec/worker.hpp"
#include "fabric/spsc_mesh.hpp"
#include "place/survey.hpp"
#include "sync/conservative.hpp"

namespace anachron::exec {
namespace {

double thread_cpu_seconds() {
  timespec t{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

class Run final : public Engine {
 public:
  Run(lp::LpStore& lps, const Config& config, Ranks* ranks)
      : lps_(lps),
        config_(config),
        ranks_(ranks),
        pe_ids_(ranks ? PesOfRanks{ranks->layout().own(), ranks->layout().pes()}
                      : PesOfRanks{{0, *config.pes}, *config.pes}),
        lookaheads_(config.sync == Sync::conservative ? sync::lookaheads(lps.types(), config)
                                                      : std::vector<Time>()),
        budget_(config.memory.value_or(std::numeric_limits<std::int64_t>::max()), *config.pes,
                runs_in_order(config) ? mem::Budget::Reserve::none : mem::Budget::Reserve::some),
        clocks_(*config.workers),
        mapping_(make_mapping(config)),
        active_(make_active_workers(config)),
        judge_(config, pe_ids_.all, control_, budget_, clocks_, *mapping_, *active_, smallest_lookahead()),
        gvt_(ranks ? make_gvt(config, ranks->make_rounds(judge_))
                   : make_gvt(config, [this](auto summaries) { return judge_.conclude(summaries); })),
        fabric_(ranks ? ranks->make_fabric(std::make_unique<fabric::SpscMesh>(pe_ids_.own), lps.owners())
                      : make_fabric(config, lps.types())),
        output_(*config.pes, lps, &budget_),
        stand_in_(pes_, lps),
        monitor_(config, lps, pes_, control_, judge_, binding_),
        team_(*config.workers) {
    budget_.take_fixed(ranks ? lps.bytes(pe_ids_.own) : lps.bytes());
    if (config.profile_lps > 0) {
      tally_.emplace(lps.size());
      budget_.take_fixed(tally_->bytes());
    }
    if (config.survey && config.survey->counted) links_.emplace(lps.size());
    if (config.trace.show) tracer_.emplace(config.trace, lps);
    make_pes();
  }
  ~Run() override {
    if (std::none_of(pes_.begin(), pes_.end(), [](const auto& pe) { return pe->owns_resources(); })) return;
    for (auto& pe : pes_) pe->discard();
  }

  std::optional<Fault> start(const std::function<void(const Progress&)>& progress,
                             const std::function<bool()>& interrupted) override {
    const auto began = std::chrono::steady_clock::now();
    binding_ = Binding(config_);
    // First, so that memory which the PEs touch first is near.
    team_.begin([this](unsigned worker) { binding_.bind_worker(worker); });
    team_.wait();
    judge_.start(0);
    begin_each_pe([](Pe& pe) {
      pe.start();
      pe.publish();
    });
    watch_over([&] { monitor_.watch_start(team_, {progress, interrupted}); });
    is_set_up_ = !control_.is_interrupted();
    times_.setup_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    for (const auto& pe : pes_)
      if (pe->halt() && (!halt_in_start_ || pe->halt()->lp < halt_in_start_->lp)) halt_in_start_ = pe->halt();
    control_.note_pending(pending());
    if (ranks_) return agree_on_start();
    return fault_of(halt_in_start_);
  }

  Stretch run(const std::function<void(const Progress&)>& progress,
              const std::function<bool()>& interrupted) override {
    control_.forget_interrupt();
    judge_.start(times_.wall_s);
    if (!halt_in_start_ && !is_halted_elsewhere_ && is_set_up_) {
      for (bool goes_on = true; goes_on; goes_on = ends_term()) {
        arrange();
        run_term({progress, interrupted});
      }
      if (!round_trip_ && is_one_faster()) measure_round_trip();
    }
    return conclude();
  }

  Outcome outcome() const override;

  std::uint64_t committed() const override {
    std::uint64_t sum = 0;
    for (const auto& pe : pes_) sum += pe->figures().committed;
    return sum;
  }

  event::EventHeader& schedule(const event::EventOps& ops, LpId receiver, Time time, Order among,
                               event::LpCounters& outside,
                               const std::function<void(event::EventHeader&)>& construct) override {
    Pe& pe = stand_in_.pe_of(receiver);
    const event::LpCounters before = outside;
    event::EventHeader* e = nullptr;
    try {
      e = &pe.make_outside(ops, receiver, time, among, outside);
      construct(*e);
    } catch (...) {
      if (e) pe.release_outside(*e);
      outside = before;
      throw;
    }
    pe.insert_outside(*e);
    return *e;
  }

  void mark() override {
    if (marks_.empty()) for_each_pe([](Pe& pe) { pe.hold(); });
    auto& of_pes = marks_.emplace_back();
    for (const auto& pe : pes_) of_pes.push_back(pe->mark());
  }

  void rewind(std::size_t mark, std::span<event::EventHeader* const> scheduled) override {
    const auto& of_pes = marks_[mark];
    for_each_pe([&](Pe& pe) { pe.undo_since(of_pes[pe.id()]); });
    deliver_all();
    for (event::EventHeader* e : scheduled) stand_in_.pe_of(e->receiver).cancel_outside(*e);
    for_each_pe([&](Pe& pe) { pe.forget_since(of_pes[pe.id()]); });
    marks_.resize(mark + 1);
    judge_.rewound();
  }

  void accept(std::size_t mark) override {
    marks_.resize(mark);
    if (!marks_.empty()) return;
    output_.restart();
    for_each_pe([](Pe& pe) { pe.commit_held(); });
    output_.finish(std::nullopt);
  }

 private:
  void make_pes() {
    const bool keeps =
        config_.check_rollback || (config_.sync == Sync::conservative && may_stop()) || speculates(config_);
    for (std::size_t index = 0; index < *config_.pes; ++index)
      pes_.push_back(make_pe(static_cast<PeId>(pe_ids_.own.first + index), config_, lps_, *fabric_,
                             keeps ? Keeping::history : Keeping::nothing, budget_, lookaheads_,
                             Watchers{.tally = tally_ ? &*tally_ : nullptr,
                                      .links = links_ ? &*links_ : nullptr,
                                      .tracer = tracer_ ? &*tracer_ : nullptr,
                                      .output = &output_,
                                      .control = &control_},
                             pe_ids_));
  }

  std::optional<Time> smallest_lookahead() const {
    if (lookaheads_.empty()) return std::nullopt;
    return *std::min_element(lookaheads_.begin(), lookaheads_.end());
  }

  bool may_stop() const {
    const auto types = lps_.types();
    return std::any_of(types.begin(), types.end(), sync::may_stop);
  }

  /// Once for each PE, on the thread that runs it in the fixed mapping, near whose memory it is.
  template <class Action>
  void for_each_pe(const Action& action) {
    begin_each_pe(action);
    team_.wait();
    control_.rethrow();
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
  template <class Monitor>
  void watch_over(const Monitor& monitor, const std::function<void()>& then = {}) {
    try {
      monitor();
    } catch (...) {
      control_.abort(std::current_exception());
    }
    team_.wait();
    if (then) then();
    control_.rethrow();
  }

  /// Until nothing is under way any more. What PEs take in may make them send again.
  void deliver_all() {
    std::vector<std::uint64_t> received(pes_.size());
    do {
      for_each_pe([](Pe& pe) { pe.publish(); });
      for_each_pe([&](Pe& pe) { received[pe.id()] = pe.receive_all(); });
    } while (std::any_of(received.begin(), received.end(), [](std::uint64_t n) { return n > 0; }) ||
             std::any_of(pes_.begin(), pes_.end(), [](const auto& pe) { return pe->has_mail(); }));
  }

  /// Before a term: as many workers as are to be active in it.
  void arrange() {
    const bool in_order = !runs_in_order(config_) && active_->goes_in_order();
    if (in_order == stand_in_.is_on() || !may_regroup()) return;
    if (in_order) {
      for_each_pe([](Pe& pe) { pe.forget_undone(); });
      deliver_all();
      stand_in_.begin();
    } else {
      stand_in_.end();
      judge_.skip_in_order(stand_in_.totals());
    }
  }

  /// While a session may be taken back, each PE knows what it has executed.
  bool may_regroup() const { return marks_.empty(); }
  bool is_in_order() const { return stand_in_.is_on() || runs_in_order(config_); }

  /// Some workers run PEs, until the run is over, or it is to go on with more or fewer of them.
  void run_term(const Callbacks& user) {
    judge_.begin_term(may_regroup());
    gvt_->restart();
    output_.restart();
    if (stand_in_.is_on()) output_.expect_only(pes_.front()->id());
    control_.expect_settlement(pes_.size());
    if (stand_in_.is_on())
      binding_.let_roam(0);
    else
      binding_.bind_again();
    binding_.start_watch();
    mapping_->begin_term(active_->count());
    sync::TermFacts now = term_facts();
    now.pending = pending();
    active_->begin_term(now);
    std::jthread service;
    if (ranks_ && ranks_->has_thread())
      service = std::jthread([this](const std::stop_token& stop) { serve_until(stop); });
    team_.begin([this](unsigned worker) { run_worker(worker); });
    watch_over([&] { monitor_.watch_run(team_, user); },
               [&] {
                 times_.wall_s = judge_.elapsed();
                 service = {};  // has it stop, and waits for it
               });
    if (ranks_) ranks_->quiesce();
  }
  void serve_until(const std::stop_token& stop) {
    try {
      ranks_->serve_until(stop);
    } catch (...) {
      control_.abort(std::current_exception());
    }
  }

  /// After a term: whether another one follows.
  bool ends_term() {
    if (is_in_order() ? !stand_in_.has_left() : judge_.verdict() != sync::Verdict::regroup) return false;
    const bool is_short = stand_in_.is_on() && pes_.front()->is_short_of_memory();
    active_->choose(term_facts(), is_short || !has_room_to_move() ? sync::ActiveWorkers::Cause::no_memory
                                                                  : sync::ActiveWorkers::Cause::asked);
    return true;
  }
  /// For a while what moves from PE to PE takes memory at both.
  bool has_room_to_move() const { return budget_.taken() <= budget_.limit() / 2; }

  void run_worker(unsigned index) {
    const double cpu = thread_cpu_seconds();
    try {
      Worker worker(index,
                    {pes_, *mapping_, *gvt_, control_, ranks_ && !ranks_->has_thread() ? ranks_ : nullptr},
                    clocks_[index], patience(), config_.detection_interval);
      if (is_in_order()) {
        if (index == 0) run_in_order(worker);
      } else if (index < active_->count()) {
        worker.run();
      }
    } catch (...) {
      control_.abort(std::current_exception());
    }
    const std::scoped_lock lock(mutex_);
    times_.cpu_s += thread_cpu_seconds() - cpu;
  }

  void run_in_order(Worker& worker) {
    stand_in_.begin_term();
    worker.run_in_order(config_.until + 0.0, [this] {  // no -0.0
      const StandIn::Totals now = stand_in_.totals();
      control_.show(now.time, now.committed, now.executed);
      control_.note_pending(pes_.front()->pending());
      if (!stand_in_.is_on()) return true;
      judge_.note_in_order(now);
      stand_in_.note_memory(budget_.taken());
      if (!pes_.front()->halt() && may_regroup() && active_->ends_term(term_facts())) stand_in_.leave();
      return !stand_in_.has_left();
    });
    stand_in_.end_term();
    const Pe& pe = *pes_.front();
    if (!pe.is_short_of_memory() || pe.halt() || control_.is_interrupted() ||
        pes_.front()->is_drained(config_.until))
      return;
    // Several workers can take optimism back to save memory; a run that keeps nothing has none to save.
    if (!stand_in_.is_on() || !may_regroup()) throw_too_little_memory(budget_, pe.last_time());
    stand_in_.leave();
  }

  /// Of the numbers of workers that were tried.
  bool is_one_faster() const {
    const auto tried = active_->tried();
    const auto best = std::max_element(tried.begin(), tried.end(),
                                       [](const auto& a, const auto& b) { return a.rate < b.rate; });
    return tried.size() > 1 && best->workers == 1;
  }

  /// Tells why it may be: what is sent from core to core takes so long.
  void measure_round_trip() {
    round_trip_.emplace();
    binding_.bind_again();
    team_.begin([this](unsigned worker) {
      if (worker < 2) round_trip_->take_part(worker);
    });
    team_.wait();
  }

  sync::TermFacts term_facts() const { return {.wall_s = judge_.elapsed(), .committed = committed()}; }

  std::uint64_t pending() const {
    std::uint64_t sum = 0;
    for (const auto& pe : pes_) sum += pe->pending();
    return sum;
  }

  unsigned patience() const {
    return *config_.workers > std::thread::hardware_concurrency() ? Backoff::kFewSpins : Backoff::kManySpins;
  }

  static std::optional<Fault> fault_of(const std::optional<HaltAt>& halt) {
    if (!halt || halt->halt.kind != event::Halt::Kind::fault) return std::nullopt;
    return Fault{halt->key, halt->lp, halt->event ? std::string(halt->event->event_name) : "start",
                 halt->halt.cause};
  }

  std::optional<Fault> agree_on_start() {
    const Ranks::Start all = ranks_->agree(
        {.is_set_up = is_set_up_, .has_halt = halt_in_start_.has_value(), .fault = fault_of(halt_in_start_)},
        halt_in_start_ ? halt_in_start_->lp : 0);
    is_set_up_ = all.is_set_up;
    is_halted_elsewhere_ = all.has_halt;
    return all.fault;
  }

  /// The halt that ended the last stretch.
  std::optional<HaltAt> ending() const {
    if (is_in_order()) return pes_.front()->halt();
    for (const auto& pe : pes_)
      if (judge_.halt() && pe->ending()) return pe->ending();
    return std::nullopt;
  }

  Stretch conclude() {
    const bool is_halted_elsewhere = std::exchange(is_halted_elsewhere_, false) || (ranks_ && judge_.halt());
    std::optional<HaltAt> halt = std::exchange(halt_in_start_, std::nullopt);
    if (!halt) halt = ending();
    const bool was_interrupted = is_in_order()
                                     ? control_.is_interrupted() && !pes_.front()->is_drained(config_.until)
                                     : judge_.verdict() == sync::Verdict::interrupted;
    const bool ends_early = was_interrupted || !is_set_up_;
    Stretch stretch{.fault = fault_of(halt), .committed = committed()};
    output_.finish(stretch.fault ? std::optional(stretch.fault->key) : std::nullopt);
    stretch.ending = halt || is_halted_elsewhere ? Ending::stopped
                     : ends_early                ? Ending::interrupted
                                                 : Ending::finished;
    for (auto& pe : pes_) {
      stretch.last = std::max(stretch.last, pe->last_time());
      pe->forget_halts();
    }
    return ranks_ ? ranks_->agree(stretch) : stretch;
  }

  lp::LpStore& lps_;
  const Config& config_;
  Ranks* const ranks_;  // null: there is one
  const PesOfRanks pe_ids_;
  Binding binding_;
  RunControl control_;
  const std::vector<Time> lookaheads_;  // by LP type, in a conservative run
  mem::Budget budget_;
  std::optional<LpTally> tally_;
  std::optional<LinkTally> links_;
  std::optional<Tracer> tracer_;
  std::vector<WorkerClock> clocks_;
  std::unique_ptr<place::Mapping> mapping_;
  std::unique_ptr<sync::ActiveWorkers> active_;
  Judge judge_;
  std::unique_ptr<sync::Gvt> gvt_;
  std::unique_ptr<fabric::Fabric> fabric_;
  OrderedOutput output_;
  std::vector<std::unique_ptr<Pe>> pes_;
  StandIn stand_in_;
  std::optional<RoundTrip> round_trip_;  // once it was measured
  Monitor monitor_;

  std::vector<std::vector<PeMark>> marks_;  // by mark and PE

  std::optional<HaltAt> halt_in_start_;  // takes effect when the run is to begin
  bool is_halted_elsewhere_ = false;     // the same, on another rank
  bool is_set_up_ = true;
  struct Times {
    double setup_s = 0, wall_s = 0;
    double cpu_s = 0;  // guarded by the mutex while workers run
  } times_;
  std::mutex mutex_;
  Team team_;  // last: its threads use the rest
};

Outcome Run::outcome() const {
  Outcome outcome;
  for (const auto& pe : pes_) {
    outcome.pes.push_back(pe->figures());
    for (const rollback::Unchecked& unchecked : pe->unchecked()) {
      auto note = fmt::format("rollback check: {}", rollback::to_text(unchecked));
      if (std::find(outcome.notes.begin(), outcome.notes.end(), note) == outcome.notes.end())
        outcome.notes.push_back(std::move(note));
    }
  }
  for (const WorkerClock& clock : clocks_) outcome.workers.push_back({clock.waiting_s(), clock.gvt_s()});
  for (LpId id = 0; id < lps_.size(); ++id)
    if (pe_ids_.own.contains(lps_.owner(id)))
      outcome.digest += part_of_run(id, lps_.cell(id).counters.digest);
  if (links_) outcome.links = links_->profile();
  if (tally_) outcome.lp_profile = tally_->most(config_.profile_lps, lps_);
  outcome.wall_s = times_.wall_s;
  outcome.setup_s = times_.setup_s;
  outcome.cpu_s = times_.cpu_s;
  outcome.gvt_rounds = judge_.rounds();
  outcome.gvt_latency_s = gvt_->latency_s();
  outcome.last_batch = judge_.pace().batch();
  outcome.last_gvt_interval = judge_.pace().gvt_interval();
  outcome.peak_pending = control_.peak_pending();
  outcome.binding = binding_.figures();
  outcome.rounds = judge_.series();
  outcome.workers_tried = active_->tried();
  outcome.committed_in_order = stand_in_.done().committed;
  outcome.sent_in_order = stand_in_.done().sent;
  if (round_trip_) outcome.round_trip_s = round_trip_->seconds();
  outcome.retreats = judge_.memory_guard().retreats();
  outcome.is_set_up = is_set_up_;
  outcome.large_event_bytes = pes_.size() == 1
                                  ? pes_.front()->most_large_bytes()
                                  : std::max(judge_.memory_guard().large_peak(), budget_.large());
  outcome.memory_peak =
      runs_in_order(config_)
          ? lps_.bytes() + pes_.front()->most_bytes()
          : std::max({stand_in_.memory_peak(), judge_.memory_guard().peak(), budget_.taken()});
  outcome.own_pes = pe_ids_.own;
  if (ranks_) ranks_->put_together(outcome);
  return outcome;
}

}  // namespace

void check(const std::vector<event::LpTypeEntry>& types, const Config& config) {
  constexpr unsigned kMostPes = std::numeric_limits<PeId>::max();
  if (*config.pes > kMostPes)
    throw InputError(fmt::format("--pes: {} is more than {}", *config.pes, kMostPes));
  check_trace(config.trace, types);
  if (config.survey && config.survey->counted && !(config.sync == Sync::sequential))
    throw std::logic_error("anachron: what LPs send to each other is counted in sequential runs");
  if (config.rollback != Rollback::copy) return;
  for (const auto& type : types)
    if (!type.ops->copy && !type.ops->irrevocable)
      throw InputError(
          fmt::format("--rollback copy: LP type {} cannot be copied; use --rollback auto", type.ops->name));
}

std::unique_ptr<Engine> make_engine(lp::LpStore& lps, const Config& config, Ranks* ranks) {
  return std::make_unique<Run>(lps, config, ranks);
}

}  // namespace anachron::exec
