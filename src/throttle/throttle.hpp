// The door of the room `throttle`: how far beyond GVT a PE may execute.
//
// A throttle is consulted once per GVT round. PEs only see the horizon that results.
// Invariant: no throttle changes what is committed, and each lets the event at GVT be executed.
// Read on in throttle/balanced_window.hpp (the default); docs/reference/throttles.md explains each with its
// source.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include <anachron/base/config.hpp>

namespace anachron::throttle {

/// What a run has done up to a GVT round: totals.
struct RoundFacts {
  Time gvt = 0;
  std::uint64_t committed = 0, executed = 0, rolled_back = 0;
  double wall_s = 0;            ///< since the event loop began
  double waiting_s = 0;         ///< workers' time without an event to execute
  double gvt_s = 0;             ///< workers' time in GVT rounds
  double away_s = 0;            ///< workers' time in which they had given their core to others
  double cpu_s = 0;             ///< CPU time, of the workers and of whatever else the processes do
  unsigned active_workers = 1;  ///< that run PEs now
  std::size_t pes = 1;          ///< that execute events now, of all ranks
};

class Throttle {
 public:
  virtual ~Throttle() = default;
  /// Events at or after the returned time wait until GVT has advanced. Greater than facts.gvt.
  virtual Time horizon(const RoundFacts& facts) = 0;
};

/// No bound; also when each PE bounds itself (throttle/baselines/adaptive_time_window.hpp).
class NoThrottle : public Throttle {
 public:
  Time horizon(const RoundFacts&) override { return kForever; }
};

std::unique_ptr<Throttle> make_throttle(const Config& config);

}  // namespace anachron::throttle
