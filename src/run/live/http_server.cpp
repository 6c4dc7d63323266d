#include "run/live/http_server.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <exception>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <anachron/base/error.hpp>

namespace anachron::live {

namespace {

[[noreturn]] void throw_system_error(const char* what) {
  throw std::system_error(errno, std::generic_category(), fmt::format("--live: {}", what));
}

/// An address as the system takes it.
struct SocketAddress {
  sockaddr_storage storage{};
  socklen_t size = sizeof(sockaddr_storage);

  sockaddr* get() { return reinterpret_cast<sockaddr*>(&storage); }
  std::uint16_t port() const {
    return ntohs(storage.ss_family == AF_INET6 ? reinterpret_cast<const sockaddr_in6*>(&storage)->sin6_port
                                               : reinterpret_cast<const sockaddr_in*>(&storage)->sin_port);
  }
};

SocketAddress socket_address(const Address& address) {
  SocketAddress out;
  if (address.is_ipv6()) {
    auto* const v6 = reinterpret_cast<sockaddr_in6*>(&out.storage);
    v6->sin6_family = AF_INET6;
    v6->sin6_port = htons(address.port);
    inet_pton(AF_INET6, address.host.c_str(), &v6->sin6_addr);
    out.size = sizeof(sockaddr_in6);
  } else {
    auto* const v4 = reinterpret_cast<sockaddr_in*>(&out.storage);
    v4->sin_family = AF_INET;
    v4->sin_port = htons(address.port);
    inet_pton(AF_INET, address.host.c_str(), &v4->sin_addr);
    out.size = sizeof(sockaddr_in);
  }
  return out;
}

/// Fills in the port when a free one was asked for.
Descriptor listen_at(Address& address) {
  SocketAddress at = socket_address(address);
  Descriptor socket(::socket(at.storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const int yes = 1;
  if (socket) ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (!socket || ::bind(socket.get(), at.get(), at.size) != 0 || ::listen(socket.get(), SOMAXCONN) != 0 ||
      ::getsockname(socket.get(), at.get(), &at.size) != 0) {
    const std::string why = std::generic_category().message(errno);
    throw InputError(fmt::format(
        "--live: cannot listen at port {} of {}: {} (valid: an address of this machine and a free port; 0 "
        "finds one)",
        address.port, address.host, why));
  }
  address.port = at.port();
  return socket;
}

bool would_block() { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR; }

}  // namespace

Descriptor::~Descriptor() {
  if (fd_ >= 0) ::close(fd_);
}

HttpServer::HttpServer(const Address& address, Answers answers)
    : address_(address), answers_(std::move(answers)), listening_(listen_at(address_)) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) throw_system_error("no pipe");
  woken_ = Descriptor(ends[0]);
  wakes_ = Descriptor(ends[1]);
  thread_ = std::thread([this] { serve(); });
}

HttpServer::~HttpServer() {
  is_over_.store(true, std::memory_order_release);
  wake();
  thread_.join();
}

void HttpServer::publish() {
  if (has_streams_.load(std::memory_order_relaxed)) wake();
}

/// A full pipe wakes as well.
void HttpServer::wake() const { [[maybe_unused]] const ssize_t n = ::write(wakes_.get(), "", 1); }

std::size_t HttpServer::streams() const {
  return static_cast<std::size_t>(
      std::count_if(connections_.begin(), connections_.end(), [](const auto& c) { return c.is_stream; }));
}

std::vector<pollfd> HttpServer::waited_for() const {
  std::vector<pollfd> out{{woken_.get(), POLLIN, 0}};
  // When there is no room for another connection the system keeps it waiting.
  const bool has_room = connections_.size() < kMostConnections;
  out.push_back({has_room ? listening_.get() : -1, POLLIN, 0});
  for (const Connection& connection : connections_)
    out.push_back(
        {connection.socket.get(),
         static_cast<short>((connection.has_ended ? 0 : POLLIN) | (connection.out.empty() ? 0 : POLLOUT)),
         0});
  return out;
}

void HttpServer::serve() {
  while (!is_over_.load(std::memory_order_acquire)) {
    std::vector<pollfd> fds = waited_for();
    const bool is_hurried = std::any_of(connections_.begin(), connections_.end(),
                                        [](const auto& c) { return !c.is_answered || !c.out.empty(); });
    if (::poll(fds.data(), fds.size(), is_hurried ? 1000 : -1) < 0 && errno != EINTR) return;
    std::array<char, 256> bytes;
    while (::read(woken_.get(), bytes.data(), bytes.size()) > 0) {
    }
    auto fd = fds.begin() + 2;
    for (Connection& connection : connections_) {
      const short events = (fd++)->revents;
      if (events & (POLLIN | POLLHUP | POLLERR)) receive(connection);
      if (connection.is_stream && connection.out.empty()) tell_news(connection);
      if (!connection.out.empty()) send(connection);
      if (!connection.is_stream && Clock::now() - connection.since > kPatience) connection.is_closed = true;
    }
    connections_.remove_if([](const Connection& connection) { return connection.is_closed; });
    has_streams_.store(streams() > 0, std::memory_order_relaxed);
    if (fds[1].revents & POLLIN) accept();
  }
  for (Connection& connection : connections_) {
    if (connection.is_stream) tell_news(connection);
    if (!connection.out.empty()) send(connection);
  }
}

void HttpServer::accept() {
  Descriptor socket(::accept4(listening_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
  if (socket) connections_.push_back({std::move(socket)});
}

/// What follows the request is read too, and ignored: a socket that is closed with something unread takes its
/// answer back.
void HttpServer::receive(Connection& connection) {
  std::array<char, 4096> bytes;
  const ssize_t n = ::recv(connection.socket.get(), bytes.data(), bytes.size(), 0);
  if (n < 0) connection.is_closed = connection.is_closed || !would_block();
  connection.has_ended = connection.has_ended || n == 0;
  if (!connection.is_answered) {
    if (n > 0) connection.in.append(bytes.data(), static_cast<std::size_t>(n));
    answer(connection);
  }
  if (connection.has_ended && (connection.is_stream || !connection.is_answered)) connection.is_closed = true;
}

void HttpServer::answer(Connection& connection) {
  const std::size_t end = connection.in.find("\r\n\r\n");
  const bool is_too_long = connection.in.size() > kMostHead;
  if (end == std::string::npos && !is_too_long) return;
  connection.is_answered = true;
  Response response{.status = 400, .body = "not a request that the live view knows\n"};
  try {
    const auto request =
        is_too_long ? std::nullopt : parse_request(std::string_view(connection.in).substr(0, end));
    if (request) response = answers_.request(*request);
  } catch (const std::exception&) {
    connection.is_closed = true;
    return;
  }
  if (response.is_stream && streams() >= kMostStreams)
    response = {.status = 503, .body = "too many browsers look at this run\n"};
  connection.in.clear();
  connection.out = text_of(response);
  connection.is_stream = response.is_stream;
  connection.then = std::move(response.then);
  if (!connection.is_stream) return;
  has_streams_.store(true, std::memory_order_relaxed);
  tell_news(connection);
}

void HttpServer::tell_news(Connection& connection) {
  try {
    connection.out += answers_.news(connection.seen);
  } catch (const std::exception&) {
    connection.is_closed = true;
  }
}

void HttpServer::send(Connection& connection) {
  const ssize_t n =
      ::send(connection.socket.get(), connection.out.data(), connection.out.size(), MSG_NOSIGNAL);
  if (n < 0) {
    if (!would_block()) connection.is_closed = true;
    return;
  }
  connection.out.erase(0, static_cast<std::size_t>(n));
  if (!connection.out.empty() || connection.is_stream) return;
  connection.is_closed = true;
  ::shutdown(connection.socket.get(), SHUT_WR);
  if (connection.then) connection.then();
}

}  // namespace anachron::live
