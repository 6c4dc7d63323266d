// What a PE sends, gathered per destination until it is handed over to the fabric in one piece.
//
// An event that goes to a PE with memory of its own is copied on the way. What was made stays with its
// sender, to be found when its cause is undone. The outbox keeps it until GVT has passed the cause, or its
// cancellation was handed over. It keeps the payload only as long as it will be looked at.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include <anachron/base/ids.hpp>
#include <anachron/event/header.hpp>
#include <anachron/mem/event_pool.hpp>

#include "comm/fabric/fabric.hpp"

namespace anachron::fabric {

/// What an original is needed for, once it was handed over. To cancel its copy takes no payload. Lazy
/// cancellation also compares it with what is sent instead of it.
enum class Originals : std::uint8_t { to_cancel, to_compare };

/// Used by the thread that runs the PE. Invariant: what it sends to one PE arrives in the order of the calls.
class Outbox {
 public:
  /// `pes`: how many there are.
  Outbox(Port& port, std::size_t pes, mem::EventPool& pool, Originals originals = Originals::to_compare)
      : port_(port),
        near_(port.near()),
        here_(port.here()),
        has_far_(near_.count < pes),
        forgets_(port.wants_to_forget()),
        originals_(originals),
        pool_(pool),
        buffers_(pes),
        counted_(pes),
        promised_(has_far_ ? pes : 0) {
    port.attach(pool);
  }
  Outbox(const Outbox&) = delete;
  Outbox& operator=(const Outbox&) = delete;

  /// The PE's end of the fabric, on which it also receives.
  Port& port() { return port_; }
  const Port& port() const { return port_; }

  /// `cause`: the time of the event that has sent it.
  void send(PeId to, event::EventHeader& e, Time cause) {
    if (is_far(to)) [[unlikely]]
      keep(to, e, cause);
    append(to, Message::event(&e), e);
  }
  void cancel(PeId to, event::EventHeader& e) {
    if (is_far(to)) [[unlikely]]
      e.status = event::Status::recalled;
    append(to, Message::cancellation(&e), e);
  }

  /// There are PEs to which events are copied: those that are sent there stay here for a while.
  bool has_far() const { return has_far_; }
  /// There are PEs of other processes.
  bool has_elsewhere() const { return here_.count < buffers_.size(); }
  Copied copied() const { return port_.copied(); }
  Probes probes() const { return port_.probes(); }
  /// Originals that are here.
  std::size_t kept() const { return kept_.size(); }
  /// The port wants to hear of the end of this event (Port::forget).
  bool must_forget(const event::EventHeader& e) const { return forgets_ && is_far(e.match.pe()); }
  /// No cancellation will come any more of what was sent at causes before this time.
  void release_before(Time cause);

  /// Drops the originals that are here beyond the first so many. Precondition: they were cancelled, and all
  /// was handed over.
  void forget_since(std::size_t kept);

  /// Hands all over that the fabric accepts.
  void publish() {
    if (!touched_.empty()) hand_over();
  }
  /// Something has not been accepted yet.
  bool has_mail() const { return !touched_.empty(); }
  /// Something was not accepted when it was last handed over.
  bool was_refused() const { return was_refused_; }

  /// The smallest key that a GVT round must count as in transit: of what was sent since the cut, or had not
  /// been accepted then. When it is accepted, the receiver may have made its report already.
  const std::optional<event::EventKey>& earliest() const { return earliest_; }
  void cut();
  /// Whether a cancellation of a retraction had not been accepted at the cut.
  bool held_retraction() const { return held_retraction_; }
  /// The smallest key of what has not been accepted yet.
  std::optional<event::EventKey> refused() const;
  /// The smallest key of what may have been accepted and not be visible to its receiver when the round is
  /// concluded. That is what was sent to other processes since the cut, or had not been accepted then.
  const std::optional<event::EventKey>& on_its_way() const { return on_its_way_; }

  /// Drops what is left here. When no thread runs PEs any more.
  void discard();

  /// Memory of the buffers and of the PE's end of the fabric. O(buffers that are not empty).
  std::uint64_t bytes() const;
  /// Frees what is not needed now.
  void trim();

 private:
  struct Kept {
    event::EventHeader* event;
    Time cause;
    PeId to;
  };

  void append(PeId to, Message message, const event::EventHeader& e) {
    std::vector<Message>& buffer = buffers_[to];
    if (buffer.empty()) touched_.push_back(to);
    buffer.push_back(message);
    if (!earliest_ || (e.time <= earliest_->time && first_affected(e) < *earliest_))
      earliest_ = first_affected(e);
    if (is_elsewhere(to) && (!on_its_way_ || first_affected(e) < *on_its_way_)) [[unlikely]]
      on_its_way_ = first_affected(e);
  }
  bool is_far(PeId pe) const { return !near_.contains(pe); }
  bool is_elsewhere(PeId pe) const { return has_far_ && !here_.contains(pe); }
  /// Its arrival may undo its retraction, which must not commit before.
  static event::EventKey first_affected(const event::EventHeader& e) {
    event::EventKey key = e.key();
    if (!e.retracts()) key.place = event::place_of_retraction(key.place);
    return key;
  }
  void keep(PeId to, event::EventHeader& e, Time cause);
  void hand_over();
  void count(PeId to);
  void was_handed_over(Message message);
  static void end_payload(event::EventHeader& e);
  /// What has been handed over.
  void drop_original(event::EventHeader& e);

  Port& port_;
  const PeRange near_, here_;
  const bool has_far_, forgets_;
  const Originals originals_;
  mem::EventPool& pool_;
  std::vector<std::vector<Message>> buffers_;  // by destination
  std::vector<PeId> touched_;                  // those whose buffers are not empty
  // Of each buffer how much room was counted, in messages, and the bytes of all. Counted when a buffer is
  // emptied, as a look at each message would slow all runs down.
  std::vector<std::size_t> counted_;
  std::uint64_t counted_bytes_ = 0;
  bool was_refused_ = false, held_retraction_ = false;
  std::optional<event::EventKey> earliest_, on_its_way_;
  std::deque<Kept> kept_;                // in the order in which they were sent
  std::vector<std::uint64_t> promised_;  // by destination: how many of the first are kept no more
};

}  // namespace anachron::fabric
