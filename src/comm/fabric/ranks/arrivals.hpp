// Events that came from one PE of another rank, in the order in which they came. A cancellation names its
// event by that (Bauer et al. 2009, section III-A, which has a hash table per sending processor).
//
// An event can be cancelled only until GVT has passed its cause, while it may be pending for long after. The
// sender knows when that is: its promises (Port::promise) say how many of the first events are certain, and
// they leave here. So here is what the sender has sent in the last few GVT rounds, however much is pending.
// Coming and leaving touch no event and cost next to nothing, and only a cancellation searches.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <stdexcept>

#include <anachron/event/header.hpp>

namespace anachron::fabric {

/// A ring that grows when it is full, and shrinks when an eighth of it is in use.
class Arrivals {
 public:
  /// Throws std::bad_alloc.
  void add(event::EventHeader& e) {
    if (size() == capacity_) resize(capacity_ ? 2 * capacity_ : kLeast);
    at(last_++) = {e.match.value, &e};
  }

  /// Null: it is not here. The event must not have been dropped, as it is not while it can be cancelled.
  event::EventHeader* find(std::uint64_t match) const {
    std::uint64_t looks = 0;
    return find(match, looks);
  }
  /// `looks` counts the entries that were looked at.
  event::EventHeader* find(std::uint64_t match, std::uint64_t& looks) const {
    // Match ids count up from one cause to the next. What one cause has sent comes newest first, so ids fall
    // within a cause. What is searched for lies in the cause that begins or in the one that ends here.
    const std::uint64_t low = first_at_least(match, looks);
    for (std::uint64_t i = low; i < last_ && (i == low || at(i).match < at(i - 1).match); ++i, ++looks)
      if (at(i).match == match) return at(i).event;
    for (std::uint64_t i = low; i > first_ && (i == low || at(i - 1).match > at(i).match); --i, ++looks)
      if (at(i - 1).match == match) return at(i - 1).event;
    for (std::uint64_t i = first_; i < last_; ++i, ++looks)  // causes in another order
      if (at(i).match == match) return at(i).event;
    return nullptr;
  }

  /// The first `count` events of all that ever came, or will come, are not going to be cancelled.
  void release(std::uint64_t count) {
    first_ = std::clamp(count, first_, last_);
    if (capacity_ > kLeast && 8 * size() < capacity_) shrink();
  }

  /// How many ever came.
  std::uint64_t count() const { return last_; }
  /// Only so many ever came: the others were cancelled, and the next ones are counted in their place.
  void forget_since(std::uint64_t count) {
    last_ = std::clamp(count, first_, last_);
    if (capacity_ > kLeast && 8 * size() < capacity_) shrink();
  }

  std::size_t size() const { return static_cast<std::size_t>(last_ - first_); }
  std::uint64_t bytes() const { return capacity_ * sizeof(Arrival); }

 private:
  struct Arrival {
    std::uint64_t match;
    event::EventHeader* event;
  };

  static constexpr std::size_t kLeast = 64;

  /// Where a search in order ends.
  std::uint64_t first_at_least(std::uint64_t match, std::uint64_t& looks) const {
    std::uint64_t low = first_, high = last_;
    for (; low < high; ++looks) {
      const std::uint64_t middle = low + (high - low) / 2;
      if (at(middle).match < match)
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  }
  Arrival& at(std::uint64_t i) const { return ring_[i & (capacity_ - 1)]; }
  void resize(std::size_t capacity) {
    auto ring = std::make_unique_for_overwrite<Arrival[]>(capacity);
    for (std::uint64_t i = first_; i < last_; ++i) ring[i & (capacity - 1)] = at(i);
    ring_ = std::move(ring);
    capacity_ = capacity;
  }
  /// Without memory it stays as it is.
  void shrink() noexcept {
    try {
      resize(capacity_ / 2);
    } catch (const std::bad_alloc&) {
      return;
    }
  }

  std::unique_ptr<Arrival[]> ring_;
  std::size_t capacity_ = 0;            // a power of two, or 0
  std::uint64_t first_ = 0, last_ = 0;  // of all that ever came: the first that is here, and how many
};

}  // namespace anachron::fabric
