// A worker: a thread that runs PEs. The loop is the Time Warp of Jefferson (1985), a batch of events at a
// time.
#pragma once

#include <vector>

#include <anachron/base/platform.hpp>

#include "exec/pe.hpp"
#include "exec/run_control.hpp"
#include "place/mapping.hpp"
#include "sync/gvt.hpp"

namespace anachron::exec {

template <queue::PendingSet Pending>
class Worker {
 public:
  /// `patience`: how long to spin for work before the core is given away, see Backoff.
  Worker(place::FixedMapping mapping, std::vector<Pe<Pending>*> pes, sync::Gvt& gvt, RunControl& control,
         unsigned batch, unsigned patience)
      : mapping_(mapping),
        pes_(std::move(pes)),
        gvt_(gvt),
        control_(control),
        batch_(batch),
        patience_(patience) {}

  /// Optimistic execution, until a GVT round ends the run.
  void run() {
    unsigned idle_turns = 0;
    Backoff backoff(patience_);
    while (!control_.is_aborted()) {
      const PeId id = mapping_.acquire();
      Pe<Pending>& pe = *pes_[id];

      const std::uint64_t received = pe.receive();
      const unsigned executed = pe.execute(batch_);
      pe.publish();
      take_part_in_gvt(pe, id, executed == 0);
      mapping_.release(id);

      if (is_over_) return settle();
      if (received + executed > 0) {
        idle_turns = 0;
        backoff.reset();
      } else if (++idle_turns >= mapping_.turns()) {
        backoff.wait();
      }
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
  static constexpr unsigned kSequentialBatch = 4096;

  void take_part_in_gvt(Pe<Pending>& pe, PeId id, bool idle) {
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
        if (idle || pe.is_due_for_gvt()) {
          pe.begin_cut();
          gvt_.cut(id);
        }
        return;
      case sync::Duty::report:
        gvt_.report(id, pe.summary());
        return;
    }
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
  unsigned batch_, patience_;
  bool is_over_ = false;
};

}  // namespace anachron::exec
