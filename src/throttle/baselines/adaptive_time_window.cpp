#include "throttle/baselines/adaptive_time_window.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace anachron::throttle {

void AdaptiveTimeWindow::add(Time distance) {
  ++samples_;
  const std::uint64_t weight = variant_ == Variant::repaired ? std::min(samples_, kMemory) : samples_;
  mean_ += (distance - mean_) / static_cast<double>(weight);
}

void AdaptiveTimeWindow::rolled_back(Time to) {
  add(std::max(to - gvt_, 0.0));
  if (samples_ > kSamples) window_ = mean_;
}

void AdaptiveTimeWindow::waits(Time next) {
  if (!window_ || next == kForever) return;
  if (variant_ == Variant::repaired && std::exchange(has_waited_, true)) return;
  add(std::max(next - gvt_, 0.0));
  window_ = mean_;
}

Time AdaptiveTimeWindow::horizon() const {
  if (!window_ || (*window_ == 0 && variant_ == Variant::as_printed)) return kForever;
  return std::nextafter(gvt_ + *window_, kForever);  // an event at the window's end may run
}

std::unique_ptr<AdaptiveTimeWindow> make_adaptive_time_window(const Config& config) {
  using Variant = AdaptiveTimeWindow::Variant;
  if (config.sync != Sync::optimistic && config.sync != Sync::automatic) return nullptr;
  if (config.throttle == anachron::Throttle::atw)
    return std::make_unique<AdaptiveTimeWindow>(Variant::as_printed);
  if (config.throttle == anachron::Throttle::atw_repaired)
    return std::make_unique<AdaptiveTimeWindow>(Variant::repaired);
  return nullptr;
}

}  // namespace anachron::throttle
