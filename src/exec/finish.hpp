// What the LPs report when a run has ended.
#pragma once

#include <functional>
#include <optional>

#include <anachron/base/error.hpp>
#include <anachron/base/time.hpp>
#include <anachron/model/results.hpp>

#include "lp/lp_store.hpp"

namespace anachron::exec {

/// Before which LP `finish` ended: behind the last one if all have reported.
struct Finished {
  LpId next = 0;
  std::optional<SimulationError> failure;  ///< of the LP before `next`
};

/// Calls the `finish` of each LP, in the order of their ids, up to the first that throws. It is not ended
/// within its first second, so that a run that was interrupted has its results; from then on it is, when
/// `interrupted`, which is polled about five times a second, returns true.
Finished finish(const lp::LpStore& lps, Time end_time, Results& results,
                const std::function<bool()>& interrupted);

}  // namespace anachron::exec
