// What optimism costs, as far as it is the same on all machines: docs/inside/performance.md has the
// measurements.
#pragma once

namespace anachron::throttle {

/// What an event executed in vain costs, in executions: measured 2.7 and 3.5.
inline constexpr double kRollbackCost = 3;

/// Of the workers' time may go to GVT rounds.
inline constexpr double kGvtShare = 0.01;

/// Seconds for a look at the inbox and for showing others what was sent: some cache lines come from another
/// core each time, whatever is in them.
inline constexpr double kLookCost = 0.5e-6;

}  // namespace anachron::throttle
