#include "packets/network.hpp"

#include <string>
#include <string_view>

#include <anachron/base/error.hpp>
#include <anachron/base/parse.hpp>

namespace anachron::models::packets {

namespace {

constexpr std::uint64_t kMostHosts = 16'777'216;

[[noreturn]] void refuse_torus(const std::string& text) {
  throw bad_value("torus", text,
                  "1 to 7 sides AxBx..., e.g. 8x8x8, each from 2 to 65535, of 16777216 routers at most");
}

}  // namespace

Network::Network(const Params& params)
    : is_torus_(params.topology == Topology::torus),
      is_modulo_(params.arrangement == Arrangement::modulo),
      transmission_{params.packet_size / params.host_bandwidth, params.packet_size / params.local_bandwidth,
                    params.packet_size / params.global_bandwidth},
      latency_{params.host_latency, params.local_latency, params.global_latency},
      router_delay_(params.router_delay) {
  if (is_torus_)
    make_torus(params);
  else
    make_dragonfly(params);
  if (is_torus_ && params.traffic == Traffic::next_group)
    throw InputError("--traffic: 'next-group' is for --topology dragonfly; a torus has no groups");
  if (hosts() < 2) throw InputError("a network needs at least 2 hosts");
  if (params.traffic == Traffic::transpose) {
    const std::uint32_t n = hosts();
    std::uint32_t side = 1;
    while (side * side < n) ++side;
    if (side * side != n)
      throw InputError("--traffic: 'transpose' is for a square number of hosts, not for " +
                       std::to_string(n));
  }
}

void Network::make_torus(const Params& params) {
  if (params.routing == Routing::valiant)
    throw InputError(
        "--routing: 'valiant' is for --topology dragonfly; routing on the torus is by dimension");
  if (is_modulo_)
    throw InputError("--arrangement: 'modulo' is for --topology dragonfly; a torus has no groups");
  std::uint64_t all = 1;
  for (std::string_view rest = params.torus;;) {
    const auto x = rest.find('x');
    std::uint64_t side = 0;
    try {
      side = parse_count(rest.substr(0, x));
    } catch (const InputError&) {
      refuse_torus(params.torus);
    }
    if (side < 2 || side > 65'535 || sides_.size() == kMostDimensions) refuse_torus(params.torus);
    strides_.push_back(static_cast<std::uint32_t>(all));
    sides_.push_back(static_cast<std::uint32_t>(side));
    all *= side;
    if (all > kMostHosts) refuse_torus(params.torus);
    if (x == std::string_view::npos) break;
    rest = rest.substr(x + 1);
  }
  routers_ = static_cast<std::uint32_t>(all);
  ports_ = first_global_ = 1 + 2 * static_cast<std::uint32_t>(sides_.size());
  vcs_ = 2;
}

void Network::make_dragonfly(const Params& params) {
  hosts_per_router_ = params.hosts_per_router;
  per_group_ = params.routers_per_group;
  global_ = params.global_links;
  const std::uint64_t groups = std::uint64_t{per_group_} * global_ + 1;
  if (groups > 65'535 || groups * per_group_ * hosts_per_router_ > kMostHosts)
    throw InputError("--routers-per-group, --global-links: " + std::to_string(groups) + " groups of " +
                     std::to_string(std::uint64_t{per_group_} * hosts_per_router_) +
                     " hosts are not valid: expected at most 65535 groups and 16777216 hosts");
  groups_ = static_cast<std::uint32_t>(groups);
  routers_ = groups_ * per_group_;
  first_global_ = hosts_per_router_ + per_group_ - 1;
  ports_ = first_global_ + global_;
  vcs_ = params.routing == Routing::valiant ? 3 : 2;
}

Network::End Network::end(std::uint32_t router, std::uint32_t port) const {
  if (is_torus_) {
    const std::uint32_t d = (port - 1) / 2;
    const std::uint32_t side = sides_[d], stride = strides_[d], at = router / stride % side;
    const bool is_up = (port - 1) % 2 == 0;
    const std::uint32_t next = is_up ? (at + 1 == side ? 0 : at + 1) : (at == 0 ? side - 1 : at - 1);
    return {router + next * stride - at * stride, 1 + 2 * d + (is_up ? 1u : 0u)};
  }
  const std::uint32_t group = router / per_group_, mine = router % per_group_;
  if (port < first_global_) {
    const std::uint32_t k = port - hosts_per_router_, other = k < mine ? k : k + 1;
    return {group * per_group_ + other, local_port(other, mine)};
  }
  return gateway(beyond(group, mine, port), group);
}

Network::Hop Network::route(std::uint32_t router, Packet& packet) const {
  const std::uint32_t to = router_of(packet.to);
  return is_torus_ ? route_on_torus(router, to, packet) : route_on_dragonfly(router, to, packet);
}

// Dimension by dimension, which is without cycles between dimensions. Within a ring the second virtual
// channel is for those that have crossed the link between its last and its first router (Dally, Seitz 1987).
Network::Hop Network::route_on_torus(std::uint32_t router, std::uint32_t to, Packet& packet) const {
  for (std::uint32_t d = 0; d < sides_.size(); ++d) {
    const std::uint32_t side = sides_[d], at = router / strides_[d] % side, goal = to / strides_[d] % side;
    if (at == goal) continue;
    const std::uint32_t up = goal > at ? goal - at : goal + side - at, down = side - up;
    const bool goes_up = up < down || (up == down && !(packet.bits >> d & 1));
    // A packet that has crossed is on the far side of the goal's; a ring is crossed once at most.
    const bool crosses = goes_up ? at + 1 == side : at == 0;
    const bool is_before = goes_up ? goal < at : goal > at;  // it has still to cross
    return {1 + 2 * d + (goes_up ? 0u : 1u), crosses || !is_before ? 1u : 0u};
  }
  return {packet.to % hosts_per_router_, 0};
}

// The virtual channel is the number of global links so far. A way is local, global, local. With a group in
// between it is local, global, local, global, local. Any of the local ones may be left out. Channels only
// ever rise on it.
Network::Hop Network::route_on_dragonfly(std::uint32_t router, std::uint32_t to, Packet& packet) const {
  const std::uint32_t group = router / per_group_;
  if (packet.bits & Packet::kByGroup && group == packet.by_group)
    packet.bits &= static_cast<std::uint8_t>(~Packet::kByGroup);
  const std::uint32_t vc = packet.bits & Packet::kGlobalTwice ? 2 : packet.bits & Packet::kGlobalOnce ? 1 : 0;
  const bool is_by_group = packet.bits & Packet::kByGroup;
  const std::uint32_t goal = is_by_group ? packet.by_group : to / per_group_;
  if (goal == group) {
    if (router == to) return {packet.to % hosts_per_router_, 0};
    return {local_port(router % per_group_, to % per_group_), vc};
  }
  const End out = gateway(group, goal);
  if (out.router != router) return {local_port(router % per_group_, out.router % per_group_), vc};
  packet.bits |= packet.bits & Packet::kGlobalOnce ? Packet::kGlobalTwice : Packet::kGlobalOnce;
  return {out.port, vc};
}

double Network::unloaded_latency(std::uint32_t from, std::uint32_t to) const {
  const auto link = [&](Kind kind) { return transmission(kind) + latency(kind); };
  double time = link(Kind::host) + router_delay_;
  Packet packet;
  packet.to = to;
  for (std::uint32_t router = router_of(from);;) {
    const Hop hop = route(router, packet);
    time += link(kind(hop.port));
    if (kind(hop.port) == Kind::host) return time;
    time += router_delay_;
    router = end(router, hop.port).router;
  }
}

}  // namespace anachron::models::packets
