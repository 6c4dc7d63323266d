// A fixed window: of simulated time or, when none is given, of the time in which the model has been
// committing a fixed number of events per PE.
#pragma once

#include <optional>

#include "throttle/event_density.hpp"
#include "throttle/throttle.hpp"

namespace anachron::throttle {

class FixedWindow : public Throttle {
 public:
  explicit FixedWindow(std::optional<Time> window) : window_(window) {}
  Time horizon(const RoundFacts& facts) override;

 private:
  static constexpr double kEventsPerPe = 1024;

  std::optional<Time> window_;
  EventDensity density_;
};

}  // namespace anachron::throttle
