#include "sched/worker.hpp"

#include <optional>

namespace anachron::sched {
namespace {

using topo::Phase;

/// While a worker is in the event loop.
class Timed {
 public:
  Timed(TurnClock& clock, Phase phase, std::optional<std::size_t> pe = std::nullopt) : clock_(clock) {
    clock_.start(phase, pe);
  }
  ~Timed() { clock_.stop(); }
  Timed(const Timed&) = delete;
  Timed& operator=(const Timed&) = delete;

 private:
  TurnClock& clock_;
};

/// A worker that ends, also by an exception, wakes those that sleep: they are to see that, too.
struct WakeAll {
  Activity* activity;
  ~WakeAll() {
    if (activity) activity->wake_all();
  }
};

}  // namespace

void Worker::run() {
  const Timed timed(turn_clock_, Phase::idle);
  const WakeAll wake_all{activity_};
  while (!shared_.control.is_aborted() && !shared_.control.all_settled()) {
    if (shared_.control.is_paused()) [[unlikely]] {
      wait_out_pause(Phase::idle, std::nullopt);
      continue;
    }
    if (activity_ && !activity_->is_active(index_)) {
      shared_.mapping.release_kept(index_);
      sleep();
      continue;
    }
    Idle::Cause cause = Idle::Cause::no_events;
    idle_.begin_turn();
    const PeId id = shared_.mapping.try_acquire(index_);
    turn_clock_.begin_turn(id);
    if (id != sched::kNoPe) {
      cause = run_turn(id);
      end_turn(id, cause);
    }
    if (shared_.serve) shared_.serve(cause != Idle::Cause::had_work);
    turn_clock_.end_turn(cause);
    idle_.after_turn(cause, shared_.mapping.pes_of(index_));
  }
}

void Worker::end_turn(PeId id, Idle::Cause cause) {
  const Time reached = shared_.pes[id]->reached();
  if (local_times_) [[unlikely]]
    local_times_->tell(id, cause == Idle::Cause::had_work ? shared_.pes[id]->next_time() : LocalTimes::kIdle);
  shared_.mapping.release(index_, id, cause == Idle::Cause::had_work);
  if (runner_ && runner_->after_turn(reached, cause == Idle::Cause::had_work)) turn_clock_.had_no_core();
}

/// A quarter of the GVT interval apart (Wang et al. 2015, section 6.1). An idle worker can be preempted too,
/// so a turn without events also counts.
void Worker::look_for_interference(sched::Detector::Turn turn, const pe::GvtParticipant& pe) {
  detector_->end_turn(turn);
  executed_ += std::max<std::uint64_t>(turn.executed, 1);
  if (executed_ < detection_interval_.value_or(static_cast<unsigned>(pe.gvt_interval() / 4))) return;
  executed_ = 0;
  const auto now = Clock::now();
  period_s_ += (std::chrono::duration<double>(now - looked_).count() - period_s_) / 8;
  looked_ = now;
  const auto disturbed = detector_->detect();
  if (disturbed && !(shared_.core_swap && shared_.core_swap->pays())) activity_->deactivate(*disturbed);
  activity_->signal_one(now, probing_period_s());
}

/// Four looks. A probe disturbs nobody, so it comes earlier than the ten GVT intervals without one.
double Worker::probing_period_s() const { return std::clamp(4 * period_s_, 2e-3, 50e-3); }

/// Ten GVT intervals (section 6.3), which are forty looks, or until a probe or a signal.
void Worker::sleep() {
  if (runner_) runner_->pause();
  turn_clock_.leave_pe();
  const auto timed = turn_clock_.within(Phase::asleep);
  const bool is_periodic = activity_->reactivation() == Reactivation::periodic;
  const double usual_s = is_periodic ? std::clamp(40 * period_s_, 5e-3, 0.5) : probing_period_s();
  activity_->sleep(index_, sleep_backoff_.begin(usual_s, Clock::now()));
  if (activity_->is_active(index_)) sleep_backoff_.end(Clock::now());
}

/// No clock of the worker counts the time. Afterwards it begins as at first.
void Worker::wait_out_pause(Phase phase, std::optional<std::size_t> pe) {
  if (runner_) runner_->pause();
  idle_.end();
  called_since_.reset();
  turn_clock_.stop();
  shared_.control.pause().wait(shared_.serve);
  turn_clock_.start(phase, pe);
}

/// Returns why nothing was done, or that something was.
Idle::Cause Worker::run_turn(PeId id) {
  pe::Pe& pe = *shared_.pes[id];
  if (shared_.control.is_settled(id)) return Idle::Cause::gvt;
  pe.use(turn_clock_.phases());
  const std::uint64_t undone_before = detector_ ? pe.undone() : 0;
  if (detector_) detector_->begin_turn();
  const bool waits = shared_.gvt.must_wait(id);
  const Batch done = waits ? Batch{} : run_batch(pe);
  const bool has_adopted = take_part_in_gvt(pe, id, done.executed == 0);
  if (detector_)
    look_for_interference({.executed = done.executed, .undone = pe.undone() - undone_before}, pe);
  if (done.received + done.executed > 0 || has_adopted) return Idle::Cause::had_work;
  return waits ? Idle::Cause::gvt : Idle::Cause::no_events;
}

Worker::Batch Worker::run_batch(pe::BatchExecutor& pe) {
  Batch done;
  turn_clock_.receives();
  done.received = pe.receive();
  turn_clock_.executes(done.received);
  done.executed = pe.execute(batch_of(pe));
  turn_clock_.publishes(done.executed, pe);
  pe.publish();
  return done;
}

/// Returns whether it has adopted a round's result: committing is work.
bool Worker::take_part_in_gvt(pe::GvtParticipant& pe, PeId id, bool is_idle) {
  switch (shared_.gvt.due(id)) {
    case gvt::Duty::none:
      break;
    case gvt::Duty::adopt: {
      const auto timed = turn_clock_.within(Phase::commit);
      called_since_.reset();
      shared_.gvt.adopted(id);
      if (shared_.gvt.round().verdict == gvt::Verdict::go_on) {
        pe.adopt(shared_.gvt.round());
      } else {
        pe.settle(shared_.gvt.round());
        shared_.control.settled(id);
      }
      return true;
    }
    case gvt::Duty::cut:
      if (wants_round(pe, is_idle)) {
        const auto timed = turn_clock_.within(Phase::rounds);
        const auto began = Clock::now();
        pe.begin_cut();
        shared_.gvt.cut(id);
        clock_.add_gvt(duty_.since(began));
      }
      break;
    case gvt::Duty::report: {
      idle_.book();
      const auto timed = turn_clock_.within(Phase::rounds);
      const auto began = Clock::now();
      shared_.gvt.ready(id, pe.summary());
      clock_.add_gvt(duty_.since(began));
      break;
    }
  }
  return false;
}

/// What is executed when the run is to end at the next GVT only delays it.
unsigned Worker::batch_of(const pe::BatchExecutor& pe) const {
  return shared_.control.is_interrupted() ? std::min(pe.batch(), kBatchInterrupted) : pe.batch();
}

/// Asynchronously, an idle PE loses nothing by beginning a round. A barrier stops those that are not idle.
bool Worker::wants_round(const pe::GvtParticipant& pe, bool is_idle) {
  if (pe.is_due_for_gvt() || shared_.control.is_interrupted()) return true;
  if (shared_.gvt.is_called()) return shared_.gvt.is_barrier() || is_idle || is_called_long_ago();
  return is_idle && (!shared_.gvt.is_barrier() ||
                     idle_.idle_turns() >= kTurnsToBarrier * shared_.mapping.pes_of(index_));
}

bool Worker::is_called_long_ago() {
  const auto now = Clock::now();
  if (!called_since_) called_since_ = now;
  return now - *called_since_ >= kPatienceOfOthers;
}

void Worker::run_in_order(Time until, const std::function<bool()>& goes_on) {
  const Timed timed(turn_clock_, Phase::execution, 0);
  pe::BatchExecutor& pe = *shared_.pes.front();
  pe.use(turn_clock_.phases());
  unsigned batch = kFirstInOrder;
  while (!pe.halt() && !shared_.control.is_interrupted() && !shared_.control.is_aborted()) {
    if (shared_.control.is_paused()) [[unlikely]] {
      wait_out_pause(Phase::execution, 0);
      continue;
    }
    const auto began = Clock::now();
    const unsigned executed = pe.execute_for_good(batch, until);
    if (executed == 0) break;
    turn_clock_.has_executed(executed, pe);
    const bool is_long = Clock::now() - began > kTimeInOrder;
    batch = is_long ? std::max(batch / 2, 1u) : std::min(2 * batch, kMostInOrder);
    if (!goes_on()) break;
  }
}

}  // namespace anachron::sched
