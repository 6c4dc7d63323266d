// The door of the room `comm/fabric`: all that leaves or enters a PE goes through a fabric. A PE gathers what
// it sends in an Outbox, one buffer per destination, and hands whole buffers over; it takes in arrays of
// messages. So a fabric costs one virtual call per destination and batch, never one per event.
//
// Read on in comm/fabric/outbox.hpp (what a PE sends) and comm/fabric/ranks/ (events between ranks).
// Invariant: every fabric keeps these rules (tests/unit/comm/fabric/fabric_test.cpp).
//   1. Messages of one PE about one LP arrive in the order in which they were handed over, so that a
//      cancellation never overtakes its event.
//   2. What was accepted by `hand_over` is visible to the next `drain` of its receiver that begins after
//      that, in the sense of happens-before. What goes to another rank takes its time: GVT counts it.
//   3. `drain` delivers all that is visible.
//   4. `hand_over` never blocks. A queue that is full accepts fewer messages than it was given; the others
//      stay with the sender, who counts them in GVT (Outbox::earliest) and tries again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <anachron/base/ids.hpp>
#include <anachron/event/header.hpp>
#include <anachron/mem/event_pool.hpp>

#include "comm/fabric/message.hpp"

namespace anachron::fabric {

/// Takes in what a fabric delivers.
class Sink {
 public:
  /// Takes messages from the front of `messages` and removes them from it: when it throws, those that are
  /// left have not been taken.
  virtual void take(std::span<const Message>& messages) = 0;
  /// Where a fabric that copies events makes them.
  virtual mem::EventPool& pool() = 0;

 protected:
  ~Sink() = default;
};

/// What a PE has copied for others of its process.
struct Copied {
  std::uint64_t events = 0, bytes = 0;  ///< bytes of headers and payloads, without what payloads own
  std::uint64_t recall_bytes = 0;       ///< of cancellations
};

/// What a PE has done to find events of others by match id.
struct Probes {
  std::uint64_t lookups = 0, lookup_probes = 0;  ///< searches for what is there, and entries looked at
  std::uint64_t insertion_probes = 0;            ///< entries looked at to put events in
};

/// A PE's end of a fabric. Used by the thread that runs the PE.
class Port {
 public:
  virtual ~Port() = default;

  /// The PE's pool, in which a fabric that copies events makes what it hands over. Before all else; it must
  /// outlive the last call.
  virtual void attach(mem::EventPool&) {}

  /// Hands messages over to another PE. Returns how many of them, from the first on, it has accepted. When it
  /// throws, for lack of memory, it has accepted none, and the run is over.
  virtual std::size_t hand_over(PeId to, std::span<const Message> messages) = 0;
  /// Gives all that is visible to the sink. Returns how many messages that were.
  virtual std::uint64_t drain(Sink& sink) = 0;

  /// The PEs whose memory this one shares, itself among them. From and to others events are copied: the
  /// receiver gets a copy and drops that; the sender keeps its own, see Outbox.
  virtual PeRange near() const = 0;
  /// The PEs to which what they have accepted is visible at once, as 2. says: those of this process.
  virtual PeRange here() const { return near(); }
  /// Of all events that were and will be handed over to that PE, which is not near, the first `count` are
  /// not going to be cancelled any more.
  virtual void promise(PeId, std::uint64_t) {}
  /// How many events have come so far from each PE of another process. Empty: the port counts none.
  virtual std::vector<std::uint64_t> arrivals() const { return {}; }
  /// Goes back to these numbers. What has come since was cancelled, and its sender has forgotten it, too
  /// (Outbox::forget_since). Precondition: all that is promised had come before.
  virtual void forget_arrivals_since(std::span<const std::uint64_t>) {}
  /// Whether `forget` is to be called.
  virtual bool wants_to_forget() const { return false; }
  /// The PE is about to drop an event that came from afar. Nothing will refer to it any more.
  virtual void forget(const event::EventHeader&) {}
  /// A GVT round has begun for this PE: what it hands over from here on belongs to the next one.
  virtual void cut() {}

  /// What was copied on the way to PEs of this process.
  virtual Copied copied() const { return {}; }
  /// Of the searches for events by match id.
  virtual Probes probes() const { return {}; }
  /// Drops copies that were not accepted. When no thread runs PEs any more.
  virtual void discard() {}

  /// Memory that this end of the fabric holds.
  virtual std::uint64_t bytes() const = 0;
  /// Frees what is not needed now.
  virtual void trim() {}
};

class Fabric {
 public:
  virtual ~Fabric() = default;
  /// The end of a PE. Valid as long as the fabric.
  virtual Port& port(PeId pe) = 0;
};

}  // namespace anachron::fabric
