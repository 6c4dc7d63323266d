// Variants of what a session has run: changes go through the history that it keeps, or if they cannot, there
// is a full run with them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <anachron/event/change.hpp>
#include <anachron/run/report.hpp>
#include <anachron/run/variant.hpp>

#include "engine/session/session.hpp"
#include "replay/propagation.hpp"
#include "replay/recorded.hpp"

namespace anachron::detail {

using event::Changes;

/// A variant that was propagated. Others may go on from it.
struct Propagated {
  std::shared_ptr<const Propagated> of;  // null: the run
  replay::Propagation propagation;
  std::unique_ptr<replay::Recorded> recorded;  // if others go on from it, or it from another
  std::uint64_t digest = 0;
  std::optional<std::uint64_t> sum_of_states;
};

/// Of a session that does not go on meanwhile.
class Variants {
 public:
  /// `report`: of the session as it is. Throws std::logic_error when it keeps no history, or has a mark.
  Variants(engine::Session& session, Report report);

  /// In the same order. See Session::run.
  std::vector<VariantOutcome> run(const std::vector<const Changes*>& variants, unsigned workers);

 private:
  void check(const Changes& changes) const;
  /// Some variants on their way.
  struct Work;
  void take_step(std::size_t number, Work& work) const;
  /// Beyond the changes of `of`. Null, with `halted`: something ended it.
  std::shared_ptr<Propagated> propagate(std::span<const std::shared_ptr<const event::Change>> changes,
                                        std::shared_ptr<const Propagated> of, bool keeps_lines,
                                        std::optional<replay::Propagation::Halted>& halted) const;
  VariantOutcome outcome_of(std::shared_ptr<const Propagated> variant) const;
  /// Empty: they are. Otherwise they need a run in full, or from a checkpoint.
  std::string why_not_propagated(const Changes& changes) const;
  std::unique_ptr<engine::Session> open_before(const Changes& changes, std::string& why,
                                               std::size_t& scheduled) const;
  VariantOutcome run_in_full(const Changes& changes, std::string why) const;
  Report report_of_variant(const Propagated& variant) const;
  std::optional<std::uint64_t> sum_of_states(const Propagated& variant) const;

  engine::Session& session_;
  engine::KeptRun& kept_;
  const Report report_;
  const std::string lost_;  // why nothing can be propagated
  std::unique_ptr<replay::Recorded> recorded_;
  std::optional<std::uint64_t> sum_of_states_;  // of the run
};

}  // namespace anachron::detail
