// What all ranks have done, put together.
#pragma once

#include "comm/fabric/ranks/message_aggregator.hpp"
#include "comm/transport/exchange.hpp"
#include "engine/engine.hpp"

namespace anachron::engine {

/// Of this rank, as it is: what it has done with its PEs, and what it has sent. `rank.host` and the memory of
/// the process are found here.
struct OwnOutcome {
  RankFigures rank;
  const fabric::AggregatorFigures& aggregator;
  bool is_first;  ///< it has concluded the GVT rounds
};

/// The outcome of all ranks in place of that of this one. Called by all ranks; each gets the same.
void put_together(Outcome& outcome, const OwnOutcome& own, transport::Exchange& exchange);

}  // namespace anachron::engine
