#include "gvt/rounds/round_series.hpp"

#include <cstddef>

namespace anachron::gvt {
namespace {

constexpr std::size_t kMost = 4096;

}  // namespace

void RoundSeries::add(RoundSample sample) {
  if (++rounds_ % keep_every_ != 0) return;
  sample.imbalance = imbalance_.since_last();
  samples_.push_back(sample);
  if (samples_.size() == kMost) thin();
}

/// Of each two samples the later one stays, for both.
void RoundSeries::thin() {
  std::uint64_t before = 0;
  for (std::size_t i = 0; i < kMost / 2; ++i) {
    RoundSample kept = samples_[2 * i + 1];
    kept.imbalance = Imbalance::together(before, samples_[2 * i], kept);
    before = kept.committed;
    samples_[i] = kept;
  }
  samples_.resize(kMost / 2);
  keep_every_ *= 2;
}

}  // namespace anachron::gvt
