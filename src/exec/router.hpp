// The way out of a PE: events and cancellations for other PEs go into the channel to their owner.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "exec/message.hpp"

namespace anachron::exec {

class Router {
 public:
  /// `channels[pe]` leads to that PE; the PE's own is null.
  explicit Router(std::vector<Channel*> channels) : channels_(std::move(channels)) {}

  void send(PeId to, event::EventHeader* e) { push(to, Message::event(e), *e); }
  void cancel(PeId to, event::EventHeader* e) { push(to, Message::cancellation(e), *e); }

  /// Makes all that was pushed visible to the receivers.
  void publish() {
    for (const PeId to : touched_) {
      channels_[to]->publish();
      is_touched_[to] = 0;
    }
    touched_.clear();
  }

  /// Smallest key pushed since `forget_earliest`: what a GVT round must count as in transit.
  std::optional<event::EventKey> earliest() const { return earliest_; }
  void forget_earliest() { earliest_.reset(); }

  /// Frees what the channels hold and do not need now.
  void trim() {
    for (Channel* channel : channels_)
      if (channel) channel->trim();
  }
  /// Memory of the channels. O(PEs).
  std::uint64_t bytes() const {
    std::uint64_t sum = 0;
    for (const Channel* channel : channels_)
      if (channel) sum += channel->bytes();
    return sum;
  }

 private:
  void push(PeId to, Message message, const event::EventHeader& e) {
    channels_[to]->push(message);
    if (!is_touched_[to]) {
      is_touched_[to] = 1;
      touched_.push_back(to);
    }
    if (!earliest_ || (e.time <= earliest_->time && e.key() < *earliest_)) earliest_ = e.key();
  }

  std::vector<Channel*> channels_;
  std::vector<PeId> touched_;
  std::vector<char> is_touched_ = std::vector<char>(channels_.size());
  std::optional<event::EventKey> earliest_;
};

}  // namespace anachron::exec
