// What travels between PEs of one process: a pointer to an event, sent or taken back.
#pragma once

#include <cstdint>

#include <anachron/event/header.hpp>

#include "chan/spsc_channel.hpp"

namespace anachron::exec {

/// The events themselves are shared, not copied. A cancellation follows its event through the same channel,
/// so it always finds it; and the event lives until then, because nothing below GVT is ever cancelled.
class Message {
 public:
  Message() = default;
  static Message event(event::EventHeader* e) { return Message(reinterpret_cast<std::uintptr_t>(e)); }
  static Message cancellation(event::EventHeader* e) {
    return Message(reinterpret_cast<std::uintptr_t>(e) | 1);
  }

  bool cancels() const { return bits_ & 1; }
  event::EventHeader* target() const {
    return reinterpret_cast<event::EventHeader*>(bits_ & ~std::uintptr_t{1});
  }

 private:
  explicit Message(std::uintptr_t bits) : bits_(bits) {}
  std::uintptr_t bits_ = 0;
};

using Channel = chan::SpscChannel<Message>;

}  // namespace anachron::exec
