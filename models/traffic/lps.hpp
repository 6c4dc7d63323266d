// Vehicles on a road network. An LP for each link delays vehicles by the BPR function of its inflow. From an
// LP for each zone vehicles depart, and there they arrive. With rerouting one more zone is the board that
// publishes travel times. Time is in minutes. See README.md. What they do is in model.hpp.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <anachron/model/model.hpp>

#include "traffic/events.hpp"
#include "traffic/links/inflow_window.hpp"
#include "traffic/links/link_queue.hpp"
#include "traffic/minutes.hpp"
#include "traffic/params.hpp"
#include "traffic/world.hpp"

namespace anachron::models::traffic {

struct Zone;

/// A road. Takes a vehicle over and at once sends it on, to be taken over by the next link or its zone a
/// travel time later. With storage it has a queue instead.
struct Link {
  using Params = traffic::Params;
  using Shared = World;
  static constexpr bool encodable_events = true;

  std::uint32_t entered = 0;
  std::uint32_t began = 0;     ///< those that came from their zone of origin
  float peak = 0;              ///< most vehicles that were in the flow window
  bool measures = false;       ///< a measurement is due
  bool is_restricted = false;  ///< the last two members count
  Minutes minutes;             ///< travel times of all that entered; with storage of all that left
  InflowWindow inflow;
  std::uint32_t rerouted = 0;  ///< those that left their route at its end
  float told = 0;              ///< the delay that the board knows of, in minutes
  SharedPublication published;
  Boxed<LinkQueue> queue;   ///< with storage
  double weight = 1;        ///< see Restrict
  double closed_until = 0;  ///< likewise
  float toll = 0;           ///< see Toll

  static std::uint32_t count(const Params&, const World& world) {
    return static_cast<std::uint32_t>(world.network().links().size());
  }
  static double load(const Params&, const World& world, std::uint32_t link) {
    return world.vehicles_on(link) * (world.has_storage() ? 2.0 : 1.0) + world.publications();
  }
  static double position(const Params&, const World& world, std::uint32_t link) {
    return world.position(world.road(link).from);
  }
  static std::uint32_t cluster(const Params&, const World& world, std::uint32_t link) {
    return world.cluster_of_link(link);
  }
  static bool may_stop(const Params&) { return false; }
  static double lookahead(const Params&, const World& world) { return world.lookahead(); }
  static void neighbours(const Params& params, const World& world, std::uint32_t link, Neighbours& to);
  static void foresee(const World& world, std::uint32_t link, const Enter& vehicle) {
    world.foresee(link, vehicle.way);
  }
  void start(Context<Link>& cx);
  /// Whether both pass vehicles on in the same way from now on. Counts of the past may differ.
  bool goes_on_like(const Link& other, const View<Link>& cx) const;
  bool observe(const Link& then, const Link& now);
  auto on(Context<Link>& cx, const Enter& vehicle) noexcept;
  auto on(Context<Link>& cx, const EnterInformed& vehicle);  // these two may find that there is no memory
  auto on(Context<Link>& cx, const EnterDetour& vehicle);
  auto on(Context<Link>& cx, const Restrict& restriction) noexcept;
  auto on(Context<Link>& cx, const Toll& now) noexcept;
  auto on(Context<Link>& cx, const Measure&) noexcept;
  auto on(Context<Link>& cx, const Published& news) noexcept;
  auto on(Context<Link>& cx, const Offer& offer) noexcept;  // with storage these three
  auto on(Context<Link>& cx, const Wake&) noexcept;
  auto on(Context<Link>& cx, const Left&) noexcept;
  void finish(Results& results, const Finish<Link>& cx) const;
  static void plots(const Params&, const World& world, Plots& to);

  friend bool operator==(const Link&, const Link&) = default;

 private:
  /// Undoes that a vehicle was taken over.
  struct GiveBack;
  struct TakenOver;
  bool is_closed(double now) const { return is_restricted && now < closed_until; }
  double weighted(double ratio) const { return is_restricted ? ratio * weight : ratio; }
  /// The vehicle stays where it is until the link is open. Behind those that wait already.
  template <class Event>
  void wait_before(Context<Link>& cx, const Event& vehicle);
  /// With rerouting, unless one is due: a measurement at the next time for it.
  void measure_later(Context<Link>& cx);
  TakenOver take_over(Context<Link>& cx, const World::Road& road, bool begins);

  struct Admission;  ///< undoes that a vehicle was let in
  struct OfferUndo;
  struct WakeUndo;
  struct LeftUndo;
  Admission let_in(Context<Link>& cx, const Offer& offer);
  bool send_first(Context<Link>& cx);
  bool send_guided(Context<Link>& cx, const LinkQueue::Driving& first, double at);
  double patience_ends(const World& world) const;
  void wake_for_line(Context<Link>& cx);
};

/// The state of the board: where links report their travel times, and from where these are published.
struct Board {
  std::vector<double> times;  ///< of each link, in minutes, as last reported
  bool is_due = false;        ///< there is something new, to be published
  std::uint32_t publications = 0;

  friend bool operator==(const Board&, const Board&) = default;
};

/// Where trips begin and end. With rerouting the one behind the last zone is the board, and not a zone: an LP
/// type of its own would be there without rerouting, too.
struct Zone {
  using Params = traffic::Params;
  using Shared = World;
  static constexpr bool encodable_events = true;

  std::uint32_t departed = 0;
  std::uint32_t arrived = 0;         ///< over the network
  std::uint32_t intrazonal = 0;      ///< of those departed: destined to this zone, so arrived at once
  std::uint32_t rerouting = 0;       ///< of those departed: re-decide on their way
  std::uint32_t last_announced = 0;  ///< the tick of the latest departure that has been announced
  Tally travel_time;                 ///< of the vehicles that arrived
  double free_minutes = 0;           ///< what these would have taken on an empty network
  /// Those of them that re-decide on their way.
  std::uint32_t informed = 0;
  double informed_minutes = 0;
  /// What they took as a multiple of that, by the time of their arrival.
  Series congestion;
  Board board;

  static std::uint32_t count(const Params&, const World& world) {
    return world.network().zones() + world.has_rerouting();
  }
  static double load(const Params&, const World& world, std::uint32_t zone) {
    if (world.is_board(zone))
      return world.publications() * static_cast<double>(world.network().links().size());
    return world.vehicles_of(zone);
  }
  static double position(const Params&, const World& world, std::uint32_t zone) {
    return world.is_board(zone) ? 0 : world.position(zone);
  }
  static std::uint32_t cluster(const Params&, const World& world, std::uint32_t zone) {
    return world.cluster_of_zone(zone);
  }
  static bool may_stop(const Params&) { return false; }
  static double lookahead(const Params&, const World& world) { return world.lookahead(); }
  static void neighbours(const Params&, const World& world, std::uint32_t zone, Neighbours& to);
  void start(Context<Zone>& cx);
  /// Whether both announce and publish the same from now on. Counts of the past may differ.
  bool goes_on_like(const Zone& other, const View<Zone>&) const {
    return departed == other.departed && last_announced == other.last_announced && board == other.board;
  }
  auto on(Context<Zone>& cx, const Depart& vehicle) noexcept;
  auto on(Context<Zone>& cx, const Arrive& vehicle) noexcept;
  auto on(Context<Zone>& cx, const ArriveInformed& vehicle) noexcept;
  auto on(Context<Zone>& cx, const ArriveDetour& vehicle) noexcept;
  auto on(Context<Zone>& cx, const Measured& measured) noexcept;
  auto on(Context<Zone>& cx, const Publish&);
  void finish(Results& results, const Finish<Zone>& cx) const;
  static void plots(const Params&, Plots& to);

  friend bool operator==(const Zone&, const Zone&) = default;

 private:
  void announce(Context<Zone>& cx, std::uint32_t k);
  /// `free`: minutes that the vehicle would have taken on an empty network.
  auto take_in(Context<Zone>& cx, const Vehicle& vehicle, double free);
  auto take_in_informed(Context<Zone>& cx, const Vehicle& vehicle, double free);
};

}  // namespace anachron::models::traffic
