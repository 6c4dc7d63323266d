// Where the live view listens: the value of --live.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace anachron::live {

struct Address {
  std::string host = "127.0.0.1";  ///< in digits, IPv4 or IPv6
  std::uint16_t port = 0;          ///< 0: one that is free

  bool is_ipv6() const { return host.find(':') != std::string::npos; }
  bool is_any() const { return host == "0.0.0.0" || host == "::"; }
};

/// "8080", "0.0.0.0:8080", "[::1]:8080", "localhost:8080"; "true", as the option alone is: a free port.
/// Throws InputError.
Address parse_address(std::string_view text);

/// Whether a request may have this `Host`: an address in digits, "localhost", or the name of this machine.
/// Another name may be one that an attacker lets point here (DNS rebinding).
bool is_own_host(std::string_view host);

/// What a browser needs: "http://127.0.0.1:8080/?token=...". For all addresses of this machine its name.
std::string url_of(const Address& address, std::string_view token);

}  // namespace anachron::live
