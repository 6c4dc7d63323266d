#include "fabric/outbox.hpp"

#include <span>
#include <stdexcept>

#include <anachron/event/ops.hpp>

namespace anachron::fabric {

void Outbox::hand_over() {
  std::size_t refused = 0;
  for (const PeId to : touched_) {
    std::vector<Message>& buffer = buffers_[to];
    const std::size_t accepted = port_.hand_over(to, buffer);
    if (keeps_)
      for (const Message message : std::span(buffer).first(accepted)) was_handed_over(message);
    if (accepted == buffer.size()) {
      buffer.clear();
    } else {
      buffer.erase(buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(accepted));
      touched_[refused++] = to;
    }
  }
  touched_.resize(refused);
}

void Outbox::was_handed_over(Message message) {
  event::EventHeader& e = *message.target();
  if (message.cancels() || e.status == event::Status::orphan)
    drop(e);
  else
    e.status = event::Status::away;
}

void Outbox::release(event::EventHeader& e) {
  switch (e.status) {
    case event::Status::outbound:
      e.status = event::Status::orphan;
      return;
    case event::Status::away:
      return drop(e);
    default:
      throw std::logic_error("anachron: internal error: an event is released that was not sent");
  }
}

void Outbox::drop(event::EventHeader& e) {
  if (e.ops->destroy) e.ops->destroy(e);
  pool_.release(&e, e.ops->bytes);
}

std::optional<event::EventKey> Outbox::earliest() const {
  std::optional<event::EventKey> earliest = earliest_;
  for (const PeId to : touched_)
    for (const Message message : buffers_[to])
      if (const event::EventKey key = message.target()->key(); !earliest || key < *earliest) earliest = key;
  return earliest;
}

void Outbox::discard() {
  for (const PeId to : touched_) {
    for (const Message message : buffers_[to]) {
      // What is cancelled and shared is in the receiver's hands. What is kept and was not released is in a
      // history or cancelled: the former drops it.
      const event::Status status = message.target()->status;
      if (keeps_ ? message.cancels() || status == event::Status::orphan : !message.cancels())
        drop(*message.target());
      else if (keeps_)
        message.target()->status = event::Status::away;
    }
    buffers_[to].clear();
  }
  touched_.clear();
}

std::uint64_t Outbox::bytes() const {
  std::uint64_t sum = port_.bytes();
  for (const std::vector<Message>& buffer : buffers_) sum += buffer.capacity() * sizeof(Message);
  return sum;
}

void Outbox::trim() {
  port_.trim();
  for (std::vector<Message>& buffer : buffers_)
    if (buffer.empty()) std::vector<Message>().swap(buffer);
}

}  // namespace anachron::fabric
