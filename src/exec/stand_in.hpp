// One PE stands in for all: when a single worker is active, it executes the events of all PEs in the order of
// the sequential run, so that nothing comes too late and no history is kept.
//
// It would cost some comparisons per event to pick each from the PE that has the smallest. So instead all
// that waits moves to one PE, once, which then runs as if it had been alone all along; and back.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "exec/pe.hpp"
#include "lp/lp_store.hpp"

namespace anachron::exec {

class StandIn {
 public:
  /// `pes` may be filled later.
  StandIn(const std::vector<std::unique_ptr<Pe>>& pes, const lp::LpStore& lps) : pes_(pes), lps_(lps) {}

  bool is_on() const { return is_on_; }
  /// The PE that executes the LP's events.
  Pe& pe_of(LpId lp) const { return is_on_ ? *pes_.front() : *pes_[lps_.owner(lp)]; }

  /// The first PE stands in for all, or none does any more. Precondition: no thread runs any, all have
  /// settled and are not holding, and nothing is under way between them. Throws std::bad_alloc, when the run
  /// is over. Complexity: O(pending events).
  void begin();
  void end();

  /// How far all PEs have come.
  struct Totals {
    Time time = 0;
    std::uint64_t committed = 0, executed = 0, sent = 0;
  };
  Totals totals() const;

  /// Around a term in order.
  void begin_term();
  void end_term();
  /// The term is to end, and not the run.
  void leave() { has_left_ = true; }
  bool has_left() const { return has_left_; }

  /// What was done so, in all terms together.
  const Totals& done() const { return done_; }
  /// From time to time: so many bytes are taken.
  void note_memory(std::uint64_t bytes) { memory_peak_ = std::max(memory_peak_, bytes); }
  std::uint64_t memory_peak() const { return memory_peak_; }

 private:
  const std::vector<std::unique_ptr<Pe>>& pes_;
  const lp::LpStore& lps_;
  bool is_on_ = false, has_left_ = false;
  Totals before_, done_;  // the present term; all of them
  std::uint64_t memory_peak_ = 0;
};

}  // namespace anachron::exec
