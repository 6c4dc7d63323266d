// Whom an event can be broadcast to, besides all LPs of a type: a range, a group.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <anachron/model/id.hpp>

namespace anachron {

/// `count` LPs of type Lp, from `first` on: `cx.broadcast(an::Range<Siren>{cx.id<Siren>(10), 5}, 0.2,
/// Sound{});`.
template <class Lp>
struct Range {
  Id<Lp> first;             ///< the LP with the smallest number
  std::uint32_t count = 0;  ///< how many; 0 fails the broadcast
};

/// A set of LPs of type Lp. Broadcasts refer to it: it must live, unchanged and where it is, until the run
/// has ended. So it belongs into the LP type's `Shared` data and not into a state or an event.
template <class Lp>
class Group {
 public:
  Group() = default;
  /// Of the LPs with these numbers, in any order; the same number twice counts once.
  explicit Group(std::vector<std::uint32_t> numbers) : numbers_(std::move(numbers)) {
    std::sort(numbers_.begin(), numbers_.end());
    numbers_.erase(std::unique(numbers_.begin(), numbers_.end()), numbers_.end());
  }

  /// How many LPs it has.
  std::uint32_t size() const { return static_cast<std::uint32_t>(numbers_.size()); }
  /// Ascending.
  std::span<const std::uint32_t> numbers() const { return numbers_; }
  /// Complexity: O(log size).
  bool contains(Id<Lp> id) const { return std::binary_search(numbers_.begin(), numbers_.end(), id.index()); }

 private:
  std::vector<std::uint32_t> numbers_;
};

}  // namespace anachron
