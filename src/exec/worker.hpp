// A worker: a thread that runs PEs. The loop is the Time Warp of Jefferson (1985), a batch of events at a
// time.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <vector>

#include "exec/pe.hpp"
#include "exec/rest.hpp"
#include "exec/run_control.hpp"
#include "place/mapping.hpp"
#include "sync/gvt.hpp"

namespace anachron::exec {

template <queue::PendingSet Pending>
class Worker {
 public:
  /// `patience`: how long to spin for work before the core is given away, see Backoff.
  Worker(place::FixedMapping mapping, std::vector<Pe<Pending>*> pes, sync::Gvt& gvt, RunControl& control,
         unsigned patience)
      : mapping_(mapping),
        pes_(std::move(pes)),
        gvt_(gvt),
        control_(control),
        rest_(std::max(mapping.turns(), 1u), patience) {}

  /// Optimistic execution, until a GVT round ends the run.
  void run() {
    while (!control_.is_aborted()) {
      const PeId id = mapping_.acquire();
      Pe<Pending>& pe = *pes_[id];

      std::uint64_t received = 0, executed = 0;
      if (!gvt_.holds(id)) {
        received = pe.receive();
        executed = pe.execute(pe.batch());
        pe.publish();
      }
      take_part_in_gvt(pe, id, executed == 0);
      mapping_.release(id);

      if (is_over_) return settle();
      rest_.after_turn(received + executed > 0 ? Rest::Cause::none
                       : gvt_.holds(id)        ? Rest::Cause::gvt
                                               : Rest::Cause::no_events,
                       pe);
    }
  }

  /// Sequential execution of the only PE, in order, for good.
  void run_sequentially(Time until) {
    Pe<Pending>& pe = *pes_.front();
    while (!pe.halt() && !control_.is_interrupted() && !control_.is_aborted() &&
           pe.execute_for_good(kSequentialBatch, until) > 0) {
      const PeReport figures = pe.figures();
      control_.show(pe.last_time(), figures.committed, figures.executed);
      control_.note_pending(pe.pending());
    }
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr unsigned kSequentialBatch = 4096;
  static constexpr unsigned kTurnsToBarrier = 64;  // without work, until a PE calls for a barrier

  /// How long duties take, without those in which the core went to somebody else.
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

  void take_part_in_gvt(Pe<Pending>& pe, PeId id, bool is_idle) {
    switch (gvt_.due(id)) {
      case sync::Duty::none:
        return;
      case sync::Duty::adopt:
        gvt_.adopted(id);
        if (gvt_.round().verdict != sync::Verdict::go_on)
          is_over_ = true;
        else
          pe.adopt(gvt_.round());
        return;
      case sync::Duty::cut:
        if (wants_round(pe, is_idle)) {
          const auto began = Clock::now();
          pe.begin_cut();
          gvt_.cut(id);
          pe.add_gvt(duty_.since(began));
        }
        return;
      case sync::Duty::report: {
        rest_.book(pe);
        const auto began = Clock::now();
        gvt_.report(id, pe.summary());
        pe.add_gvt(duty_.since(began));
        return;
      }
    }
  }

  /// Asynchronously, an idle PE loses nothing by beginning a round. A barrier stops those that are not idle.
  bool wants_round(const Pe<Pending>& pe, bool is_idle) const {
    if (pe.is_due_for_gvt() || gvt_.is_called()) return true;
    return is_idle && (!gvt_.is_barrier() || rest_.rounds() >= kTurnsToBarrier);
  }

  /// The last round holds for all PEs of this worker, whichever saw it first.
  void settle() {
    for (unsigned turn = 0; turn < mapping_.turns(); ++turn) {
      const PeId id = mapping_.acquire();
      pes_[id]->settle(gvt_.round());
      mapping_.release(id);
    }
  }

  place::FixedMapping mapping_;
  std::vector<Pe<Pending>*> pes_;
  sync::Gvt& gvt_;
  RunControl& control_;
  Rest rest_;
  DutyTime duty_;
  bool is_over_ = false;
};

}  // namespace anachron::exec
