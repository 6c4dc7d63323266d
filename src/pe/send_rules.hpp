// What a conservative run demands of what an event sends, and of who stops the run.
// src/throttle/conservative.hpp says why.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <anachron/event/frame.hpp>

#include "lp/lp_store.hpp"
#include "partition/clusters.hpp"

namespace anachron::pe {

/// One for all PEs of a run. Invariant: where there are rules, each LP type has a lookahead, and LPs of a
/// cluster have one owner.
class SendRules {
 public:
  /// A conservative run has rules. Throws InputError when an LP type has no lookahead, and when LPs of a
  /// cluster have different owners. With --sync auto there are no rules in these cases, nor where the run may
  /// not change its workers, nor where a throttle is asked for. Other runs have none.
  SendRules(const lp::LpStore& lps, const Config& config, bool may_change_workers);

  bool exist() const { return !lookaheads_.empty(); }
  /// None where there are no rules.
  std::optional<Time> smallest_lookahead() const;

  /// What is wrong when an event `e` of this LP has sent the list too early out of the LP's cluster; none:
  /// nothing.
  std::optional<std::string> too_early(const event::EventHeader& e, const lp::LpRef& lp,
                                       const event::EventHeader* sent) const;

  /// What is wrong when an LP stops the run whose type does not declare that it may. No history is kept for
  /// it, so it may be too late to end the run at this very event. Wrong at every stop, so that it does not
  /// depend on luck.
  std::optional<std::string> undeclared_stop(LpId lp) const;

 private:
  std::optional<std::pair<LpId, LpId>> parted() const;
  std::optional<LpId> first_outside(const event::EventHeader& sent, LpId sender) const;

  const lp::LpStore& lps_;
  std::string_view sync_;                        // who asks, for messages
  std::vector<Time> lookaheads_;                 // by LP type; empty: there are no rules
  std::optional<partition::Clusters> clusters_;  // if there are rules
};

}  // namespace anachron::pe
