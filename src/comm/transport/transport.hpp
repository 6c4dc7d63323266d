// The door of the room `comm/transport`: what carries bytes between ranks, on one machine or on many.
//
// A rank is a process that runs a part of the simulation. A transport knows nothing of events: comm/fabric
// decides what is gathered into a message, and where it goes from its rank.
// Invariant: messages from one rank to another arrive once, and in order.
// Read on in comm/transport/dispatcher.hpp (who gets a message) and mpi/ (the transport of clusters).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "comm/transport/buffer.hpp"

namespace anachron::transport {

/// One rank's end. Used by one thread at a time, not always by the same.
class Transport {
 public:
  /// Takes a message that has arrived from a rank; the buffer is the receiver's, to keep, or to give back
  /// with `recycle`.
  using Receive = std::function<void(unsigned from, Buffer message)>;

  virtual ~Transport() = default;

  virtual unsigned rank() const = 0;
  virtual unsigned ranks() const = 0;
  /// Of how many of the ranks, this one included, the processes run on this machine.
  virtual unsigned ranks_here() const = 0;
  /// The number of this one among them.
  virtual unsigned rank_here() const = 0;
  /// For the report: "Open MPI 4.1.4".
  virtual std::string description() const = 0;

  /// What a message holds at most.
  virtual std::size_t most_bytes() const = 0;
  /// An empty buffer for a message. Throws std::bad_alloc.
  virtual Buffer buffer() = 0;
  /// Takes a buffer back that is not needed any more.
  virtual void recycle(Buffer buffer) = 0;
  /// Memory of the buffers that this end has made, or has received, and that it has not freed.
  virtual std::uint64_t held_bytes() const = 0;

  /// Begins to send a message to another rank and takes the buffer. Messages to one rank arrive in the order
  /// in which they were sent. Returns false, and leaves the buffer as it is, when too many are under way;
  /// then it is worth another try after `poll`. Throws std::runtime_error when there is no way to that rank.
  virtual bool try_send(unsigned to, Buffer& message) = 0;
  /// Gives what has arrived to `take`, of each rank in the order in which it was sent, but not more than
  /// `limit` messages. Lets messages that are under way get on. Never waits. Returns how many messages there
  /// were. What `take` throws comes out, after which the message is taken.
  virtual std::size_t poll(std::size_t limit, const Receive& take) = 0;

  /// Waits until all that was sent has left, and until all ranks have come here. Precondition: none sends
  /// any more, and each has received all that was sent to it.
  virtual void finish() = 0;
  /// Ends this process and those of all other ranks, with this exit status. What there is to be said was
  /// said.
  [[noreturn]] virtual void abort(int status) noexcept = 0;
};

}  // namespace anachron::transport
