// A worker: a thread that runs PEs. The loop is the Time Warp of Jefferson (1985), a batch of events at a
// time.
#pragma once

#include <chrono>
#include <cstdint>
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
         unsigned patience)
      : mapping_(mapping), pes_(std::move(pes)), gvt_(gvt), control_(control), patience_(patience) {}

  /// Optimistic execution, until a GVT round ends the run.
  void run() {
    Backoff backoff(patience_);
    while (!control_.is_aborted()) {
      const PeId id = mapping_.acquire();
      Pe<Pending>& pe = *pes_[id];

      std::uint64_t received = 0, executed = 0;
      const bool is_held = gvt_.holds(id);
      if (!is_held) {
        received = pe.receive();
        executed = pe.execute(pe.batch());
        pe.publish();
      }
      idle_turns_ = received + executed > 0 ? 0 : idle_turns_ + 1;
      const bool is_idle = idle_turns_ >= mapping_.turns();
      hours_.turn_to(!is_idle ? Hours::busy : is_held ? Hours::held : Hours::waiting, pe);
      take_part_in_gvt(pe, id, executed == 0);
      mapping_.release(id);

      if (is_over_) return settle();
      if (is_idle)
        backoff.wait();
      else
        backoff.reset();
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

  /// Where the worker's time goes: booked when it turns to something else, so that it costs busy workers
  /// nothing.
  class Hours {
   public:
    enum Kind : std::uint8_t { busy, waiting, held };

    void turn_to(Kind kind, Pe<Pending>& pe) {
      if (kind != kind_) book(kind, pe);
    }
    void book(Kind next, Pe<Pending>& pe) {
      const auto now = Clock::now();
      const double seconds = std::chrono::duration<double>(now - since_).count();
      if (kind_ == waiting) pe.add_waiting(seconds);
      if (kind_ == held) pe.add_gvt(seconds);
      kind_ = next;
      since_ = now;
    }
    void book(Pe<Pending>& pe) {
      if (kind_ != busy) book(kind_, pe);
    }

   private:
    Kind kind_ = busy;
    Clock::time_point since_ = Clock::now();
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
          pe.add_gvt(std::chrono::duration<double>(Clock::now() - began).count());
        }
        return;
      case sync::Duty::report: {
        hours_.book(pe);
        const auto began = Clock::now();
        gvt_.report(id, pe.summary());
        pe.add_gvt(std::chrono::duration<double>(Clock::now() - began).count());
        return;
      }
    }
  }

  /// Asynchronously, an idle PE loses nothing by beginning a round. A barrier stops those that are not idle.
  bool wants_round(const Pe<Pending>& pe, bool is_idle) const {
    if (pe.is_due_for_gvt() || gvt_.is_called()) return true;
    return is_idle && (!gvt_.is_barrier() || idle_turns_ >= kTurnsToBarrier * mapping_.turns());
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
  unsigned patience_;
  unsigned idle_turns_ = 0;  // since a PE of this worker had something to do
  Hours hours_;
  bool is_over_ = false;
};

}  // namespace anachron::exec
