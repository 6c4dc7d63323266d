// What the cores have counted for all workers of a run, in all its terms.
#pragma once

#include <optional>

#include <anachron/base/figures.hpp>

namespace anachron::sched {

class CoreTally {
 public:
  /// What one thread has counted in one term; none: it could not.
  void add(const std::optional<CoreCounts>& counted) {
    if (!counted)
      is_complete_ = false;
    else if (sum_)
      *sum_ += *counted;
    else
      sum_ = counted;
  }
  /// None: nothing was counted, or not all.
  std::optional<CoreCounts> total() const { return is_complete_ ? sum_ : std::nullopt; }

 private:
  std::optional<CoreCounts> sum_;
  bool is_complete_ = true;
};

}  // namespace anachron::sched
