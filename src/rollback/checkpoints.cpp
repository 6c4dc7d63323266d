#include "rollback/checkpoints.hpp"

#include <algorithm>
#include <cmath>

namespace anachron::rollback {
namespace {

constexpr std::size_t kSmallState = 128;       // bytes; copying them costs no more than asking whether to
constexpr double kCheapCopy = 40;              // ns; likewise
constexpr std::uint64_t kMostKept = 1u << 16;  // committed records of a PE

}  // namespace

std::optional<double> MedianCost::get() const {
  if (count_ < kSamples / 2) return std::nullopt;
  std::array<double, kSamples> sorted = samples_;
  const auto end = sorted.begin() + static_cast<std::ptrdiff_t>(std::min(count_, kSamples));
  const auto middle = sorted.begin() + (end - sorted.begin()) / 2;
  std::nth_element(sorted.begin(), middle, end);
  return *middle;
}

Checkpoints::Checkpoints(const Config& config, std::span<const event::LpTypeEntry> types) {
  types_.resize(types.size());
  for (std::size_t t = 0; t < types.size(); ++t) {
    const event::LpOps& ops = *types[t].ops;
    if (!ops.is_copyable()) continue;
    if (config.checkpoint_interval) {
      types_[t].interval = *config.checkpoint_interval;
    } else if (!config.check_rollback && !(ops.trivially_copyable && ops.bytes <= kSmallState)) {
      types_[t].adapts = true;
      next_sample_ = 0;
      next_choice_ = kEventsToFirstChoice;
    }
  }
}

unsigned Checkpoints::largest_interval() const {
  unsigned largest = 1;
  for (const Type& type : types_) largest = std::max(largest, type.interval);
  return largest;
}

void Checkpoints::count_lps(std::size_t type, std::uint64_t lps) {
  types_[type].lps = lps;
  set_lag();
}

void Checkpoints::set_lag() {
  lag_ = 0;
  for (const Type& type : types_)
    if (type.interval > 1) lag_ += type.interval * type.lps;
}

void Checkpoints::add_sample(std::size_t t, std::optional<double> copy_ns, double handler_ns) {
  Type& type = types_[t];
  if (copy_ns) type.copy.add(*copy_ns);
  type.handler.add(handler_ns);
}

void Checkpoints::adapt(std::uint64_t executed, std::uint64_t rollbacks) {
  if (executed < next_choice_) return;
  next_choice_ = executed + kEventsPerChoice;
  recently_executed_ = recently_executed_ / 2 + static_cast<double>(executed - executed_before_);
  recent_rollbacks_ = recent_rollbacks_ / 2 + static_cast<double>(rollbacks - rollbacks_before_);
  executed_before_ = executed;
  rollbacks_before_ = rollbacks;
  const double events_per_rollback = recently_executed_ / (recent_rollbacks_ + 1);
  for (Type& type : types_)
    if (type.adapts) choose(type, events_per_rollback);
  set_lag();
}

void Checkpoints::choose(Type& type, double events_per_rollback) const {
  const auto copy = type.copy.get(), handler = type.handler.get();
  if (!copy || !handler) return;
  if (*copy < kCheapCopy) {
    type.interval = 1;
    return;
  }
  const double best = std::ceil(std::sqrt(2 * events_per_rollback * *copy / std::max(*handler, 1.0)));
  const auto affordable =
      std::clamp<std::uint64_t>(kMostKept / std::max<std::uint64_t>(type.lps, 1), 1, kMostChosen);
  type.interval = static_cast<unsigned>(std::clamp(best, 1.0, static_cast<double>(affordable)));
}

}  // namespace anachron::rollback
