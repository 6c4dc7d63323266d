#include "gvt/decisions/interval_controller.hpp"

#include <algorithm>

#include "throttle/costs.hpp"

namespace anachron::gvt {

IntervalController::IntervalController(const Config& config)
    : chooses_batch_(!config.batch),
      chooses_interval_(!config.gvt_interval),
      batch_(config.batch.value_or(kFirstBatch)),
      gvt_interval_(config.gvt_interval.value_or(kFirstInterval)) {}

void IntervalController::adapt(const throttle::RoundFacts& facts) {
  if (++rounds_ < kRounds || facts.wall_s - at_choice_.wall_s < kPeriod) return;
  const double busy = (facts.wall_s - at_choice_.wall_s) * facts.active_workers -
                      (facts.waiting_s - at_choice_.waiting_s) - (facts.gvt_s - at_choice_.gvt_s);
  // Next to other processes a worker may be busy without a core.
  const double executing = std::min(busy, facts.cpu_s - at_choice_.cpu_s);
  if (facts.executed > at_choice_.executed && executing > 0) {
    const double per_event = executing / static_cast<double>(facts.executed - at_choice_.executed);
    if (chooses_interval_) choose_interval(facts, per_event);
    if (chooses_batch_) choose_batch(facts, per_event);
  }
  at_choice_ = facts;
  rounds_ = 0;
}

void IntervalController::choose_interval(const throttle::RoundFacts& facts, double per_event) {
  const double per_round =
      (facts.gvt_s - at_choice_.gvt_s) / (static_cast<double>(rounds_) * static_cast<double>(facts.pes));
  gvt_interval_ = static_cast<std::uint64_t>(
      std::clamp(per_round / (throttle::kGvtShare * per_event), kLeastInterval, kMostInterval));
}

void IntervalController::choose_batch(const throttle::RoundFacts& facts, double per_event) {
  const double rolled_back = static_cast<double>(facts.rolled_back - at_choice_.rolled_back) /
                             static_cast<double>(facts.executed - at_choice_.executed);
  const double wasted = throttle::kRollbackCost * rolled_back;  // these two in executions per event
  const double looks = throttle::kLookCost / (per_event * batch_);
  if (wasted > kMostWastedPerLooks * looks)
    batch_ = std::max(batch_ / 2, kLeastBatch);
  else if (wasted < kLeastWastedPerLooks * looks)
    batch_ = std::min(batch_ * 2, kMostBatch);
  batch_ = static_cast<unsigned>(std::clamp(kLongestBatch / per_event, 1.0, static_cast<double>(batch_)));
}

}  // namespace anachron::gvt
