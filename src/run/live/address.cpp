#include "run/live/address.hpp"

#include <arpa/inet.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>

#include <fmt/format.h>
#include <anachron/base/parse.hpp>

#include "topo/processors.hpp"

namespace anachron::live {

namespace {

constexpr std::string_view kValid =
    "PORT, ADDRESS:PORT or [ADDRESS]:PORT, with an address in digits and a port from 0 (a free one) to 65535";

bool is_address(const std::string& host, int family) {
  unsigned char bytes[sizeof(in6_addr)];
  return inet_pton(family, host.c_str(), bytes) == 1;
}

std::optional<std::uint16_t> port_of(std::string_view text) {
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return port;
}

/// Without a port, and without the brackets of an IPv6 address.
std::string bare_name(std::string_view host) {
  std::string name(host);
  if (name.starts_with('[')) {
    const std::size_t end = name.find(']');
    return end == std::string::npos ? "" : name.substr(1, end - 1);
  }
  return name.substr(0, name.find(':'));
}

std::string in_lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

}  // namespace

Address parse_address(std::string_view text) {
  const auto bad = [text] { return bad_value("live", text, kValid); };
  Address address;
  if (text == "true") return address;
  const std::size_t colon = text.rfind(':');
  const auto port = port_of(colon == std::string_view::npos ? text : text.substr(colon + 1));
  if (!port) throw bad();
  address.port = *port;
  if (colon == std::string_view::npos) return address;
  const std::string_view host = text.substr(0, colon);
  const bool is_in_brackets = host.size() > 2 && host.starts_with('[') && host.ends_with(']');
  address.host = is_in_brackets ? host.substr(1, host.size() - 2) : host;
  if (address.host == "localhost") address.host = Address().host;
  if (!is_address(address.host, is_in_brackets ? AF_INET6 : AF_INET)) throw bad();
  return address;
}

bool is_own_host(std::string_view host) {
  const std::string name = in_lower_case(bare_name(host));
  return name == "localhost" || is_address(name, AF_INET) || is_address(name, AF_INET6) ||
         (!name.empty() && name == in_lower_case(topo::host_name()));
}

std::string url_of(const Address& address, std::string_view token) {
  const std::string host = address.is_any()    ? topo::host_name()
                           : address.is_ipv6() ? fmt::format("[{}]", address.host)
                                               : address.host;
  return fmt::format("http://{}:{}/?token={}", host, address.port, token);
}

}  // namespace anachron::live
