#include "throttle/balanced_window.hpp"
#include "throttle/baselines/moving_time_window.hpp"
#include "throttle/fixed_window.hpp"
#include "throttle/throttle.hpp"

namespace anachron::throttle {

std::unique_ptr<Throttle> make_throttle(const Config& config) {
  using anachron::Throttle;
  switch (config.throttle) {
    case Throttle::balanced:
      return std::make_unique<BalancedWindow>();
    case Throttle::fixed:
      return std::make_unique<FixedWindow>(config.window);
    case Throttle::mtw:
      return std::make_unique<MovingTimeWindow>();
    case Throttle::none:
    case Throttle::atw:
    case Throttle::atw_repaired:
      break;
  }
  return std::make_unique<NoThrottle>();
}

}  // namespace anachron::throttle
