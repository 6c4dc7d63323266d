// What a PE does about memory: counts what it takes, stops when there is too little, and goes on when a round
// says so. gvt/decisions/memory_guard.hpp decides.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include <anachron/event/header.hpp>

#include "gvt/rounds/round.hpp"
#include "mem/budget.hpp"

namespace anachron::pe {

/// Of a PE. Invariant: once it is short, it executes nothing but the first event of all until a round lets it
/// go on.
class MemoryPressure {
 public:
  /// `index`: of the PE among those that share the budget.
  MemoryPressure(mem::Budget& budget, std::size_t index) : allowance_(budget, index) {}

  mem::Allowance& allowance() { return allowance_; }
  /// The PE has stopped for lack of memory.
  bool is_short() const { return allowance_.is_short(); }
  /// Most bytes that the PE had at a time.
  std::uint64_t most_bytes() const { return static_cast<std::uint64_t>(allowance_.peak()); }
  /// Of that, what events took that come one by one.
  std::uint64_t most_single_bytes() const { return static_cast<std::uint64_t>(allowance_.single_peak()); }

  /// The system has given none, whatever the budget: the PE can only stop.
  void exhaust() {
    is_exhausted_ = true;
    allowance_.run_short();  // ends the batch
  }
  bool is_exhausted() const { return is_exhausted_; }

  /// The LPs have started.
  void begin() { allowance_.begin_batch(); }
  /// After a batch: `taken` bytes are in use, less what the PE has given back for others.
  void end_batch(std::int64_t taken);
  void settle(std::int64_t taken) { allowance_.settle(taken); }
  /// While the LPs start. Their events are all pending at time 0, in every mode: there is nothing to retreat
  /// from. Throws InputError when they do not fit.
  void check_start(std::int64_t taken);

  /// `first` is the first event that waits at the PE. The first event of all does not wait for memory: if it
  /// cannot be executed, the sequential run could not execute it either. Returns how many events of `limit`
  /// the PE may execute: none if `first` is not the first of all.
  unsigned may_go_on(const event::EventHeader* first, unsigned limit);

  /// Since the last round. `first` is the first event that waits.
  gvt::Shortage shortage(std::uint64_t executed, const event::EventHeader* first, Time horizon);

  /// Goes on if there is memory for it.
  void obey(const gvt::MemoryOrder& order, const std::optional<event::EventKey>& bound, std::int64_t taken,
            std::uint64_t executed);

  /// A pending set of `events` events that takes `bytes` should be built anew: it holds on to much more
  /// memory than they need. Pending sets keep what they have once taken.
  bool should_compact(std::uint64_t executed, std::size_t events, std::size_t bytes) const;
  /// It was.
  void compacted(std::uint64_t executed, std::size_t events, std::size_t bytes);

 private:
  mem::Allowance allowance_;
  std::optional<event::EventKey> first_of_all_;  // only the PE that has this event executes
  bool goes_by_ones_ = false;                    // it executes one event until the next round
  bool has_run_short_ = false;                   // since the last report
  bool is_exhausted_ = false;
  std::uint64_t executed_at_order_ = 0;
  std::uint64_t executed_at_compact_ = 0;
  std::size_t overhead_ =
      64 << 10;  // bytes beyond an entry per event, when the pending set was last compacted
};

}  // namespace anachron::pe
