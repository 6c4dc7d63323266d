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
};

/// The outcome of all ranks in place of that of this one. Called by all ranks. Each gets the same figures;
/// rank 0 alone gets the lists of which each rank has a part, so that they take as much as the model on it
/// only.
void put_together(Outcome& outcome, const OwnOutcome& own, transport::Exchange& exchange);

}  // namespace anachron::engine
