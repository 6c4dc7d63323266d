// What each LP did in a run: its committed events, what was undone of it, and the rollbacks that its sends
// caused. The base of profile-guided partitions.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <anachron/base/figures.hpp>
#include <anachron/base/ids.hpp>

#include "comm/transport/exchange.hpp"
#include "lp/lp_store.hpp"

namespace anachron::observe {

/// Of all LPs of a run. What happened to an LP is noted by the PE that owns it and read when no PE runs.
class LpTally {
 public:
  explicit LpTally(std::uint32_t lps) : lps_(lps), rows_(std::make_unique<Row[]>(lps)) {}

  void committed(LpId lp) { ++rows_[lp].committed; }
  void undone(LpId lp) { ++rows_[lp].undone; }
  void rolled_back(LpId lp) { ++rows_[lp].rollbacks; }
  /// `sender` sent the straggler, or the event that was cancelled after it was executed. Any PE.
  void caused_rollback(LpId sender) {
    if (sender < lps_)                                               // not from outside the model
      rows_[sender].caused.fetch_add(1, std::memory_order_relaxed);  // a sum; nothing is read through it
  }

  /// What the tallies of all ranks say together. Called by all of them, when no PE runs.
  LpTally of_all_ranks(transport::Exchange& exchange) const;

  std::uint64_t bytes() const { return lps_ * sizeof(Row); }

  /// The `n` LPs with most committed events, the `n` with most rollbacks, and the `n` that caused most. LPs
  /// that had or caused none are left out; if there are no more than `n`, all LPs are in. In the order of
  /// ids. When no PE runs.
  std::vector<LpFigures> most(std::size_t n, const lp::LpStore& lps) const;

 private:
  struct Row {
    std::uint64_t committed = 0, undone = 0, rollbacks = 0;
    std::atomic<std::uint64_t> caused = 0;
  };

  std::uint32_t lps_;
  std::unique_ptr<Row[]> rows_;
};

}  // namespace anachron::observe
