// The mean of the last values.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

namespace anachron::sched {

/// At most `kMost` values count.
template <std::size_t kMost>
class Recent {
 public:
  void forget() { count_ = 0; }
  void add(double value) { values_[count_++ % values_.size()] = value; }
  std::size_t count() const { return std::min(count_, values_.size()); }
  double mean_or(double other) const {
    double sum = 0;
    for (std::size_t i = 0; i < count(); ++i) sum += values_[i];
    return count() > 0 ? sum / static_cast<double>(count()) : other;
  }

 private:
  std::array<double, kMost> values_{};
  std::size_t count_ = 0;
};

}  // namespace anachron::sched
