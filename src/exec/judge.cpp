#include "exec/judge.hpp"

#include <algorithm>

#include "exec/memory_limit.hpp"

namespace anachron::exec {

sync::RoundFacts Judge::facts_of(std::span<const sync::Summary> summaries) const {
  sync::RoundFacts facts;
  for (const auto& summary : summaries) {
    facts.committed += summary.committed;
    facts.executed += summary.executed;
    facts.rolled_back += summary.rolled_back;
  }
  for (const WorkerClock& clock : clocks_) {
    facts.waiting_s += clock.waiting_s();
    facts.gvt_s += clock.gvt_s();
  }
  facts.wall_s = elapsed();
  facts.active_workers = mapping_.active_workers();
  return facts;
}

sync::Round Judge::conclude(std::span<const sync::Summary> summaries) {
  std::optional<event::EventKey> earliest, refused;
  std::optional<sync::HaltMark> halt;
  std::uint64_t pending = 0;
  for (const auto& summary : summaries) {
    if (summary.earliest && (!earliest || *summary.earliest < *earliest)) earliest = summary.earliest;
    if (summary.refused && (!refused || *summary.refused < *refused)) refused = summary.refused;
    if (summary.halt && (!halt || summary.halt->key < halt->key)) halt = summary.halt;
    pending += summary.pending;
  }
  ++rounds_;
  sync::RoundFacts facts = facts_of(summaries);
  sync::Round round;
  if (halt && (!earliest || halt->key < *earliest)) {
    // Nothing that is still to come can sort before the event that ends the run: it is certain.
    const bool failed = halt->kind == event::Halt::Kind::fault;
    round.bound = failed ? halt->key : halt->key.successor();
    round.verdict = sync::Verdict::halted;
    round.halt = halt_ = halt;
  } else if (!earliest || earliest->time >= config_.until) {
    round.verdict = sync::Verdict::finished;
  } else {
    round.bound = earliest;
    if (ends_by_interrupt(earliest->time)) round.verdict = sync::Verdict::interrupted;
  }
  verdict_ = round.verdict;
  // What was refused may be the cancellation of the event at the bound.
  if (!refused || round.bound != refused) round.certain = round.bound;
  if (round.bound) {
    gvt_ = facts.gvt = round.bound->time;
    round.horizon = std::min({config_.until, throttle_->horizon(facts), closes_at_.value_or(kForever)});
    if (is_conservative_ && refused) round.horizon = std::min(round.horizon, refused->time);
    horizon_ = round.horizon;
    pace_.adapt(facts);
    round.batch = pace_.batch();
    round.gvt_interval = pace_.gvt_interval();
  }
  if (!memory_guard_.conclude(summaries, round)) throw_too_little_memory(budget_, gvt_);
  control_.show(gvt_, facts.committed, facts.executed);
  control_.note_pending(pending);
  keep({.gvt = gvt_,
        .wall_s = facts.wall_s,
        .committed = facts.committed,
        .executed = facts.executed,
        .horizon = round.horizon});
  return round;
}

/// A conservative run has executed for good what is beyond GVT, here more and there less: it ends when all
/// have come to the horizon.
bool Judge::ends_by_interrupt(Time gvt) {
  if (!control_.is_interrupted()) return false;
  if (!is_conservative_) return true;
  if (!closes_at_) closes_at_ = horizon_;
  return gvt >= *closes_at_;
}

void Judge::keep(const RoundSample& sample) {
  if (rounds_ % keep_every_ != 0) return;
  series_.push_back(sample);
  if (series_.size() < kMostSamples) return;
  for (std::size_t i = 0; i < kMostSamples / 2; ++i) series_[i] = series_[2 * i + 1];
  series_.resize(kMostSamples / 2);
  keep_every_ *= 2;
}

}  // namespace anachron::exec
