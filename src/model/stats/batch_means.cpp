#include <anachron/model/stats/batch_means.hpp>

#include <cmath>
#include <limits>

#include <anachron/model/stats/student.hpp>

namespace anachron {

BatchMeans::Estimate BatchMeans::estimate(Time duration, double confidence) const {
  detail::check_confidence(confidence);
  detail::Intervals batches = sums_;
  if (duration > 0) batches.cover(duration);
  Estimate out;
  const double complete = duration > 0 ? std::floor(duration / batches.length()) : 0;
  out.batches = static_cast<std::uint64_t>(complete);
  double sum = 0;
  for (std::size_t k = 0; k < out.batches; ++k) {
    sum += batches.intervals()[k].sum;
    out.count += batches.intervals()[k].count;
    out.empty += batches.intervals()[k].count == 0;
  }
  const auto observations = static_cast<double>(out.count);
  out.mean = out.count ? sum / observations : std::numeric_limits<double>::quiet_NaN();
  if (out.batches < 2 || out.count == 0 || out.is_mostly_empty()) return out;

  // How far a batch's sum is from what the mean would make it.
  double squares = 0, neighbours = 0, before = 0;
  for (std::size_t k = 0; k < out.batches; ++k) {
    const auto& batch = batches.intervals()[k];
    const double residual = batch.sum - out.mean * static_cast<double>(batch.count);
    squares += residual * residual;
    neighbours += residual * before;
    before = residual;
  }
  const double variance = squares / (complete - 1);
  out.half_width = student_t(confidence, complete - 1) * std::sqrt(variance * complete) / observations;
  out.correlation = squares > 0 ? neighbours / squares : 0;
  return out;
}

}  // namespace anachron
