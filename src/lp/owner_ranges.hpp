// Who owns an LP, where several PEs own few ranges of many LPs, as with block partitions: found by comparing
// with the ends of the ranges. A table of all LPs leaves no room in a core's cache for other things then. Of
// fewer LPs the table is faster: 130,000 LPs with two workers run at the same rate, 10,000 with one lose 3%
// by comparing, 5 million with two gain 15%.
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
  static constexpr std::size_t kLeastLps = std::size_t{1} << 17;

  /// `owners[id]` is the PE that owns LP `id`. O(LPs).
  explicit OwnerRanges(std::span<const PeId> owners) {
    if (owners.size() < kLeastLps) return;
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

  /// Whether to ask `owner`: there are few enough ranges of many LPs.
  bool pay() const { return count_ > 1; }
  /// Precondition: pay(). Without branches.
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
  std::size_t count_ = 0;  // 0: there are more ranges, or fewer LPs; 1: the table is as good
};

}  // namespace anachron::lp
