// The door of the room `sched`: workers, which PE each runs, how many of them pay, and on which cores.
//
// A worker is a thread that runs PEs. `Worker::run` is the loop of Jefferson (1985): it chooses a PE, or
// sleeps. `Worker::run_turn` is one pass of it: receive, which rolls back for stragglers, execute a batch,
// publish, take part in GVT, which commits. Invariant: one worker at a time runs a PE, and nothing here
// changes what is committed. Read on in sched/mapping/mapping.hpp (which PE next),
// sched/trials/active_workers.hpp (how many workers), sched/team.hpp (their threads), sched/binding.hpp and
// sched/core_swap.hpp (their cores).
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "gvt/gvt.hpp"
#include "observe/run_control.hpp"
#include "pe/pe.hpp"
#include "sched/core_swap.hpp"
#include "sched/idle.hpp"
#include "sched/mapping/mapping.hpp"
#include "sched/sleep_backoff.hpp"
#include "sched/turn_clock.hpp"
#include "topo/clocks/clocks.hpp"

namespace anachron::sched {

/// What the workers of a run share.
struct SharedByWorkers {
  std::span<const std::unique_ptr<pe::Pe>> pes;
  sched::Mapping& mapping;
  gvt::Gvt& gvt;
  observe::RunControl& control;
  sched::CoreSwap* core_swap = nullptr;  ///< null: each stays on its core, or goes where the system takes it
  /// Serves the transport to other ranks once; `waits`: the worker has nothing else to do. Empty: workers
  /// serve none.
  std::function<void(bool waits)> serve{};
};

class Worker {
 public:
  /// `patience`: how long to spin for work before the core is given away, see Backoff.
  /// `detection_interval`: events between two looks for interference; none: a quarter of the GVT interval.
  Worker(unsigned index, const SharedByWorkers& shared, topo::WorkerClock& clock, unsigned patience,
         std::optional<unsigned> detection_interval = std::nullopt)
      : index_(index),
        shared_(shared),
        clock_(clock),
        turn_clock_(clock.phases),
        idle_(clock, patience),
        activity_(shared.mapping.activity()),
        local_times_(shared.mapping.local_times()),
        detector_(shared.mapping.make_detector(index)),
        detection_interval_(detection_interval) {
    if (shared.core_swap) runner_.emplace(*shared.core_swap, index);
  }

  /// Parallel execution, until a GVT round has ended the run and each PE has settled.
  void run();

  /// Sequential execution of the first PE, the only one or the one that stands in for all, in order and for
  /// good. Ends when `goes_on()`, which it calls every 2 ms or so, is false.
  void run_in_order(Time until, const std::function<bool()>& goes_on);

 private:
  using Clock = std::chrono::steady_clock;
  // In order, events between two looks around: as many as fit into this time.
  static constexpr unsigned kFirstInOrder = 16, kMostInOrder = 4096;
  static constexpr std::chrono::milliseconds kTimeInOrder{2};
  static constexpr unsigned kBatchInterrupted = 16;  // at most, to the end of an interrupted run
  static constexpr unsigned kTurnsToBarrier = 64;    // of all PEs without work, until one calls for a barrier
  // Others have begun a round and wait for this PE, which is not due: so long at most.
  static constexpr std::chrono::microseconds kPatienceOfOthers{1000};

  /// How long duties take, without those in which another thread had the core.
  class DutyTime {
   public:
    double since(Clock::time_point began) {
      const double seconds = std::chrono::duration<double>(Clock::now() - began).count();
      const double ours = std::min(seconds, 8 * typical_);
      typical_ += (ours - typical_) / 16;
      return ours;
    }

   private:
    double typical_ = 1e-6;  // seconds
  };

  void end_turn(PeId id, Idle::Cause cause);
  Idle::Cause run_turn(PeId id);
  struct Batch {
    std::uint64_t received = 0;  // messages
    unsigned executed = 0;       // events
  };
  Batch run_batch(pe::BatchExecutor& pe);
  void look_for_interference(sched::Detector::Turn turn, const pe::GvtParticipant& pe);
  void sleep();
  void wait_out_pause(topo::Phase phase, std::optional<std::size_t> pe);
  double probing_period_s() const;
  bool take_part_in_gvt(pe::GvtParticipant& pe, PeId id, bool is_idle);
  unsigned batch_of(const pe::BatchExecutor& pe) const;
  bool wants_round(const pe::GvtParticipant& pe, bool is_idle);
  bool is_called_long_ago();

  const unsigned index_;
  const SharedByWorkers shared_;
  topo::WorkerClock& clock_;
  TurnClock turn_clock_;
  Idle idle_;
  DutyTime duty_;
  sched::Activity* const activity_;       // null: all workers are active
  sched::LocalTimes* const local_times_;  // null: no mapping asks for them
  const std::unique_ptr<sched::Detector> detector_;
  const std::optional<unsigned> detection_interval_;
  std::optional<sched::CoreSwap::Runner> runner_;
  std::uint64_t executed_ = 0;  // events, since the last look for interference
  Clock::time_point looked_ = Clock::now();
  double period_s_ = 1e-3;  // between two looks
  SleepBackoff sleep_backoff_;
  std::optional<Clock::time_point> called_since_;  // when it first saw that others wait in the present round
};

}  // namespace anachron::sched
