// Notices that GVT stands still, and finds out for what.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <anachron/base/figures.hpp>
#include <anachron/event/frame.hpp>

#include "lp/lp_store.hpp"

namespace anachron::engine {

class Ranks;

/// Used by the monitor's thread.
class StallWatch {
 public:
  /// `ranks`: null in a run of one rank.
  StallWatch(const lp::LpStore& lps, const Ranks* ranks) : lps_(lps), ranks_(ranks) {}

  /// A PE of this process, and what it executes or has executed last.
  struct Pe {
    PeId id;
    event::Running last;
  };
  /// `now` has all but the stall. None as long as a stall is too short to be one.
  std::optional<Stall> look(const Progress& now, std::span<const Pe> pes);

 private:
  std::string waits_for(const Progress& now, std::span<const Pe> pes) const;

  const lp::LpStore& lps_;
  const Ranks* const ranks_;
  Time gvt_ = -1;
  double since_s_ = 0;                 // wall time at which GVT was first seen there
  std::uint64_t executed_before_ = 0;  // events, until then
};

}  // namespace anachron::engine
