// Numbers that name things: logical processes, processing elements, history groups.
#pragma once

#include <cstddef>
#include <cstdint>

namespace anachron {

/// Number of a logical process (LP), unique over all LP types of a simulation: the LPs of the first
/// type come first, then those of the second, and so on. Independent of partition and worker count.
using LpId = std::uint32_t;

/// Number of a processing element (PE), 0-based, through all ranks.
using PeId = std::uint32_t;

/// How many PEs a rank can have, as flight records tell them apart, and all ranks together, as MatchId does.
inline constexpr std::uint32_t kMostPesOfRank = 65'534, kMostPes = (1u << 20) - 1;

/// PEs that follow one another.
struct PeRange {
  PeId first = 0;
  std::size_t count = 0;

  bool contains(PeId pe) const { return static_cast<std::size_t>(pe - first) < count; }
  /// The number of one of them among them.
  std::size_t index_of(PeId pe) const { return static_cast<std::size_t>(pe - first); }

  friend bool operator==(const PeRange&, const PeRange&) = default;
};

}  // namespace anachron
