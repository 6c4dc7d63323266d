// Who owns an LP, where PEs own few ranges of LPs, as with block partitions: found by comparing with the ends
// of the ranges. A table of all LPs does not fit into a core's cache when there are millions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include <anachron/base/ids.hpp>
#include <anachron/base/platform.hpp>

namespace anachron::lp {

class OwnerRanges {
 public:
  /// `owners[id]` is the PE that owns LP `id`. O(LPs).
  explicit OwnerRanges(std::span<const PeId> owners) {
    last_.fill(std::numeric_limits<LpId>::max());
    for (std::size_t id = 0; id < owners.size(); ++id) {
      if (id > 0 && owners[id] == owners[id - 1]) continue;
      if (count_ == kMost) {
        count_ = 0;
        return;
      }
      if (id > 0) last_[count_ - 1] = static_cast<LpId>(id - 1);
      owner_[count_++] = owners[id];
    }
  }

  /// Whether there are few enough ranges for `owner`.
  bool are_few() const { return count_ > 0; }
  /// Precondition: are_few(). Without branches.
  ANACHRON_INLINE PeId owner(LpId id) const {
    std::size_t range = 0;
    for (std::size_t i = 0; i + 1 < kMost; ++i) range += id > last_[i];
    return owner_[range];
  }

 private:
  static constexpr std::size_t kMost = 8;

  std::array<LpId, kMost>
      last_{};  // of each range; of the last one and beyond it the greatest id that there is
  std::array<PeId, kMost> owner_{};
  std::size_t count_ = 0;  // 0: there are more ranges
};

}  // namespace anachron::lp
