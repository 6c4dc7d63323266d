#include "run/live/http.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

namespace anachron::live {

namespace {

constexpr std::string_view kBlank = " \t";

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

/// Takes the text up to `separator`, or all, out of `rest`.
std::string_view take(std::string_view& rest, std::string_view separator) {
  const std::size_t at = rest.find(separator);
  const std::string_view taken = rest.substr(0, at);
  rest.remove_prefix(at == std::string_view::npos ? rest.size() : at + separator.size());
  return taken;
}

std::string_view reason(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 400:
      return "Bad Request";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 503:
      return "Service Unavailable";
  }
  return "Error";
}

template <class Map>
std::string_view found(const Map& map, std::string_view name) {
  const auto at = map.find(name);
  return at == map.end() ? std::string_view() : std::string_view(at->second);
}

}  // namespace

std::string_view Request::header(std::string_view name) const { return found(headers, name); }
std::string_view Request::parameter(std::string_view name) const { return found(query, name); }

std::optional<Request> parse_request(std::string_view head) {
  std::string_view line = take(head, "\r\n");
  Request request;
  request.method = take(line, " ");
  std::string_view target = take(line, " ");
  if (request.method.empty() || !target.starts_with('/') || !line.starts_with("HTTP/1.")) return std::nullopt;
  request.path = take(target, "?");
  while (!target.empty()) {
    std::string_view value = take(target, "&");
    const std::string_view name = take(value, "=");
    request.query.emplace(name, value);
  }
  while (!head.empty()) {
    std::string_view value = take(head, "\r\n");
    std::string name(take(value, ":"));
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
    if (name.empty()) return std::nullopt;
    const bool is_host = name == "host";
    const bool is_first = request.headers.emplace(std::move(name), trimmed(value)).second;
    if (is_host && !is_first) return std::nullopt;  // which of the two would count?
  }
  return request;
}

std::string text_of(const Response& response) {
  std::string text = fmt::format(
      "HTTP/1.1 {} {}\r\nContent-Type: {}\r\nConnection: close\r\nCache-Control: no-store\r\n"
      "X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n",
      response.status, reason(response.status), response.type);
  for (const auto& [name, value] : response.headers) text += fmt::format("{}: {}\r\n", name, value);
  // The end of a stream is that of the connection.
  if (!response.is_stream) text += fmt::format("Content-Length: {}\r\n", response.body.size());
  return text + "\r\n" + response.body;
}

std::string event_text(std::string_view name, std::string_view data) {
  return fmt::format("event: {}\ndata: {}\n\n", name, data);
}

}  // namespace anachron::live
