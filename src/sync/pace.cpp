#include "sync/pace.hpp"

#include <algorithm>

namespace anachron::sync {

Pace::Pace(const Config& config)
    : chooses_batch_(!config.batch),
      chooses_interval_(!config.gvt_interval),
      workers_(config.workers.value()),
      pes_(config.pes.value()),
      batch_(config.batch.value_or(kFirstBatch)),
      gvt_interval_(config.gvt_interval.value_or(kFirstInterval)) {}

void Pace::adapt(const RoundFacts& facts) {
  if (++rounds_ < kRounds || facts.wall_s - at_choice_.wall_s < kPeriod) return;
  if (facts.executed > at_choice_.executed) {
    if (chooses_interval_) choose_interval(facts);
    if (chooses_batch_) choose_batch(facts);
  }
  at_choice_ = facts;
  rounds_ = 0;
}

void Pace::choose_interval(const RoundFacts& facts) {
  const double in_rounds = facts.gvt_s - at_choice_.gvt_s;
  const double executing =
      (facts.wall_s - at_choice_.wall_s) * workers_ - (facts.waiting_s - at_choice_.waiting_s) - in_rounds;
  if (executing <= 0) return;
  const double per_round = in_rounds / (static_cast<double>(rounds_) * pes_);
  const double per_event = executing / static_cast<double>(facts.executed - at_choice_.executed);
  gvt_interval_ = static_cast<std::uint64_t>(
      std::clamp(per_round / (kGvtShare * per_event), kLeastInterval, kMostInterval));
}

void Pace::choose_batch(const RoundFacts& facts) {
  const double rolled_back = static_cast<double>(facts.rolled_back - at_choice_.rolled_back) /
                             static_cast<double>(facts.executed - at_choice_.executed);
  if (rolled_back > kManyRolledBack)
    batch_ = std::max(batch_ / 2, kLeastBatch);
  else if (rolled_back < kFewRolledBack)
    batch_ = std::min(batch_ * 2, kMostBatch);
}

}  // namespace anachron::sync
