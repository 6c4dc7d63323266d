#include <anachron/model/region/text.hpp>

#include <algorithm>
#include <bit>

namespace anachron::region {

std::byte* write(Region& region, Text& text, std::uint32_t size) {
  constexpr std::size_t kLeastCapacity = 16;
  if (size > text.capacity) {
    if (text.capacity > 0) region.release(text.offset, text.capacity);
    text = {};
    const std::size_t capacity = std::bit_ceil(std::max<std::size_t>(size, kLeastCapacity));
    const Offset offset = region.allocate(capacity);
    if (!offset) return nullptr;
    text = {.offset = offset, .size = 0, .capacity = static_cast<std::uint32_t>(capacity), .unused = 0};
  }
  text.size = size;
  return size == 0 ? nullptr : region.write(text.offset, size);
}

}  // namespace anachron::region
