// What a PE sends, gathered per destination until it is handed over to the fabric in one piece.
//
// In a fabric that copies, the event that was made stays with its sender, to be found when its cause is
// undone. The outbox keeps it until GVT has passed the cause, or its cancellation was handed over.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include <anachron/base/ids.hpp>
#include <anachron/event/header.hpp>
#include <anachron/mem/event_pool.hpp>

#include "fabric/fabric.hpp"

namespace anachron::fabric {

/// Used by the thread that runs the PE.
class Outbox {
 public:
  /// `pes`: how many there are.
  Outbox(Port& port, Ownership ownership, std::size_t pes, mem::EventPool& pool)
      : port_(port), keeps_(ownership == Ownership::copied), pool_(pool), buffers_(pes) {}
  Outbox(const Outbox&) = delete;
  Outbox& operator=(const Outbox&) = delete;

  /// The PE's end of the fabric, on which it also receives.
  Port& port() { return port_; }

  /// `cause`: the time of the event that has sent it.
  void send(PeId to, event::EventHeader& e, Time cause) {
    if (keeps_) [[unlikely]]
      keep(e, cause);
    append(to, Message::event(&e), e);
  }
  void cancel(PeId to, event::EventHeader& e) {
    if (keeps_) [[unlikely]]
      e.status = event::Status::recalled;
    append(to, Message::cancellation(&e), e);
  }

  /// What is sent stays here for a while, and the receiver has a copy.
  bool keeps_events() const { return keeps_; }
  /// No cancellation will come any more of what was sent at causes before this time.
  void release_before(Time cause);

  /// Hands all over that the fabric accepts.
  void publish() {
    if (!touched_.empty()) hand_over();
  }
  /// Something has not been accepted yet.
  bool has_mail() const { return !touched_.empty(); }

  /// The smallest key that a GVT round must count as in transit: of what was sent since the cut, or had not
  /// been accepted then. When it is accepted, the receiver may have made its report already.
  const std::optional<event::EventKey>& earliest() const { return earliest_; }
  void cut();
  /// The smallest key of what has not been accepted yet.
  std::optional<event::EventKey> refused() const;

  /// Drops what is left here. When no thread runs PEs any more.
  void discard();

  /// Memory of the buffers and of the PE's end of the fabric. O(PEs).
  std::uint64_t bytes() const;
  /// Frees what is not needed now.
  void trim();

 private:
  struct Kept {
    event::EventHeader* event;
    Time cause;
  };

  void append(PeId to, Message message, const event::EventHeader& e) {
    std::vector<Message>& buffer = buffers_[to];
    if (buffer.empty()) touched_.push_back(to);
    buffer.push_back(message);
    if (!earliest_ || (e.time <= earliest_->time && first_affected(e) < *earliest_))
      earliest_ = first_affected(e);
  }
  /// Its arrival may undo its retraction, which must not commit before.
  static event::EventKey first_affected(const event::EventHeader& e) {
    event::EventKey key = e.key();
    if (!e.retracts()) key.place = event::place_of_retraction(key.place);
    return key;
  }
  void keep(event::EventHeader& e, Time cause);
  void hand_over();
  void was_handed_over(Message message);
  void drop(event::EventHeader& e);

  Port& port_;
  const bool keeps_;
  mem::EventPool& pool_;
  std::vector<std::vector<Message>> buffers_;  // by destination
  std::vector<PeId> touched_;                  // those whose buffers are not empty
  std::optional<event::EventKey> earliest_;
  std::deque<Kept> kept_;  // in the order in which they were sent
};

}  // namespace anachron::fabric
