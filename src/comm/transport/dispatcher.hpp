// Sorts what arrives from other ranks by its kind, and keeps what cannot leave yet.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "comm/transport/buffer.hpp"
#include "comm/transport/transport.hpp"

namespace anachron::transport {

/// What a message is about.
enum class Kind : std::uint64_t {
  exchange,  ///< before and after the run: comm/transport/exchange.hpp
  events,    ///< comm/fabric/ranks/message_aggregator.hpp
  rounds,    ///< gvt/rounds/rank_rounds.hpp
  output,    ///< observe/output/rank_output.hpp
};

/// Used by one thread at a time, as the transport is.
class Dispatcher {
 public:
  /// A message without the word that tells its kind; the buffer goes back to the transport unless it is moved
  /// from.
  using Receive = std::function<void(unsigned from, Buffer& message, std::span<const std::byte> body)>;

  /// Bytes before the body of a message.
  static constexpr std::size_t kHeader = sizeof(Kind);

  explicit Dispatcher(Transport& transport) : transport_(transport), waiting_(transport.ranks()) {}

  Transport& transport() { return transport_; }
  unsigned rank() const { return transport_.rank(); }
  unsigned ranks() const { return transport_.ranks(); }
  /// What a body holds at most.
  std::size_t most_bytes() const { return transport_.most_bytes() - kHeader; }

  /// From now on messages of this kind go to `receive`, first those that came before. Null: they wait again.
  void on(Kind kind, Receive receive);

  /// An empty message of that kind, to be filled behind its header.
  Buffer message(Kind kind);
  /// Begins to send it. False: too many are under way, and the message stays as it is. What `send` was given
  /// for that rank goes first.
  bool try_send(unsigned to, Buffer& message);
  /// Sends these bytes, later if it must be. Precondition: they are not more than most_bytes().
  void send(unsigned to, Kind kind, std::span<const std::byte> body);

  /// Lets messages get on and hands over those that have arrived, a few at most. Returns how many.
  std::size_t poll();
  /// Nothing that was sent waits here.
  bool is_flushed() const { return waits_for_.empty(); }

 private:
  static constexpr std::size_t kMostAtOnce = 64;
  static constexpr std::size_t kKinds = 4;

  struct Early {
    unsigned from;
    Buffer message;
  };

  void flush();
  void hand_over(unsigned from, Buffer message);
  void deliver(const Receive& receive, unsigned from, Buffer& message);

  Transport& transport_;
  std::vector<std::deque<Buffer>> waiting_;  // by rank: refused by the transport
  std::vector<unsigned> waits_for_;          // ranks for which some wait
  std::array<Receive, kKinds> receivers_;
  std::array<std::vector<Early>, kKinds> early_;
};

}  // namespace anachron::transport
