// Which PEs each rank has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <anachron/base/ids.hpp>

namespace anachron::fabric {

/// PEs are numbered through all ranks: first those of rank 0.
class RankLayout {
 public:
  RankLayout(unsigned rank, std::vector<unsigned> pes_of_rank)
      : rank_(rank), pes_of_rank_(std::move(pes_of_rank)) {
    for (const unsigned pes : pes_of_rank_) {
      ranges_.push_back({static_cast<PeId>(rank_of_.size()), pes});
      rank_of_.insert(rank_of_.end(), pes, static_cast<std::uint32_t>(ranges_.size() - 1));
    }
  }
  /// One process alone.
  explicit RankLayout(unsigned pes) : RankLayout(0, {pes}) {}

  unsigned rank() const { return rank_; }
  unsigned ranks() const { return static_cast<unsigned>(ranges_.size()); }
  std::span<const unsigned> pes_of_rank() const { return pes_of_rank_; }
  /// Those of this rank.
  PeRange own() const { return ranges_[rank_]; }
  PeRange range(unsigned rank) const { return ranges_[rank]; }
  /// All.
  std::size_t pes() const { return rank_of_.size(); }
  unsigned rank_of(PeId pe) const { return rank_of_[pe]; }

 private:
  unsigned rank_;
  std::vector<unsigned> pes_of_rank_;
  std::vector<PeRange> ranges_;
  std::vector<std::uint32_t> rank_of_;  // by PE
};

}  // namespace anachron::fabric
