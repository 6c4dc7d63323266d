// What links do with their queues.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "traffic/lps.hpp"

namespace anachron::models::traffic {

struct Link::Admission {
  InflowWindow::Undo inflow;
  float peak = 0;
  bool begins = false, measures = false;
  bool turned_off = false;           // who came to the front left the planned route
  double place = LinkQueue::kNever;  // that was taken, if it was not a fresh one

  void operator()(Link& link) const {
    --link.entered;
    link.began -= begins;
    link.peak = peak;
    link.measures = measures;
    link.rerouted -= turned_off;
    link.queue->vehicles.take_back();
    if (place < LinkQueue::kNever) link.queue->places.put_back(place);
    link.inflow.undo(inflow);
  }
};

/// The vehicle takes a place if there is one. A vehicle that is let in without one owes it: the place behind
/// which it squeezes in is not free when a vehicle leaves.
inline Link::Admission Link::let_in(Context<Link>& cx, const Offer& offer) {
  const World& world = cx.shared();
  const LinkStorage& storage = world.storage(cx.self().index());
  const auto [window, undo] = inflow.enter(cx.now() * world.intervals_per_minute());
  Admission admission{undo, peak, offer.from == Offer::kOutside, measures};
  if (storage.places > 0) {
    if (queue->figures.fresh > 0)
      --queue->figures.fresh;
    else if (queue->next_place(storage, cx.now()) <= cx.now())
      admission.place = queue->places.pop();
    else
      ++queue->figures.owed, ++queue->figures.squeezed;
  }
  ++entered;
  peak = std::max(peak, static_cast<float>(window));
  queue->vehicles.push({offer, cx.now(), offer.guidance});
  queue->figures.most = std::max(queue->figures.most, static_cast<std::uint32_t>(queue->vehicles.size()));
  if (queue->vehicles.size() == 1) admission.turned_off = send_first(cx);
  rerouted += admission.turned_off;
  began += admission.begins;
  measure_later(cx);
  if (!admission.begins) cx.send(cx.id<Link>(offer.from), 0, Left{});
  return admission;
}

/// The first vehicle leaves when it has driven along the link and the one before it is a headway ahead.
/// Returns whether it leaves its planned route.
inline bool Link::send_first(Context<Link>& cx) {
  const World& world = cx.shared();
  const LinkIndex index = cx.self().index();
  const World::Road& road = world.road(index);
  const LinkQueue::Driving& first = queue->vehicles.front();
  Vehicle onward = first.vehicle;
  const double at = std::max({first.since + road.free_time, queue->figures.may_leave, cx.now()});
  if (first.guidance != Guidance::route) return send_guided(cx, first, at);
  if (const auto next = world.next(road, onward.way)) {
    cx.send_at(cx.id<Link>(*next), at, Offer{onward, index});
  } else {
    cx.send_at(cx.id<Zone>(road.to), at, Arrive{onward});
    cx.send_at(cx.self(), at, Left{});
  }
  return false;
}

/// The same for one who re-decides, now that nobody is in front. Not inlined, as most do not.
[[gnu::noinline]] inline bool Link::send_guided(Context<Link>& cx, const LinkQueue::Driving& first,
                                                double at) {
  const World& world = cx.shared();
  const LinkIndex index = cx.self().index();
  const World::Road& road = world.road(index);
  Offer onward{first.vehicle, index, first.guidance};
  std::optional<LinkIndex> next;
  bool leaves = false;
  if (first.guidance == Guidance::detour) {
    const ZoneIndex destination = onward.way.destination();
    if (road.to != destination) next = world.next_by(published.get(), road, destination);
  } else if ((next = world.next(road, onward.way)) && published) {
    const World::Way detour = world.between_zones(onward.way);
    const LinkIndex quickest = world.next_by(published.get(), road, detour.destination());
    leaves = quickest != *next;
    if (leaves) next = quickest, onward.way = detour, onward.guidance = Guidance::detour;
  }
  if (next) {
    cx.send_at(cx.id<Link>(*next), at, onward);
    return leaves;
  }
  if (first.guidance == Guidance::detour)
    cx.send_at(cx.id<Zone>(road.to), at, ArriveDetour{onward});
  else
    cx.send_at(cx.id<Zone>(road.to), at, ArriveInformed{onward});
  cx.send_at(cx.self(), at, Left{});
  return false;
}

/// Of the first vehicle in the line. Before a closed link everyone is patient.
inline double Link::patience_ends(const World& world) const {
  return std::max(queue->line.front().since, closed_until) + world.patience();
}

/// At the next place, or when the first vehicle in the line loses patience.
inline void Link::wake_for_line(Context<Link>& cx) {
  if (queue->line.empty()) return;
  const World& world = cx.shared();
  const double due =
      std::min(queue->next_place(world.storage(cx.self().index()), cx.now()), patience_ends(world));
  const double at = std::max({due, cx.now(), closed_until});
  if (!(at < queue->figures.wakes)) return;
  queue->figures.wakes = at;
  cx.send_at(cx.self(), at, Wake{});
}

struct Link::OfferUndo {
  enum class Went : std::uint8_t { in, into_line, outside };
  LinkQueue::Figures figures;
  Admission admission;
  Went went;

  void operator()(Link& link) const {
    if (went == Went::in) admission(link);
    if (went == Went::into_line) link.queue->line.take_back();
    if (went == Went::outside) link.queue->outside.take_back();
    link.queue->figures = figures;
  }
};

/// First come, first served; of those that depart here only one stands in the line, so that they take turns
/// with those on other links.
inline auto Link::on(Context<Link>& cx, const Offer& offer) noexcept {
  using Went = OfferUndo::Went;
  OfferUndo undo{queue->figures, {}, Went::in};
  const bool departs = offer.from == Offer::kOutside;
  if (departs && queue->figures.has_zone_in_line) {
    queue->outside.push(offer);
    undo.went = Went::outside;
  } else if (queue->line.empty() && !is_closed(cx.now()) &&
             queue->next_place(cx.shared().storage(cx.self().index()), cx.now()) <= cx.now()) {
    undo.admission = let_in(cx, offer);
  } else {
    queue->line.push({offer, cx.now()});
    queue->figures.has_zone_in_line |= departs;
    undo.went = Went::into_line;
    wake_for_line(cx);
  }
  return undo;
}

struct Link::WakeUndo {
  LinkQueue::Figures figures;
  Admission admission;
  LinkQueue::Standing first;  // that was let in, if one was
  bool let_in, moved_up;      // and the next one of those outside stands in the line

  void operator()(Link& link) const {
    if (let_in) {
      admission(link);
      if (moved_up) link.queue->outside.put_back(link.queue->line.take_back().offer);
      link.queue->line.put_back(first);
    }
    link.queue->figures = figures;
  }
};

/// Lets in the first vehicle, one at a time.
inline auto Link::on(Context<Link>& cx, const Wake&) noexcept {
  const World& world = cx.shared();
  const double now = cx.now();
  WakeUndo undo{queue->figures, {}, {}, false, false};
  if (queue->figures.wakes <= now) queue->figures.wakes = LinkQueue::kNever;
  if (!queue->line.empty() && !is_closed(now) &&
      (queue->next_place(world.storage(cx.self().index()), now) <= now || patience_ends(world) <= now)) {
    undo.let_in = true;
    undo.first = queue->line.pop();
    const Offer& offer = undo.first.offer;
    const bool departs = offer.from == Offer::kOutside;
    if (departs) {
      undo.moved_up = queue->figures.has_zone_in_line = !queue->outside.empty();
      if (undo.moved_up) queue->line.push({queue->outside.pop(), now});
    }
    // Who departs has waited since the moment at which it wanted to.
    const double waited = now - (departs ? world.minutes(offer.departed) : undo.first.since);
    (departs ? queue->figures.wait_to_depart : queue->figures.wait) += waited;
    (departs ? queue->figures.waits_to_depart : queue->figures.waits) += waited > 0;
    queue->figures.longest_wait = std::max(queue->figures.longest_wait, waited);
    undo.admission = let_in(cx, offer);
  }
  wake_for_line(cx);
  return undo;
}

struct Link::LeftUndo {
  LinkQueue::Figures figures;
  Minutes minutes;
  LinkQueue::Driving gone;
  bool has_left, is_place_left;
  bool turned_off = false;  // who comes to the front

  void operator()(Link& link) const {
    link.minutes = minutes;
    link.rerouted -= turned_off;
    if (is_place_left) link.queue->places.take_back();
    if (has_left) link.queue->vehicles.put_back(gone);
    link.queue->figures = figures;
  }
};

/// Its place is at the beginning a gap's time later. Without vehicles this is an event that overtook another
/// one and is about to be undone.
inline auto Link::on(Context<Link>& cx, const Left&) noexcept {
  const LinkStorage& storage = cx.shared().storage(cx.self().index());
  LeftUndo undo{queue->figures, minutes, {}, !queue->vehicles.empty(), false};
  if (!undo.has_left) return undo;
  undo.gone = queue->vehicles.pop();
  ++queue->figures.left;
  minutes.add(cx.now() - undo.gone.since);
  queue->figures.may_leave = cx.now() + storage.headway * weight;
  undo.is_place_left = storage.places > 0 && queue->figures.owed == 0;
  if (undo.is_place_left)
    queue->places.push(cx.now() + storage.gap_time);
  else if (storage.places > 0)
    --queue->figures.owed;
  if (!queue->vehicles.empty()) undo.turned_off = send_first(cx);
  rerouted += undo.turned_off;
  wake_for_line(cx);
  return undo;
}

}  // namespace anachron::models::traffic
