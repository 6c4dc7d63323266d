#include "sync/throttle.hpp"

#include <algorithm>
#include <cmath>

namespace anachron::sync {

Time FixedWindow::horizon(const RoundFacts& facts) {
  const Time at_least = std::nextafter(facts.gvt, kForever);
  if (window_) return std::max(facts.gvt + *window_, at_least);
  recent_time_ = kMemory * recent_time_ + (facts.gvt - last_.gvt);
  recent_events_ = kMemory * recent_events_ + static_cast<double>(facts.committed - last_.committed);
  last_ = facts;
  if (recent_events_ < 1) return kForever;  // nothing is known of the model yet
  return std::max(facts.gvt + recent_time_ / recent_events_ * events_, at_least);
}

std::unique_ptr<Throttle> make_throttle(const Config& config) {
  if (config.throttle == anachron::Throttle::none) return std::make_unique<NoThrottle>();
  return std::make_unique<FixedWindow>(config.window, config.pes.value());
}

}  // namespace anachron::sync
