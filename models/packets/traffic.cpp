#include "packets/traffic.hpp"

namespace anachron::models::packets {

Destinations::Destinations(const Params& params, const Network& network)
    : traffic_(params.traffic),
      routing_(params.routing),
      hot_share_(params.hot_share),
      network_is_torus_(network.is_torus()),
      hosts_(network.hosts()) {
  while (side_ * side_ < hosts_) ++side_;
}

std::uint32_t Destinations::fixed(const Network& network, std::uint32_t host) const {
  switch (traffic_) {
    case Traffic::transpose:
      return host % side_ * side_ + host / side_;
    case Traffic::complement:
      return hosts_ - 1 - host;
    case Traffic::neighbour: {  // the host of the same number at the next router of the group
      const std::uint32_t per_router = network.hosts_per_router(), per_group = hosts_ / network.groups();
      const std::uint32_t first = host / per_group * per_group;
      return first + (host - first + per_router) % per_group;
    }
    case Traffic::adversarial: {  // as far as it goes in each dimension without another way that is as short
      std::uint32_t to = 0, stride = 1;
      for (const std::uint32_t side : network.sides()) {
        to += (host / stride % side + (side - 1) / 2) % side * stride;
        stride *= side;
      }
      return to;
    }
    case Traffic::next_host:
      return (host + 1) % hosts_;
    case Traffic::next_group:
      return (host + hosts_ / network.groups()) % hosts_;
    case Traffic::uniform:
    case Traffic::hot_spot:
      break;
  }
  return host;
}

std::uint32_t Destinations::destination(const Network& network, std::uint32_t host, Rng& rng) const {
  if (!is_random()) return fixed(network, host);
  if (traffic_ == Traffic::neighbour)
    return network
        .end(host, network.hosts_per_router() + rng.below(network.ports() - network.hosts_per_router()))
        .router;
  if (traffic_ == Traffic::adversarial) {
    const std::uint32_t per_group = hosts_ / network.groups();
    return (host / per_group + 1) % network.groups() * per_group + rng.below(per_group);
  }
  if (traffic_ == Traffic::hot_spot && host != 0 && rng.bernoulli(hot_share_)) return 0;
  const std::uint32_t other = rng.below(hosts_ - 1);
  return other < host ? other : other + 1;
}

Packet Destinations::draw(const Network& network, std::uint32_t host, Rng& rng) const {
  Packet packet;
  packet.to = destination(network, host, rng);
  if (network.is_torus()) {
    packet.bits = static_cast<std::uint8_t>(rng.below(128u));
  } else if (routing_ == Routing::valiant) {
    const std::uint32_t per_group = hosts_ / network.groups(), mine = host / per_group;
    if (packet.to / per_group != mine) {
      const std::uint32_t other = rng.below(network.groups() - 1);
      packet.by_group = static_cast<std::uint16_t>(other < mine ? other : other + 1);
      if (packet.by_group != packet.to / per_group) packet.bits = Packet::kByGroup;
    }
  }
  return packet;
}

}  // namespace anachron::models::packets
