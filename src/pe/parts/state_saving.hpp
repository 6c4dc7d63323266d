// Sparse state saving: which events get a copy of the state, how a state between two copies is brought back,
// and what that costs. docs/decisions/0008-sparse-state-saving.md says why.
#pragma once

#include <cstdint>
#include <vector>

#include <anachron/base/platform.hpp>
#include <anachron/event/frame.hpp>
#include <anachron/mem/arena.hpp>

#include "lp/history.hpp"
#include "lp/lp_store.hpp"
#include "lp/retention.hpp"
#include "rollback/checkpoints.hpp"

namespace anachron::pe {

/// Of a PE. Invariant: each uncommitted record has a copy of the state, or relies on an older one that is
/// kept.
class StateSaving {
 public:
  StateSaving(const Config& config, const lp::LpStore& lps) : lps_(lps), checkpoints_(config, lps.types()) {}
  StateSaving(const StateSaving&) = delete;
  StateSaving& operator=(const StateSaving&) = delete;

  /// `frame`: that of the PE, set up.
  void begin(const event::Frame& frame);

  rollback::Checkpoints& checkpoints() { return checkpoints_; }
  const rollback::Checkpoints& checkpoints() const { return checkpoints_; }
  lp::Retention& retention() { return retention_; }
  const lp::Retention& retention() const { return retention_; }
  std::uint64_t bytes() const { return scratch_.bytes(); }

  /// Whether the record to be appended next is to hold a copy of the state. Without one it relies on an older
  /// one. `is_by_copy`: only copies undo its event.
  ANACHRON_INLINE bool plan_copy(bool is_by_copy, const lp::LpRef& lp, const lp::History& history) {
    if (!checkpoints_.are_sparse()) [[likely]]
      return is_by_copy;
    return plan_sparse_copy(is_by_copy, lp, history);
  }

  /// Brings back the states of the `lost` LPs of a group that have none. Each starts from the newest copy
  /// that it has left, and executes again what came after it ("coast forward"). What those events sent, and
  /// will do at commit, stays as it is. Returns the records of events that did not do the same again, valid
  /// until the next call. (D. R. Jefferson, "Virtual time", ACM TOPLAS 7(3), 1985, section 4.1.)
  const std::vector<lp::Record*>& coast_forward(const lp::LpCell& leader, std::size_t lost,
                                                const lp::History& history);
  std::uint64_t coasted() const { return coasted_; }

  /// So many LPs of one group were rolled back.
  void rolled_back(std::uint64_t lps) { lp_rollbacks_ += lps; }
  void adapt(std::uint64_t executed) { checkpoints_.adapt(executed, lp_rollbacks_); }

 private:
  bool plan_sparse_copy(bool is_by_copy, const lp::LpRef& lp, const lp::History& history);
  void execute_again(lp::Record& record, const event::LpCounters& expected);

  const lp::LpStore& lps_;
  rollback::Checkpoints checkpoints_;
  lp::Retention retention_;
  event::Frame frame_;  // of events that are executed again
  mem::Arena scratch_;  // their effects, of which nothing comes
  std::vector<lp::Record*> to_coast_, differing_;
  std::uint64_t coasted_ = 0;
  std::uint64_t lp_rollbacks_ = 0;  // LPs rolled back, each time
};

}  // namespace anachron::pe
