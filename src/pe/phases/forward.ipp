// PeOf, forward: from the pending set through the handler.
#pragma once

#include <algorithm>

#include "pe/pe_of.hpp"
#include "pe/phases/one_event.hpp"

namespace anachron::pe {

template <queue::PendingSet Pending>
PeOf<Pending>::PeOf(const PeSetup& setup) : PeCore(setup, this->pending_set) {}

template <queue::PendingSet Pending>
PeOf<Pending>::~PeOf() = default;

/// Optimistically: what is executed may be undone.
template <queue::PendingSet Pending>
unsigned PeOf<Pending>::execute_ahead(unsigned limit) {
  if (saving_.checkpoints().wants_sample(figures_.executed)) [[unlikely]]
    execution_.needs_care = true;
  unsigned count = gate_.empty() ? 0 : execute_certain();
  while (count < limit && !memory_.is_short()) {
    event::EventHeader* const e = pop_below(horizon_.time());
    if (!e) break;
    if (e->status != event::Status::pending) [[unlikely]] {
      if (!pass_over(*e)) break;
      continue;
    }
    if (horizon_.defers(*e) || (!fault_log_.empty() && fault_log_.forbid(e->key()))) [[unlikely]] {
      set().insert(e);
      break;
    }
    prefetch_ahead();
    if (e->ops->irrevocable || !gate_.empty()) [[unlikely]] {
      if (puts_aside(*e)) continue;
      if (e->ops->irrevocable) {
        execute_irrevocable(*e);
        ++count;
        continue;
      }
    }
    execute_event<false>(*e);
    ++count;
  }
  sort_out();
  if (horizon_.has_own_window() && count < limit) [[unlikely]]
    if (const event::EventHeader* e = top()) horizon_.waits(e->time);
  return count;
}

template <queue::PendingSet Pending>
template <bool kWatched>
unsigned PeOf<Pending>::execute_in_order_as(unsigned limit, Time until) {
  unsigned count = 0;
  while (count < limit && fault_log_.empty() && !memory_.is_short()) {
    event::EventHeader* const e = set().pop_below(until);
    if (!e) break;
    if (e->status != event::Status::pending) [[unlikely]] {
      if (!pass_over(*e)) break;
    } else {
      prefetch_ahead();
      if (rewind_interval_.is_on() && e->ops->irrevocable) [[unlikely]] {
        refuse_irrevocable(*e);
        break;
      }
      execute_event<kWatched>(*e);
      ++count;
    }
    if (keeps_history() && !fault_log_.has_failed()) adopt({});
  }
  return count;
}

/// Without history: executes and commits. What another LP can still influence is never executed, but if the
/// run fails, events up to a window after the failing one may have committed.
template <queue::PendingSet Pending>
template <bool kWatched>
unsigned PeOf<Pending>::execute_window(unsigned limit) {
  unsigned count = 0;
  while (count < limit && !memory_.is_short()) {
    event::EventHeader* const e = pop_certain();
    if (!e) break;
    if (e->status != event::Status::pending) [[unlikely]] {
      if (!pass_over(*e)) break;
      continue;
    }
    if (!fault_log_.empty() && fault_log_.forbid(e->key())) [[unlikely]] {
      set().insert(e);
      break;
    }
    prefetch_ahead();
    const lp::LpRef lp = lps_->at(e->receiver);
    progress_.frontier.pass(*e);
    execute_and_commit<kWatched>(*e, lp, [&] { check_lookahead(*e, lp, nullptr); });
    ++count;
  }
  return count;
}

/// The next event before the bound.
template <queue::PendingSet Pending>
ANACHRON_INLINE event::EventHeader* PeOf<Pending>::pop_below(Time bound) {
  if (event::EventHeader* const e = set().pop_below(std::min(bound, send_buffer_.earliest()))) return e;
  if (send_buffer_.is_empty()) return nullptr;
  sort_out();
  return set().pop_below(bound);
}

/// The first event before the horizon or, where that does not lie beyond GVT, the one at the bound.
template <queue::PendingSet Pending>
event::EventHeader* PeOf<Pending>::pop_certain() {
  if (event::EventHeader* const e = set().pop_below(horizon_.time())) return e;
  if (!gate_.certain() || horizon_.time() > gate_.certain()->time) return nullptr;
  event::EventHeader* const first = set().top();
  if (!gate_.is_certain(first)) return nullptr;
  set().pop();
  return first;
}

/// The pending set has fetched the headers of the next events; their LPs follow.
template <queue::PendingSet Pending>
ANACHRON_INLINE void PeOf<Pending>::prefetch_ahead() {
  if (!execution_.fetches_lps) return;
  if (const event::EventHeader* soon = set().soon(kPrefetchDistance)) lps_->fetch_for(*soon);
}

template <queue::PendingSet Pending>
template <bool kWatched>
ANACHRON_INLINE void PeOf<Pending>::execute_event(event::EventHeader& e) {
  const lp::LpRef lp = lps_->at(e.receiver);
  progress_.frontier.pass(e);
  if (!keeps_history()) {
    return execute_and_commit<kWatched>(e, lp, [&] {
      if (execution_.needs_care && execution_.rules) [[unlikely]]
        check_lookahead(e, lp, nullptr);
    });
  }
  if (execution_.needs_care) [[unlikely]]
    return execute_with_care(e, lp);
  lp::Record& record = open_record(e, lp, plan_copy(e, lp));
  run_handler(e, lp, &record);
  hand_on(record);
}

/// `check_sent()` is called between the handler and the routing of what it sent.
template <queue::PendingSet Pending>
template <bool kWatched, class CheckSent>
ANACHRON_INLINE void PeOf<Pending>::execute_and_commit(event::EventHeader& e, const lp::LpRef& lp,
                                                       CheckSent&& check_sent) {
  run_handler(e, lp, nullptr);
  check_sent();
  struct Executed {  // ends here also when an action at commit throws
    PeOf& pe;
    event::EventHeader& e;
    event::Effect* effects;
    ANACHRON_INLINE ~Executed() {
      if (effects) [[unlikely]] {
        rollback::destroy_effects(effects);
        pe.arena_.clear();
      }
      pe.drop(e);
    }
  } const executed{*this, e, frame_.effects};
  route_sent();
  if (!fault_log_.has_failed()) commit_event<kWatched>(e, executed.effects);
}

/// Takes care of what was popped and is no event of the model's: cancelled events, multicasts, retractions.
/// Returns whether the PE may go on.
template <queue::PendingSet Pending>
bool PeOf<Pending>::pass_over(event::EventHeader& e) {
  if (e.status == event::Status::cancelled) {
    --cancelled_.waiting;
    drop(e);
    return true;
  }
  sort_out();  // for what is undone now
  if (e.status == event::Status::retraction) return execute_retraction(e);
  expand(e);
  return true;
}

}  // namespace anachron::pe
