// Who owns an LP, looked up in a table. The table has one entry for 2^n LPs in a row, where all rows of so
// many have one owner, as with block partitions of most sizes. With an entry for each of millions of LPs it
// would leave no room in a core's cache for other things.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <anachron/base/ids.hpp>
#include <anachron/base/platform.hpp>

namespace anachron::lp {

class OwnerTable {
 public:
  /// `owners[id]` is the PE that owns LP `id`; must outlive the table. O(LPs).
  explicit OwnerTable(std::span<const PeId> owners) { look_again(owners); }
  OwnerTable(const OwnerTable&) = delete;
  OwnerTable& operator=(const OwnerTable&) = delete;

  /// Owners have changed. O(LPs).
  void look_again(std::span<const PeId> owners) {
    entries_.clear();
    // All positions at which the owner changes, or-ed: the lowest bit tells how long rows may be. Where it
    // never changes, the size bounds them.
    std::size_t changes = std::bit_floor(owners.size());
    for (std::size_t id = 1; id < owners.size(); ++id)
      if (owners[id] != owners[id - 1]) changes |= id;
    shift_ = changes ? static_cast<unsigned>(std::countr_zero(changes)) : 0;
    if (shift_ > 0)
      for (std::size_t id = 0; id < owners.size(); id += std::size_t{1} << shift_)
        entries_.push_back(owners[id]);
    first_ = shift_ > 0 ? entries_.data() : owners.data();
    is_large_ = (owners.size() >> shift_) >= kLarge;
  }

  ANACHRON_INLINE PeId owner(LpId id) const { return first_[id >> shift_]; }
  /// Fetches what `owner` will read, if the table is too large for a core's cache.
  ANACHRON_INLINE void fetch(LpId id) const {
    if (is_large_) [[unlikely]]
      prefetch(&first_[id >> shift_]);
  }
  /// 0: it uses the caller's, one for each LP.
  std::size_t entries() const { return entries_.size(); }

 private:
  static constexpr std::size_t kLarge = std::size_t{1} << 17;

  const PeId* first_ = nullptr;
  unsigned shift_ = 0;
  bool is_large_ = false;
  std::vector<PeId> entries_;  // empty: one for each LP, the caller's
};

}  // namespace anachron::lp
