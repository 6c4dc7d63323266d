#include "throttle/baselines/moving_time_window.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace anachron::throttle {

Time MovingTimeWindow::horizon(const RoundFacts& facts) {
  Past& oldest = past_[rounds_++ % kRounds];  // before the first 16 rounds: the beginning
  const std::uint64_t committed = facts.committed - oldest.committed;
  // Rolled back events may be undone in a later round than they were executed in.
  const std::uint64_t executed = facts.executed - oldest.executed;
  const Time per_event = committed > 0 ? (facts.gvt - oldest.gvt) / static_cast<double>(committed) : 0;
  oldest = {facts.gvt, facts.committed, facts.executed};

  if (executed > 0 && per_event > 0) {
    if (window_ == 0)
      window_ = per_event;  // the smallest: efficient, so it doubles
    else
      adjust(static_cast<double>(committed) / static_cast<double>(executed), committed);
    window_ = std::clamp(window_, per_event, std::numeric_limits<Time>::max());
    committed_before_ = committed;
  }
  if (window_ == 0) return kForever;  // nothing is known of the model yet
  return std::max(facts.gvt + window_, std::nextafter(facts.gvt, kForever));
}

void MovingTimeWindow::adjust(double efficiency, std::uint64_t committed) {
  if (efficiency < 0.33)
    window_ /= 4;
  else if (efficiency < 0.66)
    window_ /= 2;
  else if (efficiency > 0.95)
    window_ *= 2;
  else if (committed > committed_before_)
    window_ *= 1.01;
  else if (committed < committed_before_)
    window_ *= 0.99;
}

}  // namespace anachron::throttle
