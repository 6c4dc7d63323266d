#include "sync/balanced_window.hpp"
#include "sync/fixed_window.hpp"
#include "sync/moving_time_window.hpp"
#include "sync/throttle.hpp"

namespace anachron::sync {

std::unique_ptr<Throttle> make_throttle(const Config& config) {
  using anachron::Throttle;
  const unsigned pes = config.pes.value();
  switch (config.throttle) {
    case Throttle::balanced:
      return std::make_unique<BalancedWindow>(pes);
    case Throttle::fixed:
      return std::make_unique<FixedWindow>(config.window, pes);
    case Throttle::mtw:
      return std::make_unique<MovingTimeWindow>();
    case Throttle::none:
    case Throttle::atw:
    case Throttle::atw_repaired:
      break;
  }
  return std::make_unique<NoThrottle>();
}

}  // namespace anachron::sync
