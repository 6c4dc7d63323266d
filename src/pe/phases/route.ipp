// PeOf, routing: what handlers and other PEs have sent, to the own pending set or to other PEs.
#pragma once

#include <algorithm>
#include <span>

#include "pe/pe_of.hpp"
#include "pe/phases/one_event.hpp"

namespace anachron::pe {

template <queue::PendingSet Pending>
ANACHRON_INLINE void PeOf<Pending>::hand_on(lp::Record& record) {
  if (!lazy_.empty()) [[unlikely]]
    return hand_on_difference(record);
  execution_.sorts_later ? route_sent_later() : route_sent();
}

template <queue::PendingSet Pending>
ANACHRON_INLINE void PeOf<Pending>::route_sent() {
  for (event::EventHeader* e = frame_.sent; e;) {
    event::EventHeader* const next = e->next;
    route(*e);
    e = next;
  }
  if (cancelled_.list) [[unlikely]]
    annihilate_local();
}

/// To the own pending set or to another PE.
template <queue::PendingSet Pending>
ANACHRON_INLINE void PeOf<Pending>::route(event::EventHeader& e) {
  ++figures_.sent;
  if (lps_.own(e.receiver)) return accept(e);
  ++figures_.sent_remote;
  outbox_.send(lps_->host(e.receiver), e, frame_.now);
}

/// The same, soon.
template <queue::PendingSet Pending>
ANACHRON_INLINE void PeOf<Pending>::route_sent_later() {
  for (event::EventHeader* e = frame_.sent; e;) {
    event::EventHeader* const next = e->next;
    if (send_buffer_.is_full()) sort_out();
    lps_->fetch_owner(e->receiver);
    send_buffer_.put(*e);
    e = next;
  }
}

/// Empties the send buffer: to the own pending set and to other PEs. Events for other PEs go first, because a
/// cancellation must not overtake its event. Events for this PE are pending before anything is undone.
/// `undo_if_straggler` decides which candidates are stragglers. Lazy cancellation does not use the buffer.
template <queue::PendingSet Pending>
void PeOf<Pending>::sort_out() {
  if (send_buffer_.is_empty()) return;
  SendBuffer::Events own, others, candidates;
  const std::span<event::EventHeader* const> events = send_buffer_.events();
  const std::size_t count_own = lps_.split(events, own, others);
  const std::size_t count_others = events.size() - count_own;
  send_buffer_.clear();
  figures_.sent += count_own + count_others;
  figures_.sent_remote += count_others;
  for (event::EventHeader* const e : std::span(others).first(count_others))
    outbox_.send(lps_->host(e->receiver), *e, frame_.now);
  std::size_t late = 0;  // candidates
  const Frontier frontier = progress_.frontier;
  for (event::EventHeader* const e : std::span(own).first(count_own)) {
    candidates[late] = e;
    late += frontier.may_precede(*e);
    set().insert(e);
  }
  if (late > 0) [[unlikely]] {
    for (event::EventHeader* const e : std::span(candidates).first(late))
      undo_if_straggler(*group_of(*e), *e, observe::Cause::message);
    annihilate_local();
  }
}

template <queue::PendingSet Pending>
void PeOf<Pending>::take(std::span<const fabric::Message>& messages) {
  constexpr std::size_t kAnnounced = 16;
  for (const fabric::Message message : messages.first(std::min(kAnnounced, messages.size())))
    prefetch(message.target());
  while (!messages.empty()) {
    if (messages.size() > kAnnounced) prefetch(messages[kAnnounced].target());
    const fabric::Message message = messages.front();
    messages = messages.subspan(1);  // first: what fails must not come again
    if (message.cancels()) {
      annihilate(*message.target());
    } else {
      if (message.target()->status == event::Status::retraction) [[unlikely]]
        ++frame_.retractions;
      accept(*message.target());
    }
    if (cancelled_.list) [[unlikely]]
      annihilate_local();
  }
}

template <queue::PendingSet Pending>
ANACHRON_INLINE void PeOf<Pending>::accept(event::EventHeader& e) {
  if (progress_.frontier.may_precede(e) && keeps_history()) [[unlikely]] {
    if (settings_.cancels_lazily && !e.retracts())
      undo_retraction_of(e);
    else
      undo_if_straggler(*group_of(e), e, observe::Cause::message);
  }
  set().insert(&e);
}

}  // namespace anachron::pe
