#include "packets/flows.hpp"

#include <algorithm>
#include <numeric>

namespace anachron::models::packets {

Flows::Flows(const Network& network, const Destinations& destinations)
    : ports_(network.ports()), passed_(std::size_t{network.routers()} * network.ports()) {
  constexpr std::uint32_t kPackets = 50'000, kMostOfAHost = 256;
  const std::uint32_t hosts = network.hosts(), each = std::clamp(kPackets / hosts, 1u, kMostOfAHost);
  weight_ = 1.0 / each;
  // Hosts far from each other take turns, so that packets which follow each other have nothing in common.
  std::uint32_t stride = std::max(static_cast<std::uint32_t>(hosts * 0.618), 1u);
  while (std::gcd(stride, hosts) != 1) ++stride;
  std::uint64_t draws = 0;
  Rng rng(1, 0, draws, RngStream::shared);  // the same sample whatever the seed of the run is
  for (std::uint64_t k = 0; k < std::uint64_t{hosts} * each; ++k) {
    const auto host = static_cast<std::uint32_t>(k * stride % hosts);
    if (destinations.sends(network, host)) send(network, destinations.draw(network, host, rng), host);
  }
}

void Flows::send(const Network& network, Packet packet, std::uint32_t host) {
  std::uint32_t router = network.router_of(host), from = host % network.hosts_per_router();
  for (;;) {
    const std::uint32_t port = network.route(router, packet).port;
    Passed& passed = passed_[std::size_t{router} * ports_ + port];
    passed.changes += passed.packets > 0 && passed.last != from;
    passed.last = from;
    ++passed.packets;
    if (network.kind(port) == Network::Kind::host) return;
    const Network::End end = network.end(router, port);
    router = end.router;
    from = end.port;
  }
}

}  // namespace anachron::models::packets
