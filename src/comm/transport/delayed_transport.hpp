// Links that are slower than those that are there: for experiments with the latency of a network on a machine
// that has none, and for tests. A message is given out a fixed time after it was first seen. When it was sent
// is not known: clocks of several machines differ, and a stamp would take room in the message.
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <string>

#include "comm/transport/transport.hpp"

namespace anachron::transport {

class DelayedTransport final : public Transport {
 public:
  /// `inner` outlives this. Only `poll` looks for messages, so that one that nobody polls for arrives later.
  DelayedTransport(Transport& inner, std::chrono::nanoseconds latency) : inner_(inner), latency_(latency) {}

  unsigned rank() const override { return inner_.rank(); }
  unsigned ranks() const override { return inner_.ranks(); }
  unsigned ranks_here() const override { return inner_.ranks_here(); }
  unsigned rank_here() const override { return inner_.rank_here(); }
  /// Of the inner one, with the latency.
  std::string description() const override;

  std::size_t most_bytes() const override { return inner_.most_bytes(); }
  Buffer buffer() override { return inner_.buffer(); }
  void recycle(Buffer buffer) override;
  std::uint64_t held_bytes() const override { return inner_.held_bytes(); }

  bool try_send(unsigned to, Buffer& message) override { return inner_.try_send(to, message); }
  std::size_t poll(std::size_t limit, const Receive& take) override;

  void finish() override { inner_.finish(); }
  void abort(int status) noexcept override { inner_.abort(status); }

 private:
  using Clock = std::chrono::steady_clock;
  struct Message {
    unsigned from;
    Clock::time_point due;
    Buffer bytes;
  };

  Transport& inner_;
  const std::chrono::nanoseconds latency_;
  std::deque<Message> waiting_;  ///< As they have arrived, so the first is due first.
};

}  // namespace anachron::transport
