// How often PEs look at their inboxes and take part in GVT rounds: chosen anew with each round from what the
// rounds cost, where the user does not choose.
#pragma once

#include <cstdint>

#include <anachron/base/config.hpp>

#include "throttle/throttle.hpp"

namespace anachron::gvt {

class IntervalController {
 public:
  static constexpr unsigned kFirstBatch = 64;
  static constexpr std::uint64_t kFirstInterval = 512;

  explicit IntervalController(const Config& config);

  void adapt(const throttle::RoundFacts& facts);

  /// Events that a PE executes between two looks at its inbox.
  unsigned batch() const { return batch_; }
  /// Events that a PE executes between two GVT rounds.
  std::uint64_t gvt_interval() const { return gvt_interval_; }

 private:
  static constexpr double kPeriod = 5e-3;       // seconds between two choices, at least
  static constexpr std::uint64_t kRounds = 16;  // and rounds
  static constexpr double kLeastInterval = 512, kMostInterval = 16384;
  // Stale news cost rollbacks, frequent looks cost time. Where the first grows with the batch, their sum is
  // least when they are equal; not all rollbacks come from stale news, so they may be more.
  static constexpr double kLeastWastedPerLooks = 0.6, kMostWastedPerLooks = 2.4;
  static constexpr unsigned kLeastBatch = 16, kMostBatch = 256;  // of short events

  // A PE looks up between two batches only: others wait for it so long.
  static constexpr double kLongestBatch = 200e-6;  // seconds

  void choose_interval(const throttle::RoundFacts& facts, double per_event);
  void choose_batch(const throttle::RoundFacts& facts, double per_event);

  bool chooses_batch_, chooses_interval_;
  unsigned batch_;
  std::uint64_t gvt_interval_;
  throttle::RoundFacts at_choice_;
  std::uint64_t rounds_ = 0;
};

}  // namespace anachron::gvt
