// Some PEs stand in for all of them, where fewer workers are active than there are PEs to keep them busy.
// Each PE that is left executes the events of several, as if it had had their LPs all along. Between these
// LPs nothing is sent any more and nothing is rolled back: they share one pending set.
//
// A single PE executes all events in the order of the sequential run. So nothing comes too late, and it keeps
// no history. To pick each event from the PE that has the smallest would cost some comparisons per event.
// Instead, pending events move once to where they will be executed, and back.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "gvt/rounds/round.hpp"
#include "gvt/rounds/totals.hpp"
#include "lp/lp_store.hpp"
#include "pe/pe.hpp"

namespace anachron::engine {

class PeConsolidation {
 public:
  /// `pes` may be filled later.
  PeConsolidation(const std::vector<std::unique_ptr<pe::Pe>>& pes, lp::LpStore& lps, std::size_t count,
                  pe::SyncMode mode)
      : pes_(pes), lps_(lps), present_(count), mode_(mode) {}

  /// The first so many PEs execute the events of all.
  std::size_t present() const { return present_; }
  pe::SyncMode mode() const { return mode_; }
  /// It is one, and executes them in order.
  bool is_in_order() const { return mode_ == pe::SyncMode::in_order; }
  /// The PE that executes the LP's events.
  pe::Pe& pe_of(LpId lp) const { return *pes_[lps_.host(lp)]; }
  /// What the others say in GVT rounds, in which they have no part.
  std::vector<gvt::Summary> absent() const;

  /// From now on the first so many PEs stand in for all, in this mode; all: none does. Precondition: no
  /// thread runs any, all have settled and are not holding, and nothing is under way between them. `for_each`
  /// calls what it is given once for each PE, at the same time or not. Throws std::bad_alloc, when the run is
  /// over. Complexity: O(pending events + LPs).
  void arrange(std::size_t present, pe::SyncMode mode,
               const std::function<void(const std::function<void(pe::Pe&)>&)>& for_each);

  /// How far all PEs have come.
  gvt::Totals totals() const;

  /// Around a term in order.
  void begin_term();
  void end_term();
  /// The term is to end, and not the run.
  void leave() { has_left_ = true; }
  bool has_left() const { return has_left_; }

  /// What was done in order, in all terms together.
  const gvt::Totals& done() const { return done_; }
  /// From time to time: so many bytes are taken.
  void note_memory(std::uint64_t bytes) { memory_peak_ = std::max(memory_peak_, bytes); }
  std::uint64_t memory_peak() const { return memory_peak_; }

 private:
  const std::vector<std::unique_ptr<pe::Pe>>& pes_;
  lp::LpStore& lps_;
  std::size_t present_;
  pe::SyncMode mode_;
  bool has_left_ = false;
  gvt::Totals before_, done_;  // the present term; all of them
  std::uint64_t memory_peak_ = 0;
};

}  // namespace anachron::engine
