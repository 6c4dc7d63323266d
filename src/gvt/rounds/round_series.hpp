// How a run went on, round by round: a sample of some rounds, at equal distances, however many there are.
#pragma once

#include <cstdint>
#include <vector>

#include <anachron/base/figures.hpp>

#include "gvt/decisions/imbalance.hpp"

namespace anachron::gvt {

class RoundSeries {
 public:
  /// A round. Its imbalance is that since the last sample.
  void add(RoundSample sample);
  /// Is to be told of each round before it is added.
  Imbalance& imbalance() { return imbalance_; }
  const std::vector<RoundSample>& all() const { return samples_; }

 private:
  void thin();

  Imbalance imbalance_;
  std::uint64_t rounds_ = 0, keep_every_ = 1;
  std::vector<RoundSample> samples_;
};

}  // namespace anachron::gvt
