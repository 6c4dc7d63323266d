#include "comm/fabric/outbox.hpp"

#include <algorithm>
#include <span>
#include <stdexcept>

#include <anachron/base/platform.hpp>
#include <anachron/event/ops.hpp>

#include "comm/fabric/baselines/copy_event.hpp"

namespace anachron::fabric {
namespace {

void take_first(std::optional<event::EventKey>& first, const event::EventKey& key) {
  if (!first || key < *first) first = key;
}

}  // namespace

void Outbox::hand_over() {
  std::size_t refused = 0;
  for (const PeId to : touched_) {
    std::vector<Message>& buffer = buffers_[to];
    if (is_far(to)) port_.promise(to, promised_[to]);
    const std::size_t accepted = port_.hand_over(to, buffer);
    if (is_far(to))
      for (const Message message : std::span(buffer).first(accepted)) was_handed_over(message);
    if (accepted == buffer.size()) {
      count(to);
      buffer.clear();
    } else {
      buffer.erase(buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(accepted));
      touched_[refused++] = to;
    }
  }
  touched_.resize(refused);
  was_refused_ = refused > 0;
}

void Outbox::keep(PeId to, event::EventHeader& e, Time cause) {
  e.status = event::Status::outbound;
  kept_.push_back({&e, cause, to});
}

void Outbox::was_handed_over(Message message) {
  event::EventHeader& e = *message.target();
  if (message.cancels()) {
    e.status = event::Status::gone;
    return;
  }
  if (e.status == event::Status::orphan) return drop_event(e, pool_);
  if (originals_ == Originals::to_cancel) end_payload(e);
  if (e.status == event::Status::outbound) e.status = event::Status::away;
}

void Outbox::release_before(Time cause) {
  constexpr std::size_t kAnnounced = 8;
  for (; !kept_.empty(); kept_.pop_front()) {
    if (kept_.size() > kAnnounced) prefetch(kept_[kAnnounced].event);
    event::EventHeader& e = *kept_.front().event;
    if (e.status == event::Status::gone) {
      drop_original(e);
    } else if (e.status == event::Status::recalled || !(kept_.front().cause < cause)) {
      return;
    } else if (e.status == event::Status::outbound) {
      e.status = event::Status::orphan;
    } else {
      drop_original(e);
    }
    ++promised_[kept_.front().to];
  }
}

void Outbox::forget_since(std::size_t kept) {
  for (; kept_.size() > kept; kept_.pop_back()) {
    event::EventHeader& e = *kept_.back().event;
    if (e.status != event::Status::gone)
      throw std::logic_error("anachron: internal error: an event that was taken back is still to be sent");
    drop_original(e);
  }
}

void Outbox::end_payload(event::EventHeader& e) {
  if (e.ops->destroy) e.ops->destroy(e);
}

void Outbox::drop_original(event::EventHeader& e) {
  if (originals_ == Originals::to_compare) end_payload(e);
  pool_.release(&e, e.ops->bytes);
}

void Outbox::cut() {
  earliest_ = refused();
  held_retraction_ = std::any_of(touched_.begin(), touched_.end(), [this](PeId to) {
    return std::any_of(buffers_[to].begin(), buffers_[to].end(), [](const Message message) {
      return message.cancels() && message.target()->retracts();
    });
  });
  on_its_way_.reset();
  // When it is accepted before the report, it is not refused any more, and arrives after the round.
  for (const PeId to : touched_)
    if (is_elsewhere(to))
      for (const Message message : buffers_[to]) take_first(on_its_way_, first_affected(*message.target()));
  port_.cut();
}

std::optional<event::EventKey> Outbox::refused() const {
  std::optional<event::EventKey> first;
  for (const PeId to : touched_)
    for (const Message message : buffers_[to]) take_first(first, first_affected(*message.target()));
  return first;
}

void Outbox::discard() {
  for (const PeId to : touched_) {
    for (const Message message : buffers_[to]) {
      // What is cancelled and shared is in the receiver's hands.
      if (message.cancels()) continue;
      event::EventHeader& e = *message.target();
      if (!is_far(to) || e.status == event::Status::orphan)
        drop_event(e, pool_);
      else if (originals_ == Originals::to_cancel)
        end_payload(e);  // the rest goes with what is kept
    }
    buffers_[to].clear();
  }
  touched_.clear();
  was_refused_ = false;
  for (const Kept& kept : kept_) drop_original(*kept.event);
  kept_.clear();
  port_.discard();
}

std::uint64_t Outbox::bytes() const {
  std::uint64_t sum = counted_bytes_ + port_.bytes() + kept_.size() * sizeof(Kept) +
                      promised_.size() * sizeof promised_.front();
  for (const PeId to : touched_) sum += (buffers_[to].capacity() - counted_[to]) * sizeof(Message);
  return sum;
}

void Outbox::count(PeId to) {
  const std::size_t room = buffers_[to].capacity();
  counted_bytes_ += (room - counted_[to]) * sizeof(Message);
  counted_[to] = room;
}

void Outbox::trim() {
  port_.trim();
  for (std::size_t to = 0; to < buffers_.size(); ++to) {
    if (!buffers_[to].empty()) continue;
    std::vector<Message>().swap(buffers_[to]);
    count(static_cast<PeId>(to));
  }
}

}  // namespace anachron::fabric
