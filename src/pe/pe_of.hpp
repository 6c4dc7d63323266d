// How a processing element works: forward, backward, commit. docs/event-life.md walks through this file and
// its parts.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <new>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <anachron/base/config.hpp>
#include <anachron/base/error.hpp>

#include "comm/fabric/outbox.hpp"
#include "gvt/interval_controller.hpp"
#include "lp/history.hpp"
#include "lp/own_lps.hpp"
#include "mem/allocator.hpp"
#include "observe/watch.hpp"
#include "pe/parts/chaos.hpp"
#include "pe/parts/digest.hpp"
#include "pe/parts/fault_log.hpp"
#include "pe/parts/frontier.hpp"
#include "pe/parts/horizon.hpp"
#include "pe/parts/irrevocable_gate.hpp"
#include "pe/parts/lazy_cancellation.hpp"
#include "pe/parts/memory_pressure.hpp"
#include "pe/parts/multicast.hpp"
#include "pe/parts/retraction_sweep.hpp"
#include "pe/parts/rewind_interval.hpp"
#include "pe/parts/send_buffer.hpp"
#include "pe/parts/send_rules.hpp"
#include "pe/parts/state_saving.hpp"
#include "pe/pe.hpp"
#include "queue/pending_set.hpp"
#include "rollback/check.hpp"
#include "rollback/undo.hpp"

namespace anachron::pe {

/// What does not change while a PE lives.
struct Settings {
  SyncMode mode;    ///< the usual one
  Keeping keeping;  ///< on that, unless a session holds a stretch; on others nothing
  PesOfRanks pes;
  bool is_alone;  ///< the only PE
  bool copies_always;
  bool checks_rollback;
  bool cancels_lazily;
  unsigned lps_per_group;
};

template <queue::PendingSet Pending>
class PeOf final : public Pe, private fabric::Sink {
 public:
  PeOf(PeId self, const Config& config, lp::LpStore& lps, fabric::Fabric& fabric, Keeping keeping,
       mem::Budget& budget, const SendRules* rules, const observe::Watchers& watchers, const PesOfRanks& pes);

  PeId id() const override { return lps_.self(); }
  std::size_t index() const override { return settings_.pes.own.index_of(id()); }
  void start() override;
  std::uint64_t receive() override;
  std::uint64_t receive_all() override { return outbox_.port().drain(*this); }
  unsigned execute(unsigned limit) override;
  void publish() override { outbox_.publish(); }
  bool has_mail() const override { return outbox_.has_mail(); }
  event::Running running() override { return frame_.running(); }
  unsigned batch() const override { return progress_.batch; }
  std::uint64_t gvt_interval() const override { return progress_.gvt_interval; }
  bool is_due_for_gvt() const override {
    return figures_.executed - progress_.executed_at_cut >= progress_.gvt_interval;
  }
  void begin_cut() override;
  gvt::Summary summary() override;
  void adopt(const gvt::Round& round) override;
  void settle(const gvt::Round& round) override;
  unsigned execute_for_good(unsigned limit, Time until) override;
  bool is_drained(Time until) override {
    const event::EventHeader* e = top();
    return !e || e->time >= until;
  }
  const std::optional<HaltAt>& halt() const override { return fault_log_.first(); }
  const std::optional<HaltAt>& ending() const override { return fault_log_.ending(); }
  Time last_time() const override { return progress_.committed; }
  Time reached() const override { return progress_.frontier.time(); }
  std::uint64_t pending() const override {
    return pending_.size() - cancelled_.waiting + gate_.size() + rewind_interval_.has_refused();
  }
  PeReport figures() const override;
  std::uint64_t undone() const override { return figures_.rolled_back; }
  std::uint64_t pool_bytes_on(std::size_t node) const override { return pool_.bytes_on(node); }
  const std::vector<rollback::Unchecked>& unchecked() const override { return unchecked_; }
  bool is_short_of_memory() const override { return memory_.is_short(); }
  std::uint64_t most_bytes() const override { return memory_.most_bytes(); }
  std::uint64_t most_single_bytes() const override { return memory_.most_single_bytes(); }
  void skip_match_ids(std::uint64_t count) override { frame_.next_match.value += count; }
  std::uint64_t kept() const override { return history_.size() - history_.uncommitted(); }

  bool owns_resources() const override { return frame_.owns_resources || history_.size() > 0; }
  void discard() override;
  void forget_halts() override;
  event::EventHeader& make_outside(const event::EventOps& ops, LpId receiver, Time time, Order among,
                                   event::LpCounters& outside) override;
  void insert_outside(event::EventHeader& e) override;
  void release_outside(event::EventHeader& e) override { pool_.release(&e, e.ops->bytes); }
  void cancel_outside(event::EventHeader& e) override { annihilate(e); }
  void hold() override;
  PeMark mark() const override;
  void undo_since(const PeMark& mark) override;
  void forget_since(const PeMark& mark) override;
  void commit_held() override;
  void forget_undone() override;
  void set_mode(SyncMode mode) override;
  void give_away(const std::function<bool(event::EventHeader&)>& to) override;
  bool import_event(event::EventHeader& e) override;
  std::uint64_t newest_index() const override { return history_.newest_index(); }
  void number_history_from(std::uint64_t index) override;

 private:
  friend class Chaos;

  static constexpr std::size_t kPrefetchDistance = 4;  // events
  // What a core's cache holds beside pending events: with more in it, it pays to fetch LPs ahead, with less
  // it costs 4%.
  static constexpr std::uint64_t kCached = std::uint64_t{768} << 10;
  static constexpr std::size_t kFewCancelled = 4096;  // not worth a purge

  // Start: phases/start.ipp.
  void commit_start(LpId id);

  // Forward: phases/forward.ipp.
  unsigned execute_ahead(unsigned limit);
  unsigned execute_certain();
  void run_handler(event::EventHeader& e, const lp::LpRef& lp, lp::Record* record);
  event::UndoKind undo_kind(const event::EventHeader& e) const {
    return settings_.copies_always ? event::UndoKind::copy : e.ops->undo;
  }
  ANACHRON_INLINE bool plan_copy(const event::EventHeader& e, const lp::LpRef& lp) {
    const bool is_by_copy = e.ops->undo == event::UndoKind::copy || settings_.copies_always;
    return saving_.plan_copy(is_by_copy, lp, history_);
  }
  lp::Record& open_record(event::EventHeader& e, const lp::LpRef& lp, bool has_copy);
  void close_record(lp::Record& record, const event::EventHeader& e, const lp::LpRef& lp);
  /// The handler may throw before it returns its reverser, so while it runs there is a copy.
  bool needs_guard(const event::EventHeader& e, const event::LpOps& ops) const {
    return e.ops->may_throw_unreversed && !settings_.copies_always && ops.is_copyable();
  }
  template <bool kWatched>
  unsigned execute_in_order(unsigned limit, Time until);
  template <bool kWatched>
  void execute_event(event::EventHeader& e);
  void execute_irrevocable(event::EventHeader& e);
  void execute_with_care(event::EventHeader& e, const lp::LpRef& lp);
  void execute_measured(event::EventHeader& e, const lp::LpRef& lp);
  template <bool kWatched, class CheckSent>
  void execute_and_commit(event::EventHeader& e, const lp::LpRef& lp, CheckSent&& check_sent);
  void hand_on(lp::Record& record);
  void hand_on_difference(lp::Record& record);
  void route_with_care(const event::EventHeader& e, const lp::LpRef& lp, lp::Record& record);
  void prefetch_ahead();
  bool pass_over(event::EventHeader& e);
  void expand(event::EventHeader& carrier);
  bool puts_aside(event::EventHeader& e);
  void refuse_irrevocable(event::EventHeader& e);
  void note_halt(const event::EventHeader& e, LpId lp);

  // Routing: phases/route.ipp.
  void route_sent();
  void route(event::EventHeader& e);
  void route_sent_later();
  [[gnu::noinline]] void sort_out();
  event::EventHeader* pop_below(Time bound);

  // Conservative: phases/conservative.ipp.
  template <bool kWatched>
  unsigned execute_window(unsigned limit);
  event::EventHeader* pop_certain();
  void check_lookahead(const event::EventHeader& e, const lp::LpRef& lp, lp::Record* record);

  // Retractions: phases/retract.ipp.
  bool execute_retraction(event::EventHeader& retraction);
  event::EventHeader* take_target(event::EventHeader& retraction);
  void give_back(event::EventHeader& retraction);
  void undo_retraction_of(const event::EventHeader& e);
  void drop_target(event::EventHeader& retraction);
  void record_retraction(event::EventHeader& retraction);
  void sweep_retractions(Time certain_before);
  void sweep_share(Time certain_before);
  bool is_for_one_aside(event::EventHeader& retraction);

  // The rollback check: phases/check.ipp.
  void execute_checked(event::EventHeader& e, const lp::LpRef& lp);

  // Backward: phases/backward.ipp.
  void take(std::span<const fabric::Message>& messages) override;
  mem::EventPool& pool() override { return pool_; }
  void accept(event::EventHeader& e);
  void roll_back(lp::LpCell& leader, const event::EventHeader& to, observe::Cause cause);
  void attribute_rollback(LpId sender);
  void undo(lp::Record& record, const event::EventHeader& e, lp::LpCell& cell);
  void coast_forward(const lp::LpCell& leader, std::size_t lost);
  void cancel_sent(event::EventHeader* newest);
  void cancel(event::EventHeader& sent);
  void annihilate(event::EventHeader& e);
  void annihilate_list(event::EventHeader* list);
  void annihilate_local();
  void cancel_all_unconfirmed();
  void drop(event::EventHeader& e);
  void purge_cancelled();
  void release_aside(event::EventHeader& e);
  void take_back(const lp::Record* record, const std::optional<event::EventKey>& bound, Time from = 0);
  void fold_carriers(const std::optional<event::EventKey>& bound, Time from);
  void throw_if_failed_below(const std::optional<event::EventKey>& bound) const;

  // Commit: phases/commit.ipp.
  // kWatched: somebody is told of what commits. A parameter, so that nobody else's events are asked for it.
  void commit_below(const std::optional<event::EventKey>& bound, std::uint64_t lag);
  template <bool kWatched>
  void commit_below_as(const std::optional<event::EventKey>& bound, std::uint64_t lag);
  void hold_below(const std::optional<event::EventKey>& bound);
  void count_waiting_blocks();
  std::optional<event::EventKey> committed_below(std::optional<event::EventKey> bound) const;
  template <bool kWatched>
  void commit_and_release_below(const std::optional<event::EventKey>& bound);
  template <bool kWatched>
  void commit(lp::Record& record);
  void release_committed(std::uint64_t up_to);
  void release_oldest();
  void release(lp::Record& record);
  void free_unseen(lp::Record& record);
  template <bool kWatched>
  void commit_event(const event::EventHeader& e, event::Effect* effects);
  void run_commit_actions(const event::EventHeader& e, event::Effect* effects);
  template <class Actions>
  void run_at_commit(LpId lp, std::string_view event, Time time, const Actions& actions);
  /// Precondition: the event was not undone. Reads it only if it is at the bound's time.
  static bool is_below(const lp::Record& record, const std::optional<event::EventKey>& bound) {
    if (!bound || record.time < bound->time) return true;
    return record.time == bound->time && record.event->key() < *bound;
  }
  std::optional<event::EventKey> final_bound(const gvt::Round& round) const;
  void release_below(const std::optional<event::EventKey>& bound);
  void keep(Keeping wanted);
  void foresee_misses();
  void forget_committed();
  std::int64_t taken_bytes() const;
  void throw_if_exhausted() const;
  [[noreturn]] void give_up(event::EventHeader& e);
  void retreat(const gvt::Round& round);
  void obey(const gvt::MemoryOrder& order, const std::optional<event::EventKey>& bound);
  void compact_pending();

  // Consolidation: phases/consolidation.ipp.
  void enter(SyncMode mode);
  Keeping usual_keeping() const;
  bool can_sort_later() const;

  bool keeps_history() const { return execution_.keeping == Keeping::history; }
  /// The executed events that may still be undone, other than by going back to a mark.
  std::uint64_t uncertain() const {
    return rewind_interval_.is_on() ? rewind_interval_.uncertain(history_) : history_.uncommitted();
  }
  lp::Record* first_uncertain() const {
    return rewind_interval_.is_on() ? rewind_interval_.first_uncertain(history_)
                                    : history_.first_uncommitted();
  }
  event::EventHeader* top();
  const event::EventHeader* first_waiting();
  lp::LpCell* group_of(const event::EventHeader& e) const { return lps_->cell(e.receiver).leader; }

  const Settings settings_;
  struct Execution {
    Keeping keeping;
    SyncMode mode = SyncMode::ahead;
    const SendRules* rules = nullptr;  // for what is executed now; null: there are none
    bool sorts_later = false;          // what is sent waits in the send buffer for a while
    bool needs_care = false;           // the next event is to be checked or measured
    bool fetches_lps = false;          // they may have left the cache when their turn comes
  } execution_;
  lp::OwnLps lps_;
  MemoryPressure memory_;
  mem::EventPool pool_;
  mem::Arena arena_;
  lp::History history_;
  StateSaving saving_;
  Pending pending_;
  fabric::Outbox outbox_;
  SendBuffer send_buffer_;
  event::Frame frame_;
  const SendRules* const rules_;  // of windows; null: there are none
  FaultLog fault_log_;
  RewindInterval rewind_interval_;
  Horizon horizon_;
  IrrevocableGate gate_;
  LazyCancellation lazy_;
  Multicast multicast_;
  RetractionSweep retraction_sweep_;
  Chaos chaos_;
  observe::Watch watch_;
  PeReport figures_;
  std::vector<rollback::Unchecked> unchecked_;
  struct Advance {
    Frontier frontier{};
    Time committed = 0;  // of any committed event
    unsigned batch;
    std::uint64_t gvt_interval;
    std::uint64_t executed_at_cut = 0;
    std::uint64_t way_out_bytes = 0;  // memory of what leads to other PEs, at the last report
  } progress_;
  struct Cancelled {
    event::EventHeader* list = nullptr;  // own events taken back, to be annihilated, linked by `next`
    std::size_t waiting = 0;             // cancelled events in the pending set
  } cancelled_;
};

}  // namespace anachron::pe

#include "pe/phases/backward.ipp"
#include "pe/phases/check.ipp"
#include "pe/phases/commit.ipp"
#include "pe/phases/conservative.ipp"
#include "pe/phases/consolidation.ipp"
#include "pe/phases/forward.ipp"
#include "pe/phases/retract.ipp"
#include "pe/phases/route.ipp"
#include "pe/phases/session.ipp"
#include "pe/phases/start.ipp"
