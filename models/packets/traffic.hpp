// Where packets go: the patterns with which networks are studied (Dally, Towles 2004, section 3.2).
#pragma once

#include <cstdint>
#include <optional>

#include <anachron/model/rng.hpp>

#include "packets/network.hpp"
#include "packets/params.hpp"

namespace anachron::models::packets {

class Destinations {
 public:
  Destinations(const Params& params, const Network& network);

  /// Whether the host sends anything: with some patterns it would be to itself.
  bool sends(const Network& network, std::uint32_t host) const {
    return is_random() || fixed(network, host) != host;
  }
  /// The destination of a packet of `host`, and what the packet needs to know for its way.
  Packet draw(const Network& network, std::uint32_t host, Rng& rng) const;

 private:
  bool is_random() const {
    return traffic_ == Traffic::uniform || traffic_ == Traffic::hot_spot ||
           (network_is_torus_ ? traffic_ == Traffic::neighbour : traffic_ == Traffic::adversarial);
  }
  /// With a pattern that has one destination for each host.
  std::uint32_t fixed(const Network& network, std::uint32_t host) const;
  std::uint32_t destination(const Network& network, std::uint32_t host, Rng& rng) const;

  Traffic traffic_;
  Routing routing_;
  double hot_share_;
  bool network_is_torus_;
  std::uint32_t hosts_, side_ = 1;
};

}  // namespace anachron::models::packets
