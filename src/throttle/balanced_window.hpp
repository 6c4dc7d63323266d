// The default throttle: a window of so many events per PE. The number balances the two costs of optimism that
// can be measured. With too small a window, workers wait for GVT, or call for one round after the other. With
// too large a one they execute what will be rolled back, and keep a history that no cache holds. Both costs
// are times, so they can be compared and added up: a step is kept when the sum is less after it. A rate would
// move with the machine's load.
//
// The window is kept in events and turned into time by the density of the last rounds. So it follows a model
// whose density changes; docs/reference/throttles.md tells how it was found.
#pragma once

#include <cstdint>

#include "throttle/event_density.hpp"
#include "throttle/throttle.hpp"

namespace anachron::throttle {

class BalancedWindow : public Throttle {
 public:
  Time horizon(const RoundFacts& facts) override;

  double events_per_pe() const { return events_; }

 private:
  static constexpr double kFirst = 1024, kLeast = 16, kMost = 1 << 17;  // events per PE
  static constexpr double kStep = 1.5;
  static constexpr double kLeap = 4, kMostOfTheTime = 0.6;  // where workers wait for so much of it, in peace
  static constexpr double kTolerated = 0.02;                // share of the workers' time
  static constexpr double kInevitable = 0.06;    // what no window rids us of is rolled back as well
  static constexpr double kAlarming = 0.2;       // waste of which nothing is tried but less
  static constexpr double kPeriod = 2e-3;        // seconds between two steps, at least
  static constexpr std::uint64_t kRounds = 16;   // and rounds, unless these
  static constexpr double kLongRounds = 5e-3;    // take more seconds, as over ranks that are far apart
  static constexpr unsigned kLongestPause = 64;  // periods, after growth that did not help

  /// Shares of the time in which workers had a core, or had given it away.
  struct Costs {
    double waiting = 0;
    double in_any_case = 0;  // of that: while others were kept from their cores with work in their hands
    double wasted = 0;
  };

  void adjust(const RoundFacts& facts);
  double lost(const RoundFacts& facts) const;
  void step(const Costs& costs);

  double events_ = kFirst;
  EventDensity density_;
  RoundFacts at_step_;
  std::uint64_t rounds_ = 0;
  // What the last step was to make less.
  double factor_ = 1;
  double cost_before_ = 0, waiting_before_ = 0;
  unsigned pause_ = 1, periods_to_wait_ = 0;
};

}  // namespace anachron::throttle
