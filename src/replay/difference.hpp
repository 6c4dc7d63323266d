// How the LPs of a variant differ from those of the run.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <anachron/event/key.hpp>

#include "lp/lp_store.hpp"

namespace anachron::replay {

class Propagation;
class Recorded;

/// How an LP differs from the run.
struct LpDifference {
  LpId lp = 0;
  event::EventKey first;        ///< of its events the first that differs, or has a handler that does
  std::string_view event;       ///< type of that
  std::uint64_t executed = 0;   ///< events of the variant, where it differed
  bool differs_at_end = false;  ///< in its state
};

struct Differences {
  std::uint64_t added = 0, removed = 0;  ///< events that only the variant has, or only the run
  std::vector<LpDifference> lps;         ///< in the order of ids
};

/// Whether these states of an LP differ; also if that cannot be told.
bool states_differ(const lp::LpStore& lps, LpId lp, const void* a, const void* b);

/// Of a variant that begins from others: all of these, and itself, are in `chain`. O(events of the LPs that
/// differ).
Differences differences(const Recorded& run, const Recorded& variant,
                        std::span<const Propagation* const> chain);

}  // namespace anachron::replay
