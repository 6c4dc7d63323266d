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
#include <utility>
#include <vector>

#include <anachron/base/figures.hpp>

#include "gvt/rounds/round.hpp"

namespace anachron::gvt {

class Imbalance {
 public:
  /// How many events the PE with the most has committed since the last call.
  std::uint64_t most_since_last(std::span<const gvt::Summary> of_pes) {
    before_.resize(of_pes.size());
    std::uint64_t most = 0;
    for (std::size_t pe = 0; pe < of_pes.size(); ++pe) {
      const std::uint64_t now = of_pes[pe].committed;
      if (now < before_[pe]) skip();  // a session went back
      most = std::max(most, now - std::min(before_[pe], now));
      before_[pe] = now;
    }
    return most;
  }
  /// What was committed until the next round was done by one PE for all, or nobody knows by which.
  void skip() { is_known_ = false; }
  /// A round: of `committed` events in all, `most` were done by one PE since the round before. `present`: so
  /// many PEs execute events now.
  void add(std::uint64_t most, std::uint64_t committed, std::size_t present) {
    if (is_known_ && committed > committed_) {
      as_the_most_ += static_cast<double>(most) * static_cast<double>(present);
      done_ += static_cast<double>(committed - committed_);
    }
    committed_ = committed;
    is_known_ = true;
  }
  /// (most - average) / average of the rounds since the last call, each counting for its events. None: there
  /// were no events, or it is not known which PE did them.
  std::optional<double> since_last() {
    const double as_the_most = std::exchange(as_the_most_, 0), done = std::exchange(done_, 0);
    if (!(done > 0)) return std::nullopt;
    return as_the_most / done - 1;
  }

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
  std::vector<std::uint64_t> before_;  // by PE of this rank
  std::uint64_t committed_ = 0;        // by all
  double as_the_most_ = 0;             // events, if all PEs had done as many as the one with the most
  double done_ = 0;                    // events
  bool is_known_ = true;
};

}  // namespace anachron::gvt
