// A list of elements of the same size in a region, in a ring: both ends grow and shrink in O(1).
#pragma once

#include <cstddef>
#include <cstdint>

#include <anachron/model/region/region.hpp>

namespace anachron::region {

/// In a state. Zeros are an empty one.
struct List {
  Offset offset;
  std::uint32_t first;  ///< where element 0 is in the ring
  std::uint32_t count;
  std::uint32_t capacity;  ///< of the ring: 0, or a power of two
};

// `size` is that of an element, in bytes. Addresses are valid until something is allocated. What returns the
// address of a new element returns null when there is no memory; the event has failed then. A new element is
// not zeroed.

/// Makes the ring larger. False: there is no memory.
bool grow(Region& region, List& list, std::size_t size);

inline Offset element_offset(const List& list, std::uint32_t i, std::size_t size) {
  return static_cast<Offset>(list.offset + ((list.first + i) & (list.capacity - 1)) * size);
}

/// Precondition of all of these: i < list.count.
inline const std::byte* element(const Region& region, const List& list, std::uint32_t i, std::size_t size) {
  return region.data(element_offset(list, i, size));
}
inline std::byte* write_element(Region& region, const List& list, std::uint32_t i, std::size_t size) {
  return region.write(element_offset(list, i, size), size);
}
/// O(count - i).
void erase(Region& region, List& list, std::uint32_t i, std::size_t size);

inline std::byte* push_back(Region& region, List& list, std::size_t size) {
  if (list.count == list.capacity && !grow(region, list, size)) [[unlikely]]
    return nullptr;
  return write_element(region, list, list.count++, size);
}
std::byte* push_front(Region& region, List& list, std::size_t size);
/// Precondition: i <= list.count. O(count - i).
std::byte* insert(Region& region, List& list, std::uint32_t i, std::size_t size);
/// Precondition: there is an element. Its bytes stay where they were until something is added.
inline void pop_back(List& list) { --list.count; }
inline void pop_front(List& list) {
  list.first = (list.first + 1) & (list.capacity - 1);
  --list.count;
}
/// Gives the memory back.
void clear(Region& region, List& list, std::size_t size);

}  // namespace anachron::region
