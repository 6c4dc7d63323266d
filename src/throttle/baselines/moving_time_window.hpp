// Devastator's self-tuning moving time window (Bachan et al. 2024, section 2.1): hill climbing on what all
// PEs committed and executed over the past 16 GVT rounds.
//
// "The window size is at least 1" there: one tick of its integer time, the least by which time can advance.
// Our time is real and has no tick; the least is the time that one committed event takes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "throttle/throttle.hpp"

namespace anachron::throttle {

class MovingTimeWindow : public Throttle {
 public:
  Time horizon(const RoundFacts& facts) override;

  /// Simulated time; 0: not known yet.
  Time window() const { return window_; }

 private:
  static constexpr std::size_t kRounds = 16;

  struct Past {
    Time gvt = 0;
    std::uint64_t committed = 0, executed = 0;
  };

  void adjust(double efficiency, std::uint64_t committed);

  std::array<Past, kRounds> past_{};  // totals after each of the last rounds, a ring
  std::uint64_t rounds_ = 0;
  std::uint64_t committed_before_ = 0;  // over the 16 rounds that the last adjustment saw
  Time window_ = 0;
};

}  // namespace anachron::throttle
