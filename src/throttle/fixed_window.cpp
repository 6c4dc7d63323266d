#include "throttle/fixed_window.hpp"

#include <algorithm>
#include <cmath>

namespace anachron::throttle {

Time FixedWindow::horizon(const RoundFacts& facts) {
  if (window_) return std::max(facts.gvt + *window_, std::nextafter(facts.gvt, kForever));
  density_.add(facts);
  return density_.after(facts.gvt, kEventsPerPe * static_cast<double>(facts.pes));
}

}  // namespace anachron::throttle
