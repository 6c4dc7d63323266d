// What the links and zones of the traffic model do.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "traffic/links/link_queue_model.hpp"
#include "traffic/lps.hpp"

namespace anachron::models::traffic {

/// What a link gets when the restriction begins. When it ends it gets a Restrict of no content.
inline Restrict begin_of(const Restriction& restriction) {
  if (restriction.factor == 0) return {.weight = 1, .closed_until = restriction.end};
  return {.weight = 1 / restriction.factor, .closed_until = 0};
}

struct Link::GiveBack {
  InflowWindow::Undo inflow;
  float peak;
  Minutes minutes;
  bool begins, measures;
  bool waits = false;  // nothing was changed

  static GiveBack nothing() { return {{}, 0, {}, false, false, true}; }

  void operator()(Link& link) const {
    if (waits) return;
    link.inflow.undo(inflow);
    link.minutes = minutes;
    link.peak = peak;
    link.measures = measures;
    link.began -= begins;
    --link.entered;
  }
};

struct Link::TakenOver {
  double minutes;  ///< until the end of the link
  GiveBack undo;
};

inline void Link::start(Context<Link>& cx) {
  const World& world = cx.shared();
  const LinkIndex index = cx.self().index();
  if (world.has_storage()) queue.make().figures.fresh = world.storage(index).places;
  for (const Restriction& restriction : world.restrictions().of(index)) {
    cx.send_at(cx.self(), restriction.begin, begin_of(restriction));
    cx.send_at(cx.self(), restriction.end, Restrict{});
  }
}

inline bool Link::goes_on_like(const Link& other, const View<Link>& cx) const {
  return measures == other.measures && told == other.told && toll == other.toll && weight == other.weight &&
         std::max(closed_until, cx.now()) == std::max(other.closed_until, cx.now()) &&
         inflow.counts_like(other.inflow, cx.now() * cx.shared().intervals_per_minute()) &&
         published == other.published && queue == other.queue;
}

/// Only where the highest flow is not known to have been since `then` it cannot be told.
inline bool Link::observe(const Link& then, const Link& now) {
  if (now.peak == then.peak && peak < then.peak) return false;
  if (!now.minutes.is_exact() || !minutes.is_exact()) return false;
  Link own = std::move(*this);
  *this = now;
  inflow = own.inflow;
  inflow.follow(then.inflow, now.inflow);
  is_restricted |= own.is_restricted;
  if (now.closed_until == then.closed_until) closed_until = own.closed_until;
  peak = std::max(own.peak, now.peak == then.peak ? 0 : now.peak);
  entered += own.entered - then.entered;
  began += own.began - then.began;
  rerouted += own.rerouted - then.rerouted;
  minutes.add(own.minutes, then.minutes);
  return true;
}

inline auto Link::on(Context<Link>& cx, const Restrict& restriction) noexcept {
  const auto undo = [is_restricted = is_restricted, weight = weight, closed_until = closed_until,
                     measures = measures](Link& link) {
    link.is_restricted = is_restricted;
    link.weight = weight;
    link.closed_until = closed_until;
    link.measures = measures;
  };
  weight = restriction.weight;
  closed_until = std::max(closed_until, restriction.closed_until);
  is_restricted = true;
  measure_later(cx);
  return undo;
}

inline auto Link::on(Context<Link>& cx, const Toll& now) noexcept {
  const auto undo = [toll = toll, measures = measures](Link& link) {
    link.toll = toll;
    link.measures = measures;
  };
  toll = now.minutes;
  measure_later(cx);
  return undo;
}

template <class Event>
void Link::wait_before(Context<Link>& cx, const Event& vehicle) {
  cx.send_at(cx.self(), closed_until, vehicle, {.in_order = true});
}

inline void Link::measure_later(Context<Link>& cx) {
  const World& world = cx.shared();
  if (!world.has_rerouting() || measures) return;
  if (const auto next = world.next_measurement(cx.now())) {
    measures = true;
    cx.send_at(cx.self(), *next, Measure{});
  }
}

/// `begins`: it comes from its zone of origin.
// Inlined: what it returns would go through memory.
ANACHRON_INLINE Link::TakenOver Link::take_over(Context<Link>& cx, const World::Road& road, bool begins) {
  const World& world = cx.shared();
  const auto [window, undo] = inflow.enter(cx.now() * world.intervals_per_minute());
  const double time = travel_time(road, weighted(window * road.ratio_per_vehicle));
  const GiveBack give_back{undo, peak, minutes, begins, measures};

  ++entered;
  began += begins;
  peak = std::max(peak, static_cast<float>(window));
  minutes.add(time);
  if (road.ratio_per_vehicle > 0) measure_later(cx);
  return {time, give_back};
}

// Flat: its sends are what most events of a run do, and are called from elsewhere, too.
[[gnu::flatten]] inline auto Link::on(Context<Link>& cx, const Enter& vehicle) noexcept {
  const World& world = cx.shared();
  const World::Road& road = world.road(cx.self().index());
  if (is_closed(cx.now())) [[unlikely]] {
    wait_before(cx, vehicle);
    return GiveBack::nothing();
  }
  const auto [time, undo] = take_over(cx, road, world.begins_on(road, vehicle.way));
  Vehicle onward = vehicle;
  const auto next = world.next(road, onward.way);
  if (!next)
    cx.send(cx.id<Zone>(road.to), time, Arrive{onward});
  else
    cx.send(cx.id(*next), time, Enter{onward});
  return undo;
}

/// Keeps to its route as long as that is the quickest one by published times.
inline auto Link::on(Context<Link>& cx, const EnterInformed& vehicle) {
  struct Undo {
    GiveBack take_over;
    bool leaves;
    void operator()(Link& link) const {
      take_over(link);
      link.rerouted -= leaves;
    }
  };
  const World& world = cx.shared();
  const World::Road& road = world.road(cx.self().index());
  if (is_closed(cx.now())) [[unlikely]] {
    wait_before(cx, vehicle);
    return Undo{GiveBack::nothing(), false};
  }
  Vehicle onward = vehicle;
  const auto planned = world.next(road, onward.way);
  auto next = planned;
  World::Way detour;
  if (planned && published) {
    detour = world.between_zones(onward.way);
    next = world.next_by(published.get(), road, detour.destination());
  }
  const bool leaves = next != planned;
  const auto [time, undo] = take_over(cx, road, world.begins_on(road, vehicle.way));
  rerouted += leaves;
  if (leaves)
    cx.send(cx.id(*next), time, EnterDetour{{onward.departed, detour}});
  else if (planned)
    cx.send(cx.id(*planned), time, EnterInformed{onward});
  else
    cx.send(cx.id<Zone>(road.to), time, ArriveInformed{onward});
  return Undo{undo, leaves};
}

inline auto Link::on(Context<Link>& cx, const EnterDetour& vehicle) {
  const World& world = cx.shared();
  const World::Road& road = world.road(cx.self().index());
  if (is_closed(cx.now())) [[unlikely]] {
    wait_before(cx, vehicle);
    return GiveBack::nothing();
  }
  const ZoneIndex destination = vehicle.way.destination();
  const bool has_arrived = road.to == destination;
  const LinkIndex next = has_arrived ? 0 : world.next_by(published.get(), road, destination);
  const auto [time, undo] = take_over(cx, road, false);
  if (has_arrived)
    cx.send(cx.id<Zone>(destination), time, ArriveDetour{vehicle});
  else
    cx.send(cx.id(next), time, vehicle);
  return undo;
}

/// What a vehicle would take that comes now, and its toll. Reports it if it differs from what the board knows
/// by more than a hundredth of the time without traffic, or if there is no traffic. Goes on as long as there
/// is.
inline auto Link::on(Context<Link>& cx, const Measure&) noexcept {
  constexpr double kTold = 0.01;
  const World& world = cx.shared();
  const LinkIndex index = cx.self().index();
  const World::Road& road = world.road(index);
  const auto undo = [measures = measures, told = told](Link& link) {
    link.measures = measures;
    link.told = told;
  };
  const double vehicles = queue ? static_cast<double>(queue->vehicles.size())
                                : inflow.vehicles(cx.now() * world.intervals_per_minute());
  constexpr double kMost = 1e6;  // two years: who knows of more would take all other times for 0
  const double waits = std::max(closed_until - cx.now(), 0.0);
  const double time = std::min(
      toll + waits +
          (queue ? queue->minutes_now(road.free_time, world.storage(index).headway * weight, cx.now())
                 : travel_time(road, weighted(vehicles * road.ratio_per_vehicle))),
      kMost);
  const auto delay = static_cast<float>(time - road.free_time);
  if (std::abs(delay - told) > kTold * road.free_time || (vehicles == 0 && waits == 0 && told != toll)) {
    told = delay;
    cx.send(cx.id<Zone>(world.board()), 0, Measured{index, static_cast<float>(time)});
  }
  const auto next = vehicles > 0 || waits > 0 ? world.next_measurement(cx.now()) : std::nullopt;
  measures = next.has_value();
  if (next) cx.send_at(cx.self(), *next, Measure{});
  return undo;
}

inline auto Link::on(Context<Link>&, const Published& news) noexcept {
  return [before = std::exchange(published, news.publication)](Link& link) { link.published = before; };
}

inline void Zone::start(Context<Zone>& cx) {
  const World& world = cx.shared();
  const ZoneIndex zone = cx.self().index();
  if (!world.is_board(zone)) {
    if (world.demand().trips_from(zone) > 0) announce(cx, 0);
    return;
  }
  for (const RoadLink& link : world.network().links()) board.times.push_back(link.free_time);
}

/// Tells the zone itself and the vehicle's first link of the k-th vehicle, ahead of its departure.
inline void Zone::announce(Context<Zone>& cx, std::uint32_t k) {
  const World& world = cx.shared();
  const ZoneIndex zone = cx.self().index();
  const std::uint64_t trips = world.demand().trips_from(zone);

  // When a random share in the k-th of equal parts of all has departed. The moments of two such shares do not
  // come in the wrong order but for rounding.
  constexpr std::uint64_t kTicks = 1ull << 32;
  const std::uint64_t begin = k * kTicks / trips, end = (k + 1) * kTicks / trips;
  const auto share = static_cast<std::uint32_t>(begin + cx.rng().below(end - begin));
  last_announced = std::max(last_announced, world.departure(share));
  const Vehicle vehicle{last_announced, world.way(zone, k)};
  const double time = world.minutes(last_announced);
  cx.send_at(cx.self(), time, Depart{vehicle});
  if (world.stays(vehicle.way)) return;
  const LinkIndex first = world.first_link(vehicle.way);
  if (world.has_storage()) {
    const Guidance guidance = world.is_rerouting(zone, k) ? Guidance::informed : Guidance::route;
    cx.send_at(cx.id<Link>(first), time, Offer{vehicle, Offer::kOutside, guidance});
  } else if (world.is_rerouting(zone, k)) {
    cx.send_at(cx.id<Link>(first), time, EnterInformed{vehicle});
  } else {
    cx.send_at(cx.id<Link>(first), time, Enter{vehicle});
  }
}

inline auto Zone::on(Context<Zone>& cx, const Depart& vehicle) noexcept {
  const World& world = cx.shared();
  const ZoneIndex zone = cx.self().index();
  const std::uint32_t stays = world.stays(vehicle.way);
  const std::uint32_t reroutes = !stays && world.is_rerouting(zone, departed);
  const auto undo = [stays, reroutes, last_announced = last_announced](Zone& self) {
    self.last_announced = last_announced;
    self.intrazonal -= stays;
    self.rerouting -= reroutes;
    --self.departed;
  };
  ++departed;
  intrazonal += stays;
  rerouting += reroutes;
  if (departed < world.demand().trips_from(zone)) announce(cx, departed);
  return undo;
}

inline auto Zone::take_in(Context<Zone>& cx, const Vehicle& vehicle, double free) {
  const double minutes = cx.now() - cx.shared().minutes(vehicle.departed);
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

inline auto Zone::take_in_informed(Context<Zone>& cx, const Vehicle& vehicle, double free) {
  auto reverse = [undo = take_in(cx, vehicle, free), informed = informed,
                  informed_minutes = informed_minutes](Zone& zone) {
    undo(zone);
    zone.informed = informed;
    zone.informed_minutes = informed_minutes;
  };
  if (is_warm(cx)) {
    ++informed;
    informed_minutes += cx.now() - cx.shared().minutes(vehicle.departed);
  }
  return reverse;
}

inline auto Zone::on(Context<Zone>& cx, const Arrive& vehicle) noexcept {
  return take_in(cx, vehicle, cx.shared().free_time(vehicle.way, cx.self().index()));
}

inline auto Zone::on(Context<Zone>& cx, const ArriveInformed& vehicle) noexcept {
  return take_in_informed(cx, vehicle, cx.shared().free_time(vehicle.way, cx.self().index()));
}

inline auto Zone::on(Context<Zone>& cx, const ArriveDetour& vehicle) noexcept {
  return take_in_informed(cx, vehicle,
                          cx.shared().free_time_between(vehicle.way.origin(), cx.self().index()));
}

inline auto Zone::on(Context<Zone>& cx, const Measured& measured) noexcept {
  double& time = board.times[measured.link];
  const auto undo = [link = measured.link, time, is_due = board.is_due](Zone& zone) {
    zone.board.times[link] = time;
    zone.board.is_due = is_due;
  };
  time = measured.minutes;
  // All that links report at this time comes before: it is a step ahead.
  if (!std::exchange(board.is_due, true)) cx.send(cx.self(), cx.shared().publish_delay(), Publish{});
  return undo;
}

inline auto Zone::on(Context<Zone>& cx, const Publish&) {
  const bool is_due = std::exchange(board.is_due, false);
  ++board.publications;
  const std::uint32_t zones = cx.shared().network().zones();
  cx.broadcast<Link>(0, Published{SharedPublication(board.times, zones)});
  return [is_due](Zone& zone) {
    zone.board.is_due = is_due;
    --zone.board.publications;
  };
}

}  // namespace anachron::models::traffic
