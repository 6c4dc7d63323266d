// Vehicles on a road network: an LP for each link, which delays vehicles by the BPR function of its inflow,
// and an LP for each zone, from which vehicles depart and in which they arrive. Time is in minutes. See
// README.md.
#pragma once

#include <algorithm>
#include <cstdint>

#include <anachron/model/model.hpp>

#include "traffic/inflow_window.hpp"
#include "traffic/params.hpp"
#include "traffic/world.hpp"

namespace anachron::models::traffic {

/// A vehicle under way. 8 bytes, so that with the kernel's header its event fills one cache line.
struct Vehicle {
  std::uint32_t departed = 0;  ///< tick, see World::minutes
  World::Way way;

  template <class Archive>
  void serialize(Archive& ar) {
    ar(departed, way);
  }
  friend bool operator==(const Vehicle&, const Vehicle&) = default;
};

/// To a link: a vehicle enters it, from its zone of origin or from another link.
struct Enter : Vehicle {};
/// To a zone, from the last link: a vehicle arrives.
struct Arrive : Vehicle {};
/// To a zone, from itself: a vehicle departs.
struct Depart : Vehicle {};

struct Zone;

/// A road. Takes a vehicle over and at once sends it on, to be taken over by the next link or its zone a
/// travel time later.
struct Link {
  using Params = traffic::Params;
  using Shared = World;
  static constexpr bool encodable_events = true;

  std::uint32_t entered = 0;
  std::uint32_t began = 0;  ///< those that came from their zone of origin
  float peak = 0;           ///< most vehicles that were in the flow window
  double minutes = 0;       ///< travel times of all that entered
  InflowWindow inflow;

  static std::uint32_t count(const Params&, const World& world) {
    return static_cast<std::uint32_t>(world.network().links().size());
  }
  static double load(const Params&, const World& world, std::uint32_t link) {
    return world.vehicles_on(link);
  }
  static double position(const Params&, const World& world, std::uint32_t link) {
    return world.position(world.road(link).from);
  }
  static void neighbours(const Params&, const World& world, std::uint32_t link, Neighbours& to);
  auto on(Context<Link>& cx, const Enter& vehicle) noexcept;
  void finish(Results& results, const Finish<Link>& cx) const;
  static void plots(const Params&, const World& world, Plots& to);

  friend bool operator==(const Link&, const Link&) = default;
};

/// Where trips begin and end.
struct Zone {
  using Params = traffic::Params;
  using Shared = World;
  static constexpr bool encodable_events = true;

  std::uint32_t departed = 0;
  std::uint32_t arrived = 0;     ///< over the network
  std::uint32_t intrazonal = 0;  ///< of those departed: destined to this zone, so arrived at once
  Tally travel_time;             ///< of the vehicles that arrived
  double free_minutes = 0;       ///< what these would have taken on an empty network
  /// What they took as a multiple of that, by the time of their arrival.
  Series congestion;

  static std::uint32_t count(const Params&, const World& world) { return world.network().zones(); }
  static double load(const Params&, const World& world, std::uint32_t zone) {
    return world.vehicles_of(zone);
  }
  static double position(const Params&, const World& world, std::uint32_t zone) {
    return world.position(zone);
  }
  static void neighbours(const Params&, const World& world, std::uint32_t zone, Neighbours& to);
  void start(Context<Zone>& cx) { send_out(cx, 0); }
  auto on(Context<Zone>& cx, const Depart& vehicle) noexcept;
  auto on(Context<Zone>& cx, const Arrive& vehicle) noexcept;
  void finish(Results& results, const Finish<Zone>& cx) const;
  static void plots(const Params&, Plots& to);

  friend bool operator==(const Zone&, const Zone&) = default;

 private:
  static void send_out(Context<Zone>& cx, std::uint32_t k);
};

inline auto Link::on(Context<Link>& cx, const Enter& vehicle) noexcept {
  const World& world = cx.shared();
  const World::Road& road = world.road(cx.self().index());
  const std::uint32_t begins = world.begins_on(road, vehicle.way);
  const auto [window, undo] = inflow.enter(cx.now() * world.intervals_per_minute());
  const double time = travel_time(road, window * road.ratio_per_vehicle);
  const auto reverse = [undo = undo, minutes = minutes, peak = peak, begins](Link& link) {
    link.inflow.undo(undo);
    link.minutes = minutes;
    link.peak = peak;
    link.began -= begins;
    --link.entered;
  };

  ++entered;
  began += begins;
  peak = std::max(peak, static_cast<float>(window));
  minutes += time;
  Vehicle onward = vehicle;
  if (const auto next = world.next(road, onward.way))
    cx.send(cx.id(*next), time, Enter{onward});
  else
    cx.send(cx.id<Zone>(road.to), time, Arrive{onward});
  return reverse;
}

/// Announces the k-th vehicle to the zone itself and to the vehicle's first link.
inline void Zone::send_out(Context<Zone>& cx, std::uint32_t k) {
  const World& world = cx.shared();
  const ZoneIndex zone = cx.self().index();
  const std::uint64_t trips = world.demand().trips_from(zone);
  if (k >= trips) return;

  // At a random moment of the k-th of equal parts of the period.
  constexpr std::uint64_t kTicks = 1ull << 32;
  const std::uint64_t begin = k * kTicks / trips, end = (k + 1) * kTicks / trips;
  const auto tick = static_cast<std::uint32_t>(begin + cx.rng().below(end - begin));
  const Vehicle vehicle{tick, world.way(zone, k)};
  cx.send_at(cx.self(), world.minutes(tick), Depart{vehicle});
  if (!world.stays(vehicle.way))
    cx.send_at(cx.id<Link>(world.first_link(vehicle.way)), world.minutes(tick), Enter{vehicle});
}

inline auto Zone::on(Context<Zone>& cx, const Depart& vehicle) noexcept {
  const std::uint32_t stays = cx.shared().stays(vehicle.way);
  ++departed;
  intrazonal += stays;
  send_out(cx, departed);  // now, not when it departs: its first link learns of it ahead of time
  return [stays](Zone& zone) {
    zone.intrazonal -= stays;
    --zone.departed;
  };
}

inline auto Zone::on(Context<Zone>& cx, const Arrive& vehicle) noexcept {
  const World& world = cx.shared();
  const double minutes = cx.now() - world.minutes(vehicle.departed);
  const double free = world.free_time(vehicle.way, cx.self().index());
  auto reverse = [travel_time = travel_time, free_minutes = free_minutes,
                  congestion = free > 0 ? this->congestion.add_undoable(cx, minutes / free)
                                        : Series::Undo()](Zone& zone) {
    zone.travel_time = travel_time;
    zone.free_minutes = free_minutes;
    zone.congestion.undo(congestion);
    --zone.arrived;
  };
  ++arrived;
  travel_time.add(cx, minutes);
  if (is_warm(cx)) free_minutes += free;
  return reverse;
}

}  // namespace anachron::models::traffic
