// Concludes GVT rounds: the new bound, the horizon, whether the run is over; keeps the time series.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <anachron/base/config.hpp>
#include <anachron/base/figures.hpp>

#include "gvt/decisions/imbalance.hpp"
#include "gvt/decisions/interval_controller.hpp"
#include "gvt/decisions/load_balance.hpp"
#include "gvt/decisions/memory_guard.hpp"
#include "gvt/decisions/settled.hpp"
#include "gvt/decisions/step_limit.hpp"
#include "gvt/decisions/workers.hpp"
#include "gvt/rounds/rank_report.hpp"
#include "gvt/rounds/round.hpp"
#include "gvt/rounds/round_series.hpp"
#include "gvt/rounds/totals.hpp"
#include "mem/budget.hpp"
#include "observe/flight/flight_recorder.hpp"
#include "observe/run_control.hpp"
#include "throttle/conservative.hpp"
#include "throttle/throttle.hpp"
#include "topo/clocks/clocks.hpp"

namespace anachron::gvt {

/// Called by one thread at a time.
class GvtManager {
 public:
  /// `pes`: of all ranks. `lookahead`: the smallest one, where there may be windows.
  GvtManager(const Config& config, std::size_t pes, observe::RunControl& control, const mem::Budget& budget,
             std::span<const topo::WorkerClock> clocks, gvt::Workers& workers,
             std::optional<Time> lookahead = std::nullopt)
      : config_(config),
        pes_(pes),
        control_(control),
        clocks_(clocks),
        workers_(workers),
        is_always_in_windows_(config.sync == Sync::conservative),
        is_in_windows_(is_always_in_windows_),
        window_(lookahead.value_or(0)),
        throttle_(throttle::make_throttle(config)),
        interval_(config),
        interval_in_windows_(config),
        budget_(budget),
        memory_guard_(budget) {}

  /// Rounds are recorded there from now on.
  void record_in(observe::FlightRecorder* recorder) { recorder_ = recorder; }
  /// Asked in each round. It must outlive this.
  void balance_by(gvt::LoadBalance& balance) { balance_ = &balance; }
  /// The event loop is about to begin, or to go on, with `already_s` on the clock.
  void start(double already_s) {
    began_ = control_.pause().now() -
             std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::duration<double>(already_s));
    halt_.reset();
  }
  /// Workers are about to run so many PEs again, in windows or not. `may_regroup`: and to end their term when
  /// that seems better.
  void begin_term(std::size_t pes, bool in_windows, bool may_regroup) {
    pes_ = pes;
    is_in_windows_ = in_windows;
    term_ = {.may_regroup = may_regroup};
  }
  /// Since the last round, if any, the run has come to `now` in order.
  void note_in_order(const gvt::Totals& now);
  /// It has come to `now` in a term of another than the usual way, which is over.
  void skip(const gvt::Totals& now);
  /// The run was taken back to an earlier time: what the throttle has learnt may not be what is to come.
  void rewound() {
    throttle_ = throttle::make_throttle(config_);
    settled_ = {};
  }
  /// Seconds in the event loop, without pauses.
  double elapsed() const { return std::chrono::duration<double>(control_.pause().now() - began_).count(); }

  /// What this rank says in a round of which its PEs have said so much.
  gvt::RankReport report(std::span<const gvt::Summary> summaries);
  /// The outcome of a round of which all ranks have said so much. Throws InputError when the run needs more
  /// memory than it may take.
  gvt::Round conclude(const gvt::RankReport& all);
  /// Of a run of one rank.
  gvt::Round conclude(std::span<const gvt::Summary> summaries) { return conclude(report(summaries)); }
  /// Another rank has concluded a round.
  void take_note(const gvt::Round& round, const gvt::RankReport& own);

  /// What ended the run, when its verdict is `halted`.
  const std::optional<gvt::HaltMark>& halt() const { return halt_; }
  gvt::Verdict verdict() const { return term_.verdict; }
  /// The term was not ended for another number of workers, but so that LPs can move.
  bool has_balance_ended() const { return term_.has_balance_ended; }
  Time gvt() const { return gvt_; }
  std::uint64_t rounds() const { return rounds_; }
  const gvt::IntervalController& interval() const {
    return is_in_windows_ ? interval_in_windows_ : interval_;
  }
  const gvt::MemoryGuard& memory_guard() const { return memory_guard_; }
  const std::vector<RoundSample>& series() const { return series_.all(); }

 private:
  throttle::RoundFacts facts_of(const gvt::RankReport& all) const;
  throttle::RoundFacts without_skipped(throttle::RoundFacts facts) const;
  Time horizon_of(const throttle::RoundFacts& facts);
  void limit_steps(gvt::Round& round, const gvt::RankReport& all);
  void adapt_interval(const throttle::RoundFacts& facts);
  bool is_in_usual_mode() const { return is_in_windows_ == is_always_in_windows_; }
  gvt::Verdict verdict_at(Time gvt, bool is_interrupted, const gvt::TermFacts& now);
  bool is_closed(Time gvt);
  void record(const RoundSample& now) const;

  const Config& config_;
  std::size_t pes_;  // that execute events now
  observe::RunControl& control_;
  std::span<const topo::WorkerClock> clocks_;
  gvt::Workers& workers_;
  gvt::LoadBalance* balance_ = nullptr;  // null: LPs stay where they are
  const bool is_always_in_windows_;
  bool is_in_windows_;
  throttle::LookaheadWindow window_;
  std::unique_ptr<throttle::Throttle> throttle_;
  gvt::StepLimit step_limit_;
  gvt::Settled settled_;
  gvt::IntervalController interval_, interval_in_windows_;
  std::chrono::nanoseconds began_{0};  // on the clock that stands in a pause
  std::optional<gvt::HaltMark> halt_;
  Time gvt_ = 0;
  struct Term {
    bool may_regroup = false, is_over = false, has_balance_ended = false;
    gvt::Verdict verdict = gvt::Verdict::go_on;
    Time horizon = 0;                 // the last one given out
    std::optional<Time> closes_at{};  // a term in windows that ends: executed so far are events before it
  } term_;
  throttle::RoundFacts last_;  // of the last round on the usual way, or of what was skipped since
  throttle::RoundFacts
      skipped_;  // of what was done in another mode: throttle and interval controller are not to know
  std::uint64_t rounds_ = 0;
  RoundSeries series_;
  observe::FlightRecorder* recorder_ = nullptr;  // null: nothing is recorded
  const mem::Budget& budget_;
  gvt::MemoryGuard memory_guard_;
};

}  // namespace anachron::gvt
