#include <anachron/model/region/priority_queue.hpp>

#include <algorithm>
#include <cstring>

namespace anachron::region {

bool grow(Region& region, PriorityQueue& in, std::size_t size) {
  const std::uint32_t capacity = std::max(2 * in.capacity, std::uint32_t{4});
  const Offset moved = region.allocate(capacity * heap::stride(size));
  if (!moved) return false;
  if (in.capacity > 0) {
    std::memcpy(region.write(moved, in.count * heap::stride(size)), region.data(in.offset),
                in.count * heap::stride(size));
    region.release(in.offset, in.capacity * heap::stride(size));
  }
  in.offset = moved;
  in.capacity = capacity;
  return true;
}

void clear(Region& region, PriorityQueue& in, std::size_t size) {
  if (in.capacity > 0) region.release(in.offset, in.capacity * heap::stride(size));
  in = {};
}

}  // namespace anachron::region
