// What all routers read and none changes: who is linked to whom, and which way packets go.
//
// Ports of a router: first those to its hosts, then those to other routers. On the torus, two for each
// dimension, up and down. On the dragonfly (Kim, Dally, Scott, Abts 2008), one to each other router of the
// group, by number, and then the global ones, which are the group's channels. Each pair of groups has one
// link. Consecutive: global port k of router r of group g has channel c = r * h + k. It leads to group c, or
// to c + 1 if c >= g, as in that paper's figure. Modulo: it has channel c = k * a + r, which leads to group
// c, or to the last one if c = g, as in the dragonfly model of CODES.
#pragma once

#include <cstdint>
#include <vector>

#include "packets/params.hpp"

namespace anachron::models::packets {

/// What a packet takes along.
struct Packet {
  double created = 0;          ///< ns
  std::uint32_t to = 0;        ///< host
  std::uint16_t by_group = 0;  ///< where it goes first, with `goes_by_group`
  std::uint16_t hops = 0;      ///< links between routers so far
  std::uint8_t bits = 0;

  // On the torus, bit d: the packet goes down in dimension d where both ways are the same length. Bit 7: it
  // has crossed the dateline of the dimension that it is in. On the dragonfly:
  static constexpr std::uint8_t kCrossed = 0x80, kByGroup = 1, kGlobalOnce = 2, kGlobalTwice = 4;

  template <class Archive>
  void serialize(Archive& ar) {
    ar(created, to, by_group, hops, bits);
  }
  friend bool operator==(const Packet&, const Packet&) = default;
};

class Network {
 public:
  static constexpr std::uint32_t kMostDimensions = 7, kMostVcs = 3;

  /// Throws InputError for parameters that make no network or contradict each other.
  explicit Network(const Params& params);

  std::uint32_t routers() const { return routers_; }
  std::uint32_t hosts() const { return routers_ * hosts_per_router_; }
  std::uint32_t hosts_per_router() const { return hosts_per_router_; }
  std::uint32_t ports() const { return ports_; }
  std::uint32_t vcs() const { return vcs_; }
  std::uint32_t groups() const { return groups_; }
  bool is_torus() const { return is_torus_; }
  const std::vector<std::uint32_t>& sides() const { return sides_; }
  std::uint32_t router_of(std::uint32_t host) const { return host / hosts_per_router_; }

  enum class Kind : std::uint8_t { host, local, global };
  Kind kind(std::uint32_t port) const {
    return port < hosts_per_router_ ? Kind::host : port < first_global_ ? Kind::local : Kind::global;
  }
  /// ns from the first byte on the link to the last one at its end, and how long the link is taken.
  double transmission(Kind kind) const { return transmission_[static_cast<int>(kind)]; }
  double latency(Kind kind) const { return latency_[static_cast<int>(kind)]; }

  struct End {
    std::uint32_t router = 0, port = 0;
  };
  /// Where the link of a port ends that is none to a host, and where the link in the other direction begins.
  End end(std::uint32_t router, std::uint32_t port) const;

  struct Hop {
    std::uint32_t port, vc;
  };
  /// The port by which a packet leaves a router, and its virtual channel there. Changes what the packet
  /// remembers of its way.
  Hop route(std::uint32_t router, Packet& packet) const;

  /// The least time in which a packet gets from host to host, minimal routing, without others in its way. ns
  double unloaded_latency(std::uint32_t from, std::uint32_t to) const;

 private:
  void make_torus(const Params& params);
  void make_dragonfly(const Params& params);
  Hop route_on_torus(std::uint32_t router, std::uint32_t to, Packet& packet) const;
  Hop route_on_dragonfly(std::uint32_t router, std::uint32_t to, Packet& packet) const;
  /// The router of `group` that has the link to another group, and the port.
  End gateway(std::uint32_t group, std::uint32_t to) const {
    if (is_modulo_) {
      const std::uint32_t channel = to == groups_ - 1 ? group : to;
      return {group * per_group_ + channel % per_group_, first_global_ + channel / per_group_};
    }
    const std::uint32_t channel = to < group ? to : to - 1;
    return {group * per_group_ + channel / global_, first_global_ + channel % global_};
  }
  /// The group to which a global port leads.
  std::uint32_t beyond(std::uint32_t group, std::uint32_t router_in_group, std::uint32_t port) const {
    const std::uint32_t k = port - first_global_;
    if (is_modulo_) {
      const std::uint32_t channel = k * per_group_ + router_in_group;
      return channel == group ? groups_ - 1 : channel;
    }
    const std::uint32_t channel = router_in_group * global_ + k;
    return channel < group ? channel : channel + 1;
  }
  std::uint32_t local_port(std::uint32_t from, std::uint32_t to) const {
    return hosts_per_router_ + (to < from ? to : to - 1);
  }

  bool is_torus_, is_modulo_;
  std::vector<std::uint32_t> sides_, strides_;
  std::uint32_t hosts_per_router_ = 1, per_group_ = 1, global_ = 0, groups_ = 1;
  std::uint32_t routers_ = 0, ports_ = 0, first_global_ = 0, vcs_ = 0;
  double transmission_[3], latency_[3], router_delay_;
};

}  // namespace anachron::models::packets
