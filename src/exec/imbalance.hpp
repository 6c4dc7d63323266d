// How uneven processing elements are loaded as a run goes on (Bachan et al. 2024, figure 6).
//
// The paper takes the time that was spent on events which commit; this counts them. That costs nothing, and
// is the same wherever it is looked at, but for events that take longer than others.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <anachron/base/figures.hpp>

#include "sync/round.hpp"

namespace anachron::exec {

class Imbalance {
 public:
  /// (most - average) / average of the PEs' events that were committed since the last call. None: there were
  /// none, or it is not known which PE did them. `present`: so many PEs execute events now.
  std::optional<double> since_last(std::span<const sync::Summary> of_pes, std::size_t present) {
    before_.resize(of_pes.size());
    std::uint64_t most = 0, sum = 0;
    for (std::size_t pe = 0; pe < of_pes.size(); ++pe) {
      const std::uint64_t now = of_pes[pe].committed;
      if (now < before_[pe]) is_known_ = false;  // a session went back
      const std::uint64_t done = now - std::min(before_[pe], now);
      before_[pe] = now;
      most = std::max(most, done);
      sum += done;
    }
    const bool was_known = is_known_;
    is_known_ = true;
    if (!was_known || sum == 0) return std::nullopt;
    return static_cast<double>(most) * static_cast<double>(present) / static_cast<double>(sum) - 1;
  }
  /// What comes until the next call is done by one PE for all.
  void skip() { is_known_ = false; }

  /// Of two rows that follow each other, together: each counts for its events. `before`: committed until
  /// then.
  static std::optional<double> together(std::uint64_t before, const RoundSample& first,
                                        const RoundSample& second) {
    if (!first.imbalance) return second.imbalance;
    if (!second.imbalance) return first.imbalance;
    const auto of_first = static_cast<double>(first.committed) - static_cast<double>(before),
               of_second = static_cast<double>(second.committed) - static_cast<double>(first.committed);
    if (!(of_first + of_second > 0)) return second.imbalance;
    return (*first.imbalance * of_first + *second.imbalance * of_second) / (of_first + of_second);
  }

 private:
  std::vector<std::uint64_t> before_;  // by PE
  bool is_known_ = true;
};

}  // namespace anachron::exec
