#include "support/transport_contract.hpp"

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

namespace anachron::test {
namespace {

using Clock = std::chrono::steady_clock;

// A transport that loses a message must not keep a test for ever.
constexpr auto kPatience = std::chrono::seconds(60);

[[noreturn]] void wrong(const transport::Transport& transport, const std::string& what) {
  throw std::runtime_error("rank " + std::to_string(transport.rank()) + ": " + what);
}

/// What the number-th message from one rank to another is. No byte of it says so; both ends know.
class Expected {
 public:
  Expected(const Traffic& traffic, std::size_t most_bytes, unsigned from, unsigned to, std::size_t number)
      : hash_(mix(mix(mix(traffic.seed, from), to), number)) {
    const std::size_t most = std::min(traffic.most_bytes, most_bytes);
    switch (hash_ % 8) {
      case 0:
        size_ = 0;
        break;
      case 1:
        size_ = most;
        break;
      case 2:
        size_ = (hash_ >> 8) % (most + 1);
        break;
      default:
        size_ = (hash_ >> 8) % (std::min<std::size_t>(most, 300) + 1);
    }
  }

  void write(transport::Buffer& out) const {
    out.resize(size_);
    for (std::size_t i = 0; i < size_; ++i) out.data()[i] = byte(i);
  }
  bool is(const transport::Buffer& message) const {
    if (message.size() != size_) return false;
    for (std::size_t i = 0; i < size_; ++i)
      if (message.bytes()[i] != byte(i)) return false;
    return true;
  }

 private:
  static std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
    std::uint64_t x = (a ^ (b + 0x9e3779b97f4a7c15)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 29)) * 0x94d049bb133111eb;
    return x ^ (x >> 32);
  }
  std::byte byte(std::size_t i) const { return static_cast<std::byte>((hash_ >> (i % 57)) + i); }

  std::uint64_t hash_;
  std::size_t size_ = 0;
};

class Exchange {
 public:
  Exchange(transport::Transport& transport, const Traffic& traffic)
      : transport_(transport), traffic_(traffic), next_(transport.ranks(), 0), last_(Clock::now()) {}

  Seen run() {
    const unsigned self = transport_.rank(), ranks = transport_.ranks();
    for (std::size_t number = 0; number < traffic_.messages; ++number)
      for (unsigned i = 1; i < ranks; ++i) {
        const unsigned to = (self + i) % ranks;
        if (traffic_.only_to_rank_0 && to != 0) continue;
        send(to, number);
        // Not always, so that those under way become too many.
        if ((number + self) % 64 == 0) poll();
      }
    const std::size_t senders = traffic_.only_to_rank_0 && self != 0 ? 0 : ranks - 1;
    while (seen_.received < senders * traffic_.messages) poll();
    return seen_;
  }

 private:
  Expected expected(unsigned from, unsigned to, std::size_t number) const {
    return {traffic_, transport_.most_bytes(), from, to, number};
  }

  void send(unsigned to, std::size_t number) {
    const Expected message = expected(transport_.rank(), to, number);
    transport::Buffer buffer = transport_.buffer();
    if (buffer.size() != 0) wrong(transport_, "a new buffer is not empty");
    if (buffer.capacity() < transport_.most_bytes())
      wrong(transport_, "a new buffer has no room for a message");
    message.write(buffer);
    while (!transport_.try_send(to, buffer)) {
      if (seen_.refused++ % 16 == 0 && !message.is(buffer))
        wrong(transport_, "a refused message has changed");
      poll();
    }
    if (buffer.data()) wrong(transport_, "a message that was sent is still the sender's");
    ++seen_.sent;
  }

  void poll() {
    const std::size_t before = seen_.received;
    const std::size_t count =
        transport_.poll(traffic_.poll_limit, [&](unsigned from, transport::Buffer message) {
          if (from >= next_.size() || from == transport_.rank())
            wrong(transport_, "a message from rank " + std::to_string(from));
          const std::size_t number = next_[from]++;
          if (!expected(from, transport_.rank(), number).is(message))
            wrong(transport_,
                  "message " + std::to_string(number) + " from rank " + std::to_string(from) + " is another");
          ++seen_.received;
          if (number % 3 != 0) transport_.recycle(std::move(message));
        });
    if (count != seen_.received - before) wrong(transport_, "poll returns another number than it gave out");
    if (count > traffic_.poll_limit) wrong(transport_, "poll gives out more than its limit");
    if (count > 0) {
      last_ = Clock::now();
    } else {
      if (Clock::now() - last_ > kPatience) wrong(transport_, "nothing arrives any more");
      std::this_thread::yield();  // there may be more ranks than cores
    }
  }

  transport::Transport& transport_;
  const Traffic& traffic_;
  std::vector<std::size_t> next_;  ///< Of each rank, the number of its next message.
  Seen seen_;
  Clock::time_point last_;
};

/// Sends one message, of one byte, and waits until it is taken over.
void send_byte(transport::Transport& transport, unsigned to, unsigned value) {
  transport::Buffer message = transport.buffer();
  message.resize(1);
  message.data()[0] = static_cast<std::byte>(value);
  while (!transport.try_send(to, message)) transport.poll(0, [](unsigned, transport::Buffer) {});
}

/// Polls with `take` until it got something.
void poll_one(transport::Transport& transport, const transport::Transport::Receive& take) {
  const auto start = Clock::now();
  while (transport.poll(1, take) == 0) {
    if (Clock::now() - start > kPatience) wrong(transport, "nothing arrives");
    std::this_thread::yield();
  }
}

}  // namespace

Seen exchange(transport::Transport& transport, const Traffic& traffic) {
  return Exchange(transport, traffic).run();
}

double round_trips(transport::Transport& transport, std::size_t bytes, std::size_t count) {
  const unsigned self = transport.rank();
  if (self > 1) return 0;
  const auto start = Clock::now();
  transport::Buffer ball;
  const auto keep = [&](unsigned, transport::Buffer message) { ball = std::move(message); };
  for (std::size_t i = 0; i < count; ++i) {
    if (self == 0) {
      ball = transport.buffer();
      ball.resize(bytes);
    } else {
      poll_one(transport, keep);
    }
    if (ball.size() != bytes) wrong(transport, "a message has another size");
    while (!transport.try_send(1 - self, ball)) transport.poll(0, keep);
    if (self == 0) {
      poll_one(transport, keep);
      transport.recycle(std::move(ball));
    }
  }
  return std::chrono::duration<double>(Clock::now() - start).count() / static_cast<double>(count);
}

void survive_a_throw(transport::Transport& transport) {
  const unsigned self = transport.rank(), ranks = transport.ranks();
  const unsigned to = (self + 1) % ranks, from = (self + ranks - 1) % ranks;
  for (unsigned value = 0; value < 3; ++value) {
    send_byte(transport, to, value);  // one at a time: a transport may have room for no more
    bool has_thrown = false;
    const auto check = [&](unsigned sender, transport::Buffer message) {
      if (sender != from || message.size() != 1 || message.bytes()[0] != static_cast<std::byte>(value))
        wrong(transport, "not the message that was next");
      if (value == 1) throw std::logic_error("thrown by a test");
    };
    try {
      poll_one(transport, check);
    } catch (const std::logic_error&) {
      has_thrown = true;
    }
    if (has_thrown != (value == 1)) wrong(transport, "what take throws does not come out");
  }
}

void finish_together(transport::Transport& transport, const Flag& is_late_one_there) {
  if (transport.rank() == 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    is_late_one_there.set();
  }
  transport.finish();
  if (!is_late_one_there.is_set()) wrong(transport, "finish does not wait for the others");
}

void keep_contract(transport::Transport& transport, double scale, const Flag& flag) {
  if (transport.rank() >= transport.ranks()) wrong(transport, "has no place among the ranks");
  if (transport.ranks_here() < 1 || transport.ranks_here() > transport.ranks())
    wrong(transport, "does not know how many ranks are here");
  if (transport.description().empty()) wrong(transport, "has no description");

  const auto messages = [&](double count) { return static_cast<std::size_t>(std::max(1.0, count * scale)); };
  finish_together(transport, flag);
  survive_a_throw(transport);
  // Between any two: who has received everything is not taken by surprise by what belongs to the next.
  transport.finish();
  round_trips(transport, 0, messages(200));
  round_trips(transport, transport.most_bytes(), messages(200));
  for (const Traffic& traffic : {Traffic{.seed = 1, .messages = messages(2000), .most_bytes = 64},
                                 Traffic{.seed = 2, .messages = messages(1000)},
                                 Traffic{.seed = 3, .messages = messages(500), .poll_limit = 1}}) {
    transport.finish();
    exchange(transport, traffic);
  }
  transport.finish();
  const Seen flood = exchange(transport, {.seed = 4, .messages = messages(2000), .only_to_rank_0 = true});
  if (transport.rank() != 0 && flood.sent >= 1000 && flood.refused == 0)
    wrong(transport, "takes everything, whatever the receiver does");
  transport.finish();
}

}  // namespace anachron::test
