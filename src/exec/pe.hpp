// A processing element: LPs, their pending events, their history, and the life of an event between them. One
// thread at a time runs a PE. docs/event-life.md walks through this file.
#pragma once

#include <algorithm>
#include <chrono>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

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
#include "lp/history.hpp"
#include "lp/lp_store.hpp"
#include "lp/retention.hpp"
#include "mem/budget.hpp"
#include "queue/pending_set.hpp"
#include "rollback/check.hpp"
#include "rollback/checkpoints.hpp"
#include "rollback/undo.hpp"
#include "sync/round.hpp"

namespace anachron::exec {

template <queue::PendingSet Pending>
class Pe {
 public:
  /// `keeps_history`: events may be rolled back; else each commits when it has been executed.
  Pe(PeId self, const Config& config, lp::LpStore& lps, Router router, Inbox inbox, bool keeps_history,
     mem::Budget& budget);
  Pe(const Pe&) = delete;
  Pe& operator=(const Pe&) = delete;

  mem::EventPool& pool() { return pool_; }

  /// Constructs the LPs and runs their `start`.
  void start();

  /// Takes in what other PEs sent: new events, which may be stragglers, and cancellations. Returns how many
  /// there were.
  std::uint64_t receive();
  /// Executes up to `limit` events below the horizon, smallest key first. Returns how many.
  unsigned execute(unsigned limit);
  /// Makes what was sent visible to the others.
  void publish() { router_.publish(); }

  /// Whether enough has happened since the last GVT round to begin another.
  bool is_due_for_gvt() const { return figures_.executed - executed_at_cut_ >= gvt_interval_; }
  void begin_cut();
  sync::Summary summary();
  /// Commits what is below the round's bound and takes its horizon.
  void adopt(const sync::Round& round);
  /// After the last round: commits everything below the bound, takes the rest back.
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
  std::uint64_t pending() const { return pending_.size() - cancelled_; }
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
  /// LP types whose states the rollback check could not compare.
  const std::vector<const event::LpOps*>& unchecked() const { return unchecked_; }

 private:
  friend class Chaos;

  static constexpr std::uint64_t kGvtInterval = 512;   // events
  static constexpr std::size_t kPrefetchDistance = 4;  // events
  static constexpr std::size_t kFewCancelled = 4096;   // not worth a purge

  // Forward.
  void find_own_row();
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
  void execute_and_commit(event::EventHeader& e, const lp::LpRef& lp);
  void execute_checked(event::EventHeader& e, const lp::LpRef& lp);
  void route_sent();
  void prefetch_ahead();

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
  void annihilate(event::EventHeader& e);
  void annihilate_local();
  void drop(event::EventHeader& e);
  void purge_cancelled();

  // Commit.
  void commit(lp::Record& record);
  void release_committed(std::uint64_t up_to);
  void release_oldest();
  void commit_event(const event::EventHeader& e, event::Effect* effects);
  void run_commit_actions(const event::EventHeader& e, event::Effect* effects);
  bool is_below(const event::EventHeader& e, const std::optional<event::EventKey>& bound) const {
    return !bound || e.key() < *bound;
  }
  void take_back_the_rest(const sync::Round& round);

  // Memory.
  std::uint64_t taken_bytes() const;
  void check_start_memory();
  bool may_execute_though_short();
  sync::Shortage shortage();
  void retreat(const sync::Round& round);
  void obey(const sync::MemoryOrder& order, const std::optional<event::EventKey>& bound);
  void compact_pending();

  bool has_failed() const { return first_halt_ && first_halt_->halt.kind == event::Halt::Kind::fault; }
  void note_halt(const event::EventHeader& e);
  void forget_halt(const event::EventHeader& e);

  event::EventHeader* top();

  /// Whether the LP is this PE's. Mostly without a look at the table of owners, which is large.
  bool owns(LpId id) const { return id - own_first_ < own_count_ || lps_.owner(id) == self_; }

  const PeId self_;
  const bool keeps_history_;
  const bool copies_always_;
  const bool checks_rollback_;
  const unsigned lps_per_group_;
  const std::uint64_t gvt_interval_;
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
  Router router_;
  Inbox inbox_;
  event::Frame frame_;
  event::Frame coasting_;  // of events that are executed again
  mem::Arena scratch_;     // their effects, of which nothing comes
  std::vector<lp::Record*> to_coast_;
  Chaos chaos_;
  bool needs_care_;  // the next event is to be checked or measured

  Time horizon_ = 0;
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

  std::optional<event::EventKey> first_of_all_;  // only whoever has this event executes
  bool has_run_short_ = false;                   // since the last report
  std::uint64_t executed_at_adopt_ = 0;
  std::uint64_t executed_at_compact_ = 0;
  std::size_t pending_overhead_ = 64 << 10;  // bytes beyond an entry per event, when it was last compacted
  std::uint64_t channel_bytes_ = 0;          // of those to other PEs, at the last report
};

}  // namespace anachron::exec

#include "exec/pe_backward.ipp"
#include "exec/pe_check.ipp"
#include "exec/pe_coast.ipp"
#include "exec/pe_commit.ipp"
#include "exec/pe_forward.ipp"
#include "exec/pe_memory.ipp"
