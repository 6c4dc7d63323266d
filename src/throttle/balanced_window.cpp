#include "throttle/balanced_window.hpp"

#include <algorithm>
#include <utility>

#include "throttle/costs.hpp"

namespace anachron::throttle {

Time BalancedWindow::horizon(const RoundFacts& facts) {
  density_.add(facts);
  const double seconds = facts.wall_s - at_step_.wall_s;
  if (++rounds_ >= kRounds ? seconds >= kPeriod : seconds >= kLongRounds) {
    adjust(facts);
    at_step_ = facts;
    rounds_ = 0;
  }
  return density_.after(facts.gvt, events_ * static_cast<double>(facts.pes));
}

void BalancedWindow::adjust(const RoundFacts& facts) {
  const double lost_s = lost(facts);
  const double available = (facts.wall_s - at_step_.wall_s) * facts.active_workers - lost_s;
  if (available <= 0 || facts.executed == at_step_.executed) return;
  const double rounds = std::max((facts.gvt_s - at_step_.gvt_s) / available - kGvtShare, 0.0);
  const double waiting = std::min((facts.waiting_s - at_step_.waiting_s) / available + rounds, 1.0);
  const auto executed = static_cast<double>(facts.executed - at_step_.executed);
  const auto rolled_back = static_cast<double>(facts.rolled_back - at_step_.rolled_back);
  step({.waiting = waiting,
        .in_any_case = std::min(lost_s / available, waiting),
        .wasted = (1 - waiting) * kRollbackCost * rolled_back / (executed + kRollbackCost * rolled_back)});
}

/// Seconds since the last step that workers were kept from their cores with work in their hands.
double BalancedWindow::lost(const RoundFacts& facts) const {
  const double used = facts.cpu_s - at_step_.cpu_s, given_away = facts.away_s - at_step_.away_s;
  return std::max((facts.wall_s - at_step_.wall_s) * facts.active_workers - used - given_away, 0.0);
}

void BalancedWindow::step(const Costs& costs) {
  const auto [waiting, in_any_case, wasted] = costs;
  const double cost = waiting + wasted;
  if (const double factor = std::exchange(factor_, 1); factor != 1) {
    const bool is_worse = cost > cost_before_;
    if (factor > 1 ? is_worse || waiting > 0.9 * waiting_before_ : is_worse && wasted < kAlarming) {
      events_ /= factor;  // no help: back, and not again for a while
      periods_to_wait_ = pause_;
      pause_ = std::min(2 * pause_, kLongestPause);
      return;
    }
    pause_ = 1;
  }
  if (wasted >= kAlarming && wasted > waiting - in_any_case) {
    periods_to_wait_ = 0;
  } else if (periods_to_wait_ > 0) {
    --periods_to_wait_;
    return;
  }
  if (wasted > waiting - in_any_case + kInevitable)
    factor_ = std::max(1 / kStep, kLeast / events_);
  else if (waiting > wasted + kTolerated)
    factor_ = std::min(waiting > kMostOfTheTime && wasted < kTolerated ? kLeap : kStep, kMost / events_);
  events_ *= factor_;
  cost_before_ = cost;
  waiting_before_ = waiting;
}

}  // namespace anachron::throttle
