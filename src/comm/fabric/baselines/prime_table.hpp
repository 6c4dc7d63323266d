// The hash table of Bauer et al. 2009, section III-A, to compare MatchTable with: events of one sender by
// match id, with quadratic probing in a table of prime size. A run uses none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <utility>

#include <anachron/event/header.hpp>

namespace anachron::fabric {

/// Begins with seven slots. An insertion that would fill more than half of them takes the table to the next
/// prime. `probes` counts the slots that are looked at.
class PrimeTable {
 public:
  /// Precondition: the id is not there. Throws std::bad_alloc.
  void insert(event::EventHeader& e, std::uint64_t& probes) {
    if (2 * (count_ + 1) > capacity_) resize(capacity_ ? prime_above(capacity_) : kLeast);
    put(e, probes);
    ++count_;
  }

  /// Null: it is not there.
  event::EventHeader* find(std::uint64_t match, std::uint64_t& probes) const {
    const std::size_t at = find_slot(match, probes);
    return at == capacity_ ? nullptr : slots_[at];
  }

  void erase(std::uint64_t match, std::uint64_t& probes) {
    const std::size_t at = find_slot(match, probes);
    if (at == capacity_) return;
    slots_[at] = nullptr;
    --count_;
  }

  std::size_t size() const { return count_; }
  std::size_t capacity() const { return capacity_; }

 private:
  static constexpr std::size_t kLeast = 7;

  /// Calls `is_it` with one slot after the other, at distances that are squares, until it says yes. Half of
  /// the slots come, each once, as the size is prime. Returns the slot, or the capacity.
  template <class IsIt>
  std::size_t probe(std::uint64_t match, std::uint64_t& probes, const IsIt& is_it) const {
    if (capacity_ == 0) return capacity_;
    std::size_t at = match % capacity_;
    for (std::size_t i = 1; i <= (capacity_ + 1) / 2; ++i) {
      ++probes;
      if (is_it(slots_[at])) return at;
      at = (at + 2 * i - 1) % capacity_;
    }
    return capacity_;
  }
  /// Goes on past empty slots: what was there may have been erased. Only what is there is searched for.
  std::size_t find_slot(std::uint64_t match, std::uint64_t& probes) const {
    return probe(match, probes,
                 [match](const event::EventHeader* e) { return e && e->match.value == match; });
  }
  void put(event::EventHeader& e, std::uint64_t& probes) {
    const std::size_t at =
        probe(e.match.value, probes, [](const event::EventHeader* there) { return !there; });
    if (at == capacity_) throw std::logic_error("anachron: internal error: half of the slots are taken");
    slots_[at] = &e;
  }
  void resize(std::size_t capacity) {
    auto old = std::exchange(slots_, std::make_unique<event::EventHeader*[]>(capacity));
    const std::size_t before = std::exchange(capacity_, capacity);
    std::uint64_t uncounted = 0;
    for (std::size_t i = 0; i < before; ++i)
      if (old[i]) put(*old[i], uncounted);
  }
  static std::size_t prime_above(std::size_t n) {
    const auto is_prime = [](std::size_t candidate) {
      for (std::size_t d = 3; d * d <= candidate; d += 2)
        if (candidate % d == 0) return false;
      return true;
    };
    for (n += 2; !is_prime(n);) n += 2;  // all sizes are odd
    return n;
  }

  std::unique_ptr<event::EventHeader*[]> slots_;
  std::size_t capacity_ = 0, count_ = 0;
};

}  // namespace anachron::fabric
