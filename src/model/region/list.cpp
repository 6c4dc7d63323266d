#include <anachron/model/region/list.hpp>

#include <algorithm>
#include <cstring>

namespace anachron::region {
namespace {

constexpr std::uint32_t kLeastCapacity = 4;

void copy_element(Region& region, const List& list, std::uint32_t to, std::uint32_t from, std::size_t size) {
  std::memcpy(write_element(region, list, to, size), element(region, list, from, size), size);
}

}  // namespace

bool grow(Region& region, List& list, std::size_t size) {
  const std::uint32_t capacity = std::max(2 * list.capacity, kLeastCapacity);
  const Offset moved = region.allocate(capacity * size);
  if (!moved) return false;
  if (list.capacity > 0) {
    std::byte* const to = region.write(moved, list.count * size);
    const std::size_t before_end = std::min(list.count, list.capacity - list.first) * size;
    std::memcpy(to, region.data(element_offset(list, 0, size)), before_end);
    std::memcpy(to + before_end, region.data(list.offset), list.count * size - before_end);
    region.release(list.offset, list.capacity * size);
  }
  list.offset = moved;
  list.first = 0;
  list.capacity = capacity;
  return true;
}

void erase(Region& region, List& list, std::uint32_t i, std::size_t size) {
  if (i == 0) return pop_front(list);
  for (; i + 1 < list.count; ++i) copy_element(region, list, i, i + 1, size);
  --list.count;
}

std::byte* push_front(Region& region, List& list, std::size_t size) {
  if (list.count == list.capacity && !grow(region, list, size)) return nullptr;
  list.first = (list.first - 1) & (list.capacity - 1);
  ++list.count;
  return write_element(region, list, 0, size);
}

std::byte* insert(Region& region, List& list, std::uint32_t i, std::size_t size) {
  if (!push_back(region, list, size)) return nullptr;
  for (std::uint32_t k = list.count - 1; k > i; --k) copy_element(region, list, k, k - 1, size);
  return write_element(region, list, i, size);
}

void clear(Region& region, List& list, std::size_t size) {
  if (list.capacity > 0) region.release(list.offset, list.capacity * size);
  list = {};
}

}  // namespace anachron::region
