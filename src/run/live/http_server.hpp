// A server for a few browsers: one thread, which waits in poll() for all connections.
//
// It is our own because Debian's library for this costs each start of each program 5 ms, used or not
// (docs/decisions/0057-the-live-view-serves-itself.md).
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <list>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "run/live/address.hpp"
#include "run/live/http.hpp"

struct pollfd;

namespace anachron::live {

/// A file descriptor that is closed in the end.
class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(other.fd_) { other.fd_ = -1; }
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Descriptor();
  int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }

 private:
  int fd_;
};

class HttpServer {
 public:
  /// Both are called by the server's thread. What they throw closes the connection.
  struct Answers {
    std::function<Response(const Request&)> request;
    /// What is new since this stream was asked last; `seen` is 0 at first, and is the callee's.
    std::function<std::string(std::uint64_t& seen)> news;
  };

  /// Listens from now on. Throws InputError when it cannot: the port is taken, the address is none of this
  /// machine. Throws std::system_error when the system has no sockets left.
  HttpServer(const Address& address, Answers answers);
  /// Sends what is new to all streams, as far as they take it at once, and closes all connections.
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  /// With the port that it got.
  const Address& address() const { return address_; }
  /// There is something new. Any thread; costs a look at a number when there is no stream.
  void publish();

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::size_t kMostConnections = 32, kMostStreams = 8, kMostHead = 16 << 10;
  static constexpr std::chrono::seconds kPatience{5};  // until a request is complete

  struct Connection {
    Descriptor socket;
    Clock::time_point since = Clock::now();
    std::string in{}, out{};
    bool has_ended = false;  // its other end sends no more
    bool is_answered = false, is_stream = false, is_closed = false;
    std::uint64_t seen = 0;
    std::function<void()> then{};
  };

  void serve();
  void wake() const;
  std::vector<pollfd> waited_for() const;
  void accept();
  void receive(Connection& connection);
  void answer(Connection& connection);
  void tell_news(Connection& connection);
  void send(Connection& connection);
  std::size_t streams() const;

  Address address_;
  const Answers answers_;
  Descriptor listening_, wakes_, woken_;  // the last two are the ends of a pipe
  std::list<Connection> connections_;     // used by the thread
  // Written by the server's thread, read by those that publish. Relaxed: it is set before a new stream asks
  // for news, and the lock that `news` takes orders that before what is added later.
  std::atomic<bool> has_streams_{false};
  std::atomic<bool> is_over_{false};  // with the byte in the pipe that follows goes all that was published
  std::thread thread_;                // last: it uses the rest
};

}  // namespace anachron::live
