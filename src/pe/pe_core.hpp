// A processing element without its pending set's type: what it consists of, and its phases. What happens per
// event is in pe/pe_of.hpp, compiled once per pending set; the rest is in pe/phases/*.cpp, compiled once.
// docs/inside/event-life.md walks through both.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "comm/fabric/outbox.hpp"
#include "gvt/decisions/interval_controller.hpp"
#include "lp/history.hpp"
#include "lp/own_lps.hpp"
#include "observe/watch.hpp"
#include "pe/messages/lazy_cancellation.hpp"
#include "pe/messages/multicast.hpp"
#include "pe/messages/retraction_sweep.hpp"
#include "pe/messages/send_buffer.hpp"
#include "pe/parts/chaos.hpp"
#include "pe/parts/event_timer.hpp"
#include "pe/parts/fault_log.hpp"
#include "pe/parts/frontier.hpp"
#include "pe/parts/horizon.hpp"
#include "pe/parts/irrevocable_gate.hpp"
#include "pe/parts/memory_pressure.hpp"
#include "pe/parts/rewind_interval.hpp"
#include "pe/parts/state_saving.hpp"
#include "pe/pe.hpp"
#include "pe/send_rules.hpp"
#include "queue/any_pending_set.hpp"
#include "rollback/check.hpp"

namespace anachron::pe {

/// What does not change while a PE lives.
struct Settings {
  SyncMode mode;    ///< the usual one
  Keeping keeping;  ///< on that, unless a session holds a stretch; on others nothing
  PesOfRanks pes;
  const SendRules* rules;  ///< of windows; null: there are none
  bool is_alone;           ///< the only PE
  bool copies_always;
  bool checks_rollback;
  bool cancels_lazily;
  unsigned lps_per_group;
};

/// What a PE consists of, whatever its pending set. Invariant: one of its parts owns each event that the PE
/// has: the pending set, the history, the outbox, or one of pe/parts.
class PeCore : public Pe, protected fabric::Sink {
 public:
  PeId id() const final { return lps_.self(); }
  std::size_t index() const final { return settings_.pes.own.index_of(id()); }
  void start() final;
  void use(topo::PhaseClock& clock) final { progress_.clock = &clock; }
  std::uint64_t receive() final;
  std::uint64_t receive_all() final { return outbox_.port().drain(*this); }
  unsigned execute(unsigned limit) final;
  unsigned execute_for_good(unsigned limit, Time until) final;
  void publish() final { outbox_.publish(); }
  bool has_mail() const final { return outbox_.has_mail(); }
  event::Running running() final { return frame_.running(); }
  unsigned batch() const final { return progress_.batch; }
  std::uint64_t gvt_interval() const final { return progress_.gvt_interval; }
  bool is_due_for_gvt() const final {
    return figures_.executed - progress_.executed_at_cut >= progress_.gvt_interval;
  }
  void begin_cut() final;
  gvt::Summary summary() final;
  void adopt(const gvt::Round& round) final;
  void settle(const gvt::Round& round) final;
  bool is_drained(Time until) final {
    const event::EventHeader* e = top();
    return !e || e->time >= until;
  }
  const std::optional<HaltAt>& halt() const final { return fault_log_.first(); }
  const std::optional<HaltAt>& ending() const final { return fault_log_.ending(); }
  Time last_time() const final { return progress_.committed; }
  Time reached() const final { return progress_.frontier.time(); }
  Time next_time() final {
    const event::EventHeader* const first = first_waiting();
    return first ? first->time : kForever;
  }
  std::uint64_t pending() const final {
    return pending_.size() - cancelled_.waiting + gate_.size() + rewind_interval_.has_refused();
  }
  PeReport figures() const final;
  double handlers_s() const final { return inspection_.timer.seconds(); }
  std::uint64_t undone() const final { return figures_.rolled_back; }
  std::uint64_t pool_bytes_on(std::size_t node) const final { return pool_.bytes_on(node); }
  const std::vector<rollback::Unchecked>& unchecked() const final { return inspection_.unchecked; }
  const observe::RollbackPairs& rollback_pairs() const final { return watch_.rollback_pairs(); }
  bool is_short_of_memory() const final { return memory_.is_short(); }
  std::uint64_t most_bytes() const final { return memory_.most_bytes(); }
  std::uint64_t most_single_bytes() const final { return memory_.most_single_bytes(); }
  void skip_match_ids(std::uint64_t count) final { frame_.next_match.value += count; }
  std::uint64_t kept() const final { return history_.size() - history_.uncommitted(); }
  bool owns_resources() const final { return frame_.owns_resources || history_.size() > 0; }
  void discard() final;

  event::EventHeader& make_outside(const event::EventOps& ops, LpId receiver, Time time, Order among,
                                   event::Outside& outside) final;
  void insert_outside(event::EventHeader& e) final;
  void release_outside(event::EventHeader& e) final { pool_.release(&e, e.ops->bytes); }
  void cancel_outside(event::EventHeader& e) final { annihilate(e); }
  void forget_halts() final;
  void hold() final;
  PeMark mark() const final;
  void undo_since(const PeMark& mark) final;
  void forget_since(const PeMark& mark) final;
  void commit_held() final;
  void keep_in(observe::EventLog& log) final { watch_.keep_in(log); }
  void forget_undone() final;
  void set_mode(SyncMode mode) final;
  void give_away(const std::function<bool(event::EventHeader&)>& to) final;
  bool import_event(event::EventHeader& e) final;
  void expand_waiting() final;
  std::uint64_t bytes_to_expand() final;
  void forget_owners() final { multicast_.directory().forget(); }
  std::uint64_t newest_index() const final { return history_.newest_index(); }
  void number_history_from(std::uint64_t index) final;
  void for_each_waiting(const std::function<void(const event::EventHeader&)>& visit) final;
  void hand_out(const std::function<void(const event::EventHeader&)>& visit) final;
  void prepare() final;
  event::EventHeader& make_restored(const event::EventOps& ops, LpId receiver) final;
  void insert_restored(event::EventHeader& e) final;

 protected:
  friend class Chaos;

  /// `pending` must be constructed already, and outlive this.
  PeCore(const PeSetup& setup, queue::AnyPendingSet& pending);

  // Per event or batch: pe/pe_of.hpp.
  virtual unsigned execute_batch(unsigned limit) = 0;
  virtual unsigned execute_in_order(unsigned limit, Time until) = 0;
  /// Hands on what the handler sent, to the pending set or to other PEs.
  virtual void route_sent() = 0;
  virtual void route(event::EventHeader& e) = 0;
  /// Hands on what an event with a record has sent.
  virtual void hand_on(lp::Record& record) = 0;
  /// Takes an event into the pending set. One that may be a straggler first goes through `undo_if_straggler`,
  /// with lazy cancellation by `undo_retraction_of`: what its group has executed after it is undone.
  virtual void accept(event::EventHeader& e) = 0;

  // One event: phases/one_event.hpp.
  event::UndoKind undo_kind(const event::EventHeader& e) const {
    return settings_.copies_always ? event::UndoKind::copy : e.ops->undo;
  }
  bool plan_copy(const event::EventHeader& e, const lp::LpRef& lp);
  bool needs_guard(const event::EventHeader& e, const event::LpOps& ops) const;
  lp::Record& open_record(event::EventHeader& e, const lp::LpRef& lp, bool has_copy);
  void close_record(lp::Record& record, const event::EventHeader& e, const lp::LpRef& lp);
  void run_handler(event::EventHeader& e, const lp::LpRef& lp, lp::Record* record);
  void execute_timed(event::EventHeader& e, const lp::LpRef& lp);
  template <bool kWatched>
  void commit_event(const event::EventHeader& e, event::Effect* effects);
  void drop(event::EventHeader& e);

  // Forward: phases/forward.cpp.
  void execute_with_care(event::EventHeader& e, const lp::LpRef& lp);
  void execute_measured(event::EventHeader& e, const lp::LpRef& lp);
  void execute_irrevocable(event::EventHeader& e);
  unsigned execute_certain();
  void refuse_irrevocable(event::EventHeader& e);
  bool puts_aside(event::EventHeader& e);
  void hand_on_difference(lp::Record& record);
  void check_lookahead(const event::EventHeader& e, const lp::LpRef& lp, lp::Record* record);
  void route_with_care(const event::EventHeader& e, const lp::LpRef& lp, lp::Record& record);
  void expand(event::EventHeader& multicast);
  void note_halt(const event::EventHeader& e, LpId lp);
  [[noreturn]] void give_up(event::EventHeader& e);

  // The rollback check: phases/check.cpp.
  void execute_checked(event::EventHeader& e, const lp::LpRef& lp);

  // Checkpoints: phases/checkpoint.cpp.
  /// Events that retractions which wait here take back.
  using TakenBack = std::set<std::pair<event::EventKey, LpId>>;
  TakenBack taken_back();
  void for_each_expanded(event::EventHeader& multicast,
                         const std::function<void(const event::EventHeader&)>& visit);

  // Retractions: phases/retract.cpp.
  bool execute_retraction(event::EventHeader& retraction);
  event::EventHeader* take_target(event::EventHeader& retraction);
  void give_back(event::EventHeader& retraction);
  void undo_retraction_of(const event::EventHeader& e);
  void drop_target(event::EventHeader& retraction);
  void record_retraction(event::EventHeader& retraction);
  void sweep_retractions(Time certain_before);
  void sweep_share(Time certain_before);
  bool is_for_one_aside(event::EventHeader& retraction);

  // Rollback: phases/rollback.cpp.
  mem::EventPool& pool() final { return pool_; }
  /// `to` is a straggler if its group has executed an event that does not sort before it: all such events are
  /// undone then. An event that is cancelled or retracted is undone in the same way.
  void undo_if_straggler(lp::LpCell& leader, const event::EventHeader& to, observe::Cause cause) {
    if (history_.may_undo(leader.newest_index) && !before(*leader.newest->event, to))
      undo_group(leader, to, cause);
  }
  void undo_group(lp::LpCell& leader, const event::EventHeader& to, observe::Cause cause);
  std::size_t undo_newest(lp::LpCell& leader);
  void attribute_rollback(LpId sender);
  void record_rollback(const event::EventHeader& to, observe::Cause cause, std::uint64_t events);
  void undo(lp::Record& record, const event::EventHeader& e, lp::LpCell& cell);
  void coast_forward(const lp::LpCell& leader, std::size_t lost);
  void cancel_sent(event::EventHeader* newest);
  void cancel(event::EventHeader& sent);
  void annihilate(event::EventHeader& e);
  void annihilate_list(event::EventHeader* list);
  void annihilate_local();
  void cancel_all_unconfirmed();
  void purge_cancelled();
  void release_aside(event::EventHeader& e);
  void take_back(const lp::Record* record, const std::optional<event::EventKey>& bound, Time from = 0);
  void fold_multicasts(const std::optional<event::EventKey>& bound, Time from);
  void throw_if_failed_below(const std::optional<event::EventKey>& bound) const;

  // GVT rounds: phases/gvt.cpp.
  event::EventHeader* top();
  const event::EventHeader* first_waiting();
  std::optional<event::EventKey> final_bound(const gvt::Round& round) const;
  void count_waiting_blocks();
  bool can_sort_later() const;

  // Commit: phases/commit.cpp.
  // kWatched: each event that commits is reported to an observer. Without one, no event is asked for it.
  void commit_below(const std::optional<event::EventKey>& bound, std::uint64_t lag);
  template <bool kWatched>
  void commit_below_as(const std::optional<event::EventKey>& bound, std::uint64_t lag);
  std::optional<event::EventKey> committed_below(std::optional<event::EventKey> bound) const;
  template <bool kWatched>
  void commit_and_release_below(const std::optional<event::EventKey>& bound);
  template <bool kWatched>
  void commit(lp::Record& record);
  void release_committed(std::uint64_t up_to);
  void release_oldest();
  void release(lp::Record& record);
  void free_event(lp::Record& record);
  void run_commit_actions(const event::EventHeader& e, event::Effect* effects);
  template <class Actions>
  void run_at_commit(LpId lp, std::string_view event, Time time, const Actions& actions);
  void commit_start(LpId id);
  /// Precondition: the event was not undone. Reads it only if it is at the bound's time.
  static bool is_below(const lp::Record& record, const std::optional<event::EventKey>& bound) {
    if (!bound || record.time < bound->time) return true;
    return record.time == bound->time && record.event->key() < *bound;
  }
  void release_below(const std::optional<event::EventKey>& bound);

  // Memory: phases/memory.cpp.
  std::int64_t taken_bytes() const;
  void throw_if_exhausted() const;
  void retreat(const gvt::Round& round);
  void obey(const gvt::MemoryOrder& order, const std::optional<event::EventKey>& bound);
  void compact_pending();
  void foresee_misses();

  // What is kept to be undone: phases/rewind.cpp.
  void keep(Keeping wanted);
  void forget_committed();
  void hold_below(const std::optional<event::EventKey>& bound);
  bool keeps_history() const { return execution_.keeping == Keeping::history; }
  /// The executed events that may still be undone, other than by going back to a mark.
  std::uint64_t uncertain() const {
    return rewind_interval_.is_on() ? rewind_interval_.uncertain(history_) : history_.uncommitted();
  }
  lp::Record* first_uncertain() const {
    return rewind_interval_.is_on() ? rewind_interval_.first_uncertain(history_)
                                    : history_.first_uncommitted();
  }

  // Consolidation: phases/consolidation.cpp.
  void enter(SyncMode mode);
  Keeping usual_keeping() const;

  lp::LpCell* group_of(const event::EventHeader& e) const { return lps_->cell(e.receiver).leader; }

  const Settings settings_;
  struct Execution {
    Keeping keeping;
    SyncMode mode = SyncMode::ahead;
    const SendRules* rules = nullptr;  // for what is executed now; null: there are none
    bool sorts_later = false;          // what is sent waits in the send buffer for a while
    bool needs_care = false;           // the next event is to be checked or measured
    bool fetches_lps = false;          // they may have left the cache when their turn comes
    bool times_events = false;
  } execution_;
  // Those that begin a cache line are read and written for each event: 0.5% faster so.
  alignas(64) lp::OwnLps lps_;
  MemoryPressure memory_;
  mem::EventPool pool_;
  mem::Arena arena_;
  lp::History history_;
  StateSaving saving_;
  queue::AnyPendingSet& pending_;
  fabric::Outbox outbox_;
  SendBuffer send_buffer_;
  alignas(64) event::Frame frame_;
  FaultLog fault_log_;
  RewindInterval rewind_interval_;
  Horizon horizon_;
  IrrevocableGate gate_;
  LazyCancellation lazy_;
  Multicast multicast_;
  RetractionSweep retraction_sweep_;
  Chaos chaos_;
  observe::Watch watch_;
  struct Inspection {  // times of events, and undos that nothing could check
    EventTimer timer{};
    std::vector<rollback::Unchecked> unchecked{};
  } inspection_;
  alignas(64) PeReport figures_;
  struct Advance {
    Frontier frontier{};
    Time committed = 0;  // of any committed event
    unsigned batch;
    std::uint64_t gvt_interval;
    std::uint64_t executed_at_cut = 0;
    std::uint64_t way_out_bytes = 0;  // memory of what leads to other PEs, at the last report
    std::uint64_t waiting_blocks = 0, looks_at_blocks = 0;  // sum over GVT rounds, and their number
    topo::PhaseClock* clock = nullptr;                      // of the worker that runs it, or ran it last
  } progress_;
  struct Cancelled {
    event::EventHeader* list = nullptr;  // own events taken back, to be annihilated, linked by `next`
    std::size_t waiting = 0;             // cancelled events in the pending set
  } cancelled_;
};

}  // namespace anachron::pe
