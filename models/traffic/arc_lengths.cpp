#include "traffic/arc_lengths.hpp"

#include <algorithm>

#include "traffic/helpers.hpp"

namespace anachron::models::traffic {
namespace {

/// Places one after the other, to be customised from the last one to the first.
struct Piece {
  std::uint32_t first, end;
};

struct Pieces {
  std::vector<Piece> apart;         ///< whole subtrees: independent of each other
  std::vector<std::uint32_t> rest;  ///< places above these, ascending
};

Pieces divide(const Hierarchy& hierarchy, std::size_t arcs_in_a_piece) {
  Pieces pieces;
  for (std::uint32_t place = 0; place < hierarchy.places();) {
    const std::uint32_t end = hierarchy.end_of_subtree(place);
    if (hierarchy.first_arc(end) - hierarchy.first_arc(place) > arcs_in_a_piece) {
      pieces.rest.push_back(place++);
    } else {
      pieces.apart.push_back({place, end});
      place = end;
    }
  }
  return pieces;
}

}  // namespace

ArcLengths::ArcLengths(const Hierarchy& hierarchy, const LinkLengths& links, std::size_t threads)
    : up_(hierarchy.arcs(), kNoRoute), down_(hierarchy.arcs(), kNoRoute) {
  for (const auto& [link, arc] : hierarchy.links_up()) up_[arc] = links[link];
  for (const auto& [link, arc] : hierarchy.links_down()) down_[arc] = links[link];

  // Small pieces leave much to the rest, which one thread does: of the triangles of a city of 256 x 256 a
  // third with pieces of a quarter of the arcs, and four fifths with pieces of a 32nd.
  constexpr std::size_t kPiecesForAThread = 2;
  std::vector<ArcTo> desks(std::max<std::size_t>(threads, 1), ArcTo(hierarchy.places()));
  const Pieces pieces =
      divide(hierarchy,
             desks.size() == 1 ? hierarchy.arcs() : hierarchy.arcs() / (kPiecesForAThread * desks.size()));
  share_out(pieces.apart.size(), 1, desks, [&](ArcTo& arc_to, std::size_t k) {
    for (std::uint32_t place = pieces.apart[k].end; place-- > pieces.apart[k].first;)
      customise(hierarchy, place, arc_to);
  });
  for (auto place = pieces.rest.rbegin(); place != pieces.rest.rend(); ++place)
    customise(hierarchy, *place, desks.front());
}

/// By way of each place below it.
void ArcLengths::customise(const Hierarchy& hierarchy, std::uint32_t place, ArcTo& arc_to) {
  const std::uint32_t* const heads = hierarchy.heads();
  for (std::uint32_t arc = hierarchy.first_arc(place); arc < hierarchy.first_arc(place + 1); ++arc)
    arc_to[heads[arc]] = arc;
  for (const auto [to_here, end] : hierarchy.below(place)) {
    const Length from_here = down_[to_here], here = up_[to_here];
    for (std::uint32_t arc = to_here + 1; arc < end; ++arc) {
      const std::uint32_t k = arc_to[heads[arc]];
      up_[k] = std::min(up_[k], from_here + up_[arc]);
      down_[k] = std::min(down_[k], down_[arc] + here);
    }
  }
}

}  // namespace anachron::models::traffic
