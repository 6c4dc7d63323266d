// What a conservative run demands of what an event sends, and of who stops the run. src/sync/conservative.hpp
// says why.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <anachron/event/frame.hpp>

#include "lp/lp_store.hpp"

namespace anachron::exec {

class SendRules {
 public:
  /// `lookaheads`: by LP type; none: the run is not conservative, and there are no rules.
  SendRules(const lp::LpStore& lps, std::vector<Time> lookaheads)
      : lps_(lps), lookaheads_(std::move(lookaheads)) {}

  bool exist() const { return !lookaheads_.empty(); }

  /// What is wrong when an event `e` of this LP has sent the list too early to another LP; none: nothing.
  std::optional<std::string> too_early(const event::EventHeader& e, const lp::LpRef& lp,
                                       const event::EventHeader* sent) const;

  /// What is wrong when an LP stops the run whose type does not declare that it may: no history is kept for
  /// it, so it may be too late to end the run at this very event. Wrong at every stop, so that it does not
  /// depend on luck.
  std::optional<std::string> undeclared_stop(LpId lp) const;

 private:
  const lp::LpStore& lps_;
  std::vector<Time> lookaheads_;
};

}  // namespace anachron::exec
