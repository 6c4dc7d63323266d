// GVT rounds as windows and pace are told of them.
#pragma once

#include <cstdint>

#include "throttle/throttle.hpp"

namespace anachron::throttle {

/// Rounds of 2,000 events and 1 ms in which the share `efficiency` of the events commit, one per unit of
/// time.
class ThrottleRounds {
 public:
  explicit ThrottleRounds(double seconds_per_event = 0.5e-6) : wall_s_(2000 * seconds_per_event) {
    facts_.active_workers = 2;
  }
  /// Shares of the time of two workers; `lost`: that they were stopped; `away`: that they had given their
  /// cores to others.
  const RoundFacts& next(double efficiency, double waiting_share = 0, double gvt_share = 0, double lost = 0,
                         double away = 0) {
    const auto committed = static_cast<std::uint64_t>(2000 * efficiency);
    facts_.gvt += static_cast<double>(committed);
    facts_.committed += committed;
    facts_.executed += 2000;
    facts_.rolled_back += 2000 - committed;
    facts_.wall_s += wall_s_;
    facts_.waiting_s += 2 * wall_s_ * waiting_share;
    facts_.gvt_s += 2 * wall_s_ * gvt_share;
    facts_.away_s += 2 * wall_s_ * away;
    facts_.cpu_s += 2 * wall_s_ * (1 - lost - away);
    return facts_;
  }

 private:
  double wall_s_;  // of a round
  RoundFacts facts_;
};

}  // namespace anachron::throttle
