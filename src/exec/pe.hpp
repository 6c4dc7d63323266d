// A processing element: LPs, their pending events, their history, and the life of an event between them. One
// thread at a time runs a PE. docs/event-life.md walks through this file.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <deque>
#include <exception>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <anachron/base/config.hpp>
#include <anachron/base/error.hpp>
#include <anachron/base/figures.hpp>
#include <anachron/event/frame.hpp>
#include <anachron/mem/arena.hpp>
#include <anachron/mem/event_pool.hpp>

#include "exec/chaos.hpp"
#include "exec/digest.hpp"
#include "exec/inbox.hpp"
#include "exec/memory_limit.hpp"
#include "exec/router.hpp"
#include "lp/directory.hpp"
#include "lp/held_events.hpp"
#include "lp/history.hpp"
#include "lp/lp_store.hpp"
#include "lp/retention.hpp"
#include "mem/budget.hpp"
#include "queue/pending_set.hpp"
#include "rollback/check.hpp"
#include "rollback/checkpoints.hpp"
#include "rollback/undo.hpp"
#include "sync/adaptive_time_window.hpp"
#include "sync/conservative.hpp"
#include "sync/pace.hpp"
#include "sync/round.hpp"

namespace anachron::exec {

template <queue::PendingSet Pending>
class Pe {
 public:
  /// `keeps_history`: events may be rolled back; else each commits when it has been executed. `lookaheads`:
  /// of each LP type, in a conservative run.
  Pe(PeId self, const Config& config, lp::LpStore& lps, Router router, Inbox inbox, bool keeps_history,
     mem::Budget& budget, std::vector<Time> lookaheads = {});
  Pe(const Pe&) = delete;
  Pe& operator=(const Pe&) = delete;

  PeId id() const { return self_; }

  /// Constructs the LPs and runs their `start`.
  void start();

  /// Takes in what other PEs sent: new events, which may be stragglers, and cancellations. Returns how many
  /// there were.
  std::uint64_t receive();
  /// Executes up to `limit` events below the horizon, smallest key first. Returns how many.
  unsigned execute(unsigned limit);
  /// Makes what was sent visible to the others.
  void publish() { router_.publish(); }

  /// How many events to execute between two looks at the inbox.
  unsigned batch() const { return batch_; }
  /// Whether enough has happened since the last GVT round to begin another.
  bool is_due_for_gvt() const { return figures_.executed - executed_at_cut_ >= gvt_interval_; }
  /// Time of the worker that was not spent on events, in seconds.
  void add_waiting(double seconds) { figures_.waiting_s += seconds; }
  void add_gvt(double seconds) { figures_.gvt_s += seconds; }
  void begin_cut();
  sync::Summary summary();
  /// Commits what is below the round's bound and takes its horizon.
  void adopt(const sync::Round& round);
  /// After the last round: takes back what is not below the bound, which others may yet cancel, and commits
  /// the rest.
  void settle(const sync::Round& round);

  /// Without history: executes and commits up to `limit` events before `until`. Returns how many; stops at a
  /// halt.
  unsigned execute_for_good(unsigned limit, Time until);

  /// Nothing before `until` is pending.
  bool is_drained(Time until) {
    const event::EventHeader* e = top();
    return !e || e->time >= until;
  }
  /// The first halt of an executed, uncommitted event.
  const std::optional<sync::HaltAt>& halt() const { return first_halt_; }
  Time last_time() const { return last_committed_; }
  /// Pending events, without those that are cancelled.
  std::uint64_t pending() const { return pending_.size() - cancelled_ + held_.size(); }
  PeReport figures() const;
  /// Something must be dropped before the memory goes: events that this PE sent, or what its history holds.
  bool owns_resources() const { return frame_.owns_resources || history_.size() > 0; }
  /// Committed records that others may still rely on.
  std::uint64_t kept() const { return history_.size() - history_.uncommitted(); }
  /// Drops all events that are left. When no thread runs PEs any more; before any PE is destroyed.
  void discard();
  /// It has stopped for lack of memory.
  bool is_short_of_memory() const { return allowance_.is_short(); }
  /// Most that the PE had at a time, without the LPs.
  std::uint64_t most_bytes() const { return static_cast<std::uint64_t>(allowance_.peak()); }
  /// As if it had sent so many events more: what a run that goes on for years will come to.
  void skip_match_ids(std::uint64_t count) { frame_.next_match.value += count; }
  /// LP types whose states the rollback check could not compare.
  const std::vector<const event::LpOps*>& unchecked() const { return unchecked_; }

  // Between two runs of the same PEs, when no thread runs any.

  /// An event that no LP sends: its sender is the id behind the last LP, `outside` counts its sends. The
  /// caller constructs the payload, then calls `insert_outside`, or `release_outside` if that failed.
  event::EventHeader& make_outside(const event::EventOps& ops, LpId receiver, Time time,
                                   event::LpCounters& outside);
  void insert_outside(event::EventHeader& e);
  void release_outside(event::EventHeader& e) { pool_.release(&e, e.ops->bytes); }
  /// Takes one back that is pending.
  void cancel_outside(event::EventHeader& e) { annihilate(e); }
  /// The run goes on behind the halt that ended it.
  void forget_halts() {
    halts_.clear();
    first_halt_.reset();
  }

  /// Where a PE stands.
  struct Mark {
    lp::Record* newest;
    std::uint64_t newest_index;
    mem::Arena::Mark arena;
    lp::Retention retention;
    std::uint64_t committed;
    Time last_committed, latest;
  };
  /// From now on nothing commits for good.
  void hold();
  /// Precondition: it is holding, and all that was executed is certain.
  Mark mark() const;
  /// Back to the mark, first step: undoes what was executed since, and tells the others. The second, when all
  /// PEs have done the first: hears what the others have taken back.
  void undo_since(const Mark& mark);
  void forget_since(const Mark& mark);
  /// Ends the holding: all that was executed commits.
  void commit_held();

 private:
  friend class Chaos;

  static constexpr std::size_t kPrefetchDistance = 4;  // events
  static constexpr std::size_t kFewCancelled = 4096;   // not worth a purge

  // Forward.
  void commit_start(LpId id);
  void find_own_row();
  unsigned execute_ahead(unsigned limit);
  void run_handler(event::EventHeader& e, const lp::LpRef& lp, lp::Record* record);
  event::UndoKind undo_kind(const event::EventHeader& e) const {
    return copies_always_ ? event::UndoKind::copy : e.ops->undo;
  }
  bool plan_copy(const event::EventHeader& e, const lp::LpRef& lp);
  lp::Record& open_record(event::EventHeader& e, const lp::LpRef& lp, bool has_copy);
  void close_record(lp::Record& record, const event::EventHeader& e, const lp::LpRef& lp);
  static bool needs_guard(const event::EventOps& ops) {
    return ops.undo == event::UndoKind::reverse && ops.may_throw;
  }
  void execute_event(event::EventHeader& e);
  void execute_with_care(event::EventHeader& e, const lp::LpRef& lp);
  void execute_measured(event::EventHeader& e, const lp::LpRef& lp);
  template <class CheckSent>
  void execute_and_commit(event::EventHeader& e, const lp::LpRef& lp, CheckSent&& check_sent);
  void execute_checked(event::EventHeader& e, const lp::LpRef& lp);
  void hand_on(event::EventHeader& e, lp::Record& record);
  void route_sent();
  void route_with_care(event::EventHeader& e, const lp::LpRef& lp, lp::Record& record);
  void route(event::EventHeader& e);
  void prefetch_ahead();
  void widen_own_window();

  // Conservative.
  bool is_conservative() const { return !lookaheads_.empty(); }
  unsigned execute_window(unsigned limit);
  event::EventHeader* pop_certain();
  void check_lookahead(const event::EventHeader& e, const lp::LpRef& lp, lp::Record* record);
  void refuse_undeclared_stop(const event::EventHeader& e);

  // Irrevocable.
  bool put_aside(event::EventHeader& e);
  unsigned execute_certain();
  void unhold(event::EventHeader& e);
  void execute_irrevocable(event::EventHeader& e);
  std::optional<event::EventKey> final_bound(const sync::Round& round) const;

  // Backward.
  std::uint64_t receive_all();
  void accept(event::EventHeader& e);
  void roll_back(lp::LpCell& leader, const event::EventHeader& to);
  template <class Then>
  bool undo_back_to(lp::LpCell& leader, const event::EventHeader& to, Then&& then);
  void coast_forward(const lp::LpCell& leader, std::size_t lost);
  void execute_again(lp::Record& record, const event::LpCounters& expected);
  void blame(lp::Record& record);
  void cancel_sent(lp::Record& record);
  void cancel(event::EventHeader& sent, event::MatchId at_least);
  void annihilate(event::EventHeader& e);
  void annihilate_local();
  void drop(event::EventHeader& e);
  void purge_cancelled();

  // Lazy cancellation.
  void keep_sent(lp::Record& record);
  void confirm_sent(event::EventHeader& e, lp::Record& record);
  void cancel_unconfirmed(const event::EventHeader& e);
  void cancel_all_unconfirmed();
  std::size_t unconfirmed_bytes() const;

  // Broadcasts.
  void set_aside(event::EventHeader& e);
  void expand(event::EventHeader& carrier);
  void recall(event::EventHeader& carrier);
  void fold_carriers(const std::optional<event::EventKey>& bound, Time from);
  void release_carriers(const sync::Round& round);

  // Commit.
  void commit(lp::Record& record);
  void release_committed(std::uint64_t up_to);
  void release_oldest();
  void commit_event(const event::EventHeader& e, event::Effect* effects);
  void run_commit_actions(const event::EventHeader& e, event::Effect* effects);
  template <class Actions>
  void run_at_commit(LpId lp, std::string_view event, Time time, const Actions& actions);
  bool is_below(const event::EventHeader& e, const std::optional<event::EventKey>& bound) const {
    return !bound || e.key() < *bound;
  }
  void commit_below(const std::optional<event::EventKey>& bound, std::uint64_t lag);

  // Sessions.
  void hold_below(const std::optional<event::EventKey>& bound);
  void keep_history(bool wanted);
  void take_back(const lp::Record* record, const std::optional<event::EventKey>& bound, Time from = 0);
  void throw_if_blamed(const std::optional<event::EventKey>& bound) const;
  void refuse_irrevocable(event::EventHeader& e, const lp::LpRef& lp);
  /// The executed events that may still be undone, other than by going back to a mark.
  std::uint64_t uncertain() const {
    return is_holding_ ? history_.newest_index() - held_index_ : history_.uncommitted();
  }
  lp::Record* first_uncertain() const {
    return is_holding_ && last_held_ ? last_held_->next : history_.first_uncommitted();
  }

  // Memory.
  std::uint64_t taken_bytes() const;
  void throw_if_exhausted() const;
  [[noreturn]] void give_up(event::EventHeader& e);
  void settle_memory();
  void check_start_memory();
  bool may_execute_though_short();
  sync::Shortage shortage();
  void retreat(const sync::Round& round);
  void obey(const sync::MemoryOrder& order, const std::optional<event::EventKey>& bound);
  void compact_pending();

  bool has_failed() const { return first_halt_ && first_halt_->halt.kind != event::Halt::Kind::stop; }
  void note_halt(const event::EventHeader& e, LpId lp);
  void forget_halt(const event::EventHeader& e, LpId lp);

  event::EventHeader* top();
  const event::EventHeader* first_waiting();

  /// Whether the LP is this PE's. Mostly without a look at the table of owners, which is large.
  bool owns(LpId id) const { return id - own_first_ < own_count_ || lps_.owner(id) == self_; }

  const PeId self_;
  const bool keeps_history_always_;
  const bool is_alone_;  // the only PE
  const bool copies_always_;
  const bool checks_rollback_;
  const bool cancels_lazily_;
  const unsigned lps_per_group_;
  const std::vector<Time> lookaheads_;  // by LP type; none: not conservative
  lp::LpStore& lps_;
  LpId own_first_ = 0;  // the longest row of own LPs
  std::uint32_t own_count_ = 0;

  mem::Allowance allowance_;
  mem::EventPool pool_;
  mem::Arena arena_;
  lp::History history_;
  lp::Retention retention_;
  rollback::Checkpoints checkpoints_;
  Pending pending_;
  lp::HeldEvents held_;  // popped, but not to be executed yet
  Router router_;
  Inbox inbox_;
  event::Frame frame_;
  event::Frame coasting_;  // of events that are executed again
  mem::Arena scratch_;     // their effects, of which nothing comes
  std::vector<lp::Record*> to_coast_;
  Chaos chaos_;
  bool keeps_history_;
  bool needs_care_;  // the next event is to be checked or measured

  /// What undone events had sent, until they are executed again or cancelled themselves. See pe_lazy.ipp.
  struct Unconfirmed {
    event::EventHeader* newest;
    event::MatchId first_match;  ///< of these
  };
  std::unordered_map<const event::EventHeader*, Unconfirmed> unconfirmed_;
  std::vector<event::EventHeader*> unsent_;  // of the event that was executed: what is not kept from before

  lp::Directory directory_;
  std::deque<event::EventHeader*> carriers_;  // those that were expanded, until GVT has passed them

  unsigned batch_;
  std::uint64_t gvt_interval_;
  std::unique_ptr<sync::AdaptiveTimeWindow> own_window_;  // null: the round's horizon is the only bound
  Time round_horizon_ = 0;
  Time horizon_ = 0;
  std::optional<event::EventKey> certain_;            // the bound of the last round
  std::optional<event::EventKey> after_irrevocable_;  // what sorts before this is not undone any more
  Time latest_ = 0;  // of any event executed so far: what arrives after it is no straggler
  event::EventHeader* to_annihilate_ = nullptr;  // own events taken back, linked by `next`
  std::size_t cancelled_ = 0;                    // cancelled events in the pending set
  std::vector<sync::HaltAt> halts_;              // of executed, uncommitted events
  std::optional<sync::HaltAt> first_halt_;       // the smallest key among them
  Time last_committed_ = 0;
  std::uint64_t executed_at_cut_ = 0;
  std::uint64_t lp_rollbacks_ = 0;  // LPs rolled back, each time
  PeReport figures_;
  std::vector<const event::LpOps*> unchecked_;

  bool is_holding_ = false;
  lp::Record* last_held_ = nullptr;  // the newest that is certain, if the history held any then
  std::uint64_t held_index_ = 0;     // its index
  std::uint64_t committed_before_hold_ = 0;
  std::optional<event::EventKey> first_of_all_;  // only whoever has this event executes
  bool has_run_short_ = false;                   // since the last report
  bool has_no_memory_ = false;                   // the system gave none
  std::uint64_t executed_at_adopt_ = 0;
  std::uint64_t executed_at_compact_ = 0;
  std::size_t pending_overhead_ = 64 << 10;  // bytes beyond an entry per event, when it was last compacted
  std::uint64_t channel_bytes_ = 0;          // of those to other PEs, at the last report
};

}  // namespace anachron::exec

#include "exec/pe_backward.ipp"
#include "exec/pe_broadcast.ipp"
#include "exec/pe_check.ipp"
#include "exec/pe_coast.ipp"
#include "exec/pe_commit.ipp"
#include "exec/pe_conservative.ipp"
#include "exec/pe_forward.ipp"
#include "exec/pe_irrevocable.ipp"
#include "exec/pe_lazy.ipp"
#include "exec/pe_memory.ipp"
#include "exec/pe_session.ipp"
