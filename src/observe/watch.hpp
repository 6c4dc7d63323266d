// The door of the room `observe`: what is told of events to observers of a run.
//
// This file is what a PE tells: the figures of each LP, a trace of some, what is to be done in order.
// Invariant: only committed events reach traces and output in order, which are the same in every mode.
// Figures of LPs also count events that are undone. Read on in observe/output/ordered_output.hpp
// (output in the order of all events) and observe/output/tracer.hpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include <anachron/event/header.hpp>

#include "observe/event_log.hpp"
#include "observe/output/ordered_output.hpp"
#include "observe/output/tracer.hpp"
#include "observe/run_control.hpp"
#include "observe/tallies/link_tally.hpp"
#include "observe/tallies/load_tally.hpp"
#include "observe/tallies/lp_tally.hpp"
#include "observe/tallies/rollback_pairs.hpp"

namespace anachron::observe {

/// Who is told. Null: nobody asked.
struct Watchers {
  LpTally* tally = nullptr;
  LinkTally* links = nullptr;
  const Tracer* tracer = nullptr;
  OrderedOutput* output = nullptr;
  RunControl* control = nullptr;
  EventLog* log = nullptr;
  LoadTally* loads = nullptr;  // told while PEs are to count
};

/// Why events are undone.
enum class Cause : std::uint8_t {
  message,  ///< a straggler, or an event was taken back by its sender
  engine,   ///< the end of the run, lack of memory, a session that goes back, a test
};

/// Of one PE. It asks `is_on` once per batch or GVT round, so that nobody pays for what nobody asked.
class Watch {
 public:
  explicit Watch(const Watchers& watchers) : to_(watchers), lane_(watchers.output) {
    if (to_.tracer) to_.output->begin_use();
  }

  bool is_on() const { return to_.tally || to_.links || to_.tracer || to_.log || counts_loads_; }
  void count_loads(bool on) { counts_loads_ = on && to_.loads; }
  /// All that commits from now on is kept. `log` must outlive the watch.
  void keep_in(EventLog& log) { to_.log = &log; }
  bool keeps_all() const { return to_.log; }

  void committed(const event::EventHeader& e) {
    if (to_.log) to_.log->committed(e);
    if (counts_loads_) to_.loads->committed(e.receiver);
    if (to_.tally) to_.tally->committed(e.receiver);
    if (to_.links) to_.links->committed(e);
    if (to_.tracer && to_.tracer->shows(e)) {
      auto [task, bytes] = to_.tracer->record(e);
      lane_.add(e, std::move(task), bytes);
    }
  }
  /// A retraction has committed, of this event; null: of none.
  void committed(const event::EventHeader& retraction, const event::EventHeader* target) {
    if (to_.log) to_.log->committed(retraction, target);
  }
  void undone(LpId lp) {
    if (to_.tally) to_.tally->undone(lp);
  }
  void rolled_back(const event::EventHeader& to, Cause cause) {
    if (cause == Cause::message) pairs_.add(to.sender, to.receiver);
    if (!to_.tally) return;
    to_.tally->rolled_back(to.receiver);
    if (cause == Cause::message) to_.tally->caused_rollback(to.sender);
  }

  /// The PE has constructed its LPs. Who watches need not wait for the rest.
  void note_constructed() {
    if (to_.control) to_.control->note_constructed();
  }
  /// The user wants the run to end.
  bool is_interrupted() const { return to_.control && to_.control->is_interrupted(); }

  /// Where events that commit leave what is to be done in order; null: there is no such place.
  event::InOrder* lane() { return to_.output ? &lane_ : nullptr; }
  /// What is left there next is left by this event of this LP.
  void begin(const event::EventKey& key, LpId lp, std::string_view event) { lane_.begin(key, lp, event); }
  /// Bytes of what they have left there since it was handed over.
  std::uint64_t lane_bytes() const { return lane_.bytes(); }
  /// Something was left there, by events of any PE. Where nothing is, PEs need not tell what has committed.
  bool has_ordered_output() const { return to_.output && to_.output->is_in_use(); }
  /// All below `bound` has committed.
  void hand_over(std::size_t pe, const std::optional<event::EventKey>& bound) {
    to_.output->hand_over(static_cast<PeId>(pe), lane_.take(), bound);
  }

  /// Which LPs have made which others roll back. Always counted.
  const RollbackPairs& rollback_pairs() const { return pairs_; }

 private:
  Watchers to_;
  bool counts_loads_ = false;
  RollbackPairs pairs_;
  OutputLane lane_;
};

}  // namespace anachron::observe
