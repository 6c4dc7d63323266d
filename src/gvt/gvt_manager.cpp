#include "gvt/gvt_manager.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "mem/too_little_memory.hpp"
#include "topo/clocks/clocks.hpp"

namespace anachron::gvt {

gvt::RankReport GvtManager::report(std::span<const gvt::Summary> summaries) {
  gvt::RankReport report;
  for (const gvt::Summary& summary : summaries) report.add(summary);
  report.most_committed = series_.imbalance().most_since_last(summaries);
  if (balance_) balance_->look(summaries, report, elapsed());
  for (const topo::WorkerClock& clock : clocks_) {
    report.waiting_s += clock.waiting_s();
    report.gvt_s += clock.gvt_s();
    report.away_s += clock.away_s();
  }
  report.cpu_s = topo::process_cpu_seconds();
  report.memory = memory_guard_.look(report.is_short);
  report.active_workers = workers_.active();
  report.is_disturbed = workers_.is_disturbed();
  report.is_interrupted = control_.is_interrupted();
  return report;
}

throttle::RoundFacts GvtManager::facts_of(const gvt::RankReport& all) const {
  throttle::RoundFacts facts;
  facts.committed = all.committed;
  facts.executed = all.executed;
  facts.rolled_back = all.rolled_back;
  facts.waiting_s = all.waiting_s;
  facts.gvt_s = all.gvt_s;
  facts.away_s = all.away_s;
  facts.cpu_s = all.cpu_s;
  facts.wall_s = elapsed();
  facts.active_workers = all.active_workers;
  facts.pes = pes_;
  return facts;
}

throttle::RoundFacts GvtManager::without_skipped(throttle::RoundFacts facts) const {
  facts.gvt -= skipped_.gvt;
  facts.committed -= skipped_.committed;
  facts.executed -= skipped_.executed;
  facts.waiting_s -= skipped_.waiting_s;
  facts.gvt_s -= skipped_.gvt_s;
  facts.away_s -= skipped_.away_s;
  facts.wall_s -= skipped_.wall_s;
  facts.cpu_s -= skipped_.cpu_s;
  return facts;
}

Time GvtManager::horizon_of(const throttle::RoundFacts& facts) {
  if (is_in_windows_) return window_.horizon(facts);
  const Time horizon = throttle_->horizon(without_skipped(facts));
  if (skipped_.gvt == 0) return horizon;
  return std::max(horizon + skipped_.gvt, std::nextafter(facts.gvt, kForever));
}

void GvtManager::limit_steps(gvt::Round& round, const gvt::RankReport& all) {
  round.step_end = step_limit_.step_end(*round.bound, all.refused, all.committed);
  if (step_limit_.is_strict())
    round.horizon = std::min(round.horizon, std::nextafter(round.bound->time, kForever));
}

void GvtManager::adapt_interval(const throttle::RoundFacts& facts) {
  (is_in_windows_ ? interval_in_windows_ : interval_)
      .adapt(is_in_usual_mode() ? without_skipped(facts) : facts);
}

gvt::Round GvtManager::conclude(const gvt::RankReport& all) {
  const auto& [earliest, refused, halt] = std::tie(all.earliest, all.refused, all.halt);
  ++rounds_;
  if (balance_) balance_->look(all, elapsed());
  throttle::RoundFacts facts = facts_of(all);
  gvt::Round round;
  if (halt && (!earliest || halt->key < *earliest)) {
    // Nothing that is still to come can sort before the event that ends the run: it is certain.
    const bool failed = halt->kind == event::Halt::Kind::fault;
    round.bound = failed ? halt->key : halt->key.successor();
    round.verdict = gvt::Verdict::halted;
    round.halt = halt_ = halt;
  } else if (!earliest || earliest->time >= config_.until) {
    round.verdict = gvt::Verdict::finished;
  } else {
    round.bound = earliest;
    round.verdict = verdict_at(earliest->time, all.is_interrupted,
                               {.wall_s = facts.wall_s,
                                .committed = facts.committed,
                                .pending = all.pending,
                                .executed = facts.executed,
                                .rolled_back = facts.rolled_back,
                                .waiting_s = facts.waiting_s + facts.gvt_s,
                                .awake = all.active_workers,
                                .is_disturbed = all.is_disturbed});
  }
  term_.verdict = round.verdict;
  // What was refused may be the cancellation of the event at the bound.
  if (!refused || round.bound != refused) round.certain = round.bound;
  if (round.bound) {
    gvt_ = facts.gvt = round.bound->time;
    round.settled = settled_.pass(gvt_, all.held_retraction);
    round.horizon = std::min({config_.until, horizon_of(facts), term_.closes_at.value_or(kForever)});
    if (is_in_windows_ && refused) round.horizon = std::min(round.horizon, refused->time);
    if (!is_in_windows_) limit_steps(round, all);
    term_.horizon = round.horizon;
    adapt_interval(facts);
    round.batch = interval().batch();
    round.gvt_interval = interval().gvt_interval();
    round.counts_loads = round.verdict == Verdict::go_on && balance_ && balance_->counts_loads();
  }
  if (!memory_guard_.conclude(all, round)) mem::throw_too_little_memory(all.memory.need, gvt_);
  const RoundSample sample{.gvt = gvt_,
                           .wall_s = facts.wall_s,
                           .committed = facts.committed,
                           .executed = facts.executed,
                           .horizon = round.bound ? round.horizon : kForever,
                           .active_workers = facts.active_workers,
                           .imbalance = {},
                           .memory = budget_.taken()};
  control_.show(sample);
  control_.note_pending(all.pending);
  if (is_in_usual_mode()) last_ = facts;
  series_.imbalance().add(all.most_committed, all.committed, pes_);
  series_.add(sample);
  record(sample);
  return round;
}

void GvtManager::record(const RoundSample& now) const {
  if (!recorder_) return;
  using observe::RoundFigure;
  recorder_->add_round(rounds_);
  recorder_->add_figure(RoundFigure::gvt, now.gvt);
  recorder_->add_figure(RoundFigure::horizon, now.horizon);
  recorder_->add_figure(RoundFigure::committed, now.committed);
  recorder_->add_figure(RoundFigure::executed, now.executed);
  recorder_->add_figure(RoundFigure::memory, now.memory);
  recorder_->add_figure(RoundFigure::active_workers, std::uint64_t{now.active_workers});
}

void GvtManager::take_note(const gvt::Round& round, const gvt::RankReport& own) {
  ++rounds_;
  term_.verdict = round.verdict;
  halt_ = round.halt;
  if (round.bound) gvt_ = round.bound->time;
  memory_guard_.take_note(round);
  if (balance_) balance_->hear(round);
  const RoundSample sample{.gvt = gvt_,
                           .committed = own.committed,
                           .executed = own.executed,
                           .horizon = round.bound ? round.horizon : kForever,
                           .active_workers = own.active_workers,
                           .imbalance = {},
                           .memory = budget_.taken()};
  control_.show(sample);
  control_.note_pending(own.pending);
  record(sample);
}

/// Whether all that has happened so far is to be the end of the run, or of the term.
gvt::Verdict GvtManager::verdict_at(Time gvt, bool is_interrupted, const gvt::TermFacts& now) {
  if (!term_.is_over && term_.may_regroup) {
    term_.is_over = workers_.ends_term(now);
    term_.has_balance_ended = !term_.is_over && balance_ && balance_->ends_term();
    term_.is_over |= term_.has_balance_ended;
  }
  if (!(is_interrupted || term_.is_over) || !is_closed(gvt)) return gvt::Verdict::go_on;
  return is_interrupted ? gvt::Verdict::interrupted : gvt::Verdict::regroup;
}

/// In windows the run has executed for good what is beyond GVT, here more and there less: the term can end
/// when all have come to the horizon.
bool GvtManager::is_closed(Time gvt) {
  if (!is_in_windows_) return true;
  if (!term_.closes_at) term_.closes_at = term_.horizon;
  return gvt >= *term_.closes_at;
}

void GvtManager::note_in_order(const gvt::Totals& now) {
  gvt_ = now.time;
  series_.imbalance().skip();
  series_.add({.gvt = now.time,
               .wall_s = elapsed(),
               .committed = now.committed,
               .executed = now.executed,
               .horizon = config_.until,
               .active_workers = 1});
}

void GvtManager::skip(const gvt::Totals& now) {
  throttle::RoundFacts facts = last_;
  facts.gvt = std::max(now.time, last_.gvt);
  facts.committed = now.committed;
  facts.executed = now.executed;
  facts.waiting_s = facts.gvt_s = facts.away_s = 0;
  for (const topo::WorkerClock& clock : clocks_) {
    facts.waiting_s += clock.waiting_s();
    facts.gvt_s += clock.gvt_s();
    facts.away_s += clock.away_s();
  }
  facts.wall_s = elapsed();
  facts.cpu_s = topo::process_cpu_seconds();

  skipped_.gvt += facts.gvt - last_.gvt;
  skipped_.committed += facts.committed - last_.committed;
  skipped_.executed += facts.executed - last_.executed;
  skipped_.waiting_s += facts.waiting_s - last_.waiting_s;
  skipped_.gvt_s += facts.gvt_s - last_.gvt_s;
  skipped_.away_s += facts.away_s - last_.away_s;
  skipped_.wall_s += facts.wall_s - last_.wall_s;
  skipped_.cpu_s += facts.cpu_s - last_.cpu_s;
  last_ = facts;
}

}  // namespace anachron::gvt
