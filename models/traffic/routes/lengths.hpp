// How long routes are: what they cost and how many links they have, as one whole number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "traffic/network.hpp"

namespace anachron::models::traffic {

/// Of a link or a route: its cost in units of a power of two, and in the lower bits the number of links. Sums
/// are exact, in whatever order they are formed, and the smaller of two is the route that costs less, or the
/// same with fewer links.
using Length = std::int64_t;

/// Longer than any route. The sum of two such still fits.
inline constexpr Length kNoRoute = (Length{1} << 62) - 1;

/// The links of a network at certain costs, of any kind.
///
/// A route leaves a node once at most. So none costs more than the dearest links that leave each node do in
/// all, and none has more links than there are nodes. As many bits as the latter needs are for links. The
/// unit is the least power of two with which the former fits into the rest of 61 bits. In a network of 10,000
/// nodes with costs of a minute or so these are some nanoseconds; a single link of 10^9 minutes makes it a
/// millisecond. It depends on network and costs only.
class LinkLengths {
 public:
  /// `costs`: of each link, >= 0 and finite. O(links).
  LinkLengths(const Network& network, std::span<const double> costs);

  Length operator[](LinkIndex link) const { return lengths_[link]; }
  /// By link.
  std::span<const Length> all() const { return lengths_; }
  /// What a route of this length costs, each of its links rounded; infinite for kNoRoute.
  double cost(Length length) const;
  /// The links of a route of this length. Precondition: it is not kNoRoute.
  std::size_t count(Length length) const {
    return static_cast<std::size_t>(length & ((Length{1} << link_bits_) - 1));
  }
  /// Whether a route costs less, whatever the number of links.
  bool is_cheaper(Length a, Length b) const { return a >> link_bits_ < b >> link_bits_; }

 private:
  std::vector<Length> lengths_;
  int link_bits_;
  double unit_;
};

}  // namespace anachron::models::traffic
