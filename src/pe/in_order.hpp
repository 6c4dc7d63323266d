// When a run needs no synchronisation at all.
#pragma once

#include <anachron/base/config.hpp>

#include "comm/transport/cluster.hpp"

namespace anachron::pe {

/// There are PEs of other ranks, too.
inline bool is_over_ranks(const Config& config) { return config.cluster && config.cluster->ranks() > 1; }

/// It may execute what has to be undone, or does so all the time.
inline bool may_speculate(const Config& config) {
  return config.sync == Sync::optimistic || config.sync == Sync::automatic;
}

/// All events are executed one after the other, in the order of their keys, for good. That is so
/// sequentially, and, unless conservatively, in a run of one PE on one rank, to which nothing can come too
/// late. `config` is resolved. A test that provokes rollbacks, and `--history always`, keep a history all the
/// same.
inline bool runs_in_order(const Config& config) {
  if (config.sync == Sync::sequential) return true;
  return may_speculate(config) && config.pes == 1u && !is_over_ranks(config) &&
         config.history == History::automatic && config.test_chaos == 0 && !config.check_rollback;
}

/// It executes what may have to be undone.
inline bool speculates(const Config& config) { return may_speculate(config) && !runs_in_order(config); }

}  // namespace anachron::pe
