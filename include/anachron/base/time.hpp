// Simulated time.
#pragma once

#include <limits>

namespace anachron {

/// Simulated time, in the model's own unit. Finite and non-negative for every event.
using Time = double;

/// Later than any event. Only a bound, never an event's time.
inline constexpr Time kForever = std::numeric_limits<Time>::infinity();

}  // namespace anachron
