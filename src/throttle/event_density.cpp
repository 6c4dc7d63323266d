#include "throttle/event_density.hpp"

#include <algorithm>
#include <cmath>

namespace anachron::throttle {

Time EventDensity::after(Time gvt, double events) const {
  if (recent_events_ < 1) return kForever;
  return std::max(gvt + recent_time_ / recent_events_ * events, std::nextafter(gvt, kForever));
}

}  // namespace anachron::throttle
