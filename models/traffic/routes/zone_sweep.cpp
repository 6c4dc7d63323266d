#include "traffic/routes/zone_sweep.hpp"

#include <algorithm>
#include <bit>

namespace anachron::models::traffic {

ZoneSweep::ZoneSweep(const Network& network, const Hierarchy& hierarchy, Direction direction)
    : network_(network),
      hierarchy_(hierarchy),
      direction_(direction),
      labels_(hierarchy.slots(), LengthLanes::all(kNoRoute)),
      marks_(hierarchy.places() / 64 + 1) {}

void ZoneSweep::grow(std::span<const ZoneIndex> zones, const Lengths& lengths) {
  for (const ZoneIndex zone : zones_)
    labels_[hierarchy_.root_slot(zone)] = LengthLanes::all(kNoRoute);  // the last
  zones_.assign(zones.begin(), zones.end());
  links_ = &lengths.links;
  set_out();
  const bool is_to = direction_ == Direction::to_zones;
  climb(is_to ? lengths.arcs->down() : lengths.arcs->up());
  descend(is_to ? lengths.arcs->up() : lengths.arcs->down());
  reach_closed();
}

/// To the zones' own places, or those next to them where a zone has none.
void ZoneSweep::set_out() {
  const auto next_to = [this](ZoneIndex zone) {
    return hierarchy_.turns(direction_ == Direction::to_zones ? Direction::from_zones : Direction::to_zones,
                            hierarchy_.far_slot(zone));
  };
  for (const ZoneIndex zone : zones_) {
    if (network_.passable(zone))
      mark_above(hierarchy_.root_slot(zone));
    else
      for (const auto [slot, link] : next_to(zone))
        if (slot < hierarchy_.places()) mark_above(slot);
  }
  for (std::size_t k = 0; k < zones_.size(); ++k) {
    labels_[hierarchy_.root_slot(zones_[k])].set(k, 0);
    if (network_.passable(zones_[k])) continue;
    for (const auto [slot, link] : next_to(zones_[k]))
      if (slot < hierarchy_.places()) labels_[slot].set(k, std::min(labels_[slot].get(k), (*links_)[link]));
  }
}

void ZoneSweep::mark_above(std::uint32_t place) {
  while (!is_marked(place)) {
    marks_[place / 64] |= std::uint64_t{1} << place % 64;
    labels_[place] = LengthLanes::all(kNoRoute);
    if (hierarchy_.first_arc(place) == hierarchy_.first_arc(place + 1)) return;
    place = hierarchy_.head(hierarchy_.first_arc(place));
  }
}

void ZoneSweep::climb(const Length* lengths) {
  for (std::size_t word = marks_.size(); word-- > 0;)
    for (std::uint64_t left = marks_[word]; left != 0;) {
      const int bit = 63 - std::countl_zero(left);
      left ^= std::uint64_t{1} << bit;
      const auto place = static_cast<std::uint32_t>(word * 64) + static_cast<std::uint32_t>(bit);
      const LengthLanes here = labels_[place];
      for (std::uint32_t arc = hierarchy_.first_arc(place); arc < hierarchy_.first_arc(place + 1); ++arc)
        labels_[hierarchy_.head(arc)].offer(here, lengths[arc]);
    }
}

void ZoneSweep::descend(const Length* lengths) {
  const std::uint32_t* const heads = hierarchy_.heads();
  std::uint32_t arc = 0;
  for (std::uint32_t place = 0; place < hierarchy_.places(); ++place) {
    LengthLanes here = is_marked(place) ? labels_[place] : LengthLanes::all(kNoRoute);
    for (const std::uint32_t end = hierarchy_.first_arc(place + 1); arc < end; ++arc)
      here.offer(labels_[heads[arc]], lengths[arc]);
    labels_[place] = here;
  }
  std::fill(marks_.begin(), marks_.end(), 0);
}

void ZoneSweep::reach_closed() {
  for (std::uint32_t far = hierarchy_.places(); far < hierarchy_.nodes(); ++far) {
    LengthLanes here = LengthLanes::all(kNoRoute);
    for (const auto [slot, link] : hierarchy_.turns(direction_, far))
      here.offer(labels_[slot], (*links_)[link]);
    labels_[far] = here;
  }
  for (std::size_t k = 0; k < zones_.size(); ++k) labels_[hierarchy_.far_slot(zones_[k])].set(k, 0);
}

const Hierarchy::Turn& ZoneSweep::turn(std::size_t k, std::uint32_t slot, Length length) const {
  const auto turns = hierarchy_.turns(direction_, slot);
  std::size_t turn = 0;
  while (labels_[turns[turn].slot].get(k) + (*links_)[turns[turn].link] != length) ++turn;
  return turns[turn];
}

std::optional<LinkIndex> ZoneSweep::link(std::size_t k, NodeIndex node) const {
  const std::uint32_t slot = hierarchy_.far_slot(node);
  const Length length = labels_[slot].get(k);
  if (length == 0 || length == kNoRoute) return std::nullopt;
  return turn(k, slot, length).link;
}

/// Behind the first step slots are places, or the zone's root, where the length is 0.
std::vector<LinkIndex> ZoneSweep::route_to(std::size_t k, NodeIndex node) const {
  std::uint32_t slot = hierarchy_.far_slot(node);
  std::vector<LinkIndex> links(links_->count(labels_[slot].get(k)));
  for (auto link = links.rbegin(); link != links.rend(); ++link) {
    const auto [before, by] = turn(k, slot, labels_[slot].get(k));
    *link = by;
    slot = before;
  }
  return links;
}

void ZoneSweep::write_choices(std::uint16_t* rows, std::size_t stride) const {
  for (std::uint32_t far = 0; far < hierarchy_.nodes(); ++far) {
    const LengthLanes& here = labels_[far];
    LengthLanes choices = LengthLanes::all(kNone);
    const auto turns = hierarchy_.turns(Direction::to_zones, far);
    for (std::size_t turn = turns.size(); turn-- > 0;) {  // so that the lowest stays
      const LengthLanes& next = labels_[turns[turn].slot];
      const Length further = (*links_)[turns[turn].link];
      choices.choose(static_cast<Length>(turn), next, further, here);
    }
    std::uint16_t* const row = rows + hierarchy_.node_at(far) * stride;
    for (std::size_t k = 0; k < zones_.size(); ++k) row[k] = static_cast<std::uint16_t>(choices.get(k));
  }
}

}  // namespace anachron::models::traffic
