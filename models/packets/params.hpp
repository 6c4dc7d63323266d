// The options of the model of packet networks.
#pragma once

#include <cstdint>
#include <string>

#include <anachron/model/params.hpp>

namespace anachron::models::packets {

enum class Topology { torus, dragonfly };
enum class Traffic {
  uniform,
  transpose,
  complement,
  neighbour,
  hot_spot,
  adversarial,
  next_host,
  next_group
};
enum class Routing { minimal, valiant };
enum class Arrangement { consecutive, modulo };

/// Times are in nanoseconds, sizes in bytes, bandwidths in bytes per nanosecond, which is GB/s.
struct Params {
  Topology topology = Topology::torus;
  std::string torus = "8x8x8";
  std::uint32_t hosts_per_router = 4;
  std::uint32_t routers_per_group = 8;
  std::uint32_t global_links = 4;
  Arrangement arrangement = Arrangement::consecutive;
  Routing routing = Routing::minimal;
  Traffic traffic = Traffic::uniform;
  double load = 0.1;
  double hot_share = 0.05;
  std::uint32_t packet_size = 512;
  std::uint32_t buffer = 16;
  double host_bandwidth = 5.25;
  double local_bandwidth = 5.25;
  double global_bandwidth = 5.25;
  double host_latency = 10;
  double local_latency = 50;
  double global_latency = 200;
  double router_delay = 50;

  static void describe(Describe<Params>& d) {
    d(&Params::topology, "How routers are linked")
        .choices({{"torus", Topology::torus}, {"dragonfly", Topology::dragonfly}});
    d(&Params::torus, "Routers of the torus in each dimension; each has one host").hint("AxBx...");
    d(&Params::hosts_per_router, "Hosts of each router of the dragonfly").at_least(1).at_most(1024);
    d(&Params::routers_per_group, "Routers of a group of the dragonfly").at_least(1).at_most(4096);
    d(&Params::global_links, "Links of each router of the dragonfly to other groups")
        .at_least(1)
        .at_most(1024);
    d(&Params::arrangement, "Which router of a dragonfly's group has the link to which group")
        .choices({{"consecutive", Arrangement::consecutive}, {"modulo", Arrangement::modulo}});
    d(&Params::routing, "On the dragonfly: the shortest way, or by a random group")
        .choices({{"minimal", Routing::minimal}, {"valiant", Routing::valiant}});
    d(&Params::traffic, "Where packets go")
        .choices({{"uniform", Traffic::uniform},
                  {"transpose", Traffic::transpose},
                  {"complement", Traffic::complement},
                  {"neighbour", Traffic::neighbour},
                  {"hot-spot", Traffic::hot_spot},
                  {"adversarial", Traffic::adversarial},
                  {"next-host", Traffic::next_host},
                  {"next-group", Traffic::next_group}});
    d(&Params::load, "What each host sends, as a share of the bandwidth of its link").above(0).at_most(1);
    d(&Params::hot_share, "Share of the packets that go to host 0, with --traffic hot-spot")
        .at_least(0)
        .at_most(1);
    d(&Params::packet_size, "Bytes of a packet").at_least(1).at_most(1'000'000);
    d(&Params::buffer, "Packets that a router can hold for each virtual channel of each link that ends at it")
        .at_least(1)
        .at_most(60'000);
    d(&Params::host_bandwidth, "Of the links between hosts and routers, bytes/ns")
        .at_least(1e-6)
        .at_most(1e6);
    d(&Params::local_bandwidth, "Of the torus's links, and of those within a group, bytes/ns")
        .at_least(1e-6)
        .at_most(1e6);
    d(&Params::global_bandwidth, "Of the links between groups, bytes/ns").at_least(1e-6).at_most(1e6);
    d(&Params::host_latency, "Of the links between hosts and routers, ns").at_least(0).at_most(1e9);
    d(&Params::local_latency, "Of the torus's links, and of those within a group, ns")
        .at_least(0)
        .at_most(1e9);
    d(&Params::global_latency, "Of the links between groups, ns").at_least(0).at_most(1e9);
    d(&Params::router_delay, "From the last byte of a packet at a router until it may go on, ns")
        .at_least(0)
        .at_most(1e9);
  }
};

}  // namespace anachron::models::packets
