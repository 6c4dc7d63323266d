// The part of HTTP/1.1 (RFC 9112) that the live view speaks: one request for each connection, without a body,
// and one answer, which may be a stream of server-sent events.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace anachron::live {

struct Request {
  std::string method, path;
  std::map<std::string, std::string, std::less<>> query;    ///< nothing is decoded: tokens need none
  std::map<std::string, std::string, std::less<>> headers;  ///< names in lower case

  std::string_view header(std::string_view name) const;
  std::string_view parameter(std::string_view name) const;
};

struct Response {
  int status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::string body{};
  std::vector<std::pair<std::string, std::string>> headers{};
  bool is_stream = false;           ///< the connection stays open, and gets what is new
  std::function<void()> then = {};  ///< called once the answer is sent
};

/// `head`: up to the empty line, without it. None: it is no HTTP.
std::optional<Request> parse_request(std::string_view head);

/// As it is sent.
std::string text_of(const Response& response);

/// A server-sent event. `data` is one line.
std::string event_text(std::string_view name, std::string_view data);

}  // namespace anachron::live
