#include "packets/packets.hpp"

#include <algorithm>
#include <utility>

#include <anachron/run/cli.hpp>

#include "packets/model.hpp"

namespace anachron::models {
namespace packets {

using Kind = Network::Kind;

double Router::lookahead(const Params&, const World& world) {
  const Network& network = world.network;
  double latency = network.latency(Kind::local),
         transmission = std::min(network.transmission(Kind::host), network.transmission(Kind::local));
  if (!network.is_torus()) {
    latency = std::min(latency, network.latency(Kind::global));
    transmission = std::min(transmission, network.transmission(Kind::global));
  }
  return transmission + latency;
}

// A packet is an event at each router, and sends a credit back along each link. If the link is busy when it
// comes, there is a LinkFree.
void Router::neighbours(const Params& params, const World& world, std::uint32_t index, Neighbours& to) {
  constexpr double kOfOwnPacket = 3;  // Inject, Arrive and Credit
  const Network& network = world.network;
  const Flows& flows = world.flows();
  double own = 0;
  for (std::uint32_t host = 0; host < network.hosts_per_router(); ++host)
    own += kOfOwnPacket * world.destinations.sends(network, index * network.hosts_per_router() + host);
  for (std::uint32_t port = 0; port < network.ports(); ++port) {
    const Kind kind = network.kind(port);
    const double packets = flows.through(index, port);
    const double busy = packets * params.load * network.transmission(kind) / network.transmission(Kind::host);
    own += packets * std::min(busy, 1.0) * flows.may_meet(index, port);
    if (kind == Kind::host) continue;
    const Network::End end = network.end(index, port);
    to.add(Id<Router>(end.router), packets + flows.through(end.router, end.port));
  }
  to.add(Id<Router>(index), own);
}

void Router::start(Context<Router>& cx) {
  const World& world = cx.shared();
  const Network& network = world.network;
  measured_from = cx.warm_up();
  ports.resize(network.ports());
  lanes.resize(std::size_t{2} * network.ports() * network.vcs());
  for (Lane& lane : lanes) lane.credits = cx.params().buffer;
  hosts.resize(network.hosts_per_router());
  const double interval = network.transmission(Kind::host) / cx.params().load;
  for (std::uint32_t h = 0; h < hosts.size(); ++h) {
    hosts[h].credits = cx.params().buffer;
    if (!world.destinations.sends(network, cx.self().index() * network.hosts_per_router() + h)) continue;
    hosts[h].created = hosts[h].ready = cx.rng().exponential(interval);
    cx.send_at(cx.self(), hosts[h].created, Inject{static_cast<std::uint16_t>(h)});
  }
}

void Router::on(Context<Router>& cx, Logged<Router>& log, const Inject& inject) const {
  const World& world = cx.shared();
  const Network& network = world.network;
  Host& host = log.write(hosts.at(inject.host));
  Rng& rng = cx.rng();
  Packet packet =
      world.destinations.draw(network, cx.self().index() * network.hosts_per_router() + inject.host, rng);
  packet.created = host.created;
  const double transmission = network.transmission(Kind::host);
  cx.send(cx.self(), transmission + network.latency(Kind::host) + cx.params().router_delay,
          Arrive{packet, inject.host, 0});
  if (is_warm(cx)) ++log.write(&Router::sent);
  --host.credits;
  host.created += rng.exponential(transmission / cx.params().load);
  host.ready = std::max(cx.now() + transmission, host.created);
  host.is_waiting = host.credits == 0;
  if (!host.is_waiting) cx.send_at(cx.self(), host.ready, Inject{inject.host});
}

void Router::on(Context<Router>& cx, Logged<Router>& log, const Credit& credit) const {
  const Network& network = cx.shared().network;
  if (network.kind(credit.port) == Kind::host) {
    Host& host = log.write(hosts.at(credit.port));
    ++host.credits;
    if (!host.is_waiting) return;
    host.is_waiting = false;
    cx.send_at(cx.self(), std::max(cx.now(), host.ready), Inject{credit.port});
    return;
  }
  ++log.write(lanes.at(2 * credit.port * network.vcs() + credit.vc)).credits;
  transmit(cx, log, credit.port);
}

void Router::on(Context<Router>& cx, Logged<Router>& log, const LinkFree& link) const {
  log.write(ports.at(link.port)).is_woken = false;
  transmit(cx, log, link.port);
}

void Router::on(Context<Router>& cx, Logged<Router>& log, const Arrive& arrival) const {
  const Network& network = cx.shared().network;
  Packet packet = arrival.packet;
  const Network::Hop hop = network.route(cx.self().index(), packet);
  const std::uint32_t place = take_place(log);
  log.write(waiting[place]) = {packet, kNone, arrival.port, arrival.vc};
  const std::uint32_t is_new = network.kind(arrival.port) == Kind::host;
  Lane& lane = log.write(lanes[(2 * hop.port + is_new) * network.vcs() + hop.vc]);
  if (lane.first == kNone)
    lane.first = place;
  else
    log.write(waiting[lane.last]).next = place;
  lane.last = place;
  transmit(cx, log, hop.port);
}

std::uint32_t Router::take_place(Logged<Router>& log) const {
  if (free_place != kNone) {
    const std::uint32_t place = free_place;
    log.write(&Router::free_place) = waiting[place].next;
    return place;
  }
  if (waiting.used == waiting.all.size()) waiting.all.emplace_back();
  return log.write(waiting.used)++;
}

/// The lane that goes next on the link of the port: that of the packet that was created first, of those at
/// the heads. So those that begin at a router do not overtake a packet that has come a long way, and full
/// buffers do not stay full. kNone: nothing can go.
std::uint32_t Router::next_lane(const Network& network, std::uint32_t port) const {
  const std::uint32_t vcs = network.vcs(), first = 2 * port * vcs;
  const bool is_to_host = network.kind(port) == Kind::host;
  std::uint32_t best = kNone;
  Time created = kForever;
  for (std::uint32_t k = 0; k < 2 * vcs; ++k) {
    const Lane& lane = lanes[first + k];
    if (lane.first == kNone || (!is_to_host && lanes[first + k % vcs].credits == 0)) continue;
    if (waiting[lane.first].packet.created >= created) continue;
    created = waiting[lane.first].packet.created;
    best = first + k;
  }
  return best;
}

/// Begins a transmission on the link of the port, if it is free and something can go.
void Router::transmit(Context<Router>& cx, Logged<Router>& log, std::uint32_t port) const {
  const Network& network = cx.shared().network;
  std::uint32_t lane = next_lane(network, port);
  if (lane == kNone) return;
  if (cx.now() >= ports[port].free_at) {
    send_on(cx, log, port, lane);
    lane = next_lane(network, port);
  }
  if (lane == kNone || ports[port].is_woken) return;
  log.write(ports[port]).is_woken = true;
  cx.send_at(cx.self(), ports[port].free_at, LinkFree{static_cast<std::uint16_t>(port)});
}

void Router::send_on(Context<Router>& cx, Logged<Router>& log, std::uint32_t port,
                     std::uint32_t lane_number) const {
  const Network& network = cx.shared().network;
  const std::uint32_t vc = lane_number % network.vcs();
  const Kind kind = network.kind(port);
  const double transmission = network.transmission(kind);
  log.write(ports[port]).free_at = cx.now() + transmission;

  Lane& lane = log.write(lanes[lane_number]);
  const std::uint32_t place = lane.first;
  Waiting& from = log.write(waiting[place]);
  Packet packet = from.packet;
  const auto [from_port, from_vc] = std::pair(from.from_port, from.from_vc);
  lane.first = from.next;
  if (lane.first == kNone) lane.last = kNone;
  from = {};
  from.next = free_place;
  log.write(&Router::free_place) = place;

  const double passing = transmission + network.latency(kind);
  if (kind == Kind::host) {
    latency.add(log, cx, cx.now() + passing - packet.created);
    log.write(hops).add(cx, packet.hops);
  } else {
    --log.write(lanes[2 * port * network.vcs() + vc]).credits;
    ++packet.hops;
    const Network::End end = network.end(cx.self().index(), port);
    cx.send(cx.id(end.router), passing + cx.params().router_delay,
            Arrive{packet, static_cast<std::uint16_t>(end.port), static_cast<std::uint8_t>(vc)});
  }
  const Kind from_kind = network.kind(from_port);
  const double back = transmission + network.latency(from_kind);
  if (from_kind == Kind::host) {
    cx.send(cx.self(), back, Credit{from_port, 0});
  } else {
    const Network::End begin = network.end(cx.self().index(), from_port);
    cx.send(cx.id(begin.router), back, Credit{static_cast<std::uint16_t>(begin.port), from_vc});
  }
}

void Router::finish(Results& results, const Finish<Router>& cx) const {
  const Network& network = cx.shared().network;
  if (cx.self().index() == 0) {
    results.count("hosts", network.hosts());
    results.count("routers", network.routers());
  }
  results.count("sent", static_cast<std::int64_t>(sent));
  results.count("delivered", static_cast<std::int64_t>(latency.tally().count()));
  // As a share of what the hosts' links can carry. Nothing is measured before the end of the warm-up.
  const double carried = static_cast<double>(latency.tally().count()) * network.transmission(Kind::host);
  results.mean("throughput", carried > 0 ? carried / (cx.now() - measured_from) : 0,
               network.hosts_per_router());
  results.add("latency", latency);
  results.add("hops", hops);
}

}  // namespace packets

std::unique_ptr<AnyModel> make_packets() {
  return make_model<packets::Router>("packets", "packets in torus and dragonfly networks with credits");
}

}  // namespace anachron::models
