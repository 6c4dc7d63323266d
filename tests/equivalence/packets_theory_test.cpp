// Networks of packets against what can be computed: latency without others in the way, and throughput at
// saturation.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <anachron/anachron.hpp>

#include "packets/model.hpp"
#include "scale.hpp"

namespace anachron::models::packets {
namespace {

Params torus(const std::string& sides) {
  Params params;
  params.torus = sides;
  return params;
}
Params dragonfly(std::uint32_t hosts, std::uint32_t routers, std::uint32_t links) {
  Params params;
  params.topology = Topology::dragonfly;
  params.hosts_per_router = hosts;
  params.routers_per_group = routers;
  params.global_links = links;
  return params;
}

Params modulo(Params params) {
  params.arrangement = Arrangement::modulo;
  return params;
}

Report run(const Params& params, Time warm_up, Time until) {
  Simulation<Router> simulation;
  simulation.params<Params>() = params;
  simulation.config.sync = Sync::sequential;
  simulation.config.warm_up = warm_up;
  simulation.config.until = until;
  return simulation.run();
}

double throughput(const Params& params) { return run(params, 20'000, 50'000).results.value("throughput"); }

/// The highest load with which no link has more to carry than it can: every packet of every host, along its
/// way. The way of a packet in a tie is drawn, so it is counted both ways.
double bound(const Params& params) {
  const Network network(params);
  const Destinations destinations(params, network);
  std::vector<double> load(std::size_t{network.routers()} * network.ports());
  std::uint64_t draws = 0;
  Rng rng(1, 0, draws);
  const bool is_random = params.traffic == Traffic::uniform || params.traffic == Traffic::adversarial ||
                         params.routing == Routing::valiant;
  const int samples = is_random ? 2000 : 200;
  for (std::uint32_t host = 0; host < network.hosts(); ++host)
    for (int k = 0; destinations.sends(network, host) && k < samples; ++k) {
      Packet packet = destinations.draw(network, host, rng);
      for (std::uint32_t router = network.router_of(host);;) {
        const Network::Hop hop = network.route(router, packet);
        const auto kind = network.kind(hop.port);
        load[router * network.ports() + hop.port] +=
            network.transmission(kind) / network.transmission(Network::Kind::host) / samples;
        if (kind == Network::Kind::host) break;
        router = network.end(router, hop.port).router;
      }
    }
  return 1 / *std::max_element(load.begin(), load.end());
}

TEST(PacketsNetwork, LinksLeadBack) {
  for (const Params& params :
       {torus("2"), torus("5x4"), torus("2x3x2"), dragonfly(2, 4, 2), dragonfly(1, 1, 3), dragonfly(3, 5, 1),
        modulo(dragonfly(2, 4, 2)), modulo(dragonfly(1, 1, 3)), modulo(dragonfly(3, 5, 1))}) {
    const Network network(params);
    for (std::uint32_t router = 0; router < network.routers(); ++router)
      for (std::uint32_t port = network.hosts_per_router(); port < network.ports(); ++port) {
        const auto there = network.end(router, port);
        ASSERT_LT(there.router, network.routers());
        ASSERT_NE(there.router, router);
        ASSERT_EQ(network.kind(there.port), network.kind(port));
        const auto back = network.end(there.router, there.port);
        ASSERT_EQ(back.router, router);
        ASSERT_EQ(back.port, port);
      }
  }
}

TEST(PacketsNetwork, WaysAreOfTheLengthThatTheTopologyHas) {
  const auto hops = [](const Network& network, std::uint32_t from, std::uint32_t to) {
    Packet packet;
    packet.to = to;
    std::uint32_t count = 0;
    for (std::uint32_t router = network.router_of(from);; ++count) {
      const auto hop = network.route(router, packet);
      EXPECT_LT(hop.vc, network.vcs());
      if (network.kind(hop.port) == Network::Kind::host) {
        EXPECT_EQ(network.router_of(to), router);
        return count;
      }
      if (count > 100) return count;
      router = network.end(router, hop.port).router;
    }
  };
  const Network ring(torus("7x4"));
  for (std::uint32_t a = 0; a < 28; ++a)
    for (std::uint32_t b = 0; b < 28; ++b) {
      const auto apart = [](std::uint32_t x, std::uint32_t y, std::uint32_t side) {
        const std::uint32_t d = (x + side - y) % side;
        return std::min(d, side - d);
      };
      ASSERT_EQ(hops(ring, a, b), apart(a % 7, b % 7, 7) + apart(a / 7, b / 7, 4));
    }
  for (const Params& params : {dragonfly(2, 4, 2), modulo(dragonfly(2, 4, 2))}) {
    const Network dragons(params);
    EXPECT_EQ(dragons.groups(), 9u);
    for (std::uint32_t a = 0; a < dragons.hosts(); ++a)
      for (std::uint32_t b = 0; b < dragons.hosts(); ++b)
        ASSERT_LE(hops(dragons, a, b), a / 8 == b / 8 ? 1u : 3u);
  }
}

TEST(PacketsTraffic, TheNextOneIsBesideAndTheNextGroupAsFarAsAGroupHasHosts) {
  Params params = dragonfly(2, 4, 2);  // 9 groups of 8 hosts
  const Network network(params);
  std::uint64_t draws = 0;
  Rng rng(1, 0, draws);
  for (const auto& [traffic, distance] : {std::pair{Traffic::next_host, 1u}, {Traffic::next_group, 8u}}) {
    params.traffic = traffic;
    const Destinations destinations(params, network);
    for (std::uint32_t host = 0; host < network.hosts(); ++host)
      EXPECT_EQ(destinations.draw(network, host, rng).to, (host + distance) % network.hosts());
  }
  params = torus("4x4");
  params.traffic = Traffic::next_group;
  EXPECT_THROW(Network{params}, InputError);
  EXPECT_THROW(Network{modulo(torus("4x4"))}, InputError);
}

/// The virtual channels that ways take one after the other have no cycle, or packets could wait for each
/// other forever.
void expect_no_cycle(const Params& params) {
  const Network network(params);
  const std::size_t channels = std::size_t{network.routers()} * network.ports() * network.vcs();
  std::vector<std::vector<std::size_t>> after(channels);
  const auto follow = [&](std::uint32_t from, Packet packet) {
    std::size_t last = channels;
    for (std::uint32_t router = network.router_of(from);;) {
      const auto hop = network.route(router, packet);
      if (network.kind(hop.port) == Network::Kind::host) return;
      const std::size_t channel = (std::size_t{router} * network.ports() + hop.port) * network.vcs() + hop.vc;
      if (last != channels) after[last].push_back(channel);
      last = channel;
      router = network.end(router, hop.port).router;
    }
  };
  for (std::uint32_t from = 0; from < network.hosts(); ++from)
    for (std::uint32_t to = 0; to < network.hosts(); ++to) {
      Packet packet;
      packet.to = to;
      const std::uint32_t variants = network.is_torus()                   ? 4
                                     : params.routing == Routing::valiant ? network.groups()
                                                                          : 1;
      for (std::uint32_t k = 0; k < variants; ++k) {
        packet.bits = 0;
        if (network.is_torus()) packet.bits = static_cast<std::uint8_t>(k);
        const std::uint32_t per_group = network.hosts() / network.groups();
        if (params.routing == Routing::valiant && k != from / per_group &&
            from / per_group != to / per_group) {
          packet.by_group = static_cast<std::uint16_t>(k);
          packet.bits = Packet::kByGroup;
        }
        follow(from, packet);
      }
    }
  std::vector<int> state(channels);  // 1: on the way, 2: without a cycle
  const auto visit = [&](const auto& self, std::size_t channel) -> bool {
    if (state[channel]) return state[channel] == 2;
    state[channel] = 1;
    for (const std::size_t next : after[channel])
      if (!self(self, next)) return false;
    state[channel] = 2;
    return true;
  };
  for (std::size_t channel = 0; channel < channels; ++channel) ASSERT_TRUE(visit(visit, channel));
}

TEST(PacketsNetwork, ChannelsHaveNoCycle) {
  expect_no_cycle(torus("6x5"));
  expect_no_cycle(torus("2x4"));
  expect_no_cycle(dragonfly(1, 3, 1));
  Params valiant = dragonfly(1, 4, 1);
  valiant.routing = Routing::valiant;
  expect_no_cycle(valiant);
  expect_no_cycle(modulo(valiant));
}

// Two hosts that are alone: every packet takes the sum of what links and routers on its way take.
TEST(PacketsLatency, IsExactWithoutOthers) {
  for (Params params : {torus("8x8"), dragonfly(2, 4, 2)}) {
    params.traffic = Traffic::complement;
    params.load = 1e-5;
    params.global_bandwidth = 4;
    const Network network(params);
    Simulation<Router> simulation;
    simulation.params<Params>() = params;
    simulation.config.sync = Sync::sequential;
    simulation.config.until = 2e7;
    simulation.run();
    std::uint64_t found = 0;
    for (std::uint32_t router = 0; router < network.routers(); ++router) {
      const Tally& latency = simulation.lp<Router>(router).latency.tally();
      if (latency.count() == 0) continue;
      found += latency.count();
      double least = 1e9, most = 0;
      for (std::uint32_t h = 0; h < network.hosts_per_router(); ++h) {
        const std::uint32_t to = router * network.hosts_per_router() + h;
        const double expected = network.unloaded_latency(network.hosts() - 1 - to, to);
        least = std::min(least, expected);
        most = std::max(most, expected);
      }
      EXPECT_GE(latency.min(), least - 1e-6);
      EXPECT_LE(latency.max(), most + 1e-6);
    }
    EXPECT_GT(found, 50u);
  }
}

struct Saturation {
  const char* name;
  Params params;
  double theory;       ///< what the literature has for the bound; 0: nothing
  double share;        ///< of the bound that finite buffers leave, at least
  double most = 1.08;  ///< times the bound: hosts on whose ways nothing is full send more than it allows all
};
std::ostream& operator<<(std::ostream& out, const Saturation& s) { return out << s.name; }

Params with(Params params, Traffic traffic, Routing routing = Routing::minimal) {
  params.traffic = traffic;
  params.routing = routing;
  params.load = 1;
  return params;
}

class PacketsSaturation : public testing::TestWithParam<Saturation> {};

TEST_P(PacketsSaturation, IsNearTheBoundOfTheTopology) {
  const Saturation& s = GetParam();
  const double most = std::min(1.0, bound(s.params)), found = throughput(s.params);
  if (s.theory > 0) {
    EXPECT_NEAR(most, s.theory, 0.06 * s.theory);  // it is estimated from random packets
  }
  EXPECT_GE(found, s.share * most);
  EXPECT_LE(found, s.most * most);
}

// 8 / k for uniform traffic on a torus of k in each dimension (Dally, Towles, section 3.3), a little more
// since nobody sends to himself; 1 / (a p) and about h / 2p for groups that send to the next one, minimally
// and by another group.
INSTANTIATE_TEST_SUITE_P(
    , PacketsSaturation,
    testing::Values(
        Saturation{"TorusUniform", with(torus("16x8"), Traffic::uniform), 0.504, 0.88},
        Saturation{"TorusTornado", with(torus("16"), Traffic::adversarial), 1.0 / 7, 0.9},
        Saturation{"TorusTranspose", with(torus("8x8"), Traffic::transpose), 0, 0.85},
        Saturation{"DragonflyAdversarial", with(dragonfly(2, 4, 2), Traffic::adversarial), 0.125, 0.95},
        Saturation{"DragonflyValiant", with(dragonfly(2, 4, 2), Traffic::adversarial, Routing::valiant), 0.5,
                   0.88},
        // In the group between, what comes in at a router goes on from the next one: the loads of 2
        // hosts, half a load that begins there and half a load that ends there share the local link.
        Saturation{"DragonflyModulo", with(modulo(dragonfly(2, 4, 2)), Traffic::next_group, Routing::valiant),
                   1.0 / 3, 0.88, 1.2},
        Saturation{"DragonflyUniform", with(dragonfly(2, 4, 2), Traffic::uniform), 0, 0.85}),
    [](const auto& param) { return std::string(param.param.name); });

TEST(PacketsThroughput, IsTheLoadBelowSaturation) {
  Params params = torus("8x8");
  params.load = 0.5;
  EXPECT_NEAR(throughput(params), 0.5, 0.02);
}

}  // namespace
}  // namespace anachron::models::packets
