// A priority queue of elements of the same size in a region: a binary heap. The smallest priority comes
// first, of equal ones that which came first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include <anachron/model/region/region.hpp>

namespace anachron::region {

/// In a state. Zeros are an empty one.
struct PriorityQueue {
  Offset offset;
  std::uint32_t capacity, count;
  std::uint32_t unused;
  std::uint64_t next;  ///< number of the next element
};

/// What an element begins with.
struct Rank {
  double priority;
  std::uint64_t number;
};

/// Makes the heap larger. False: there is no memory.
bool grow(Region& region, PriorityQueue& in, std::size_t size);

namespace heap {
inline std::size_t stride(std::size_t size) { return sizeof(Rank) + size; }

inline Offset offset_of(const PriorityQueue& in, std::uint32_t i, std::size_t size) {
  return static_cast<Offset>(in.offset + i * stride(size));
}

inline const Rank& rank(const Region& region, const PriorityQueue& in, std::uint32_t i, std::size_t size) {
  return region.at<Rank>(offset_of(in, i, size));
}

inline bool is_before(const Rank& a, const Rank& b) {
  return a.priority != b.priority ? a.priority < b.priority : a.number < b.number;
}

inline void move(Region& region, const PriorityQueue& in, std::uint32_t to, std::uint32_t from,
                 std::size_t size) {
  std::memcpy(region.write(offset_of(in, to, size), stride(size)), region.data(offset_of(in, from, size)),
              stride(size));
}
}  // namespace heap

/// Adds an element; returns its address, or null when there is no memory: the event has failed. O(log n).
inline std::byte* push(Region& region, PriorityQueue& in, double priority, std::size_t size) {
  if (in.count + 1 >= in.capacity && !grow(region, in, size)) [[unlikely]]
    return nullptr;  // one place is for the element that `pop` returns
  const Rank own{priority, in.next++};
  std::uint32_t hole = in.count++;
  while (hole > 0) {
    const std::uint32_t parent = (hole - 1) / 2;
    if (!heap::is_before(own, heap::rank(region, in, parent, size))) break;
    heap::move(region, in, hole, parent, size);
    hole = parent;
  }
  std::byte* const at = region.write(heap::offset_of(in, hole, size), heap::stride(size));
  std::memcpy(at, &own, sizeof own);
  return at + sizeof own;
}
/// The first element, which is there. O(1).
inline const std::byte* top(const Region& region, const PriorityQueue& in) {
  return region.data(in.offset) + sizeof(Rank);
}

inline double top_priority(const Region& region, const PriorityQueue& in) {
  return region.at<Rank>(in.offset).priority;
}
/// Removes it. Its bytes lie at the returned address until something is added. O(log n).
inline const std::byte* pop(Region& region, PriorityQueue& in, std::size_t size) {
  const std::uint32_t last = --in.count;
  heap::move(region, in, last + 1, 0, size);  // where nothing is
  const Rank own = heap::rank(region, in, last, size);
  std::uint32_t hole = 0;
  for (;;) {
    std::uint32_t child = 2 * hole + 1;
    if (child >= last) break;
    if (child + 1 < last &&
        heap::is_before(heap::rank(region, in, child + 1, size), heap::rank(region, in, child, size)))
      ++child;
    if (!heap::is_before(heap::rank(region, in, child, size), own)) break;
    heap::move(region, in, hole, child, size);
    hole = child;
  }
  if (last > 0) heap::move(region, in, hole, last, size);
  return region.data(heap::offset_of(in, last + 1, size)) + sizeof(Rank);
}
/// Gives the memory back.
void clear(Region& region, PriorityQueue& in, std::size_t size);

}  // namespace anachron::region
