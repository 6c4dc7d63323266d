// What travels between PEs: an event, sent or taken back.
#pragma once

#include <cstdint>

#include <anachron/event/header.hpp>

namespace anachron::fabric {

/// A reference to an event, in the memory of the side that holds the message. On the sender's side it is the
/// event that was made there. On the receiver's side it is the same one in a fabric that shares events, and
/// in one that copies them the receiver's copy.
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

}  // namespace anachron::fabric
