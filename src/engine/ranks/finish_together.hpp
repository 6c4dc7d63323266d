// What the LPs report when a run over several ranks has ended.
#pragma once

#include <functional>

#include "comm/transport/exchange.hpp"
#include "engine/results/finish.hpp"

namespace anachron::engine {

/// As `finish` for the LPs of all ranks, each of which calls it. Each gets the same, but tables, which may
/// have a row for each LP: rank 0 has them. `own`: the PEs of this rank.
Finished finish_together(transport::Exchange& exchange, PeRange own, const lp::LpStore& lps, Time end_time,
                         Results& results, const std::function<bool()>& interrupted);

}  // namespace anachron::engine
