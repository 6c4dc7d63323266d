// What a GVT round asks of what moves LPs between PEs.
#pragma once

#include <span>

#include "gvt/rounds/rank_report.hpp"
#include "gvt/rounds/round.hpp"

namespace anachron::gvt {

/// Called by one thread at a time.
class LoadBalance {
 public:
  virtual ~LoadBalance() = default;
  /// A round: what the PEs of this process have said, and the seconds since the event loop began. Over ranks
  /// it adds to `own` what rank 0 has to know.
  virtual void look(std::span<const Summary> of_pes, RankReport& own, double wall_s) = 0;
  /// On rank 0: what all ranks have said.
  virtual void look(const RankReport& all, double wall_s) = 0;
  /// On the others: what rank 0 has concluded.
  virtual void hear(const Round& round) = 0;
  /// PEs are to count what each LP commits.
  virtual bool counts_loads() const = 0;
  /// The present term is to end, as soon as it can.
  virtual bool ends_term() const = 0;
};

}  // namespace anachron::gvt
