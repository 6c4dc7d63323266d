// Variants of what a session has run: changes go through the history that it keeps, or if they cannot, there
// is a full run with them.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <anachron/event/change.hpp>
#include <anachron/run/report.hpp>
#include <anachron/run/variant.hpp>

#include "engine/session.hpp"
#include "replay/propagation.hpp"
#include "replay/recorded.hpp"

namespace anachron::detail {

using Changes = std::vector<event::Change>;

/// Of a session that does not go on meanwhile.
class Variants {
 public:
  /// `report`: of the session as it is. Throws std::logic_error when it keeps no history, or has a mark.
  Variants(engine::Session& session, Report report);

  /// In the same order. See Session::run.
  std::vector<VariantOutcome> run(const std::vector<const Changes*>& variants, unsigned workers);

 private:
  void check(const Changes& changes) const;
  /// Nothing: only a full run tells.
  std::optional<VariantOutcome> propagate(const Changes& changes, std::string& why_not) const;
  VariantOutcome run_in_full(const Changes& changes, const std::string& why) const;
  Report report_of_variant(const replay::Propagation& propagation) const;
  std::optional<std::uint64_t> state_digest(const replay::Propagation& propagation,
                                            const Results& results) const;

  engine::Session& session_;
  engine::KeptRun& kept_;
  const Report report_;
  const std::string lost_;  // why nothing can be propagated
  std::unique_ptr<replay::Recorded> recorded_;
  std::optional<std::uint64_t> sum_of_states_;  // of the run
};

}  // namespace anachron::detail
