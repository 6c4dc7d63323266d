// Implicit heaps with the key in the entry: the binary heap (Williams 1964) and wider ones (Johnson 1975).
// O(log n) per operation. A wide heap is flatter, and when the siblings share one cache line, comparing them
// is cheap (LaMarca and Ladner 1996).
#pragma once

#include <algorithm>
#include <cstddef>
#include <new>
#include <vector>

#include <anachron/base/platform.hpp>

#include "queue/pending_set.hpp"

namespace anachron::queue {

/// Memory at the start of a cache line.
template <class T>
struct LineAllocator {
  using value_type = T;

  LineAllocator() = default;
  template <class Other>
  LineAllocator(const LineAllocator<Other>&) {}

  T* allocate(std::size_t n) {
    return static_cast<T*>(::operator new(n * sizeof(T), std::align_val_t{kCacheLine}));
  }
  void deallocate(T* at, std::size_t n) {
    ::operator delete(at, n * sizeof(T), std::align_val_t{kCacheLine});
  }

  friend bool operator==(const LineAllocator&, const LineAllocator&) { return true; }
};

template <std::size_t kArity, class Entry = queue::Entry>
class DaryHeap {
  static_assert(kArity >= 2);

 public:
  void insert(event::EventHeader* e) {
    const Entry entry{to_bits(e->time), e};
    slots_.push_back(entry);
    raise(slots_.size() - 1, entry);
  }
  event::EventHeader* top() const { return size() == 0 ? nullptr : slots_[kRoot].event; }
  void pop() {
    const Entry last = slots_.back();
    slots_.pop_back();
    if (size() > 0) fill(kRoot, last);
  }
  event::EventHeader* pop_below(Time time) {
    if (size() == 0 || slots_[kRoot].bits >= to_bits(time)) return nullptr;
    event::EventHeader* const e = slots_[kRoot].event;
    pop();
    return e;
  }
  event::EventHeader* soon(std::size_t ahead) const {
    return ahead < size() ? slots_[kRoot + ahead].event : nullptr;
  }
  std::size_t size() const { return slots_.size() - kRoot; }
  std::size_t bytes() const { return slots_.capacity() * sizeof(Entry); }

  template <class Predicate, class Times = decltype(at_any_time)>
  void remove_if(Predicate&& unwanted, Times&& at = {}) {
    slots_.erase(
        std::remove_if(slots_.begin() + kRoot, slots_.end(),
                       [&](const Entry& entry) { return at(to_time(entry.bits)) && unwanted(entry.event); }),
        slots_.end());
    for (std::size_t slot = slots_.size(); slot-- > kRoot;)
      if (first_child(slot) < slots_.size()) fill(slot, slots_[slot]);
  }

 private:
  // The root comes so late that the children of each entry start at a multiple of the arity, hence, when
  // kArity entries fill cache lines, at the start of one.
  static constexpr std::size_t kRoot = kArity - 1;
  static std::size_t first_child(std::size_t at) { return (at - kRoot + 1) * kArity; }
  static std::size_t parent(std::size_t at) { return at / kArity - 1 + kRoot; }

  // Moves the hole at `at` towards the root to where `entry` belongs, and puts it there.
  void raise(std::size_t at, const Entry& entry, std::size_t root = kRoot) {
    while (at != root && before(entry, slots_[parent(at)])) {
      slots_[at] = slots_[parent(at)];
      at = parent(at);
    }
    slots_[at] = entry;
  }

  // Puts `entry` into the heap below `root`, where there is a hole. It comes from the end and most likely
  // belongs there: the hole goes down to a leaf without a look at it, and from there up again (Wegener 1993).
  void fill(std::size_t root, const Entry entry) {
    std::size_t hole = root;
    const std::size_t end = slots_.size();
    for (std::size_t child = first_child(hole); child < end; child = first_child(hole)) {
      std::size_t first = child;
      if (child + kArity <= end) [[likely]] {
        for (std::size_t i = 1; i < kArity; ++i)
          if (before(slots_[child + i], slots_[first])) first = child + i;
      } else {
        for (std::size_t other = child + 1; other < end; ++other)
          if (before(slots_[other], slots_[first])) first = other;
      }
      slots_[hole] = slots_[first];
      hole = first;
    }
    raise(hole, entry, root);
  }

  std::vector<Entry, LineAllocator<Entry>> slots_ = std::vector<Entry, LineAllocator<Entry>>(kRoot);
};

using BinaryHeap = DaryHeap<2>;
using QuaternaryHeap = DaryHeap<4>;
static_assert(PendingSet<BinaryHeap> && PendingSet<QuaternaryHeap>);

}  // namespace anachron::queue
