#include "run/live/server.hpp"

#include <sys/socket.h>

#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <mutex>
#include <system_error>
#include <thread>

#include <fmt/format.h>
#include <anachron/base/error.hpp>

#define CPPHTTPLIB_SEND_FLAGS MSG_NOSIGNAL  // a browser that leaves does not end the run
#include <httplib.h>

// Each connection has a thread of the pool while it is open: streams for long, others for one answer.

namespace anachron::live {
namespace {

constexpr unsigned kMostStreams = 8, kOtherThreads = 4;
constexpr std::size_t kMostWaiting = 20;  // connections without a thread: of more, each is closed
constexpr std::chrono::seconds kPatience{2};

/// httplib has the whole process ignore SIGPIPE. The end of this puts back what was before.
class AsBefore {
 public:
  AsBefore() { ::sigaction(SIGPIPE, nullptr, &before_); }
  ~AsBefore() { ::sigaction(SIGPIPE, &before_, nullptr); }
  AsBefore(const AsBefore&) = delete;
  AsBefore& operator=(const AsBefore&) = delete;

 private:
  struct sigaction before_{};
};

std::unique_ptr<httplib::Server> make_server() {
  const AsBefore sigpipe;
  return std::make_unique<httplib::Server>();
}

Request request_of(const httplib::Request& from) {
  Request request{.method = from.method, .path = from.path, .host = {}, .token = {}};
  if (from.get_header_value_count("Host") == 1) request.host = from.get_header_value("Host");
  request.token = from.get_header_value("X-Anachron-Token");
  if (request.token.empty()) request.token = from.get_param_value("token");
  return request;
}

}  // namespace

class Server::Http {
 public:
  Http(Address& address, Answers answers) : answers_(std::move(answers)) {
    set_up();
    listen_at(address);
    thread_ = std::thread([this] { server_->listen_after_bind(); });
    server_->wait_until_ready();  // before that stop() does nothing
  }

  ~Http() {
    {
      std::unique_lock lock(mutex_);
      is_over_ = true;
      changed_.notify_all();
      changed_.wait_for(lock, kPatience, [this] { return streams_ == 0; });
    }
    server_->stop();
    thread_.join();
  }

  void publish() {
    const std::scoped_lock lock(mutex_);
    ++published_;
    if (streams_ > 0) changed_.notify_all();
  }

 private:
  void set_up() {
    server_->new_task_queue = [] {
      return new httplib::ThreadPool(kMostStreams + kOtherThreads, kMostWaiting);
    };
    // Not SO_REUSEPORT, which httplib sets by itself: a port that another run has is taken.
    server_->set_socket_options([](int socket) {
      const int yes = 1;
      ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    });
    server_->set_keep_alive_max_count(1);
    server_->set_read_timeout(kPatience);
    server_->set_write_timeout(kPatience);
    server_->set_default_headers({{"Cache-Control", "no-store"},
                                  {"X-Content-Type-Options", "nosniff"},
                                  {"Referrer-Policy", "no-referrer"}});
    server_->set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
      answer(request, response);
      return httplib::Server::HandlerResponse::Handled;
    });
  }

  void listen_at(Address& address) {
    errno = 0;
    const int port = address.port == 0 ? server_->bind_to_any_port(address.host)
                     : server_->bind_to_port(address.host, address.port) ? int{address.port}
                                                                         : -1;
    if (port < 0)
      throw InputError(fmt::format(
          "--live: cannot listen at port {} of {}: {} (valid: an address of this machine and a free port; 0 "
          "finds one)",
          address.port, address.host, std::generic_category().message(errno)));
    address.port = static_cast<std::uint16_t>(port);
  }

  void answer(const httplib::Request& request, httplib::Response& to) {
    Response response = answers_.request(request_of(request));
    if (response.is_stream && !begin_stream())
      response = {.status = 503, .body = "too many browsers look at this run\n"};
    to.status = response.status;
    for (const auto& [name, value] : response.headers) to.set_header(name, value);
    if (response.is_stream) return stream(response.type, to);
    const std::size_t size = response.body.size();
    to.set_content_provider(
        size, response.type,
        [body = std::move(response.body)](std::size_t at, std::size_t length, httplib::DataSink& sink) {
          return sink.write(body.data() + at, length);
        },
        [then = std::move(response.then)](bool) {
          if (then) then();
        });
  }

  bool begin_stream() {
    const std::scoped_lock lock(mutex_);
    if (is_over_ || streams_ == kMostStreams) return false;
    ++streams_;
    return true;
  }

  void stream(const std::string& type, httplib::Response& to) {
    to.set_content_provider(
        type,
        [this, seen = std::uint64_t{0}, told = ~std::uint64_t{0}](std::size_t,
                                                                  httplib::DataSink& sink) mutable {
          const bool is_last = wait_for_more(told);
          const std::string news = answers_.news(seen);
          if (!news.empty() && !sink.write(news.data(), news.size())) return false;
          if (is_last) sink.done();
          return true;
        },
        [this](bool) {
          const std::scoped_lock lock(mutex_);
          --streams_;
          changed_.notify_all();
        });
  }

  /// Or for a while: then the stream looks whether its browser is still there. Returns whether all is over.
  bool wait_for_more(std::uint64_t& told) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, kPatience, [&] { return is_over_ || published_ != told; });
    told = published_;
    return is_over_;
  }

  const Answers answers_;
  const std::unique_ptr<httplib::Server> server_ = make_server();
  std::mutex mutex_;  // of what follows
  std::condition_variable changed_;
  std::uint64_t published_ = 0;  // how often something was
  unsigned streams_ = 0;
  bool is_over_ = false;
  std::thread thread_;  // accepts connections
};

Server::Server(const Address& address, Answers answers)
    : address_(address), http_(std::make_unique<Http>(address_, std::move(answers))) {}
Server::~Server() = default;
void Server::publish() { http_->publish(); }

}  // namespace anachron::live
