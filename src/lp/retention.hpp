// How long committed entries of a history are kept. An entry without a copy of its LP's state can only be
// undone with the help of older ones: the newest that has a copy, and those between them. So before entries
// are dropped, a floor is announced: from then on no new entry relies on a copy at or below it. When all
// entries that were there at the announcement have been committed, nothing relies on what is below the floor,
// and it is dropped. No entry is looked at for that: amortised O(1).
#pragma once

#include <algorithm>
#include <cstdint>

namespace anachron::lp {

class Retention {
 public:
  /// A new entry without a copy may rely on a copy whose index is greater.
  std::uint64_t floor() const { return floor_; }
  /// Entry `index`, the newest, relies on an older one.
  void add_dependent(std::uint64_t index) { newest_dependent_ = index; }

  /// Entries up to `committed` are committed, and no other relies on one of them.
  bool is_free(std::uint64_t committed) const { return newest_dependent_ <= committed; }
  /// Entries up to `index` were dropped; only when all up to it are free.
  void dropped(std::uint64_t index) { floor_ = droppable_ = index; }

  /// Call when entries up to `committed` are committed; `lag` of them are kept for new entries to rely on.
  /// Returns the index up to which entries may be dropped.
  std::uint64_t droppable(std::uint64_t committed, std::uint64_t lag) {
    if (committed < awaited_) return droppable_;
    droppable_ = floor_;
    floor_ = std::max(floor_, committed - std::min(lag, committed));
    awaited_ = newest_dependent_;
    if (is_free(committed)) droppable_ = floor_;
    return droppable_;
  }

 private:
  std::uint64_t newest_dependent_ = 0;
  std::uint64_t floor_ = 0;      // what is at or below it is to be dropped,
  std::uint64_t awaited_ = 0;    // once entries up to this one are committed
  std::uint64_t droppable_ = 0;  // the floor before
};

}  // namespace anachron::lp
