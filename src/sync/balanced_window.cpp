#include "sync/balanced_window.hpp"

#include <algorithm>
#include <utility>

#include "sync/costs.hpp"

namespace anachron::sync {

Time BalancedWindow::horizon(const RoundFacts& facts) {
  density_.add(facts);
  const double seconds = facts.wall_s - at_step_.wall_s;
  if (++rounds_ >= kRounds ? seconds >= kPeriod : seconds >= kLongRounds) {
    adjust(facts);
    at_step_ = facts;
    rounds_ = 0;
  }
  return density_.after(facts.gvt, events_ * pes_);
}

void BalancedWindow::adjust(const RoundFacts& facts) {
  const double available = (facts.wall_s - at_step_.wall_s) * facts.active_workers;
  const double waiting = std::min((facts.waiting_s - at_step_.waiting_s) / available, 1.0);
  const auto executed = static_cast<double>(facts.executed - at_step_.executed);
  const auto rolled_back = static_cast<double>(facts.rolled_back - at_step_.rolled_back);
  if (executed == 0) return;
  step(waiting, (1 - waiting) * kRollbackCost * rolled_back / (executed + kRollbackCost * rolled_back));
}

/// Both costs are shares of the workers' time.
void BalancedWindow::step(double waiting, double wasted) {
  if (const double growth = std::exchange(growth_, 1); growth > 1 && waiting > 0.9 * waiting_before_growth_) {
    events_ /= growth;  // no help: back, and not again for a while
    periods_to_wait_ = pause_;
    pause_ = std::min(2 * pause_, kLongestPause);
    return;
  }
  if (wasted > waiting + kTolerated) {
    events_ = std::max(events_ / kStep, kLeast);
    pause_ = 1;
  } else if (waiting > wasted + kTolerated) {
    if (periods_to_wait_ > 0) {
      --periods_to_wait_;
    } else if (events_ < kMost) {
      growth_ = std::min(waiting > kMostOfTheTime ? kLeap : kStep, kMost / events_);
      waiting_before_growth_ = waiting;
      events_ *= growth_;
    }
  }
}

}  // namespace anachron::sync
