// How far beyond GVT a PE may go. Consulted once per GVT round; the PEs only see the horizon that results.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include <anachron/base/config.hpp>

namespace anachron::sync {

struct RoundFacts {
  Time gvt = 0;
  std::uint64_t committed = 0, executed = 0;  ///< totals so far
};

class Throttle {
 public:
  virtual ~Throttle() = default;
  /// Events at or after the returned time wait until GVT has advanced. Greater than facts.gvt.
  virtual Time horizon(const RoundFacts& facts) = 0;
};

/// No bound.
class NoThrottle : public Throttle {
 public:
  Time horizon(const RoundFacts&) override { return kForever; }
};

/// A fixed window: of `window` simulated time or, when none is given, of the time in which the model has been
/// committing a fixed number of events per PE.
class FixedWindow : public Throttle {
 public:
  FixedWindow(std::optional<Time> window, unsigned pes) : window_(window), events_(kEventsPerPe * pes) {}
  Time horizon(const RoundFacts& facts) override;

 private:
  static constexpr double kEventsPerPe = 1024;
  static constexpr double kMemory = 0.875;  // weight of the past: about 8 rounds

  std::optional<Time> window_;
  double events_;
  RoundFacts last_;
  double recent_time_ = 0, recent_events_ = 0;
};

std::unique_ptr<Throttle> make_throttle(const Config& config);

}  // namespace anachron::sync
