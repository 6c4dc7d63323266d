// Which processing elements are near each other: those of a rank share its memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

#include <anachron/base/ids.hpp>

namespace anachron::partition {

/// PEs are numbered rank by rank: those of rank 0 come first.
struct Layout {
  std::vector<unsigned> pes_of_rank;  ///< at least one rank, each with at least one PE

  std::size_t ranks() const { return pes_of_rank.size(); }
  unsigned pes() const { return std::accumulate(pes_of_rank.begin(), pes_of_rank.end(), 0u); }

  /// By PE.
  std::vector<unsigned> rank_of_pe() const {
    std::vector<unsigned> out;
    for (unsigned rank = 0; rank < ranks(); ++rank) out.insert(out.end(), pes_of_rank[rank], rank);
    return out;
  }

  /// One rank.
  static Layout of(unsigned pes) { return {{pes}}; }
  /// As many PEs on each rank, but for one more on the first ones where that does not work out.
  /// Precondition: 1 <= ranks <= pes.
  static Layout of(unsigned pes, unsigned ranks) {
    Layout layout{std::vector<unsigned>(ranks, pes / ranks)};
    std::for_each_n(layout.pes_of_rank.begin(), pes % ranks, [](unsigned& n) { ++n; });
    return layout;
  }
};

}  // namespace anachron::partition
