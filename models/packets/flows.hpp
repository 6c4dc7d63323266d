// How many packets pass each port of each router, found by sending a sample of packets along their ways.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "packets/network.hpp"
#include "packets/traffic.hpp"

namespace anachron::models::packets {

class Flows {
 public:
  /// Complexity: O(packets of the sample * hops); the sample has some 50,000, and at least one for each host.
  Flows(const Network& network, const Destinations& destinations);

  /// For each packet that a host sends, on average. Of a port to a host: those that arrive there.
  double through(std::uint32_t router, std::uint32_t port) const {
    return at(router, port).packets * weight_;
  }
  /// Share of the packets through the port that another packet through it, met by chance, may delay: one that
  /// has come to the router on another link. Those that come on one link have a distance already.
  double may_meet(std::uint32_t router, std::uint32_t port) const {
    const Passed& passed = at(router, port);
    return passed.packets > 1 ? passed.changes / (passed.packets - 1.0) : 0;
  }

 private:
  struct Passed {
    std::uint32_t packets = 0;
    std::uint32_t changes = 0;  ///< packets that came on another link than the one before
    std::uint32_t last = 0;     ///< link on which the last one came
  };
  const Passed& at(std::uint32_t router, std::uint32_t port) const {
    return passed_[std::size_t{router} * ports_ + port];
  }
  void send(const Network& network, Packet packet, std::uint32_t host);

  std::uint32_t ports_;
  double weight_ = 1;
  std::vector<Passed> passed_;  // by router, then port
};

}  // namespace anachron::models::packets
