#include "traffic/routes/arc_lengths.hpp"

#include <algorithm>

namespace anachron::models::traffic {

ArcLengths::ArcLengths(const Hierarchy& hierarchy, const LinkLengths& links)
    : hierarchy_(hierarchy), up_(hierarchy.arcs(), kNoRoute), down_(hierarchy.arcs(), kNoRoute) {
  for (const auto& [link, arc] : hierarchy.links_up()) up_[arc] = links[link];
  for (const auto& [link, arc] : hierarchy.links_down()) down_[arc] = links[link];
  divide();
  left_.store(apart_.size(), std::memory_order_relaxed);
}

/// Small pieces leave much to the rest, which one thread does. In a city of 256 x 256, with pieces of up to a
/// quarter of the arcs, that is a third of the triangles. With pieces of a 32nd it is four fifths.
void ArcLengths::divide() {
  constexpr std::size_t kPieces = 4;
  for (std::uint32_t place = 0; place < hierarchy_.places();) {
    const std::uint32_t end = hierarchy_.end_of_subtree(place);
    if (hierarchy_.first_arc(end) - hierarchy_.first_arc(place) > hierarchy_.arcs() / kPieces) {
      rest_.push_back(place++);
    } else {
      apart_.push_back({place, end});
      place = end;
    }
  }
  if (!apart_.empty()) return;
  rest_.clear();
  apart_.push_back({0, hierarchy_.places()});
}

void ArcLengths::customise() {
  if (is_done_.load(std::memory_order_acquire)) return;
  ArcTo arc_to(hierarchy_.places());
  for (;;) {
    const std::size_t k = unclaimed_.fetch_add(1, std::memory_order_relaxed);
    if (k >= apart_.size()) break;
    for (std::uint32_t place = apart_[k].end; place-- > apart_[k].first;) customise(place, arc_to);
    if (left_.fetch_sub(1, std::memory_order_acq_rel) > 1) continue;
    for (auto place = rest_.rbegin(); place != rest_.rend(); ++place) customise(*place, arc_to);
    is_done_.store(true, std::memory_order_release);
    is_done_.notify_all();
  }
  is_done_.wait(false, std::memory_order_acquire);
}

/// By way of each place below it.
void ArcLengths::customise(std::uint32_t place, ArcTo& arc_to) {
  const std::uint32_t* const heads = hierarchy_.heads();
  for (std::uint32_t arc = hierarchy_.first_arc(place); arc < hierarchy_.first_arc(place + 1); ++arc)
    arc_to[heads[arc]] = arc;
  for (const auto [to_here, end] : hierarchy_.below(place)) {
    const Length from_here = down_[to_here], here = up_[to_here];
    for (std::uint32_t arc = to_here + 1; arc < end; ++arc) {
      const std::uint32_t k = arc_to[heads[arc]];
      up_[k] = std::min(up_[k], from_here + up_[arc]);
      down_[k] = std::min(down_[k], down_[arc] + here);
    }
  }
}

}  // namespace anachron::models::traffic
