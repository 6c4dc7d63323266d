// A server for a few browsers, by cpp-httplib: a request is answered at once, or by a stream of server-sent
// events.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "run/live/address.hpp"

namespace anachron::live {

struct Request {
  std::string method, path;
  std::string host;   ///< that the browser has asked; empty: none, or several
  std::string token;  ///< of the header, else of the address; empty: none
};

struct Response {
  int status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::string body{};
  std::vector<std::pair<std::string, std::string>> headers{};
  bool is_stream = false;           ///< the connection stays open, and gets what is new
  std::function<void()> then = {};  ///< called once the answer is sent
};

class Server {
 public:
  /// Called by the server's threads, by several at a time.
  struct Answers {
    std::function<Response(const Request&)> request;
    /// What is new since this stream was asked last; `seen` is 0 at first, and is the callee's.
    std::function<std::string(std::uint64_t& seen)> news;
  };

  /// Listens from now on. Throws InputError when it cannot: the port is taken, the address is none of this
  /// machine, or this build has no cpp-httplib.
  Server(const Address& address, Answers answers);
  /// Sends what is new to all streams that take it soon, and closes all connections.
  ~Server();

  /// With the port that it got.
  const Address& address() const { return address_; }
  /// There is something new. Any thread.
  void publish();

 private:
  class Http;

  Address address_;
  std::unique_ptr<Http> http_;
};

}  // namespace anachron::live
