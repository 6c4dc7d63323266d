// Events that came from one PE of another rank, by match id, which is how a cancellation names its event
// (Bauer et al. 2009, section III-A, which has such a table per sending processor).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <stdexcept>
#include <utility>

#include <anachron/event/header.hpp>

namespace anachron::fabric {

/// Open addressing with linear probing. A PE counts its match ids up, and they live for a few GVT rounds, so
/// the id itself is a good hash. Grows when half full; shrinks when an eighth full, as after fossil
/// collection.
class MatchTable {
 public:
  /// Throws std::bad_alloc; std::logic_error when the id is there. Here and below `probes` counts the slots
  /// that the search looks at; none when there is no table yet.
  void insert(event::EventHeader& e, std::uint64_t& probes) {
    if (2 * (count_ + 1) > capacity_) resize(capacity_ ? 2 * capacity_ : kLeast);
    event::EventHeader*& slot = slots_[find_slot(e.match.value, probes)];
    if (slot) throw std::logic_error("anachron: internal error: a match id has come twice");
    slot = &e;
    ++count_;
  }

  /// Null: it is not there.
  event::EventHeader* find(std::uint64_t match, std::uint64_t& probes) const {
    return capacity_ ? slots_[find_slot(match, probes)] : nullptr;
  }

  /// What is not there is let be.
  void erase(std::uint64_t match, std::uint64_t& probes) {
    if (!capacity_) return;
    std::size_t hole = find_slot(match, probes);
    if (!slots_[hole]) return;
    --count_;
    // What was probed past the hole moves into it.
    for (std::size_t at = next(hole); slots_[at]; at = next(at)) {
      const std::size_t wanted = home_of(slots_[at]->match.value);
      if (((at - wanted) & (capacity_ - 1)) < ((at - hole) & (capacity_ - 1))) continue;
      slots_[hole] = slots_[at];
      hole = at;
    }
    slots_[hole] = nullptr;
    if (capacity_ > kLeast && 8 * count_ < capacity_) shrink();
  }

  std::size_t size() const { return count_; }
  std::uint64_t bytes() const { return capacity_ * sizeof(event::EventHeader*); }

 private:
  static constexpr std::size_t kLeast = 64;

  std::size_t home_of(std::uint64_t match) const { return match & (capacity_ - 1); }
  std::size_t next(std::size_t at) const { return (at + 1) & (capacity_ - 1); }
  /// Where the id is, or would be.
  std::size_t find_slot(std::uint64_t match, std::uint64_t& probes) const {
    std::size_t at = home_of(match);
    for (++probes; slots_[at] && slots_[at]->match.value != match; ++probes) at = next(at);
    return at;
  }
  void resize(std::size_t capacity) {
    auto old = std::exchange(slots_, std::make_unique<event::EventHeader*[]>(capacity));
    const std::size_t before = std::exchange(capacity_, capacity);
    std::uint64_t uncounted = 0;
    for (std::size_t i = 0; i < before; ++i)
      if (old[i]) slots_[find_slot(old[i]->match.value, uncounted)] = old[i];
  }
  /// Without memory it stays as it is.
  void shrink() noexcept {
    try {
      resize(capacity_ / 2);
    } catch (const std::bad_alloc&) {
      return;
    }
  }

  std::unique_ptr<event::EventHeader*[]> slots_;
  std::size_t capacity_ = 0, count_ = 0;  // the capacity is a power of two, or 0
};

}  // namespace anachron::fabric
