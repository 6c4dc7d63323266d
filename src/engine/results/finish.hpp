// What the LPs report when a run has ended.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include <anachron/base/error.hpp>
#include <anachron/base/ids.hpp>
#include <anachron/base/time.hpp>
#include <anachron/model/results.hpp>

#include "lp/lp_store.hpp"

namespace anachron::engine {

/// Before which LP `finish` ended: behind the last one if all have reported.
struct Finished {
  LpId next = 0;
  std::optional<SimulationError> failure;  ///< of the LP before `next`
  std::uint64_t hash_of_results = 0;       ///< for the state digest; 0 if a type cannot be encoded
};

/// Calls the `finish` of each LP, in the order of their ids, up to the first that throws. Polls `interrupted`
/// about five times a second, and ends when it returns true. The first second is not ended, so that a run
/// that was interrupted has its results. Completes these.
/// `state(lp)`: where an LP's state is; if empty, in `lps`.
Finished finish(const lp::LpStore& lps, Time end_time, Results& results,
                const std::function<bool()>& interrupted, const std::function<const void*(LpId)>& state = {});

/// On several ranks: the same of the LPs that the rank's PEs own, with what they report in a log, together
/// with how far they came.
struct FinishedRank {
  Finished finished;
  std::vector<std::byte> log;
};
FinishedRank finish_rank(const lp::LpStore& lps, const PeRange& own, Time end_time, const Results::Span& span,
                         const std::function<bool()>& interrupted);

/// Puts the logs of all ranks together: `results` and what is returned are those of `finish` in a single
/// process. LPs behind the first one that failed on any rank, or that a rank did not come to, are left out.
/// Throws InputError for bytes that are no such logs. Needs of `lps` the types and their numbers only.
Finished merge_ranks(const lp::LpStore& lps, Time end_time, std::span<const std::span<const std::byte>> logs,
                     Results& results);

}  // namespace anachron::engine
