// What a GVT round asks of what moves LPs between PEs.
#pragma once

#include <span>

#include "gvt/round.hpp"

namespace anachron::gvt {

/// Of a run of one rank. Called by one thread at a time.
class LoadBalance {
 public:
  virtual ~LoadBalance() = default;
  /// A round: what all PEs have said, and the seconds since the event loop began.
  virtual void look(std::span<const Summary> of_pes, double wall_s) = 0;
  /// PEs are to count what each LP commits.
  virtual bool counts_loads() const = 0;
  /// The present term is to end, as soon as it can.
  virtual bool ends_term() const = 0;
};

}  // namespace anachron::gvt
