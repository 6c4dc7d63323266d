// Packets in a network of routers with finite buffers and credits. Time is in nanoseconds. See README.md.
//
// An LP is a router with its hosts. A packet that has come waits at the port by which it goes on, in the
// order of coming for each virtual channel. It takes up a place in the buffer of the link and channel on
// which it came until its last byte has left. Then that place goes back to the router before, as a credit,
// which takes as long as the link is.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <vector>

#include <anachron/model/model.hpp>

#include "packets/flows.hpp"
#include "packets/network.hpp"
#include "packets/params.hpp"
#include "packets/traffic.hpp"

namespace anachron::models::packets {

/// What routers share: the network, and where packets go.
class World {
 public:
  Network network;
  Destinations destinations;

  explicit World(const Params& params) : network(params), destinations(params, network) {}

  /// Found at the first call, because runs on one processing element do not need them.
  const Flows& flows() const {
    std::call_once(is_found_, [this] { flows_.emplace(network, destinations); });
    return *flows_;
  }

 private:
  mutable std::once_flag is_found_;
  mutable std::optional<Flows> flows_;
};

/// To the router at the end of a link: a packet is there and may go on.
struct Arrive {
  Packet packet;
  std::uint16_t port = 0;
  std::uint8_t vc = 0;

  template <class Archive>
  void serialize(Archive& ar) {
    ar(packet, port, vc);
  }
};
/// To where the link begins: a place in the buffer at its end is free. From the router itself for its hosts'
/// links.
struct Credit {
  std::uint16_t port = 0;
  std::uint8_t vc = 0;
};
/// To oneself: a link is free, and something waits for it.
struct LinkFree {
  std::uint16_t port = 0;
};
/// To oneself: the next packet of a host begins to go to the router.
struct Inject {
  std::uint16_t host = 0;
};

struct Router {
  using Params = packets::Params;
  using Shared = World;
  static constexpr bool encodable_events = true;
  static constexpr Time until = 20'000;

  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  /// A packet that waits; `next` of those that take the same port and channel, or of free places.
  struct Waiting {
    Packet packet;
    std::uint32_t next = kNone;
    std::uint16_t from_port = 0;
    std::uint8_t from_vc = 0;
    friend bool operator==(const Waiting&, const Waiting&) = default;
  };
  /// Packets that wait for a virtual channel of a port: from other routers, or from the hosts here.
  struct Lane {
    std::uint32_t first = kNone, last = kNone;
    std::uint32_t credits = 0;  ///< of the former, for both: free places at the end of the link
    friend bool operator==(const Lane&, const Lane&) = default;
  };
  struct Port {
    Time free_at = 0;       ///< the link
    bool is_woken = false;  ///< a `LinkFree` is under way
    friend bool operator==(const Port&, const Port&) = default;
  };
  /// Packets are created as a Poisson process, and wait in the host without limit. Nothing that happens
  /// changes when they are, so that only the first one of them need be known.
  struct Host {
    Time created = 0;  ///< the packet that goes next
    Time ready = 0;    ///< when the link is free for it, if it is there by then
    std::uint32_t credits = 0;
    bool is_waiting = false;  ///< for a credit
    friend bool operator==(const Host&, const Host&) = default;
  };
  /// Room for packets that wait. It grows as it is needed, and remains when an event is undone: the undo log
  /// refers to elements, which may not move. So places from `used` on are no part of the state.
  struct Places {
    mutable std::deque<Waiting> all;
    std::uint32_t used = 0;

    const Waiting& operator[](std::uint32_t place) const { return all[place]; }
    template <class Archive>
    void serialize(Archive& ar) {
      if constexpr (Archive::kIsReading) {
        ar(all);
        used = static_cast<std::uint32_t>(all.size());
      } else {
        ar(std::vector<Waiting>(all.begin(), all.begin() + used));
      }
    }
    friend bool operator==(const Places& a, const Places& b) {
      return a.used == b.used && std::equal(a.all.begin(), a.all.begin() + a.used, b.all.begin());
    }
  };
  using Latencies = BasicHistogram<4, 8>;

  Places waiting;
  std::uint32_t free_place = kNone;  ///< the first of those that have been used before
  std::vector<Lane> lanes;  ///< of port 0: all channels of the former, then of the latter; of port 1, ...
  std::vector<Port> ports;
  std::vector<Host> hosts;
  Latencies latency;  ///< ns, from being created to the last byte at the other host
  Tally hops;         ///< links between routers
  std::uint64_t sent = 0;
  Time measured_from = 0;

  static std::uint32_t count(const Params&, const World& world) { return world.network.routers(); }
  static bool may_stop(const Params&) { return false; }
  /// All that is sent passes a link, behind the transmission of a packet.
  static double lookahead(const Params& params, const World& world);
  static double position(const Params&, const World&, std::uint32_t index) { return index; }
  static void neighbours(const Params& params, const World& world, std::uint32_t index, Neighbours& to);

  void start(Context<Router>& cx);
  void on(Context<Router>& cx, Logged<Router>& log, const Arrive& arrival) const;
  void on(Context<Router>& cx, Logged<Router>& log, const Credit& credit) const;
  void on(Context<Router>& cx, Logged<Router>& log, const LinkFree& link) const;
  void on(Context<Router>& cx, Logged<Router>& log, const Inject& inject) const;
  void finish(Results& results, const Finish<Router>& cx) const;

  friend bool operator==(const Router&, const Router&) = default;

 private:
  std::uint32_t take_place(Logged<Router>& log) const;
  std::uint32_t next_lane(const Network& network, std::uint32_t port) const;
  void transmit(Context<Router>& cx, Logged<Router>& log, std::uint32_t port) const;
  void send_on(Context<Router>& cx, Logged<Router>& log, std::uint32_t port, std::uint32_t lane) const;
  void await_next(Context<Router>& cx, Logged<Router>& log, std::uint32_t host) const;
};

}  // namespace anachron::models::packets
